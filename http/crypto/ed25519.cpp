#include "http/crypto/ed25519.hpp"

#include "actors/basics/bug.hpp"

#include <openssl/err.h>
#include <openssl/evp.h>

namespace usher::http {

namespace {

struct context_free {
  void operator()(EVP_MD_CTX* it) const { EVP_MD_CTX_free(it); }
};
using context = std::unique_ptr<EVP_MD_CTX, context_free>;

const unsigned char* bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

} // namespace

ed25519_key::ed25519_key(std::span<const std::uint8_t, 32> seed)
    : key_{EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, seed.data(), seed.size()),
           EVP_PKEY_free} {
  std::size_t size = public_key_.size();
  bug_unless(key_ && EVP_PKEY_get_raw_public_key(key_.get(), public_key_.data(), &size) == 1 &&
                 size == public_key_.size(),
             "no key of Ed25519 from 32 bytes");
}

std::string ed25519_key::sign(std::string_view text) const {
  std::string signature(signature_bytes, '\0');
  std::size_t size = signature.size();
  const context signing{EVP_MD_CTX_new()};
  bug_unless(signing &&
                 EVP_DigestSignInit(signing.get(), nullptr, nullptr, nullptr, key_.get()) == 1 &&
                 EVP_DigestSign(signing.get(), reinterpret_cast<unsigned char*>(signature.data()),
                                &size, bytes(text), text.size()) == 1 &&
                 size == signature.size(),
             "a text cannot be signed");
  return signature;
}

bool ed25519_key::verifies(std::string_view text, std::string_view signature) const {
  const context verifying{EVP_MD_CTX_new()};
  const bool good =
      verifying &&
      EVP_DigestVerifyInit(verifying.get(), nullptr, nullptr, nullptr, key_.get()) == 1 &&
      EVP_DigestVerify(verifying.get(), bytes(signature), signature.size(), bytes(text),
                       text.size()) == 1;
  ERR_clear_error();
  return good;
}

} // namespace usher::http
