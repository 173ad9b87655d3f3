#include "http/server/event_stream.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cstddef>
#include <utility>

namespace usher::http {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds look_wait_max = std::chrono::hours(1);
constexpr std::string_view heartbeat_bytes = ": \n\n";

} // namespace

event_stream::event_stream(std::unique_ptr<event_source> source, counters& counts,
                           const server_options& options, bool chunked, clock::time_point now)
    : source_(std::move(source)),
      counts_(counts),
      tick_(options.tick),
      heartbeat_(options.stream_heartbeat),
      next_look_(now),
      next_heartbeat_(now + heartbeat_),
      chunked_(chunked) {
  ++counts_.streams;
}

event_stream::~event_stream() {
  --counts_.streams;
}

void event_stream::turn(std::string& out, clock::time_point now) {
  // Ticks come a little late, each by its own: without the half, what is due with this tick would
  // now and then wait for the next.
  const auto due = now + tick_ / 2;
  if (due >= next_look_) {
    const auto said = source_->look();
    assert(said.bytes.size() <= stream_turn_bytes_max);
    next_look_ = now + std::max(std::min(said.next, look_wait_max), tick_);
    if (!said.bytes.empty())
      append(out, said.bytes, now);
    if (said.last)
      return end(out);
  }
  if (due >= next_heartbeat_)
    append(out, heartbeat_bytes, now);
}

void event_stream::end(std::string& out) {
  ended_ = true;
  if (chunked_)
    out += "0\r\n\r\n";
}

milliseconds event_stream::wait(clock::time_point now) const {
  const auto due = std::min(next_look_, next_heartbeat_);
  const auto wheel_adds = tick_;
  return std::max(std::chrono::ceil<milliseconds>(due - now) - wheel_adds, milliseconds(0));
}

void event_stream::append(std::string& out, std::string_view bytes, clock::time_point now) {
  next_heartbeat_ = now + heartbeat_;
  if (!chunked_) {
    out += bytes;
    return;
  }
  std::array<char, 2 * sizeof(std::size_t)> digits;
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), bytes.size(), 16).ptr;
  out.append(digits.data(), end);
  out += "\r\n";
  out += bytes;
  out += "\r\n";
}

} // namespace usher::http
