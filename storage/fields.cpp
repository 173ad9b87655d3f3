#include "storage/fields.hpp"

#include <algorithm>
#include <limits>

namespace usher::storage {

namespace {

constexpr cbor_item nothing{};
constexpr cbor_item no_entries{cbor_kind::array, 1, 0, nullptr};

std::span<const std::uint8_t> bytes_of(std::string_view chars) {
  return {reinterpret_cast<const std::uint8_t*>(chars.data()), chars.size()};
}

bool is_u32(const cbor_item& value) {
  return value.kind == cbor_kind::unsigned_integer &&
         value.number <= std::numeric_limits<std::uint32_t>::max();
}

bool is_i64(const cbor_item& value) {
  return value.kind == cbor_kind::negative_integer ||
         (value.kind == cbor_kind::unsigned_integer &&
          value.number <= std::uint64_t{std::numeric_limits<std::int64_t>::max()});
}

} // namespace

fields::fields(const cbor_item& map, std::string_view where, std::optional<failure>& fault)
    : map_{map.kind == cbor_kind::map ? &map : nullptr}, where_{where}, fault_{fault} {
  if (map_ == nullptr && !fault_)
    fault_ = failure{"`" + std::string{where} + "` is not a map"};
}

/// Maps have a dozen fields at most, so looking through them beats any index; and most names differ
/// in length or first letter, so few are compared.
const cbor_item* fields::find(std::string_view name) const {
  if (map_ == nullptr)
    return nullptr;
  for (auto at = map_->begin(); at != map_->end(); ++at) {
    const auto key = (*at).chars();
    const bool found =
        key.size() == name.size() && !key.empty() && key[0] == name[0] && key == name;
    ++at;
    if (found)
      return &*at;
  }
  return nullptr;
}

bool fields::has(const char* name) const {
  return find(name) != nullptr;
}

const cbor_item& fields::take(const char* name) {
  const auto* const found = find(name);
  if (found == nullptr)
    return nothing;
  ++taken_;
  return *found;
}

void fields::wrong(const char* name, std::string_view wanted) {
  if (!fault_)
    fault_ = failure{std::string{where_} + ": `" + name + "` is not " + std::string{wanted}};
}

void fields::end() {
  if (!fault_ && taken_ != map_->number)
    fault_ = failure{std::string{where_} + " has a field that is not known"};
}

std::uint64_t fields::u64(const char* name) {
  const auto& value = take(name);
  if (value.kind == cbor_kind::unsigned_integer)
    return value.number;
  wrong(name, "an unsigned integer");
  return 0;
}

std::uint32_t fields::u32(const char* name) {
  const auto value = u64(name);
  if (value <= std::numeric_limits<std::uint32_t>::max())
    return static_cast<std::uint32_t>(value);
  wrong(name, "an unsigned integer of 32 bits");
  return 0;
}

std::int64_t fields::i64(const char* name) {
  const auto& value = take(name);
  if (is_i64(value))
    return value.integer();
  wrong(name, "an integer of 64 bits");
  return 0;
}

double fields::number(const char* name) {
  const auto& value = take(name);
  if (value.kind == cbor_kind::floating)
    return value.real();
  wrong(name, "a floating-point number");
  return 0;
}

bool fields::flag(const char* name) {
  const auto& value = take(name);
  if (value.kind == cbor_kind::boolean)
    return value.number != 0;
  wrong(name, "true or false");
  return false;
}

std::string fields::text(const char* name) {
  const auto& value = take(name);
  if (value.kind == cbor_kind::text)
    return std::string{value.chars()};
  wrong(name, "a text");
  return {};
}

std::string fields::bytes(const char* name) {
  const auto& value = take(name);
  if (value.kind == cbor_kind::bytes)
    return std::string{value.chars()};
  wrong(name, "a byte string");
  return {};
}

void fields::fixed_bytes(const char* name, std::span<std::uint8_t> into) {
  const auto& value = take(name);
  if (value.kind == cbor_kind::bytes && value.number == into.size())
    std::ranges::copy(value.chars(), into.begin());
  else
    wrong(name, "a byte string of " + std::to_string(into.size()) + " bytes");
}

std::span<const std::uint8_t> fields::column(const char* name, std::size_t entry_size) {
  const auto& value = take(name);
  if (value.kind == cbor_kind::bytes && value.number % entry_size == 0)
    return bytes_of(value.chars());
  wrong(name, "a column of " + std::to_string(entry_size) + " bytes an entry");
  return {};
}

const cbor_item& fields::array(const char* name) {
  const auto& value = take(name);
  if (value.kind == cbor_kind::array)
    return value;
  wrong(name, "an array");
  return no_entries;
}

std::vector<std::string> fields::texts(const char* name) {
  std::vector<std::string> all;
  for (const auto& item : array(name)) {
    if (item.kind != cbor_kind::text) {
      wrong(name, "an array of texts");
      return {};
    }
    all.emplace_back(item.chars());
  }
  return all;
}

std::vector<std::uint32_t> fields::u32s(const char* name) {
  std::vector<std::uint32_t> all;
  for (const auto& item : array(name)) {
    if (!is_u32(item)) {
      wrong(name, "an array of unsigned integers of 32 bits");
      return {};
    }
    all.push_back(static_cast<std::uint32_t>(item.number));
  }
  return all;
}

std::vector<std::int64_t> fields::i64s(const char* name) {
  std::vector<std::int64_t> all;
  for (const auto& item : array(name)) {
    if (!is_i64(item)) {
      wrong(name, "an array of integers of 64 bits");
      return {};
    }
    all.push_back(item.integer());
  }
  return all;
}

std::optional<std::uint32_t> fields::optional_u32(const char* name) {
  return has(name) ? std::optional{u32(name)} : std::nullopt;
}

std::optional<std::int64_t> fields::optional_i64(const char* name) {
  return has(name) ? std::optional{i64(name)} : std::nullopt;
}

} // namespace usher::storage
