#pragma once

#include "actors/basics/ids.hpp"
#include "actors/basics/time.hpp"
#include "http/crypto/ed25519.hpp"
#include "storage/secrets.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace usher::http {

/// What admits somebody to one seat of a show. (A `ticket` is a place in its queue.)
struct entry_ticket {
  show_id show;
  seat_id seat;
  order_id order;
  time_ms paid_at = 0; ///< to the second
  bool operator==(const entry_ticket&) const = default;
};

/// Writes entry tickets as codes that anybody can check with the published keys, and reads them.
/// docs/tickets.md has the format with a worked example. Thread-safe.
///
/// A code is a JWT (RFC 7519) in compact form, signed with Ed25519 (RFC 8037). The same ticket
/// always gets the same code as long as the key stays, so none has to be kept. A code shows no
/// order's id, which would open the other tickets of the order to whoever sees one: `order` is the
/// id enciphered, one block of AES-256 under a key that comes from the seed.
class entry_ticket_codec {
public:
  static constexpr std::size_t code_bytes_max = 1024; ///< none of ours is longer

  /// `current` signs. What `previous` has signed still counts: during a rotation, and until nobody
  /// has such a code any more.
  explicit entry_ticket_codec(const storage::secret_key& current,
                              const std::optional<storage::secret_key>& previous = std::nullopt);

  [[nodiscard]] std::string write(const entry_ticket& what) const;

  /// Nothing unless it is ours to the letter. Whether it still admits is the desk's to say.
  [[nodiscard]] std::optional<entry_ticket> read(std::string_view code) const;

  /// The public keys as JSON Web Keys (RFC 7517), a list; the one that signs is the first.
  [[nodiscard]] nlohmann::ordered_json public_keys() const;

private:
  class signer {
  public:
    explicit signer(const storage::secret_key& seed);
    [[nodiscard]] nlohmann::ordered_json public_key() const;
    [[nodiscard]] std::string write(const entry_ticket& what) const;
    [[nodiscard]] std::optional<entry_ticket> read(std::string_view code) const;

  private:
    ed25519_key key_;
    std::string order_key_;
    std::string head_; ///< the header in base64url, and its dot
  };

  std::vector<signer> signers_; ///< the current one first
};

/// The key's name: its thumbprint (RFC 7638).
[[nodiscard]] std::string thumbprint(const ed25519_key& key);

} // namespace usher::http
