#pragma once

#include "http/api/token_key.hpp"
#include "http/crypto/base64.hpp"

#include <nlohmann/json.hpp>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/rand.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// The other side of a customer token: a seller with a new key, who signs.
namespace usher::test {

class seller_key {
public:
  using json = nlohmann::json;

  /// A new key of an algorithm.
  explicit seller_key(http::token_algorithm algorithm) : algorithm_{algorithm} {
    using enum http::token_algorithm;
    if (algorithm == hs256) {
      secret_.resize(http::token_key::secret_bytes_min);
      must(RAND_bytes(bytes(secret_), static_cast<int>(secret_.size())) == 1);
    } else if (algorithm == rs256) {
      own(EVP_RSA_gen(2048));
    } else {
      own(algorithm == es256 ? EVP_EC_gen("P-256")
                             : EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"));
    }
  }

  /// A new key of any kind that OpenSSL makes, to be refused.
  explicit seller_key(EVP_PKEY* made) : algorithm_{http::token_algorithm::es256} { own(made); }

  /// As the configuration has it: a public key in PEM, or the secret in base64.
  [[nodiscard]] std::string text() const {
    return algorithm_ == http::token_algorithm::hs256 ? padded_base64(secret_) : public_pem();
  }

  [[nodiscard]] std::string public_pem() const {
    return pem([this](BIO* to) { return PEM_write_bio_PUBKEY(to, key_.get()); });
  }
  [[nodiscard]] std::string private_pem() const {
    return pem([this](BIO* to) {
      return PEM_write_bio_PrivateKey(to, key_.get(), nullptr, nullptr, 0, nullptr, nullptr);
    });
  }

  [[nodiscard]] http::token_key for_verifier() const {
    return std::get<http::token_key>(http::token_key::read(algorithm_, text()));
  }

  /// As JWS has it.
  [[nodiscard]] std::string sign(const std::string& text) const {
    using enum http::token_algorithm;
    if (algorithm_ == hs256)
      return hmac(secret_, text);
    const std::shared_ptr<EVP_MD_CTX> context{EVP_MD_CTX_new(), EVP_MD_CTX_free};
    const auto* digest = algorithm_ == eddsa ? nullptr : EVP_sha256();
    must(EVP_DigestSignInit(context.get(), nullptr, digest, nullptr, key_.get()) == 1);
    std::size_t size = 0;
    must(EVP_DigestSign(context.get(), nullptr, &size, bytes(text), text.size()) == 1);
    std::string made(size, '\0');
    must(EVP_DigestSign(context.get(), bytes(made), &size, bytes(text), text.size()) == 1);
    made.resize(size);
    return algorithm_ == es256 ? r_and_s(made) : made;
  }

  /// A whole token, of texts that need not be JSON.
  [[nodiscard]] std::string token(std::string_view header, std::string_view payload) const {
    const auto text = http::encode_base64url(header) + "." + http::encode_base64url(payload);
    return text + "." + http::encode_base64url(sign(text));
  }
  [[nodiscard]] std::string token(const json& payload) const {
    return token(json{{"alg", to_string(algorithm_)}}.dump(), payload.dump());
  }

  [[nodiscard]] static std::string hmac(const std::string& secret, const std::string& text) {
    std::string mac(32, '\0');
    unsigned length = 0;
    must(HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()), bytes(text),
              text.size(), bytes(mac), &length) != nullptr);
    return mac;
  }

  [[nodiscard]] static std::string padded_base64(const std::string& what) {
    std::string made((what.size() + 2) / 3 * 4 + 1, '\0');
    made.resize(static_cast<std::size_t>(
        EVP_EncodeBlock(bytes(made), bytes(what), static_cast<int>(what.size()))));
    return made;
  }

private:
  static void must(bool holds) {
    if (!holds)
      throw std::runtime_error{"OpenSSL failed in a test"};
  }
  static const unsigned char* bytes(const std::string& text) {
    return reinterpret_cast<const unsigned char*>(text.data());
  }
  static unsigned char* bytes(std::string& text) {
    return reinterpret_cast<unsigned char*>(text.data());
  }

  void own(EVP_PKEY* made) {
    must(made != nullptr);
    key_.reset(made, EVP_PKEY_free);
  }

  template <class Write>
  static std::string pem(Write write) {
    const std::shared_ptr<BIO> to{BIO_new(BIO_s_mem()), BIO_free};
    must(write(to.get()) == 1);
    char* text = nullptr;
    const auto size = BIO_get_mem_data(to.get(), &text);
    return {text, static_cast<std::size_t>(size)};
  }

  static std::string r_and_s(const std::string& der) {
    const auto* at = bytes(der);
    const std::shared_ptr<ECDSA_SIG> pair{
        d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(der.size())), ECDSA_SIG_free};
    must(pair != nullptr);
    std::string made(64, '\0');
    must(BN_bn2binpad(ECDSA_SIG_get0_r(pair.get()), bytes(made), 32) == 32 &&
         BN_bn2binpad(ECDSA_SIG_get0_s(pair.get()), bytes(made) + 32, 32) == 32);
    return made;
  }

  http::token_algorithm algorithm_;
  std::string secret_;
  std::shared_ptr<EVP_PKEY> key_;
};

} // namespace usher::test
