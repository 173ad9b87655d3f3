#include "actors/runtime/draw.hpp"

// The contexts of the one-shot interface can be copied with memcpy, those of EVP cannot: that makes
// a ticket's HMAC two compressions instead of two allocations and two compressions.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <string>

namespace usher::runtime {

namespace {

std::string_view text_of(const bytes32& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bytes32 sha256(std::string_view text) {
  bytes32 digest{};
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
  return digest;
}

/// HMAC-SHA256 (RFC 2104) under one key, many times.
class keyed_hash {
public:
  explicit keyed_hash(std::string_view key) {
    key_block block{};
    const auto digest = sha256(key);
    const auto used = key.size() > block.size() ? text_of(digest) : key;
    std::copy(used.begin(), used.end(), block.begin());
    inner_ = begun_with(block, 0x36);
    outer_ = begun_with(block, 0x5c);
  }

  [[nodiscard]] bytes32 operator()(std::string_view text) const {
    return finished(outer_, text_of(finished(inner_, text)));
  }

private:
  using key_block = std::array<std::uint8_t, SHA256_CBLOCK>;

  static SHA256_CTX begun_with(key_block block, std::uint8_t pad) {
    for (auto& byte : block)
      byte = static_cast<std::uint8_t>(byte ^ pad);
    SHA256_CTX begun{};
    SHA256_Init(&begun);
    SHA256_Update(&begun, block.data(), block.size());
    return begun;
  }

  static bytes32 finished(SHA256_CTX begun, std::string_view text) {
    bytes32 digest{};
    SHA256_Update(&begun, text.data(), text.size());
    SHA256_Final(digest.data(), &begun);
    return digest;
  }

  SHA256_CTX inner_{};
  SHA256_CTX outer_{};
};

std::string big_endian(std::uint32_t value) {
  std::string bytes(sizeof value, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<char>(value >> (8 * (bytes.size() - 1 - i)));
  return bytes;
}

struct lot {
  bytes32 hash;
  slot_t slot = 0;
  auto operator<=>(const lot&) const = default;
};

} // namespace

bytes32 draw_seed(const bytes32& key, std::string_view subject, std::uint32_t number) {
  std::string text{"draw"};
  text.push_back('\0');
  text.append(subject).push_back('\0');
  return keyed_hash{text_of(key)}(text + big_endian(number));
}

bytes32 commitment_of(const bytes32& seed) {
  return sha256(text_of(seed));
}

std::vector<slot_t> draw_order(const bytes32& seed, std::string_view beacon,
                               const std::vector<std::vector<slot_t>>& tiers) {
  std::string key{text_of(seed)};
  key.append(beacon);
  const keyed_hash hash{key};
  std::vector<slot_t> order;
  std::vector<lot> lots;
  for (const auto& tier : tiers) {
    lots.clear();
    lots.reserve(tier.size());
    for (const auto slot : tier)
      lots.push_back({hash(big_endian(slot)), slot});
    std::sort(lots.begin(), lots.end());
    for (const auto& each : lots)
      order.push_back(each.slot);
  }
  return order;
}

} // namespace usher::runtime
