#pragma once

#include "tests/system/crash_holds_model.hpp"

#include <atomic>
#include <cstdint>
#include <deque>
#include <random>

namespace usher::test::crash_holds {

inline const std::vector<std::string> sides{"L", "M", "R"}; ///< blocks whose rows have equal names
inline constexpr int rows = 14;
inline constexpr int seats_per_row = 40;
inline constexpr int floor_places = 2000;

[[nodiscard]] json plan();

/// One client, on a thread of its own while the server runs: hold after hold, as fast as it can.
/// The rows it fights for move on with the round.
class client {
public:
  client(int number, std::uint64_t seed) : number_{number}, dice_{seed} {}

  /// Until the server is gone.
  void run(std::uint16_t port, int round);

  [[nodiscard]] std::deque<fan>& fans() { return fans_; }
  [[nodiscard]] const std::vector<std::string>& complaints() const { return complaints_; }
  [[nodiscard]] int acknowledged() const { return acknowledged_; } ///< from any thread

private:
  void release_old_ones(api_client& server);
  void live(api_client& server, fan& who);
  bool take(api_client& server, fan& who, request what);
  [[nodiscard]] request to_place(fan& who);
  [[nodiscard]] request to_change(fan& who);
  [[nodiscard]] static request to_release(fan& who);
  void choose(request& into, const seat_set& but, int quantity_max);
  [[nodiscard]] std::string seat();
  [[nodiscard]] int row() { return std::max(0, round_ - below(2)); }
  [[nodiscard]] int below(int n) { return static_cast<int>(dice_() % static_cast<unsigned>(n)); }

  int number_;
  std::mt19937_64 dice_;
  std::deque<fan> fans_;
  std::vector<std::string> complaints_;
  std::atomic<int> acknowledged_{0};
  int round_ = 0;
};

/// The operator, likewise: takes seats of several blocks off sale by force.
class blocker {
public:
  explicit blocker(std::uint64_t seed) : dice_{seed} {}

  void run(std::uint16_t port, int round);

  [[nodiscard]] desk& knows() { return desk_; }
  [[nodiscard]] const std::vector<std::string>& complaints() const { return complaints_; }
  [[nodiscard]] int acknowledged() const { return acknowledged_; }

private:
  void block(api_client& server, int round);
  void unblock(api_client& server, int round);
  [[nodiscard]] int below(int n) { return static_cast<int>(dice_() % static_cast<unsigned>(n)); }

  std::mt19937_64 dice_;
  desk desk_;
  std::vector<std::string> complaints_;
  std::atomic<int> acknowledged_{0};
};

} // namespace usher::test::crash_holds
