#include "storage/audit/draw.hpp"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <utility>

namespace usher::storage::audit {

namespace {

using waiting_room::bytes32;

/// Without these two there is no audit; they fail only if memory or OpenSSL itself does.
void must(bool worked) {
  if (!worked)
    throw std::runtime_error{"OpenSSL cannot compute SHA-256"};
}

/// HMAC-SHA256 with one key, many times.
class keyed_hash {
public:
  explicit keyed_hash(const std::string& key) {
    must(hmac_ && context_);
    std::string digest = "SHA256";
    const std::array parameters{
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest.data(), 0),
        OSSL_PARAM_construct_end()};
    must(EVP_MAC_init(context_.get(), reinterpret_cast<const unsigned char*>(key.data()),
                      key.size(), parameters.data()) == 1);
  }

  [[nodiscard]] bytes32 of(slot_t slot) const {
    const std::array message{
        static_cast<unsigned char>(slot >> 24), static_cast<unsigned char>(slot >> 16),
        static_cast<unsigned char>(slot >> 8), static_cast<unsigned char>(slot)};
    bytes32 hash{};
    std::size_t length = 0;
    must(EVP_MAC_init(context_.get(), nullptr, 0, nullptr) == 1 &&
         EVP_MAC_update(context_.get(), message.data(), message.size()) == 1 &&
         EVP_MAC_final(context_.get(), hash.data(), &length, hash.size()) == 1 &&
         length == hash.size());
    return hash;
  }

private:
  struct free_mac {
    void operator()(EVP_MAC* it) const { EVP_MAC_free(it); }
    void operator()(EVP_MAC_CTX* it) const { EVP_MAC_CTX_free(it); }
  };
  std::unique_ptr<EVP_MAC, free_mac> hmac_{EVP_MAC_fetch(nullptr, "HMAC", nullptr)};
  std::unique_ptr<EVP_MAC_CTX, free_mac> context_{EVP_MAC_CTX_new(hmac_.get())};
};

} // namespace

bytes32 commitment_of(const bytes32& seed) {
  bytes32 hash{};
  unsigned int length = 0;
  must(EVP_Digest(seed.data(), seed.size(), hash.data(), &length, EVP_sha256(), nullptr) == 1 &&
       length == hash.size());
  return hash;
}

std::vector<slot_t> drawn_order(const std::vector<std::vector<slot_t>>& by_tier,
                                const bytes32& seed, const std::string& beacon) {
  const keyed_hash hash{std::string{seed.begin(), seed.end()} + beacon};
  std::vector<slot_t> all;
  for (const auto& tier : by_tier) {
    std::vector<std::pair<bytes32, slot_t>> drawn;
    drawn.reserve(tier.size());
    for (const auto slot : tier)
      drawn.emplace_back(hash.of(slot), slot);
    std::ranges::sort(drawn);
    for (const auto& [its, slot] : drawn)
      all.push_back(slot);
  }
  return all;
}

} // namespace usher::storage::audit
