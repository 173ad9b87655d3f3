#pragma once

#include "actors/basics/time.hpp"
#include "http/crypto/crypto.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What signatures of webhooks have in common. They are over the bytes as they came, and good for
// 300 s both ways, so that one that was overheard is of no use later.
namespace usher::gateways {

inline constexpr duration_ms signature_age_max_ms = 300'000;
inline constexpr std::size_t signatures_max = 16; ///< in one header; more are not looked at

enum class signature : std::uint8_t { good, missing, malformed, too_old, too_new, wrong };

[[nodiscard]] std::string_view to_string(signature what);

/// Of plain digits: seconds or milliseconds, or nothing.
[[nodiscard]] std::optional<std::int64_t> read_timestamp(std::string_view text);

/// `good` if one of those given is the HMAC-SHA256 of the text under one of the keys, as `write`
/// writes it, and its time is neither too long ago nor to come. All are compared, in constant time.
[[nodiscard]] signature judge(const std::vector<std::string_view>& given,
                              const std::vector<std::string>& keys, std::string_view signed_text,
                              std::string (*write)(const http::sha256_digest&), time_ms signed_at,
                              time_ms now);

} // namespace usher::gateways
