#pragma once

#include "tests/system/sell_out_world.hpp"

#include <chrono>
#include <cstdint>
#include <deque>

namespace usher::test::sell_out {

/// All fans of a sale and whoever watches it, on the caller's thread. They come while the room
/// admits nobody, then all are let in, and only when all are inside they begin.
class sale {
public:
  /// `fans_at_once` is also the room's maxActive.
  sale(std::uint16_t port, std::uint32_t fans_at_once, std::uint64_t seed)
      : port_{port}, fans_at_once_{fans_at_once}, shared_{seed} {}

  /// Until all is sold and everybody has left; what was wrong is in its complaints.
  const world& run();

private:
  /// Calls are counted as moments, two for each.
  struct progress {
    std::chrono::steady_clock::time_point at;
    moment now = 0;
    std::size_t sold = 0;
  };

  void spawn(task<void> what);
  task<void> let_fans_come();
  task<void> serve(async_client& place);
  task<void> open_doors();
  task<void> look_at_map();
  task<void> tell_progress();
  void tell(std::chrono::duration<double> after, const progress& last, const progress& now) const;
  [[nodiscard]] bool is_done() const { return shared_.is_over() && running_ == 0; }

  std::uint16_t port_;
  std::uint32_t fans_at_once_;
  world shared_;
  boost::asio::io_context runs_{1};
  std::deque<async_client> places_;
  std::uint32_t running_ = 0;
};

} // namespace usher::test::sell_out
