#pragma once

#include <optional>
#include <string>
#include <string_view>

// RFC 4648, strict both ways: every byte string has exactly one text, so that no two texts mean the
// same. Line breaks, blanks and bits that are left over are refused.
namespace usher::http {

/// With '-' and '_', without padding.
[[nodiscard]] std::string encode_base64url(std::string_view bytes);
[[nodiscard]] std::optional<std::string> decode_base64url(std::string_view text);

/// With '+' and '/', padded.
[[nodiscard]] std::string encode_base64(std::string_view bytes);
[[nodiscard]] std::optional<std::string> decode_base64(std::string_view text);

} // namespace usher::http
