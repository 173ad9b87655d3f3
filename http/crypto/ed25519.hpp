#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

struct evp_pkey_st; // OpenSSL's EVP_PKEY

namespace usher::http {

/// A pair of keys for signatures of Ed25519 (RFC 8032). The same text always gets the same
/// signature, and no other text or form of it is good. Thread-safe; cheap to copy.
class ed25519_key {
public:
  static constexpr std::size_t signature_bytes = 64;

  /// The private key: 32 random bytes, kept secret.
  explicit ed25519_key(std::span<const std::uint8_t, 32> seed);

  [[nodiscard]] std::string_view public_key() const {
    return {reinterpret_cast<const char*>(public_key_.data()), public_key_.size()};
  }

  [[nodiscard]] std::string sign(std::string_view text) const;
  [[nodiscard]] bool verifies(std::string_view text, std::string_view signature) const;

private:
  std::shared_ptr<evp_pkey_st> key_;
  std::array<std::uint8_t, 32> public_key_{};
};

} // namespace usher::http
