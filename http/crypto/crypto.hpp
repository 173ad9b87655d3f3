#pragma once

#include "actors/basics/ids.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

// The few cryptographic things that HTTP needs, over OpenSSL. Thread-safe.
namespace usher::runtime {
class keyed_hash;
}

namespace usher::http {

using sha256_digest = std::array<std::uint8_t, 32>;

[[nodiscard]] sha256_digest sha256(std::string_view bytes);

/// With a key of any length, set up anew each time; for keys used often see `hmac_key`.
[[nodiscard]] sha256_digest hmac_sha256(std::string_view key, std::string_view bytes);

/// HMAC-SHA256 with a key that is set up once. Copies share it.
class hmac_key {
public:
  explicit hmac_key(std::span<const std::uint8_t, 32> key);

  /// The first 16 bytes of the HMAC.
  [[nodiscard]] id128 mac(std::string_view bytes) const;

private:
  std::shared_ptr<const runtime::keyed_hash> hash_;
};

/// In constant time.
[[nodiscard]] bool equal(const id128& a, const id128& b);
/// In a time that depends on the lengths alone; false if they differ.
[[nodiscard]] bool equal_bytes(std::string_view a, std::string_view b);

/// From the system's generator; ends the process if it fails, because nothing may go on without.
[[nodiscard]] id128 random_id();
[[nodiscard]] std::uint64_t random_bits();

/// Text that another reading cannot produce: each part with its length before it.
[[nodiscard]] std::string joined(std::initializer_list<std::string_view> parts);

[[nodiscard]] std::string to_hex(std::span<const std::uint8_t> bytes);

} // namespace usher::http
