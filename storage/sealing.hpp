#pragma once

#include "storage/secrets.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <variant>

// Personal data in events: sealed with AES-256-GCM, so that whoever has the log alone has nothing,
// and erasing a key erases what it sealed. Sealed bytes are
//
//     1 byte version (1) ‖ 12 bytes nonce, random ‖ ciphertext ‖ 16 bytes tag
namespace usher::storage {

/// `associated` is not in the result and must be given again to open it: bind the bytes to where
/// they belong (an order's id), so that they cannot be moved. A key may seal at most 2^32 times.
[[nodiscard]] std::variant<std::string, failure> seal(const secret_key& key, std::string_view plain,
                                                      std::string_view associated);

/// Nothing for another key, other associated data, an unknown version or changed bytes.
[[nodiscard]] std::optional<std::string> unseal(const secret_key& key, std::string_view sealed,
                                                std::string_view associated);

} // namespace usher::storage
