#pragma once

#include "actors/journal/actor.hpp"
#include "actors/payments/switchboard.hpp"
#include "actors/runtime/archive.hpp"
#include "actors/runtime/clock.hpp"
#include "actors/runtime/recovered.hpp"
#include "actors/shows/actor.hpp"

#include <caf/actor_system.hpp>

#include <atomic>
#include <memory>
#include <vector>

namespace usher::runtime {

/// The actors of one node, started from what the log told. Everything they are given by reference
/// outlives the actor system: actors may still be ending when the node is gone. The destructor
/// stops them all and waits for a detached journal, so it does not run on an actor's thread.
class node {
public:
  struct parts {
    storage::event_log* log = nullptr;
    const usher::clock* clock = nullptr;
    journal::on_failure fail;
    std::vector<payments::gateway_setup> gateways; ///< names differ
    bool detach_journal = true;       ///< and the archive; false under a test scheduler
    waiting_room::bytes32 draw_key{}; ///< secret for ever: all draws' seeds come from it
    /// Until when nobody is blamed for silence, as calls were turned away. Outlives the system.
    const std::atomic<time_ms>* excused_until = nullptr;
    /// An attempt whose outcome is unknown for so long is voided, and its seats are given up.
    duration_ms payment_limit_ms = 600'000;
    /// False while new writes are refused, see room_seed. Outlives the system. None: always true.
    const std::atomic<bool>* accepts_writes = nullptr;
  };

  node(caf::actor_system& system, recovered world, parts with);
  ~node();
  node(const node&) = delete;
  node& operator=(const node&) = delete;

  [[nodiscard]] shows::registry& shows() { return shows_; }
  [[nodiscard]] const shows::actor& directory() const { return directory_; }
  [[nodiscard]] const journal::actor& journal() const { return journal_; }
  [[nodiscard]] const runtime::archive& archive() const { return archive_; }
  [[nodiscard]] const std::shared_ptr<const payments::switchboard>& gateways() const {
    return gateways_;
  }
  /// The desk of payments without a show.
  [[nodiscard]] const orders::actor& cashier() const { return cashier_; }
  [[nodiscard]] const orders::desk_board& cashier_board() const { return *cashier_board_; }

  /// Ends every actor. Called once by whoever must not wait for the destructor.
  void stop();

private:
  void start_cashier(orders::state found, const parts& with);

  caf::actor_system* system_;
  bool detached_;
  shows::registry shows_;
  journal::actor journal_;
  runtime::archive archive_;
  std::shared_ptr<const payments::switchboard> gateways_;
  std::shared_ptr<orders::desk_board> cashier_board_ = std::make_shared<orders::desk_board>();
  orders::actor cashier_;
  shows::actor directory_;
};

} // namespace usher::runtime
