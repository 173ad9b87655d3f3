#pragma once

#include <array>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <string_view>

namespace usher::http {

class wheel;

/// Something with one deadline, linked into a wheel. Leaves it when destroyed.
class timed {
public:
  timed() = default;
  timed(const timed&) = delete;
  timed& operator=(const timed&) = delete;

protected:
  virtual ~timed() { unlink(); }

private:
  friend class wheel;
  /// The deadline has passed and no longer stands. May destroy this object.
  virtual void expire() = 0;
  void unlink();

  timed* next_ = nullptr;
  timed** back_ = nullptr; ///< who points here; null: not linked
  std::uint32_t deadline_ = 0;
  std::uint32_t visit_ = 0; ///< the tick at which the wheel looks here next
};

/// A coarse timer wheel, one per I/O thread and used on it only: to move a deadline later, as every
/// request does, is one store. Also keeps the Date header, which changes as rarely.
class wheel {
public:
  using clock = std::chrono::steady_clock;

  wheel(boost::asio::io_context& context, std::chrono::milliseconds tick);

  /// Expires after `in`, rounded up to the tick plus one: never early. Replaces an earlier
  /// deadline.
  void set(timed& what, std::chrono::milliseconds in);

  /// No more ticks: the loop may end.
  void stop();

  /// "Date: Tue, 15 Nov 1994 08:12:31 GMT\r\n"
  [[nodiscard]] std::string_view date_header() const { return {date_.data(), date_.size()}; }

private:
  static constexpr std::uint32_t slots = 64;
  static constexpr std::size_t date_header_size = 37;

  void arm();
  void turn();
  void link(timed& what);
  void write_date(std::time_t now);

  std::array<timed*, slots> heads_{};
  std::uint32_t now_ = 0; ///< ticks since the start
  bool stopped_ = false;
  std::chrono::milliseconds tick_;
  clock::time_point start_ = clock::now();
  std::time_t date_second_ = 0;
  std::array<char, date_header_size> date_{};
  boost::asio::basic_waitable_timer<clock, boost::asio::wait_traits<clock>,
                                    boost::asio::io_context::executor_type>
      timer_;
};

} // namespace usher::http
