#pragma once

#include "actors/runtime/archive.hpp"
#include "actors/runtime/clock.hpp"
#include "actors/shows/actor.hpp"
#include "actors/shows/registry.hpp"
#include "http/api/access.hpp"
#include "http/api/customer_token.hpp"
#include "http/api/draw_pages.hpp"
#include "http/api/entry_ticket.hpp"
#include "http/api/join_desk.hpp"
#include "http/api/metrics.hpp"
#include "http/api/proof_of_work.hpp"
#include "http/api/seat_map.hpp"
#include "http/api/ticket.hpp"
#include "storage/disk_guard.hpp"
#include "storage/personal_data.hpp"

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace usher::runtime {
class snapshotter;
} // namespace usher::runtime

namespace usher::storage::outbox {
class workers;
} // namespace usher::storage::outbox

namespace usher::storage {
class backup_job;
class eraser;
} // namespace usher::storage

namespace usher::http {

/// What is chosen at start and the handlers need to know.
struct api_options {
  std::string default_currency = "BRL"; ///< of shows that the drop-in path makes
  bool trust_user_ids = false;          ///< the drop-in paths that believe the caller's userId
  bool open_loopback = false;           ///< no operator key asked on loopback (the demo)
};

/// Everything the handlers share. Outlives the server; all members are thread-safe.
struct app {
  api_options options;
  shows::registry* shows = nullptr;
  shows::actor directory;
  runtime::archive archive{};
  std::atomic<std::size_t> receipts_under_way{0}; ///< see receipts_max
  const usher::clock* clock = nullptr;
  ticket_codec tickets;
  entry_ticket_codec entry_tickets;
  hmac_key identities;                             ///< keyed hashes of customers and keys
  storage::personal_data* personal_data = nullptr; ///< seals what is personal; null only in tests
  storage::eraser* eraser = nullptr;               ///< null: this server erases nobody
  storage::backup_job* backups = nullptr;          ///< null: this server makes no backups
  access_list access;
  join_desks joins;
  seat_maps maps;
  draw_pages draws{};
  std::shared_ptr<const payments::switchboard> gateways{};
  std::map<std::string, payments::provider*> providers{}; ///< by name: they read webhooks
  orders::actor cashier{};                                ///< payments without a show
  const orders::desk_board* cashier_board = nullptr;
  std::atomic<bool> ready{true};                              ///< false while draining
  const storage::disk_guard* disk = nullptr;                  ///< null: there is always space
  const runtime::snapshotter* snapshots = nullptr;            ///< null: none are made
  storage::outbox::workers* outbox = nullptr;                 ///< null: there are no sinks
  std::unique_ptr<customer_token_verifier> customer_tokens{}; ///< null: no tokens are accepted
  std::unique_ptr<proof_of_work> proofs{};                    ///< null in tests that need none
  metrics_page metrics{};
  std::function<http::server_counts()> server_counts{}; ///< any thread; null: all are 0
};

} // namespace usher::http
