#include "storage/cbor_items.hpp"

#include "storage/cbor.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace usher::storage {

namespace {

// The first byte of an item: three bits of major type, five of argument (RFC 8949, section 3).
enum major : std::uint8_t {
  major_unsigned,
  major_negative,
  major_bytes,
  major_text,
  major_array,
  major_map,
  major_tag,
  major_simple
};
constexpr std::uint8_t argument_bits = 5;
constexpr std::uint8_t argument_mask = 0x1f;
constexpr std::uint8_t argument_of_1 = 24; ///< then of 2, 4 and 8 bytes
constexpr std::uint8_t argument_of_4 = 26;
constexpr std::uint8_t argument_of_8 = 27;
constexpr std::uint8_t simple_false = 20;
constexpr std::uint8_t simple_true = 21;
constexpr std::uint8_t simple_null = 22;

constexpr std::size_t items_kept_max = 65'536; // 1.5 MiB

constexpr std::size_t bytes_an_item = 8; ///< about; only how much room is made at first

/// In ascending order. Most names differ in the first letter.
bool is_behind(std::string_view name, std::string_view before) {
  if (!name.empty() && !before.empty() && name[0] != before[0])
    return static_cast<std::uint8_t>(name[0]) > static_cast<std::uint8_t>(before[0]);
  return name > before;
}

class parser {
public:
  parser(std::string_view bytes, std::vector<cbor_item>& items) : left_{bytes}, items_{items} {
    items_.reserve(bytes.size() / bytes_an_item + 1);
  }

  bool document() { return item(0) && left_.empty(); }

private:
  bool item(std::size_t depth) {
    if (left_.empty() || items_.size() == std::numeric_limits<std::uint32_t>::max())
      return false;
    const auto first = static_cast<std::uint8_t>(left_.front());
    left_.remove_prefix(1);
    const auto kind = static_cast<major>(first >> argument_bits);
    const auto short_argument = static_cast<std::uint8_t>(first & argument_mask);
    std::uint64_t argument = 0;
    if (!read_argument(short_argument, argument))
      return false;
    switch (kind) {
    case major_unsigned:
      return add({cbor_kind::unsigned_integer, 1, argument, nullptr});
    case major_negative:
      return argument <= std::uint64_t{std::numeric_limits<std::int64_t>::max()} &&
             add({cbor_kind::negative_integer, 1, ~argument, nullptr});
    case major_bytes:
      return chars(cbor_kind::bytes, argument);
    case major_text:
      return chars(cbor_kind::text, argument);
    case major_array:
      return depth < cbor_depth_max && entries(argument, depth + 1);
    case major_map:
      return depth < cbor_depth_max && pairs(argument, depth + 1);
    case major_tag:
      return false;
    case major_simple:
      break;
    }
    return simple(short_argument, argument);
  }

  bool add(cbor_item next) {
    items_.push_back(next);
    return true;
  }

  bool read_argument(std::uint8_t short_argument, std::uint64_t& argument) {
    argument = short_argument;
    if (short_argument < argument_of_1)
      return true;
    if (short_argument > argument_of_8)
      return false; // of no known length
    const auto size = std::size_t{1} << (short_argument - argument_of_1);
    if (left_.size() < size)
      return false;
    argument = 0;
    for (const char byte : left_.substr(0, size))
      argument = argument << 8U | static_cast<std::uint8_t>(byte);
    left_.remove_prefix(size);
    return true;
  }

  bool chars(cbor_kind kind, std::uint64_t length) {
    if (length > left_.size())
      return false;
    add({kind, 1, length, left_.data()});
    left_.remove_prefix(static_cast<std::size_t>(length));
    return true;
  }

  bool entries(std::uint64_t count, std::size_t depth) {
    if (count > left_.size()) // an entry takes a byte at least
      return false;
    const auto at = items_.size();
    add({cbor_kind::array, 1, count, nullptr});
    for (; count > 0; --count)
      if (!item(depth))
        return false;
    return close(at);
  }

  bool pairs(std::uint64_t count, std::size_t depth) {
    if (count > left_.size())
      return false;
    const auto at = items_.size();
    add({cbor_kind::map, 1, count, nullptr});
    std::optional<std::string_view> before;
    for (; count > 0; --count) {
      const auto key = items_.size();
      if (!item(depth) || items_[key].kind != cbor_kind::text)
        return false;
      const auto name = items_[key].chars();
      if (before && !is_behind(name, *before))
        return false;
      before = name;
      if (!item(depth))
        return false;
    }
    return close(at);
  }

  bool close(std::size_t at) {
    items_[at].span = static_cast<std::uint32_t>(items_.size() - at);
    return true;
  }

  bool simple(std::uint8_t short_argument, std::uint64_t argument) {
    switch (short_argument) {
    case simple_false:
    case simple_true:
      return add({cbor_kind::boolean, 1, short_argument == simple_true, nullptr});
    case simple_null:
      return add({});
    case argument_of_4:
      return real(std::bit_cast<float>(static_cast<std::uint32_t>(argument)));
    case argument_of_8:
      return real(std::bit_cast<double>(argument));
    default:
      return false;
    }
  }

  bool real(double value) {
    return std::isfinite(value) &&
           add({cbor_kind::floating, 1, std::bit_cast<std::uint64_t>(value), nullptr});
  }

  std::string_view left_;
  std::vector<cbor_item>& items_;
};

} // namespace

std::optional<cbor_items> cbor_items::read(std::string_view bytes) {
  std::optional<cbor_items> all{std::in_place};
  if (!all->read_again(bytes))
    all.reset();
  return all;
}

bool cbor_items::read_again(std::string_view bytes) {
  if (items_.capacity() > items_kept_max)
    items_ = {};
  items_.clear();
  return parser{bytes, items_}.document();
}

} // namespace usher::storage
