#pragma once

#include "storage/secrets.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <variant>

// Sealing with AES-256-GCM. Personal data of older logs has one key for all of it and is
//
//     1 byte version (1) ‖ 12 bytes nonce, random ‖ ciphertext ‖ 16 bytes tag
//
// What is written now is storage/personal_data's, which has the same bytes behind another header.
namespace usher::storage {

inline constexpr std::size_t seal_nonce_size = 12;
inline constexpr std::size_t seal_tag_size = 16;

/// `header` ‖ nonce, random ‖ ciphertext ‖ tag. The header is not protected.
[[nodiscard]] std::variant<std::string, failure> seal_behind(std::string_view header,
                                                             const secret_key& key,
                                                             std::string_view plain,
                                                             std::string_view associated);

/// Of nonce ‖ ciphertext ‖ tag; nothing for another key, other associated data or changed bytes.
[[nodiscard]] std::optional<std::string> open_sealed(const secret_key& key, std::string_view sealed,
                                                     std::string_view associated);

/// `associated` is not in the result and must be given again to open it: bind the bytes to where
/// they belong (an order's id), so that they cannot be moved. A key may seal at most 2^32 times.
[[nodiscard]] std::variant<std::string, failure> seal(const secret_key& key, std::string_view plain,
                                                      std::string_view associated);

/// Nothing for another key, other associated data, an unknown version or changed bytes.
[[nodiscard]] std::optional<std::string> unseal(const secret_key& key, std::string_view sealed,
                                                std::string_view associated);

} // namespace usher::storage
