#include "storage/log_format.hpp"

#include <algorithm>

namespace usher::storage {

namespace {

template <class Integer>
std::string big_endian(Integer value) {
  std::string bytes(sizeof value, '\0');
  for (auto byte = bytes.rbegin(); byte != bytes.rend(); ++byte, value >>= 8)
    *byte = static_cast<char>(value & 0xff);
  return bytes;
}

template <class Integer>
std::optional<Integer> read_big_endian(std::string_view bytes) {
  if (bytes.size() != sizeof(Integer))
    return std::nullopt;
  Integer value = 0;
  for (const auto byte : bytes)
    value = value << 8 | static_cast<std::uint8_t>(byte);
  return value;
}

constexpr std::uint32_t only_shard = 0;

// Of a key in `places`, all that follows the subject: 00, kind, slot, position.
constexpr std::size_t place_tail_size = 1 + 1 + 4 + 8;

} // namespace

std::string big_endian_32(std::uint32_t value) {
  return big_endian(value);
}
std::string big_endian_64(std::uint64_t value) {
  return big_endian(value);
}
std::optional<std::uint32_t> read_big_endian_32(std::string_view bytes) {
  return read_big_endian<std::uint32_t>(bytes);
}
std::optional<std::uint64_t> read_big_endian_64(std::string_view bytes) {
  return read_big_endian<std::uint64_t>(bytes);
}

std::string batch_key(position_t first) {
  return big_endian(only_shard) + big_endian(first);
}

std::optional<position_t> read_batch_key(std::string_view key) {
  if (key.size() != 12 || read_big_endian_32(key.substr(0, 4)) != only_shard)
    return std::nullopt;
  return read_big_endian_64(key.substr(4));
}

std::string stream_key(std::string_view subject, std::uint64_t version) {
  return std::string{subject} + '\0' + big_endian(version);
}

std::string stream_end(std::string_view subject) {
  return std::string{subject} + '\x01';
}

std::optional<stream_entry> read_stream_key(std::string_view key) {
  if (key.size() < 10 || key[key.size() - 9] != '\0')
    return std::nullopt;
  return stream_entry{.subject = key.substr(0, key.size() - 9),
                      .version = read_big_endian_64(key.substr(key.size() - 8)).value_or(0)};
}

std::string place_key(const place_entry& entry) {
  return std::string{entry.subject} + '\0' + static_cast<char>(entry.kind) +
         big_endian(entry.slot) + big_endian(entry.position);
}

std::optional<place_entry> read_place_key(std::string_view key) {
  if (key.size() <= place_tail_size)
    return std::nullopt;
  const auto tail = key.substr(key.size() - place_tail_size);
  const auto kind = static_cast<place_kind>(tail[1]);
  if (tail[0] != '\0' || (kind != place_kind::event && kind != place_kind::join))
    return std::nullopt;
  return place_entry{.subject = key.substr(0, key.size() - place_tail_size),
                     .kind = kind,
                     .slot = read_big_endian_32(tail.substr(2, 4)).value_or(0),
                     .position = read_big_endian_64(tail.substr(6)).value_or(0)};
}

std::string encode_head(const log_head& head) {
  return big_endian(head.position) + big_endian(head.batches) +
         std::string{head.chain.begin(), head.chain.end()};
}

std::optional<log_head> decode_head(std::string_view bytes) {
  log_head head;
  if (bytes.size() != 16 + head.chain.size())
    return std::nullopt;
  head.position = read_big_endian_64(bytes.substr(0, 8)).value_or(0);
  head.batches = read_big_endian_64(bytes.substr(8, 8)).value_or(0);
  std::copy(bytes.begin() + 16, bytes.end(), head.chain.begin());
  return head;
}

} // namespace usher::storage
