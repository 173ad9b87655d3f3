#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace usher::http {

// Fixed limits of one request; the gate (parser.hpp) enforces them.
inline constexpr std::size_t target_bytes_max = 2048;                  ///< else 414
inline constexpr std::size_t request_line_bytes_max = 2048 + 64;       ///< method, target, version
inline constexpr std::size_t header_bytes_max = std::size_t{8} * 1024; ///< all fields, else 431
inline constexpr std::size_t header_fields_max = 64;                   ///< else 431
/// Chunk sizes, extensions and trailers of one request, together; else 400. Bodies of megabytes
/// need more for honest chunk sizes, hence a 64th of the body on top.
inline constexpr std::size_t chunk_overhead_bytes_max = std::size_t{8} * 1024;
inline constexpr std::size_t chunk_overhead_body_share = 64;

// Fixed limits of one stream of events.
inline constexpr std::size_t stream_turn_bytes_max = std::size_t{64} * 1024;
/// What the peer may send after its request while it is streamed to: kept, and read as its next
/// requests after the stream. More ends the connection.
inline constexpr std::size_t stream_input_bytes_max = std::size_t{4} * 1024;

/// What is chosen at start. Deadlines are rounded up to the tick, plus one tick.
struct server_options {
  std::string host = "127.0.0.1"; ///< an address, not a name
  std::uint16_t port = 0;         ///< 0: any free one, see server::port
  unsigned io_threads = 0;        ///< 0: one per core

  std::size_t connections_max = 20'000; ///< all I/O threads together; past it 503 and close
  /// Connections past the cap that are still told 503; beyond those they are closed unanswered.
  std::size_t refusals_max = 1'000;
  std::size_t in_flight_max =
      20'000; ///< deferred answers not yet given; past it 503, polls excepted

  std::size_t streams_max = 10'000;                   ///< all I/O threads together; past it 503
  std::chrono::milliseconds stream_heartbeat{15'000}; ///< silence that an empty comment ends

  std::chrono::milliseconds header_deadline{10'000}; ///< from the first byte (or the accept)
  std::chrono::milliseconds body_deadline{20'000};   ///< plus what the minimum rate allows
  std::size_t body_bytes_per_second_min = std::size_t{64} * 1024;
  std::chrono::milliseconds idle_deadline{30'000};  ///< between two requests
  std::chrono::milliseconds write_deadline{20'000}; ///< plus what the minimum rate allows
  std::size_t write_bytes_per_second_min = std::size_t{64} * 1024;
  std::chrono::milliseconds answer_deadline{
      10'000}; ///< of a deferred answer; then 503 outcome-unknown
  std::chrono::milliseconds linger_deadline{2'000}; ///< for the peer to read the last answer

  /// Called on an I/O thread whenever a connection is turned away for want of room; quick, never
  /// throws. None: nobody wants to know.
  std::function<void()> on_turned_away{};

  std::chrono::milliseconds accept_pause{100}; ///< when descriptors or memory ran out
  std::chrono::milliseconds tick{1'000};       ///< of the timer wheel and the Date header
};

} // namespace usher::http
