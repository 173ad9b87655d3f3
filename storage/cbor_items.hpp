#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

// CBOR (RFC 8949) read in place: no text and no byte string is copied, and one table holds all
// items. What is read most, batches and payloads, is read this way; cbor.hpp builds documents.
namespace usher::storage {

enum class cbor_kind : std::uint8_t {
  null,
  boolean,
  unsigned_integer,
  negative_integer, ///< of 64 bits with its sign
  floating,
  text,
  bytes,
  array,
  map, ///< keys, which are texts in ascending order, and values in turn
};

/// One item. What is inside an array or a map stands behind it in the same table.
struct cbor_item {
  cbor_kind kind = cbor_kind::null;
  std::uint32_t span = 1;     ///< items from this one to the next beside it
  std::uint64_t number = 0;   ///< the value's bits; of texts, bytes, arrays and maps the length
  const char* data = nullptr; ///< of texts and bytes, in what was read

  [[nodiscard]] std::string_view chars() const { return {data, static_cast<std::size_t>(number)}; }
  [[nodiscard]] std::int64_t integer() const { return static_cast<std::int64_t>(number); }
  [[nodiscard]] double real() const { return std::bit_cast<double>(number); }

  class iterator {
  public:
    explicit iterator(const cbor_item* at) : at_{at} {}
    const cbor_item& operator*() const { return *at_; }
    iterator& operator++() {
      at_ += at_->span;
      return *this;
    }
    bool operator==(const iterator&) const = default;

  private:
    const cbor_item* at_;
  };
  /// What is inside: the entries of an array; each key and then its value of a map.
  [[nodiscard]] iterator begin() const { return iterator{this + 1}; }
  [[nodiscard]] iterator end() const { return iterator{this + span}; }
};

/// The bytes that were read must outlive it.
class cbor_items {
public:
  /// One whole item and nothing after it, nested no deeper than cbor_depth_max. Strict: items of a
  /// known length only, finite numbers, no tags, keys that are texts in ascending order, each once.
  /// Nothing if it is anything else. Takes memory in proportion to the input.
  [[nodiscard]] static std::optional<cbor_items> read(std::string_view bytes);

  /// The same into the table that is there, which keeps its memory unless that is a lot. False: no
  /// root is to be asked for.
  [[nodiscard]] bool read_again(std::string_view bytes);

  [[nodiscard]] const cbor_item& root() const { return items_.front(); }

private:
  std::vector<cbor_item> items_;
};

} // namespace usher::storage
