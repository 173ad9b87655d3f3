#include "http/api/entry_ticket.hpp"

#include "actors/basics/bug.hpp"
#include "http/crypto/base64.hpp"
#include "http/crypto/crypto.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <cstdint>
#include <memory>

namespace usher::http {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

// The texts of the format. A code that was printed never changes, so neither do these.
constexpr std::string_view algorithm = "EdDSA";
constexpr std::string_view type = "entry-ticket+jwt";
constexpr std::string_view issuer = "usher";
constexpr std::string_view order_key_label = "entry-ticket order";

std::string_view bytes_of(const sha256_digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

struct cipher_free {
  void operator()(EVP_CIPHER_CTX* it) const { EVP_CIPHER_CTX_free(it); }
};

/// One block of AES-256: a permutation of all ids that only the key's owner can go, either way.
order_id permuted(const order_id& id, std::string_view key, bool forward) {
  const std::unique_ptr<EVP_CIPHER_CTX, cipher_free> cipher{EVP_CIPHER_CTX_new()};
  order_id made;
  int size = 0;
  bug_unless(cipher &&
                 EVP_CipherInit_ex(cipher.get(), EVP_aes_256_ecb(), nullptr,
                                   reinterpret_cast<const unsigned char*>(key.data()), nullptr,
                                   forward ? 1 : 0) == 1 &&
                 EVP_CIPHER_CTX_set_padding(cipher.get(), 0) == 1 &&
                 EVP_CipherUpdate(cipher.get(), made.bytes.data(), &size, id.bytes.data(),
                                  static_cast<int>(id.bytes.size())) == 1 &&
                 static_cast<std::size_t>(size) == id.bytes.size(),
             "an order's id cannot be enciphered");
  return made;
}

std::string text_of(const order_id& id) {
  return encode_base64url({reinterpret_cast<const char*>(id.bytes.data()), id.bytes.size()});
}

std::optional<order_id> read_order(std::string_view text) {
  const auto raw = decode_base64url(text);
  order_id id;
  if (!raw || raw->size() != id.bytes.size())
    return std::nullopt;
  std::copy(raw->begin(), raw->end(), id.bytes.begin());
  return id;
}

/// A payload whose signature is good. Nothing if it is of another make: it was signed for
/// something else.
std::optional<entry_ticket> read_payload(std::string_view text, std::string_view order_key) {
  const auto payload = json::parse(text, nullptr, false);
  if (!payload.is_object())
    return std::nullopt;
  const auto member = [&payload](const char* name) {
    const auto found = payload.find(name);
    return found != payload.end() && found->is_string() ? found->get<std::string>() : std::string{};
  };
  const auto order = read_order(member("order"));
  const auto at = payload.find("iat");
  entry_ticket made{member("show"), member("seat"), {}, 0};
  if (member("iss") != issuer || made.show.empty() || made.seat.empty() || !order ||
      at == payload.end() || !at->is_number_unsigned())
    return std::nullopt;
  made.order = permuted(*order, order_key, false);
  made.paid_at = at->get<std::int64_t>() * 1000;
  return made;
}

} // namespace

std::string thumbprint(const ed25519_key& key) {
  // RFC 7638: the required members in alphabetical order, without blanks.
  const auto canonical =
      R"({"crv":"Ed25519","kty":"OKP","x":")" + encode_base64url(key.public_key()) + "\"}";
  return encode_base64url(bytes_of(sha256(canonical)));
}

entry_ticket_codec::signer::signer(const storage::secret_key& seed)
    : key_{seed},
      order_key_{bytes_of(
          hmac_sha256({reinterpret_cast<const char*>(seed.data()), seed.size()}, order_key_label))},
      head_{encode_base64url(
                ordered_json{{"alg", algorithm}, {"kid", thumbprint(key_)}, {"typ", type}}.dump()) +
            "."} {}

ordered_json entry_ticket_codec::signer::public_key() const {
  return {{"kty", "OKP"},
          {"crv", "Ed25519"},
          {"x", encode_base64url(key_.public_key())},
          {"kid", thumbprint(key_)},
          {"alg", algorithm},
          {"use", "sig"}};
}

std::string entry_ticket_codec::signer::write(const entry_ticket& what) const {
  const ordered_json payload{{"iss", issuer},
                             {"show", what.show},
                             {"seat", what.seat},
                             {"order", text_of(permuted(what.order, order_key_, true))},
                             {"iat", what.paid_at / 1000}};
  const auto text = head_ + encode_base64url(payload.dump());
  return text + "." + encode_base64url(key_.sign(text));
}

std::optional<entry_ticket> entry_ticket_codec::signer::read(std::string_view code) const {
  // A header that is this one to the letter names this key and its one algorithm, and asks for
  // nothing else: there is nothing in it to be read, or to be misled by.
  if (!code.starts_with(head_))
    return std::nullopt;
  const auto dot = code.rfind('.');
  if (dot < head_.size())
    return std::nullopt;
  const auto signature = decode_base64url(code.substr(dot + 1));
  if (!signature || !key_.verifies(code.substr(0, dot), *signature))
    return std::nullopt;
  const auto payload = decode_base64url(code.substr(head_.size(), dot - head_.size()));
  return payload ? read_payload(*payload, order_key_) : std::nullopt;
}

entry_ticket_codec::entry_ticket_codec(const storage::secret_key& current,
                                       const std::optional<storage::secret_key>& previous) {
  signers_.emplace_back(current);
  if (previous && *previous != current)
    signers_.emplace_back(*previous);
}

std::string entry_ticket_codec::write(const entry_ticket& what) const {
  auto code = signers_.front().write(what);
  bug_unless(code.size() <= code_bytes_max, "an entry ticket's code is longer than any can be");
  return code;
}

std::optional<entry_ticket> entry_ticket_codec::read(std::string_view code) const {
  if (code.size() > code_bytes_max)
    return std::nullopt;
  for (const auto& each : signers_)
    if (auto found = each.read(code))
      return found;
  return std::nullopt;
}

ordered_json entry_ticket_codec::public_keys() const {
  auto keys = ordered_json::array();
  for (const auto& each : signers_)
    keys.push_back(each.public_key());
  return keys;
}

} // namespace usher::http
