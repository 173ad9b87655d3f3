#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

// The two ends of a snapshot's bytes. What goes between them is in pass.hpp.
namespace usher::runtime::snapshot {

/// The bytes are not what a writer of this program writes. Stays within reading a snapshot.
struct unreadable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Takes at most so many bytes at a time from, or gives them to, the file.
inline constexpr std::size_t buffer_bytes = std::size_t{1} << 20;

class writer {
public:
  static constexpr bool reads = false;

  /// `out` gets the bytes in order, a buffer at a time.
  explicit writer(std::function<void(std::string_view)> out) : out_{std::move(out)} {
    buffer_.reserve(buffer_bytes);
  }

  void raw(const void* from, std::size_t bytes) {
    if (buffer_.size() + bytes > buffer_bytes)
      flush();
    if (bytes > buffer_bytes)
      out_({static_cast<const char*>(from), bytes});
    else
      buffer_.append(static_cast<const char*>(from), bytes);
  }

  /// To be called at the end.
  void flush() {
    out_(buffer_);
    buffer_.clear();
  }

private:
  std::function<void(std::string_view)> out_;
  std::string buffer_;
};

/// Never gives more than there is, whatever the bytes say: throws `unreadable` instead.
class reader {
public:
  static constexpr bool reads = true;

  /// `in` fills a buffer with the next bytes, or says that it cannot. There are `bytes` in all.
  reader(std::function<bool(char* into, std::size_t bytes)> in, std::uint64_t bytes)
      : in_{std::move(in)}, left_{bytes} {}

  void raw(void* into, std::size_t bytes) {
    need(bytes);
    auto* to = static_cast<char*>(into);
    while (bytes > 0) {
      if (next_ == buffer_.size())
        refill();
      const auto part = std::min(bytes, buffer_.size() - next_);
      std::memcpy(to, buffer_.data() + next_, part);
      next_ += part;
      to += part;
      bytes -= part;
      left_ -= part;
    }
  }

  /// Bytes that were not read yet.
  [[nodiscard]] std::uint64_t left() const { return left_; }

  void need(std::uint64_t bytes) const {
    if (bytes > left_)
      throw unreadable{"it ends too early"};
  }

private:
  void refill() {
    buffer_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(left_, buffer_bytes)));
    next_ = 0;
    if (!in_(buffer_.data(), buffer_.size()))
      throw unreadable{"it cannot be read"};
  }

  std::function<bool(char*, std::size_t)> in_;
  std::uint64_t left_;
  std::string buffer_;
  std::size_t next_ = 0;
};

} // namespace usher::runtime::snapshot
