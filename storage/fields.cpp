#include "storage/fields.hpp"

#include <limits>

namespace usher::storage {

namespace {

const json nothing;

bool is_i64(const json& value) {
  return value.is_number_unsigned()
             ? value.get<std::uint64_t>() <= std::numeric_limits<std::int64_t>::max()
             : value.is_number_integer();
}

} // namespace

fields::fields(const json& map, std::string_view where, std::optional<failure>& fault)
    : map_{map.is_object() ? map : nothing}, where_{where}, fault_{fault} {
  if (!map.is_object() && !fault_)
    fault_ = failure{"`" + std::string{where} + "` is not a map"};
}

bool fields::has(const char* name) const {
  return map_.is_object() && map_.contains(name);
}

const json& fields::take(const char* name) {
  if (!map_.is_object())
    return nothing;
  const auto found = map_.find(name);
  if (found == map_.end())
    return nothing;
  ++taken_;
  return *found;
}

void fields::wrong(const char* name, std::string_view wanted) {
  if (!fault_)
    fault_ = failure{std::string{where_} + ": `" + name + "` is not " + std::string{wanted}};
}

void fields::end() {
  if (!fault_ && taken_ != map_.size())
    fault_ = failure{std::string{where_} + " has a field that is not known"};
}

std::uint64_t fields::u64(const char* name) {
  const json& value = take(name);
  if (value.is_number_unsigned())
    return value.get<std::uint64_t>();
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
  const json& value = take(name);
  if (is_i64(value))
    return value.get<std::int64_t>();
  wrong(name, "an integer of 64 bits");
  return 0;
}

double fields::number(const char* name) {
  const json& value = take(name);
  if (value.is_number_float())
    return value.get<double>();
  wrong(name, "a floating-point number");
  return 0;
}

bool fields::flag(const char* name) {
  const json& value = take(name);
  if (value.is_boolean())
    return value.get<bool>();
  wrong(name, "true or false");
  return false;
}

std::string fields::text(const char* name) {
  const json& value = take(name);
  if (value.is_string())
    return value.get<std::string>();
  wrong(name, "a text");
  return {};
}

std::string fields::bytes(const char* name) {
  const json& value = take(name);
  if (value.is_binary()) {
    const auto& found = value.get_binary();
    return {found.begin(), found.end()};
  }
  wrong(name, "a byte string");
  return {};
}

const std::vector<std::uint8_t>* fields::fixed_bytes(const char* name, std::size_t size) {
  const json& value = take(name);
  if (value.is_binary() && value.get_binary().size() == size)
    return &value.get_binary();
  wrong(name, "a byte string of " + std::to_string(size) + " bytes");
  return nullptr;
}

std::span<const std::uint8_t> fields::column(const char* name, std::size_t entry_size) {
  const json& value = take(name);
  if (value.is_binary() && value.get_binary().size() % entry_size == 0)
    return value.get_binary();
  wrong(name, "a column of " + std::to_string(entry_size) + " bytes an entry");
  return {};
}

const json::array_t& fields::array(const char* name) {
  static const json::array_t empty;
  const json& value = take(name);
  if (value.is_array())
    return value.get_ref<const json::array_t&>();
  wrong(name, "an array");
  return empty;
}

std::vector<std::string> fields::texts(const char* name) {
  std::vector<std::string> all;
  for (const auto& item : array(name)) {
    if (!item.is_string()) {
      wrong(name, "an array of texts");
      return {};
    }
    all.push_back(item.get<std::string>());
  }
  return all;
}

std::vector<std::uint32_t> fields::u32s(const char* name) {
  std::vector<std::uint32_t> all;
  for (const auto& item : array(name)) {
    if (!item.is_number_unsigned() ||
        item.get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max()) {
      wrong(name, "an array of unsigned integers of 32 bits");
      return {};
    }
    all.push_back(item.get<std::uint32_t>());
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
    all.push_back(item.get<std::int64_t>());
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
