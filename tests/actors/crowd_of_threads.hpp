#pragma once

#include "actors/payments/sandbox.hpp"
#include "actors/runtime/node.hpp"
#include "storage/memory_log.hpp"
#include "tests/actors/seat_history.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>

#include <array>
#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace usher::testing {

/// A node as the program runs it: CAF's own scheduler, a journal on a thread of its own, the time
/// of the machine. Only the log is in memory. One show, two blocks of three seats, the room OFF.
class busy_node {
public:
  static constexpr std::array seats{"A-1", "A-2", "A-3", "B-1", "B-2", "B-3"};

  busy_node();

  /// Asks the desk and waits for the answer, on a thread that is nobody's actor.
  [[nodiscard]] orders::answer ask(orders::any_command what) const;
  [[nodiscard]] orders::answer look_up(const hold_id& id) const;
  /// As a seat map shows it, read as an I/O thread reads it.
  [[nodiscard]] seating::shown look_at(std::size_t seat) const;

  void stop() { node_.reset(); }
  [[nodiscard]] const storage::memory_log& log() const { return log_; }

private:
  struct config : caf::actor_system_config {
    config() { set("scheduler.max-threads", 4); }
  };

  storage::memory_log log_;
  process_clock clock_;
  payments::sandbox gateway_;
  config config_;
  caf::actor_system system_{config_};
  std::optional<runtime::node> node_;
  const shows::show_entry* show_ = nullptr;
};

/// Threads that all want the same few seats, and write down what each was told of which seat when.
class crowd_of_threads {
public:
  crowd_of_threads(busy_node& node, std::uint64_t seed) : node_{node}, seed_{seed} {}

  void run(std::size_t threads, std::size_t calls_each);

  /// By seat, as in busy_node::seats.
  [[nodiscard]] const std::vector<std::vector<seat_call>>& histories() const { return histories_; }

private:
  /// A hold that was made, and its order once there is one. Any thread may go on with it.
  struct known_hold {
    std::uint32_t number = 0;
    std::vector<std::size_t> seats;
    order_id order;
  };
  struct fan;

  void remember(known_hold made);
  void set_order(std::uint32_t hold, const order_id& order);
  [[nodiscard]] std::optional<known_hold> one_of(std::mt19937_64& engine);

  busy_node& node_;
  std::uint64_t seed_;
  std::atomic<std::uint32_t> numbers_{0};
  std::mutex guard_; ///< of the next
  std::vector<known_hold> recent_;
  std::vector<std::vector<seat_call>> histories_{busy_node::seats.size()};
};

} // namespace usher::testing
