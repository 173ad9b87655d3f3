#pragma once

#include "http/client/message.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace usher::http::client {

inline constexpr std::size_t answer_header_bytes_max = 16 * 1024;
inline constexpr std::size_t answer_body_bytes_max = 1024 * 1024;
/// 100 Continue and the like, before the answer itself.
inline constexpr int interim_answers_max = 8;

/// Bytes to one answer. The only place that makes Beast's parser, which is slow to compile.
class answer_reader {
public:
  answer_reader();
  ~answer_reader();
  answer_reader(const answer_reader&) = delete;
  answer_reader& operator=(const answer_reader&) = delete;

  /// Where the next bytes go; valid until the next call.
  [[nodiscard]] std::span<char> space();

  enum class state : std::uint8_t { more, complete, wrong };

  /// So many bytes came into `space`.
  [[nodiscard]] state got(std::size_t bytes);
  /// The peer closed: the end of an answer without a length, and of no other.
  [[nodiscard]] state ended();

  /// Has any byte come?
  [[nodiscard]] bool any() const;
  /// When wrong: "answer-too-large" or "not-http".
  [[nodiscard]] std::string_view why() const;
  /// When complete: may the connection carry another request?
  [[nodiscard]] bool keeps_alive() const;
  /// When complete, once.
  [[nodiscard]] answer take();

private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

} // namespace usher::http::client
