#pragma once

#include "actors/basics/time.hpp"
#include "http/api/token_key.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace usher::http {

/// Why a token does not count. Each has a plain sentence.
enum class token_fault : std::uint8_t {
  malformed,
  unsupported,
  unknown_key,
  wrong_algorithm,
  bad_signature,
  no_expiry,
  expired,
  not_yet_valid,
  wrong_issuer,
  wrong_audience,
  no_subject,
  another_show,
};

/// For whoever made the token; says nothing of keys or of what was expected of a signature.
[[nodiscard]] std::string_view to_string(token_fault fault);

struct named_token_key {
  std::string kid;
  token_key key;
};

struct customer_token_options {
  std::vector<named_token_key> keys; ///< at least one; no kid twice
  std::string issuer{};              ///< empty: `iss` is not looked at
  std::string audience = "usher";    ///< has to be in `aud`
};

/// Tells from a seller's signed token (a JWT, RFC 7519, checked as RFC 8725 asks) who the customer
/// is. Thread-safe.
///
/// The key fixes the algorithm, and the header has to agree. `kid` is only an index into the
/// configured keys; it may be absent if there is one. A `crit` header is refused, every other
/// header (`jku`, `jwk`, `x5u`, …) is ignored. Nothing of the payload is read before the signature
/// is good. Required: `exp`, `aud`, `sub` (the customer id, 1 to 256 bytes), and `iss` if an issuer
/// is configured. Respected if present: `nbf`, `iat`, and `show`, which binds the token to one
/// show.
class customer_token_verifier {
public:
  static constexpr std::size_t token_bytes_max = 4096;
  static constexpr std::size_t subject_bytes_max = 256;
  static constexpr duration_ms leeway_ms = 5'000; ///< between the seller's clock and ours

  explicit customer_token_verifier(customer_token_options options);

  /// The customer id. `now` is wall time.
  [[nodiscard]] std::variant<std::string, token_fault>
  verify(std::string_view token, std::string_view show, time_ms now) const;

private:
  customer_token_options options_;
};

} // namespace usher::http
