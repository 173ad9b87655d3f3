#pragma once

#include "actors/basics/ids.hpp"
#include "http/crypto/crypto.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace usher::http {

/// What a ticket says: a place in the queue of one show.
struct ticket {
  show_number show = 0;
  slot_t slot = 0;
  std::uint64_t nonce = 0;
};

/// Writes and reads ticket ids. 33 bytes as 44 characters of base64url:
/// key id (1) ‖ show (4) ‖ slot (4) ‖ nonce (8) ‖ MAC (16), big-endian; the MAC is HMAC-SHA256 over
/// the first 17 bytes, cut to 16. Nobody can make one without the key. Thread-safe.
class ticket_codec {
public:
  explicit ticket_codec(hmac_key key) : key_{std::move(key)} {}

  static constexpr std::size_t text_length = 44;

  [[nodiscard]] std::string write(const ticket& what) const;

  /// Nothing unless it is ours to the bit.
  [[nodiscard]] std::optional<ticket> read(std::string_view text) const;

private:
  hmac_key key_;
};

} // namespace usher::http
