#pragma once

#include "storage/cbor.hpp"
#include "storage/event_log.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

// Old payloads become new ones here, step by step, so that everything else knows the newest only.
namespace usher::storage {

/// From schema `from` of a type to `from + 1`. `step` changes the payload in place and says false
/// if it does not fit; it must not throw.
struct upcast_step {
  std::string_view type;
  std::uint32_t from;
  bool (*step)(json& payload);
};

/// Every type is at schema 1 so far.
inline constexpr std::array<upcast_step, 0> upcast_steps{};

/// Takes a payload of `schema` to `newest`. A missing step, a step that does not fit, schema 0 and
/// a schema newer than `newest` are failures.
[[nodiscard]] std::optional<failure> upcast(json& payload, std::string_view type,
                                            std::uint32_t schema, std::uint32_t newest,
                                            std::span<const upcast_step> steps = upcast_steps);

} // namespace usher::storage
