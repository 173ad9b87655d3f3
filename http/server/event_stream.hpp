#pragma once

#include "http/server/completion_queue.hpp"
#include "http/server/exchange.hpp"
#include "http/server/options.hpp"
#include "http/server/wheel.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

namespace usher::http {

/// An answer that goes on: asks its source when the time has come, breaks long silence, and frames
/// what is to be sent. Knows no socket. Counts as a stream from its making to its end.
class event_stream {
public:
  using clock = wheel::clock;

  /// `chunked` or, for HTTP/1.0, bare. `counts` must outlive it.
  event_stream(std::unique_ptr<event_source> source, counters& counts,
               const server_options& options, bool chunked, clock::time_point now);
  ~event_stream();
  event_stream(const event_stream&) = delete;
  event_stream& operator=(const event_stream&) = delete;

  /// Appends what is to be sent now to `out`: nothing, if neither the source nor the heartbeat is
  /// due. The source is in the first turn.
  void turn(std::string& out, clock::time_point now);

  /// Appends the end; the source is not asked again.
  void end(std::string& out);
  [[nodiscard]] bool ended() const { return ended_; }

  /// What to set the wheel to, so that its tick nearest to the next due time makes the next turn.
  [[nodiscard]] std::chrono::milliseconds wait(clock::time_point now) const;

private:
  void append(std::string& out, std::string_view bytes, clock::time_point now);

  std::unique_ptr<event_source> source_;
  counters& counts_;
  std::chrono::milliseconds tick_;
  std::chrono::milliseconds heartbeat_;
  clock::time_point next_look_;
  clock::time_point next_heartbeat_;
  bool chunked_;
  bool ended_ = false;
};

} // namespace usher::http
