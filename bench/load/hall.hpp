#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

// The seats of a show that is made for a run: numbered from 0, in rows of fifty, in blocks of a
// thousand. Seat 51 is `r2-2`.
namespace usher::load {

using seat_number = std::uint32_t;

inline constexpr seat_number seats_max = 200'000; ///< that a plan may have
inline constexpr seat_number seats_per_row = 50;
inline constexpr seat_number rows_per_block = 20;
inline constexpr std::int64_t seat_price_minor = 5'000;

[[nodiscard]] std::string seat_name(seat_number seat);
/// Nothing for a name that no seat has, however many there are.
[[nodiscard]] std::optional<seat_number> seat_named(std::string_view name);

/// The `plan` of PUT /v1/shows/{show}.
[[nodiscard]] nlohmann::json plan_of(seat_number seats);

} // namespace usher::load
