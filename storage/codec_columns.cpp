#include "storage/codec_columns.hpp"

#include <cstring>
#include <span>
#include <string>
#include <utility>

namespace usher::storage {

namespace {

using bytes = std::span<const std::uint8_t>;

static_assert(sizeof(identity) == 16, "columns of identities are copied as a whole");

template <class Integer>
json integers(const std::vector<Integer>& entries) {
  json::binary_t column;
  column.resize(entries.size() * sizeof(Integer));
  auto* out = column.data();
  for (const auto entry : entries)
    for (std::size_t left = sizeof(Integer); left-- > 0;)
      *out++ = static_cast<std::uint8_t>(entry >> (8 * left));
  return column;
}

template <class Integer>
std::vector<Integer> integers_in(bytes column) {
  std::vector<Integer> entries(column.size() / sizeof(Integer));
  const auto* in = column.data();
  for (auto& entry : entries)
    for (std::size_t i = 0; i < sizeof(Integer); ++i)
      entry = static_cast<Integer>(entry << 8 | *in++);
  return entries;
}

std::vector<identity> identities_in(bytes column) {
  std::vector<identity> entries(column.size() / sizeof(identity));
  if (!entries.empty())
    std::memcpy(entries.data(), column.data(), column.size());
  return entries;
}

bytes optional_column(fields& in, const char* name, std::size_t entry_size, as_many wanted) {
  if (!in.has(name))
    return {};
  const auto column = in.column(name, entry_size);
  if (!column.empty() && column.size() == wanted.count * entry_size)
    return column;
  in.wrong(name, "a column of as many entries as `" + std::string{wanted.as} + "`");
  return {};
}

} // namespace

json column_of(const std::vector<std::uint8_t>& entries) {
  return json::binary(entries);
}
json column_of(const std::vector<std::uint32_t>& entries) {
  return integers(entries);
}
json column_of(const std::vector<std::uint64_t>& entries) {
  return integers(entries);
}

json column_of(const std::vector<identity>& entries) {
  json::binary_t column;
  column.resize(entries.size() * sizeof(identity));
  if (!entries.empty())
    std::memcpy(column.data(), entries.data(), column.size());
  return column;
}

std::vector<std::uint32_t> u32_column(fields& in, const char* name) {
  return integers_in<std::uint32_t>(in.column(name, sizeof(std::uint32_t)));
}
std::vector<std::uint64_t> u64_column(fields& in, const char* name) {
  return integers_in<std::uint64_t>(in.column(name, sizeof(std::uint64_t)));
}
std::vector<identity> identity_column(fields& in, const char* name) {
  return identities_in(in.column(name, sizeof(identity)));
}

std::vector<std::uint8_t> optional_u8_column(fields& in, const char* name, as_many wanted) {
  const auto column = optional_column(in, name, 1, wanted);
  return {column.begin(), column.end()};
}

std::vector<identity> optional_identity_column(fields& in, const char* name, as_many wanted) {
  return identities_in(optional_column(in, name, sizeof(identity), wanted));
}

} // namespace usher::storage
