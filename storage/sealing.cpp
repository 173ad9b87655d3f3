#include "storage/sealing.hpp"

#include <openssl/evp.h>
#include <openssl/rand.h>

#include <limits>
#include <memory>

namespace usher::storage {

namespace {

constexpr std::string_view version{"\x01", 1};
constexpr std::size_t plain_size_max = std::numeric_limits<int>::max() / 2;

struct free_context {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
using cipher_context = std::unique_ptr<EVP_CIPHER_CTX, free_context>;

const unsigned char* bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

unsigned char* bytes(std::string& text) {
  return reinterpret_cast<unsigned char*>(text.data());
}

int size_of(std::string_view text) {
  return static_cast<int>(text.size());
}

} // namespace

std::variant<std::string, failure> seal_behind(std::string_view header, const secret_key& key,
                                               std::string_view plain,
                                               std::string_view associated) {
  if (plain.size() > plain_size_max || associated.size() > plain_size_max)
    return failure{"too much to seal"};
  std::string sealed{header};
  sealed.resize(header.size() + seal_nonce_size + plain.size() + seal_tag_size);
  auto* nonce = bytes(sealed) + header.size();
  auto* cipher = nonce + seal_nonce_size;
  auto* tag = cipher + plain.size();
  const cipher_context context{EVP_CIPHER_CTX_new()};
  int written = 0;
  const bool done =
      context && RAND_bytes(nonce, seal_nonce_size) == 1 &&
      EVP_EncryptInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, key.data(), nonce) == 1 &&
      EVP_EncryptUpdate(context.get(), nullptr, &written, bytes(associated), size_of(associated)) ==
          1 &&
      EVP_EncryptUpdate(context.get(), cipher, &written, bytes(plain), size_of(plain)) == 1 &&
      EVP_EncryptFinal_ex(context.get(), tag, &written) == 1 &&
      EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_GET_TAG, seal_tag_size, tag) == 1;
  if (!done)
    return failure{"sealing personal data failed"};
  return sealed;
}

std::optional<std::string> open_sealed(const secret_key& key, std::string_view sealed,
                                       std::string_view associated) {
  if (sealed.size() < seal_nonce_size + seal_tag_size || sealed.size() > plain_size_max ||
      associated.size() > plain_size_max)
    return std::nullopt;
  const auto* nonce = bytes(sealed);
  const auto cipher =
      sealed.substr(seal_nonce_size, sealed.size() - seal_nonce_size - seal_tag_size);
  std::string tag{sealed.substr(sealed.size() - seal_tag_size)};
  std::string plain(cipher.size(), '\0');
  unsigned char nothing[seal_tag_size];
  const cipher_context context{EVP_CIPHER_CTX_new()};
  int written = 0;
  const bool done =
      context &&
      EVP_DecryptInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, key.data(), nonce) == 1 &&
      EVP_DecryptUpdate(context.get(), nullptr, &written, bytes(associated), size_of(associated)) ==
          1 &&
      EVP_DecryptUpdate(context.get(), bytes(plain), &written, bytes(cipher), size_of(cipher)) ==
          1 &&
      EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_SET_TAG, seal_tag_size, bytes(tag)) == 1 &&
      EVP_DecryptFinal_ex(context.get(), nothing, &written) == 1;
  return done ? std::optional{plain} : std::nullopt;
}

std::variant<std::string, failure> seal(const secret_key& key, std::string_view plain,
                                        std::string_view associated) {
  return seal_behind(version, key, plain, associated);
}

std::optional<std::string> unseal(const secret_key& key, std::string_view sealed,
                                  std::string_view associated) {
  if (!sealed.starts_with(version))
    return std::nullopt;
  return open_sealed(key, sealed.substr(version.size()), associated);
}

} // namespace usher::storage
