#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

struct evp_pkey_st; // OpenSSL's EVP_PKEY

namespace usher::http {

/// RFC 7518 and RFC 8037. Only these: nothing that is weaker, and no "none".
enum class token_algorithm { es256, rs256, eddsa, hs256 };

[[nodiscard]] std::string_view to_string(token_algorithm algorithm);
[[nodiscard]] std::optional<token_algorithm> read_token_algorithm(std::string_view name);

/// A key that a seller's signatures are checked with. It belongs to one algorithm for ever, so no
/// token can choose another one for it. Thread-safe; cheap to copy.
class token_key {
public:
  static constexpr std::size_t secret_bytes_min = 32;   ///< RFC 7518, 3.2
  static constexpr std::size_t secret_bytes_max = 1024; ///< beyond, it is the wrong file
  static constexpr int rsa_bits_min = 2048;             ///< RFC 7518, 3.3

  /// `text` is a public key in PEM (of the curve P-256, RSA or Ed25519, as the algorithm asks), or
  /// for HS256 the secret in base64. Gives what was expected instead if it does not fit.
  [[nodiscard]] static std::variant<token_key, std::string> read(token_algorithm algorithm,
                                                                 std::string_view text);

  [[nodiscard]] token_algorithm algorithm() const { return algorithm_; }

  /// `signature` as JWS has it (RFC 7515): of ES256 r and s, 32 bytes each.
  [[nodiscard]] bool verifies(std::string_view signed_text, std::string_view signature) const;

private:
  explicit token_key(token_algorithm algorithm) : algorithm_{algorithm} {}

  token_algorithm algorithm_;
  std::shared_ptr<evp_pkey_st> public_key_;
  std::string secret_; ///< HS256 only
};

} // namespace usher::http
