#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <utility>
#include <vector>

namespace usher {

/// A vector that only grows, in chunks of `PerChunk` entries: growing copies nothing, so that one
/// more entry costs the same with two million of them as with none. A copy holds what it needs
/// only.
template <class T, std::size_t PerChunk = 16'384>
class chunked_vector {
public:
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }

  [[nodiscard]] const T& operator[](std::size_t at) const {
    assert(at < size_);
    return chunks_[at / PerChunk][at % PerChunk];
  }
  [[nodiscard]] T& operator[](std::size_t at) {
    assert(at < size_);
    return chunks_[at / PerChunk][at % PerChunk];
  }

  void push_back(T value) {
    if (size_ % PerChunk == 0)
      chunks_.emplace_back().reserve(PerChunk);
    chunks_.back().push_back(std::move(value));
    ++size_;
  }

  /// Bytes on the heap.
  [[nodiscard]] std::size_t bytes_used() const {
    auto bytes = chunks_.capacity() * sizeof(std::vector<T>);
    for (const auto& chunk : chunks_)
      bytes += chunk.capacity() * sizeof(T);
    return bytes;
  }

  bool operator==(const chunked_vector&) const = default;

private:
  std::vector<std::vector<T>> chunks_;
  std::size_t size_ = 0;
};

} // namespace usher
