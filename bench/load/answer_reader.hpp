#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace usher::load {

/// One answer. The body is valid until the reader is used again.
struct answer {
  int status = 0;
  int retry_after_s = -1; ///< -1: it says nothing of it
  bool closes = false;    ///< the connection carries nothing after it
  std::string_view body;
};

/// Bytes to one answer after the other, without copying any that comes in one piece. Reads what
/// Usher's API sends: HTTP/1.1 with Content-Length; everything else is wrong and says why.
class answer_reader {
public:
  enum class state : std::uint8_t { more, complete, wrong };

  /// `bytes` came; they stay alive while the answer is looked at. After `complete` the next bytes
  /// begin the next answer. After `wrong` only `reset` helps.
  state feed(std::string_view bytes);

  /// When complete.
  [[nodiscard]] const answer& got() const { return answer_; }
  /// When wrong: what is the matter, in a few words.
  [[nodiscard]] std::string_view why() const { return why_; }

  void reset();

private:
  state parse(std::string_view bytes);
  bool read_head(std::string_view head);
  bool read_field(std::string_view line);
  state refuse(std::string_view why);

  answer answer_;
  std::string kept_;     ///< what came so far, of an answer that came in pieces
  bool done_ = false;    ///< the answer was told: forget it with the next bytes
  std::size_t head_ = 0; ///< bytes up to the body; 0: not known yet
  std::size_t body_ = 0; ///< bytes of the body
  bool has_length_ = false;
  std::string_view why_;
};

} // namespace usher::load
