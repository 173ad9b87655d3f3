#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

// The contract between the HTTP server and the handlers. Nothing here knows sockets or Beast, so a
// handler can be tested with a reply of the test's own.
namespace usher::http {

enum class method : std::uint8_t { get, head, post, put, patch, delete_, options, other };

/// One request that passed the gate. All views end with the call they were given to.
struct request {
  http::method method = http::method::other;
  std::string_view target; ///< as sent
  std::string_view
      path; ///< still percent-encoded, never empty; split first, then decode_path_segment
  std::string_view query; ///< what follows the '?', still encoded
  std::string_view body;

  // The headers somebody reads; empty if absent, the first one if repeated. Host and
  // Content-Length are never repeated: the gate refuses that.
  std::string_view host;
  std::string_view authorization;
  std::string_view admission_ticket; ///< X-Admission-Ticket
  std::string_view queue_token;      ///< X-Queue-Token
  std::string_view idempotency_key;
  std::string_view content_type;
  std::string_view accept;
  std::string_view accept_encoding;
  std::string_view accept_language;
  std::string_view if_none_match;
  std::string_view cookie;
  std::string_view origin;
  std::string_view last_event_id;
  std::string_view request_id; ///< X-Request-Id
  std::string_view fields;     ///< all header lines as they came; see header_field

  bool loopback = false; ///< the peer's address is a loopback one
};

/// The value of any other header, without the blanks around it: the first one if repeated, empty if
/// absent. Looks at every line: for what few handlers need.
[[nodiscard]] std::string_view header_field(const request& what, std::string_view name);

struct response {
  unsigned status = 200;
  std::string_view content_type = "application/json"; ///< must outlive the sending: a literal
  /// More header lines, each ended by CRLF; no framing, no Connection, no Date.
  std::string headers{};
  std::string body{};
  /// If set, sent instead of `body` and not copied: for large bytes that many requests share.
  std::shared_ptr<const std::string> shared_body{};
};

/// What a deferred answer goes to. The server's, or a test's.
class late_answer {
public:
  virtual ~late_answer() = default;
  virtual void send(response answer) = 0;
};

/// The right to answer one request later, from any thread. Copyable. The first send wins; later
/// ones, and those after the answer deadline, a closed connection or the server's end, are dropped.
/// A request counts as in flight until it is sent or its last copy is gone.
class deferred {
public:
  explicit deferred(std::shared_ptr<late_answer> to) : to_(std::move(to)) {}
  void send(response answer) const { to_->send(std::move(answer)); }

private:
  std::shared_ptr<late_answer> to_;
};

/// What a stream of Server-Sent Events sends: asked now and then on the connection's I/O thread,
/// one call at a time, and never while bytes of an earlier turn are still unsent. So a slow reader
/// costs the memory of one turn and misses what came in between: say what holds now, not what
/// happened.
class event_source {
public:
  struct turn {
    /// Complete events, ready made; may be empty. At most stream_turn_bytes_max, more is a bug.
    std::string bytes{};
    /// When to ask again, to the nearest tick; at least one tick and at most an hour later.
    std::chrono::milliseconds next{0};
    bool last = false; ///< the stream ends after these bytes
  };

  /// On the I/O thread if the stream ends before the server does. A peer that leaves is noticed at
  /// once, not at the next turn.
  virtual ~event_source() = default;

  /// Must not block or throw.
  virtual turn look() = 0;
};

/// One request's right to be answered once. Valid only inside handler::handle, on the I/O thread
/// that called it. A handler that returns without send and without defer has its request answered
/// 500.
class reply {
public:
  virtual ~reply() = default;

  /// The server adds Date, Server, Content-Length, Connection, and Cache-Control: no-store unless
  /// `headers` has a Cache-Control. For HEAD give the body that GET would have: it is measured
  /// only.
  virtual void send(const response& answer) = 0;

  /// The hot path: application/json, nothing but the copy into the session's buffer.
  virtual void send_json(unsigned status, std::string_view extra_headers,
                         std::string_view body) = 0;

  /// Answers 200 text/event-stream and asks `source` for the first time when the handler has
  /// returned. It goes on until the source says last, the peer closes (half-closing is closing) or
  /// reads too slowly, or the server drains; an EventSource then comes again with its
  /// Last-Event-ID. To HEAD it answers the header only; past streams_max 503 `overloaded`, and the
  /// source is dropped without a look in both cases.
  virtual void send_stream(std::unique_ptr<event_source> source) = 0;

  [[nodiscard]] virtual deferred defer() = 0;

  /// 0 … io_threads - 1: an index for state that is kept once per I/O thread.
  [[nodiscard]] virtual std::size_t io_thread_index() const = 0;

  /// Runs `then` on this I/O thread, after the events of the loop's present turn: for work that is
  /// done once for all requests that arrived together. `then` must not throw.
  virtual void at_end_of_turn(std::function<void()> then) = 0;
};

struct route_limits {
  std::size_t body_bytes_max = std::size_t{64} * 1024;
  /// False for polls and heartbeats, which are served even when too much is in flight.
  bool sheddable = true;
  /// If set it is the answer (404, 405, 401 …): the body is not read and `handle` not called.
  std::unique_ptr<response> refusal{};
};

/// Called from all I/O threads at once. Must not block. Outlives the server.
class handler {
public:
  virtual ~handler() = default;

  /// After the header and before the body (`head.body` is empty). The place to refuse early:
  /// whoever may not upload should not be read 32 MiB first.
  [[nodiscard]] virtual route_limits limits_for(const request& head) const;

  virtual void handle(const request& what, reply& to) = 0;
};

} // namespace usher::http
