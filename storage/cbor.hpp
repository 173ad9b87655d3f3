#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

// CBOR (RFC 8949) in and out of nlohmann's json, safe for bytes that nobody vouches for.
namespace usher::storage {

using nlohmann::json;

/// Nesting beyond this is refused, so that hostile bytes cannot exhaust the stack.
inline constexpr std::size_t cbor_depth_max = 16;

/// One whole CBOR item and nothing after it; nothing if it is anything else, is nested too deeply,
/// or has a map with the same key twice. Throws nothing but bad_alloc; takes memory in proportion
/// to the input.
[[nodiscard]] std::optional<json> read_cbor(std::string_view bytes);

[[nodiscard]] std::string write_cbor(const json& value);

} // namespace usher::storage
