#include "http/server/wheel.hpp"

#include <algorithm>
#include <cstring>

namespace usher::http {

void timed::unlink() {
  if (back_ == nullptr)
    return;
  *back_ = next_;
  if (next_ != nullptr)
    next_->back_ = back_;
  next_ = nullptr;
  back_ = nullptr;
}

wheel::wheel(boost::asio::io_context& context, std::chrono::milliseconds tick)
    : tick_(std::max(tick, std::chrono::milliseconds(1))), timer_(context.get_executor()) {
  write_date(std::time(nullptr));
  arm();
}

void wheel::set(timed& what, std::chrono::milliseconds in) {
  const auto ticks = (in.count() + tick_.count() - 1) / tick_.count() + 1;
  what.deadline_ = now_ + static_cast<std::uint32_t>(ticks);
  if (what.back_ != nullptr && what.visit_ <= what.deadline_)
    return; // found too early, it is linked anew then
  what.unlink();
  link(what);
}

void wheel::stop() {
  stopped_ = true; // a tick that is due already cannot be cancelled, and must not arm the next
  timer_.cancel();
}

void wheel::link(timed& what) {
  what.visit_ = std::min(what.deadline_, now_ + slots - 1);
  timed*& head = heads_[what.visit_ % slots];
  what.next_ = head;
  what.back_ = &head;
  if (head != nullptr)
    head->back_ = &what.next_;
  head = &what;
}

void wheel::arm() {
  timer_.expires_at(start_ + tick_ * (static_cast<std::int64_t>(now_) + 1));
  timer_.async_wait([this](boost::system::error_code ec) {
    if (ec || stopped_)
      return;
    // After a stall several ticks are due at once.
    const auto due = static_cast<std::uint32_t>((clock::now() - start_) / tick_);
    while (now_ < due)
      turn();
    write_date(std::time(nullptr));
    if (!stopped_) // an expiry may have ended the last session
      arm();
  });
}

void wheel::turn() {
  ++now_;
  timed* due = heads_[now_ % slots];
  heads_[now_ % slots] = nullptr;
  if (due != nullptr)
    due->back_ = &due; // so that an expiry may unlink any of the others
  while (due != nullptr) {
    timed& one = *due;
    one.unlink();
    if (one.deadline_ > now_)
      link(one);
    else
      one.expire();
  }
}

void wheel::write_date(std::time_t now) {
  if (now == date_second_)
    return;
  date_second_ = now;
  // Not strftime: its names follow the process's locale.
  static constexpr const char* days[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr const char* months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                           "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  std::tm t{};
  gmtime_r(&now, &t);
  std::memcpy(date_.data(), "Date: Thu, 01 Jan 1970 00:00:00 GMT\r\n", date_header_size);
  const auto put = [this](std::size_t at, int number) {
    date_[at] = static_cast<char>('0' + number / 10 % 10);
    date_[at + 1] = static_cast<char>('0' + number % 10);
  };
  std::memcpy(date_.data() + 6, days[t.tm_wday], 3);
  put(11, t.tm_mday);
  std::memcpy(date_.data() + 14, months[t.tm_mon], 3);
  put(18, (t.tm_year + 1900) / 100);
  put(20, t.tm_year % 100);
  put(23, t.tm_hour);
  put(26, t.tm_min);
  put(29, t.tm_sec);
}

} // namespace usher::http
