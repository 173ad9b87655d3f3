#pragma once

#include "actors/runtime/archive.hpp"
#include "actors/runtime/clock.hpp"
#include "actors/shows/actor.hpp"
#include "actors/shows/registry.hpp"
#include "http/api/access.hpp"
#include "http/api/customer_token.hpp"
#include "http/api/draw_pages.hpp"
#include "http/api/join_desk.hpp"
#include "http/api/metrics.hpp"
#include "http/api/proof_of_work.hpp"
#include "http/api/seat_map.hpp"
#include "http/api/ticket.hpp"
#include "storage/secrets.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

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
  hmac_key identities;                     ///< keyed hashes of customers and keys
  storage::secret_key personal_data_key{}; ///< seals what is personal
  access_list access;
  join_desks joins;
  seat_maps maps;
  draw_pages draws{};
  std::vector<std::string> gateways;                          ///< names, the first is the default
  std::atomic<bool> ready{true};                              ///< false while draining
  std::unique_ptr<customer_token_verifier> customer_tokens{}; ///< null: no tokens are accepted
  std::unique_ptr<proof_of_work> proofs{};                    ///< null in tests that need none
  metrics_page metrics{};
  std::function<http::server_counts()> server_counts{}; ///< any thread; null: all are 0
};

} // namespace usher::http
