#pragma once

#include "tests/system/crash_model.hpp"

#include <atomic>
#include <cstdint>
#include <deque>
#include <random>

namespace usher::test::crash {

inline const std::string sale = "sale"; ///< everybody is let in at once and fights for seats
inline const std::string line = "line"; ///< slow: most who join wait, and some leave
inline constexpr int rows = 40;         ///< in each of the two blocks of the sale, `L` and `R`
inline constexpr int seats_per_row = 30;

/// One client, on a thread of its own while the server runs: fan after fan, as fast as it can. What
/// it fights for moves on with the round, so that there are always seats left.
class client {
public:
  client(int number, std::string show, std::uint64_t seed);

  /// Until the server is gone, or it is told to stop. First asks again for what was not answered
  /// last time.
  void run(std::uint16_t port, int round);
  void begin() { stopped_ = false; } ///< before it runs again
  void stop() { stopped_ = true; }   ///< from any thread

  [[nodiscard]] const std::deque<journey>& fans() const { return fans_; }
  [[nodiscard]] const std::vector<std::string>& complaints() const { return complaints_; }
  [[nodiscard]] int acknowledged() const { return acknowledged_; } ///< from any thread
  /// Calls that were refused because the disk is full; from any thread.
  [[nodiscard]] int turned_away() const { return turned_away_; }

private:
  void act(api_client& server);
  void join(api_client& server, journey& fan);
  void check_room_on_disk(const api_answer& got);
  void go_on(api_client& server, journey& fan);
  [[nodiscard]] step next_step(const journey& fan);
  void take(api_client& server, journey& fan, step next);
  api_answer ask(api_client& server, journey& fan);
  bool answered(api_client& server, journey& fan, const api_answer& got);
  void queue_up(api_client& server);
  [[nodiscard]] std::vector<std::string> pick_seats();
  [[nodiscard]] int below(int n) { return static_cast<int>(engine_() % static_cast<unsigned>(n)); }

  int number_;
  std::string show_;
  std::mt19937_64 engine_;
  std::deque<journey> fans_;
  std::vector<std::string> complaints_;
  std::atomic<int> acknowledged_{0};
  std::atomic<int> turned_away_{0};
  std::atomic<bool> stopped_{false};
  int round_ = 0;
};

} // namespace usher::test::crash
