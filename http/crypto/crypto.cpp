#include "http/crypto/crypto.hpp"

#include "actors/runtime/keyed_hash.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace usher::http {

namespace {

[[noreturn]] void no_crypto(const char* what) {
  std::fprintf(stderr, "usher: %s failed; the process cannot go on\n", what);
  std::abort();
}

/// Random bytes in bulk: one call to the generator for many ids.
class random_pool {
public:
  void take(std::span<std::uint8_t> into) {
    if (used_ + into.size() > bytes_.size()) {
      if (RAND_bytes(bytes_.data(), static_cast<int>(bytes_.size())) != 1)
        no_crypto("the random generator");
      used_ = 0;
    }
    std::memcpy(into.data(), bytes_.data() + used_, into.size());
    OPENSSL_cleanse(bytes_.data() + used_, into.size());
    used_ += into.size();
  }

private:
  std::array<std::uint8_t, 1024> bytes_{};
  std::size_t used_ = bytes_.size();
};

thread_local random_pool pool;

} // namespace

sha256_digest sha256(std::string_view bytes) {
  sha256_digest digest{};
  unsigned length = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr) != 1)
    no_crypto("SHA-256");
  return digest;
}

sha256_digest hmac_sha256(std::string_view key, std::string_view bytes) {
  sha256_digest digest{};
  unsigned length = 0;
  // No key at all is told by a length of zero; a null pointer would mean "the key before".
  const char* key_bytes = key.empty() ? "" : key.data();
  if (HMAC(EVP_sha256(), key_bytes, static_cast<int>(key.size()),
           reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data(),
           &length) == nullptr)
    no_crypto("HMAC");
  return digest;
}

hmac_key::hmac_key(std::span<const std::uint8_t, 32> key)
    : hash_{std::make_shared<const runtime::keyed_hash>(
          std::string_view{reinterpret_cast<const char*>(key.data()), key.size()})} {}

id128 hmac_key::mac(std::string_view bytes) const {
  const auto full = (*hash_)(bytes);
  id128 half;
  std::copy_n(full.begin(), half.bytes.size(), half.bytes.begin());
  return half;
}

bool equal(const id128& a, const id128& b) {
  return CRYPTO_memcmp(a.bytes.data(), b.bytes.data(), a.bytes.size()) == 0;
}

bool equal_bytes(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

id128 random_id() {
  id128 id;
  pool.take(id.bytes);
  return id;
}

std::uint64_t random_bits() {
  std::array<std::uint8_t, 8> bytes{};
  pool.take(bytes);
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data(), sizeof bits);
  return bits;
}

std::string joined(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const auto part : parts) {
    const auto length = static_cast<std::uint32_t>(part.size());
    for (int shift = 24; shift >= 0; shift -= 8)
      text.push_back(static_cast<char>((length >> shift) & 0xffU));
    text.append(part);
  }
  return text;
}

std::string to_hex(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const auto byte : bytes) {
    text.push_back(digits[byte >> 4U]);
    text.push_back(digits[byte & 15U]);
  }
  return text;
}

} // namespace usher::http
