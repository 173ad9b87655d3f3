#include "http/api/token_key.hpp"

#include "http/crypto/base64.hpp"

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>

#include <array>

namespace usher::http {

namespace {

constexpr std::size_t pem_bytes_max = 16 * 1024;
constexpr std::size_t es256_half = 32;

template <auto Free>
struct freed_by {
  template <class T>
  void operator()(T* it) const {
    Free(it);
  }
};
template <class T, auto Free>
using owned = std::unique_ptr<T, freed_by<Free>>;

const unsigned char* bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

/// A key that needs a password is refused; nobody is asked on the terminal.
int no_password(char*, int, int, void*) {
  return -1;
}

std::shared_ptr<EVP_PKEY> read_pem(std::string_view text) {
  if (text.size() > pem_bytes_max)
    return nullptr;
  const owned<BIO, BIO_free> from{BIO_new_mem_buf(text.data(), static_cast<int>(text.size()))};
  auto* read = from ? PEM_read_bio_PUBKEY(from.get(), nullptr, no_password, nullptr) : nullptr;
  ERR_clear_error();
  return read == nullptr ? nullptr : std::shared_ptr<EVP_PKEY>{read, EVP_PKEY_free};
}

bool is_on_p256(const EVP_PKEY* key) {
  std::array<char, 64> name{};
  std::size_t length = 0;
  return EVP_PKEY_is_a(key, "EC") == 1 &&
         EVP_PKEY_get_group_name(key, name.data(), name.size(), &length) == 1 &&
         std::string_view{name.data(), length} == "prime256v1";
}

/// Empty if the key is of the algorithm's kind, else what was expected.
std::string check_kind(token_algorithm algorithm, const EVP_PKEY* key) {
  switch (algorithm) {
  case token_algorithm::es256:
    return is_on_p256(key) ? "" : "expected a key on the curve P-256 for ES256";
  case token_algorithm::rs256:
    return EVP_PKEY_is_a(key, "RSA") == 1 && EVP_PKEY_get_bits(key) >= token_key::rsa_bits_min
               ? ""
               : "expected an RSA key of at least " + std::to_string(token_key::rsa_bits_min) +
                     " bits for RS256";
  case token_algorithm::eddsa:
    return EVP_PKEY_is_a(key, "ED25519") == 1 ? "" : "expected an Ed25519 key for EdDSA";
  case token_algorithm::hs256:
    break;
  }
  return "expected a secret for HS256, not a public key";
}

/// From r ‖ s to the ASN.1 that OpenSSL wants; empty if it is not 64 bytes.
std::string to_der(std::string_view signature) {
  if (signature.size() != 2 * es256_half)
    return {};
  const owned<ECDSA_SIG, ECDSA_SIG_free> pair{ECDSA_SIG_new()};
  auto* r = BN_bin2bn(bytes(signature), es256_half, nullptr);
  auto* s = BN_bin2bn(bytes(signature) + es256_half, es256_half, nullptr);
  if (!pair || ECDSA_SIG_set0(pair.get(), r, s) != 1) {
    BN_free(r);
    BN_free(s);
    return {};
  }
  unsigned char* made = nullptr;
  const int size = i2d_ECDSA_SIG(pair.get(), &made);
  if (size <= 0)
    return {};
  std::string der{reinterpret_cast<const char*>(made), static_cast<std::size_t>(size)};
  OPENSSL_free(made);
  return der;
}

bool verify_public(EVP_PKEY* key, const EVP_MD* digest, std::string_view signed_text,
                   std::string_view signature) {
  const owned<EVP_MD_CTX, EVP_MD_CTX_free> context{EVP_MD_CTX_new()};
  const bool good = context &&
                    EVP_DigestVerifyInit(context.get(), nullptr, digest, nullptr, key) == 1 &&
                    EVP_DigestVerify(context.get(), bytes(signature), signature.size(),
                                     bytes(signed_text), signed_text.size()) == 1;
  ERR_clear_error();
  return good;
}

bool verify_secret(std::string_view secret, std::string_view signed_text,
                   std::string_view signature) {
  std::array<unsigned char, 32> mac{};
  unsigned length = 0;
  return signature.size() == mac.size() &&
         HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()), bytes(signed_text),
              signed_text.size(), mac.data(), &length) != nullptr &&
         length == mac.size() && CRYPTO_memcmp(mac.data(), signature.data(), mac.size()) == 0;
}

} // namespace

std::string_view to_string(token_algorithm algorithm) {
  switch (algorithm) {
  case token_algorithm::es256:
    return "ES256";
  case token_algorithm::rs256:
    return "RS256";
  case token_algorithm::eddsa:
    return "EdDSA";
  case token_algorithm::hs256:
    return "HS256";
  }
  return "";
}

std::optional<token_algorithm> read_token_algorithm(std::string_view name) {
  using enum token_algorithm;
  for (const auto each : {es256, rs256, eddsa, hs256})
    if (name == to_string(each))
      return each;
  return std::nullopt;
}

std::variant<token_key, std::string> token_key::read(token_algorithm algorithm,
                                                     std::string_view text) {
  token_key made{algorithm};
  if (algorithm == token_algorithm::hs256) {
    auto secret = decode_base64(text);
    if (!secret || secret->size() < secret_bytes_min || secret->size() > secret_bytes_max)
      return "expected a secret of " + std::to_string(secret_bytes_min) + " to " +
             std::to_string(secret_bytes_max) + " bytes in base64";
    made.secret_ = *secret;
    return made;
  }
  made.public_key_ = read_pem(text);
  if (!made.public_key_)
    return "expected a public key in PEM (-----BEGIN PUBLIC KEY-----)";
  if (auto fault = check_kind(algorithm, made.public_key_.get()); !fault.empty())
    return fault;
  return made;
}

bool token_key::verifies(std::string_view signed_text, std::string_view signature) const {
  switch (algorithm_) {
  case token_algorithm::es256:
    return verify_public(public_key_.get(), EVP_sha256(), signed_text, to_der(signature));
  case token_algorithm::rs256:
    return verify_public(public_key_.get(), EVP_sha256(), signed_text, signature);
  case token_algorithm::eddsa:
    return verify_public(public_key_.get(), nullptr, signed_text, signature);
  case token_algorithm::hs256:
    return verify_secret(secret_, signed_text, signature);
  }
  return false;
}

} // namespace usher::http
