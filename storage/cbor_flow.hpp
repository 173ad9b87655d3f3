#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

// CBOR (RFC 8949) of a shape that is known beforehand, item after item, without a table or a
// document in between: batches, of which a log has millions. For payloads see cbor_items.hpp.
namespace usher::storage {

/// The three bits that say what an item is (RFC 8949, section 3).
enum class cbor_major : std::uint8_t {
  unsigned_integer,
  negative_integer,
  bytes,
  text,
  array,
  map,
};

/// Reads what is expected next, or says false: then where it stands is not defined, and the rest is
/// not to be read. As strict as cbor_items, for the caller names every key in its order. The bytes
/// must outlive it and what it points to.
class cbor_cursor {
public:
  explicit cbor_cursor(std::string_view bytes) : at_{bytes.data()}, end_{at_ + bytes.size()} {}

  [[nodiscard]] bool at_end() const { return at_ == end_; }

  /// A map of exactly so many pairs.
  [[nodiscard]] bool map(std::uint64_t pairs) {
    std::uint64_t found = 0;
    return head(cbor_major::map, found) && found == pairs;
  }
  /// An array; its entries are read next. Each takes a byte at least: there are no more than that.
  [[nodiscard]] bool array(std::uint64_t& entries) {
    return head(cbor_major::array, entries) && entries <= left();
  }
  [[nodiscard]] bool key(std::string_view name) {
    std::string_view found;
    return text(found) && found == name;
  }
  [[nodiscard]] bool text(std::string_view& into) { return chars(cbor_major::text, into); }
  [[nodiscard]] bool bytes(std::string_view& into) { return chars(cbor_major::bytes, into); }
  [[nodiscard]] bool number(std::uint64_t& into) {
    return head(cbor_major::unsigned_integer, into);
  }
  [[nodiscard]] bool number(std::uint32_t& into) {
    std::uint64_t wide = 0;
    if (!number(wide) || wide > std::numeric_limits<std::uint32_t>::max())
      return false;
    into = static_cast<std::uint32_t>(wide);
    return true;
  }
  [[nodiscard]] bool number(std::int64_t& into) {
    const bool negative = !at_end() && major_of(*at_) == cbor_major::negative_integer;
    std::uint64_t size = 0;
    if (!head(negative ? cbor_major::negative_integer : cbor_major::unsigned_integer, size) ||
        size > std::uint64_t{std::numeric_limits<std::int64_t>::max()})
      return false;
    into = static_cast<std::int64_t>(negative ? ~size : size);
    return true;
  }

private:
  static constexpr unsigned argument_bits = 5;
  static constexpr std::uint8_t argument_mask = 0x1f;
  static constexpr std::uint8_t argument_of_1 = 24; ///< then of 2, 4 and 8 bytes
  static constexpr std::uint8_t argument_of_8 = 27;

  static cbor_major major_of(char first) {
    return static_cast<cbor_major>(static_cast<std::uint8_t>(first) >> argument_bits);
  }
  [[nodiscard]] std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }

  bool head(cbor_major wanted, std::uint64_t& argument) {
    if (at_end() || major_of(*at_) != wanted)
      return false;
    const auto small = static_cast<std::uint8_t>(static_cast<std::uint8_t>(*at_++) & argument_mask);
    argument = small;
    if (small < argument_of_1)
      return true;
    const auto size = std::size_t{1} << (small - argument_of_1);
    if (small > argument_of_8 || left() < size)
      return false;
    argument = 0;
    for (const auto* const last = at_ + size; at_ != last; ++at_)
      argument = argument << 8U | static_cast<std::uint8_t>(*at_);
    return true;
  }

  bool chars(cbor_major wanted, std::string_view& into) {
    std::uint64_t length = 0;
    if (!head(wanted, length) || length > left())
      return false;
    into = {at_, static_cast<std::size_t>(length)};
    at_ += length;
    return true;
  }

  const char* at_;
  const char* end_;
};

/// Writes items one behind the other in their shortest form. The caller keeps keys in ascending
/// order and gives as many entries as it said; what comes out is what write_cbor makes of the same
/// document.
class cbor_writer {
public:
  explicit cbor_writer(std::string& to) : to_{to} {}

  cbor_writer& map(std::uint64_t pairs) { return head(cbor_major::map, pairs); }
  cbor_writer& array(std::uint64_t entries) { return head(cbor_major::array, entries); }
  cbor_writer& text(std::string_view chars) { return run(cbor_major::text, chars); }
  cbor_writer& bytes(std::string_view chars) { return run(cbor_major::bytes, chars); }
  cbor_writer& number(std::uint64_t value) { return head(cbor_major::unsigned_integer, value); }
  cbor_writer& signed_number(std::int64_t value) {
    return value < 0 ? head(cbor_major::negative_integer, ~static_cast<std::uint64_t>(value))
                     : number(static_cast<std::uint64_t>(value));
  }

private:
  cbor_writer& run(cbor_major which, std::string_view chars) {
    head(which, chars.size());
    to_.append(chars);
    return *this;
  }
  cbor_writer& head(cbor_major which, std::uint64_t argument);

  std::string& to_;
};

} // namespace usher::storage
