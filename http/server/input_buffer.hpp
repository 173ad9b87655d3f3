#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

namespace usher::http {

/// Bytes read and not yet used. Small for a connection at rest; grows for headers and bodies.
class input_buffer {
public:
  static constexpr std::size_t bytes_at_rest = std::size_t{4} * 1024;

  [[nodiscard]] const char* data() const { return bytes_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::string_view view(std::size_t from = 0) const {
    return {bytes_.get() + from, size_ - from};
  }

  /// Where to read to; at least `wanted` bytes are free afterwards.
  char* make_room(std::size_t wanted) {
    if (capacity_ - size_ < wanted)
      move_to(std::max(2 * capacity_, size_ + wanted));
    return bytes_.get() + size_;
  }
  [[nodiscard]] std::size_t room() const { return capacity_ - size_; }
  void added(std::size_t n) { size_ += n; }
  void clear() { size_ = 0; }

  /// Takes n bytes out, from `at` on.
  void remove(std::size_t at, std::size_t n) {
    if (n == 0)
      return;
    std::memmove(bytes_.get() + at, bytes_.get() + at + n, size_ - at - n);
    size_ -= n;
  }

  /// Gives back what a large request needed.
  void shrink() {
    if (capacity_ > bytes_at_rest && size_ <= bytes_at_rest)
      move_to(bytes_at_rest);
  }

private:
  void move_to(std::size_t capacity) {
    auto bytes = std::make_unique_for_overwrite<char[]>(capacity);
    std::memcpy(bytes.get(), bytes_.get(), size_);
    bytes_ = std::move(bytes);
    capacity_ = capacity;
  }

  std::size_t capacity_ = bytes_at_rest;
  std::size_t size_ = 0;
  std::unique_ptr<char[]> bytes_ = std::make_unique_for_overwrite<char[]>(bytes_at_rest);
};

} // namespace usher::http
