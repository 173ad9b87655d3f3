#pragma once

// The contexts of the one-shot interface can be copied like any struct, those of EVP cannot: that
// makes an HMAC of a short text two compressions, instead of these and half a dozen calls.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace usher::runtime {

/// HMAC-SHA256 (RFC 2104) under one key, many times. Thread-safe.
class keyed_hash {
public:
  using digest = std::array<std::uint8_t, SHA256_DIGEST_LENGTH>;

  explicit keyed_hash(std::string_view key) {
    key_block block{};
    if (key.size() > block.size()) {
      const auto hashed = sha256(key);
      std::copy(hashed.begin(), hashed.end(), block.begin());
    } else {
      std::copy(key.begin(), key.end(), block.begin());
    }
    inner_ = begun_with(block, 0x36);
    outer_ = begun_with(block, 0x5c);
  }

  [[nodiscard]] digest operator()(std::string_view text) const {
    const auto inside = finished(inner_, text);
    return finished(outer_, {reinterpret_cast<const char*>(inside.data()), inside.size()});
  }

  [[nodiscard]] static digest sha256(std::string_view text) {
    digest made{};
    SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), made.data());
    return made;
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

  static digest finished(SHA256_CTX begun, std::string_view text) {
    digest made{};
    SHA256_Update(&begun, text.data(), text.size());
    SHA256_Final(made.data(), &begun);
    return made;
  }

  SHA256_CTX inner_{};
  SHA256_CTX outer_{};
};

} // namespace usher::runtime
