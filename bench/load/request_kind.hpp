#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace usher::load {

/// What fans ask. Each kind has its own line in the report.
enum class request_kind : std::uint8_t { page, join, poll, map, hold, order, pay, place };

inline constexpr std::array<std::string_view, 8> request_kind_names{
    "event page", "join", "poll", "seat map", "hold", "order", "pay", "place check"};
inline constexpr std::size_t request_kinds = request_kind_names.size();

[[nodiscard]] constexpr std::string_view to_string(request_kind kind) {
  return request_kind_names[static_cast<std::size_t>(kind)];
}

} // namespace usher::load
