#pragma once

#include "http/server/exchange.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace usher::http {

/// Why a request is not even read; answered as a problem document, then the connection ends.
struct refusal {
  unsigned status = 400;
  std::string_view code = "invalid-request";
  std::string detail;
};

/// Bytes to one request, or a refusal: Beast's grammar behind a gate that is stricter. Where two
/// readers of the same bytes (a proxy in front, and we) might disagree about where a request ends,
/// the gate refuses:
///  - Transfer-Encoding other than exactly `chunked`, repeated, or in HTTP/1.0;
///  - Content-Length repeated, listed, signed, overflowing, or beside Transfer-Encoding;
///  - a Host that is missing (HTTP/1.1), repeated, malformed, or other than an absolute target's;
///  - folded lines, bare line feeds, control characters (in chunk extensions and trailers too);
///  - versions other than 1.0 and 1.1, CONNECT, targets with '#' or bytes outside ASCII;
///  - sizes over the limits in options.hpp, expectations other than 100-continue.
///
/// The caller keeps the header's bytes at the front of its buffer until the request is answered
/// (the buffer may move: only offsets are kept). Not thread-safe.
class parser {
public:
  enum class progress : std::uint8_t { need_more, header_done, complete, refused };

  parser();
  ~parser();
  parser(const parser&) = delete;
  parser& operator=(const parser&) = delete;

  /// Ready for the next request.
  void reset();

  /// `input` is everything read so far from the request's first byte on. `header_done`: a body
  /// follows; `complete`: none does. The header took header_size() bytes either way.
  progress header(std::string_view input);

  /// `input` is what follows the header and was not used by an earlier call. Sets `used`; unused
  /// bytes come again with the next call, or, after `complete`, belong to the next request.
  progress body(std::string_view input, std::size_t& used);

  /// Between header_done and the first body(). False, with a refusal: the announced length is over
  /// it already.
  [[nodiscard]] bool limit_body(std::size_t bytes_max);

  /// The request, once the header is done. `base`: where the header's first byte is now.
  [[nodiscard]] request view(const char* base) const;

  [[nodiscard]] const refusal& refused() const { return refusal_; }
  [[nodiscard]] bool is_complete() const { return complete_; }
  [[nodiscard]] std::size_t header_size() const { return header_size_; }
  [[nodiscard]] std::size_t body_received() const { return body_.size(); }
  [[nodiscard]] bool keep_alive() const { return keep_alive_; }
  [[nodiscard]] bool is_http_10() const { return version_ == 10; }
  [[nodiscard]] bool wants_continue() const { return wants_continue_; }

private:
  class machine; // the Beast parser; the one translation unit that knows it is parser.cpp

  struct span {
    std::uint16_t at = 0;
    std::uint16_t size = 0;
  };
  enum slot : std::uint8_t {
    host,
    authorization,
    admission_ticket,
    queue_token,
    idempotency_key,
    content_type,
    accept,
    accept_encoding,
    accept_language,
    if_none_match,
    cookie,
    origin,
    last_event_id,
    request_id,
    slots
  };

  progress scan(std::string_view input);
  bool scan_line(std::string_view input, std::size_t line_feed);
  progress read_header(std::string_view input);
  bool split_target(std::string_view input);
  bool check_host(std::string_view input);
  progress refuse(unsigned status, std::string_view code, std::string detail);
  progress refuse(std::string detail);
  progress refuse_large_body();
  [[nodiscard]] std::string_view text(const char* base, span s) const {
    return {base + s.at, s.size};
  }
  machine& beast();

  // How far the search for the header's end has come.
  std::size_t start_ = 0; ///< 2 if an empty line came first
  std::size_t line_start_ = 0;
  std::size_t scanned_ = 0;
  std::size_t fields_start_ = 0;
  std::size_t fields_ = 0;
  std::size_t header_size_ = 0;

  // What the header said.
  span target_, path_, query_, authority_;
  std::array<span, slots> values_{};
  std::uint32_t seen_ = 0; ///< bit per slot
  http::method method_ = http::method::other;
  int version_ = 11;
  bool absolute_ = false;
  bool complete_ = false;
  bool keep_alive_ = false;
  bool wants_continue_ = false;

  std::size_t body_bytes_max_ = 0;
  std::size_t overhead_ = 0;
  std::string body_;
  refusal refusal_;

  static constexpr std::size_t machine_bytes = 160;
  alignas(std::max_align_t) std::array<std::byte, machine_bytes> machine_;
};

} // namespace usher::http
