#include "http/api/ticket.hpp"

#include <array>
#include <cstring>

namespace usher::http {

namespace {

constexpr std::uint8_t key_id = 1;
constexpr std::size_t signed_bytes = 17;
constexpr std::size_t ticket_bytes = 33;
constexpr std::string_view alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

using raw_ticket = std::array<std::uint8_t, ticket_bytes>;

constexpr std::array<std::int8_t, 256> make_values() {
  std::array<std::int8_t, 256> values{};
  for (auto& value : values)
    value = -1;
  for (std::size_t i = 0; i < alphabet.size(); ++i)
    values[static_cast<unsigned char>(alphabet[i])] = static_cast<std::int8_t>(i);
  return values;
}
constexpr auto values = make_values();

template <class Number>
void put(raw_ticket& raw, std::size_t at, Number value) {
  for (std::size_t i = 0; i < sizeof value; ++i)
    raw[at + i] = static_cast<std::uint8_t>(value >> (8 * (sizeof value - 1 - i)));
}

template <class Number>
Number get(const raw_ticket& raw, std::size_t at) {
  Number value = 0;
  for (std::size_t i = 0; i < sizeof value; ++i)
    value = static_cast<Number>((value << 8) | raw[at + i]);
  return value;
}

std::string_view signed_part(const raw_ticket& raw) {
  return {reinterpret_cast<const char*>(raw.data()), signed_bytes};
}

std::string encode(const raw_ticket& raw) {
  std::string text;
  text.reserve(ticket_codec::text_length);
  for (std::size_t i = 0; i < raw.size(); i += 3) {
    const auto group = static_cast<std::uint32_t>(raw[i] << 16 | raw[i + 1] << 8 | raw[i + 2]);
    for (int shift = 18; shift >= 0; shift -= 6)
      text.push_back(alphabet[(group >> shift) & 63U]);
  }
  return text;
}

std::optional<raw_ticket> decode(std::string_view text) {
  if (text.size() != ticket_codec::text_length)
    return std::nullopt;
  raw_ticket raw{};
  for (std::size_t i = 0, out = 0; i < text.size(); i += 4) {
    std::int32_t group = 0;
    for (std::size_t j = 0; j < 4; ++j) {
      const auto value = values[static_cast<unsigned char>(text[i + j])];
      if (value < 0)
        return std::nullopt;
      group = group << 6 | value;
    }
    for (int shift = 16; shift >= 0; shift -= 8)
      raw[out++] = static_cast<std::uint8_t>(group >> shift);
  }
  return raw;
}

} // namespace

std::string ticket_codec::write(const ticket& what) const {
  raw_ticket raw{};
  raw[0] = key_id;
  put(raw, 1, what.show);
  put(raw, 5, what.slot);
  put(raw, 9, what.nonce);
  const auto mac = key_.mac(signed_part(raw));
  std::memcpy(raw.data() + signed_bytes, mac.bytes.data(), mac.bytes.size());
  return encode(raw);
}

std::optional<ticket> ticket_codec::read(std::string_view text) const {
  const auto raw = decode(text);
  if (!raw || (*raw)[0] != key_id)
    return std::nullopt;
  id128 mac;
  std::memcpy(mac.bytes.data(), raw->data() + signed_bytes, mac.bytes.size());
  if (!equal(mac, key_.mac(signed_part(*raw))))
    return std::nullopt;
  return ticket{get<std::uint32_t>(*raw, 1), get<std::uint32_t>(*raw, 5),
                get<std::uint64_t>(*raw, 9)};
}

} // namespace usher::http
