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

/// The flat map of settings becomes `to`, with what schema 2 has added; `was` is not known.
bool room_configured_from_1(json& payload);
/// Schema 2 has added the columns `codes` and `tiers`, which may be absent.
bool fans_joined_from_1(json& payload);
/// Schema 2 has added the column `who`, which may be absent.
bool fans_admitted_from_1(json& payload);
/// Schema 2 has added the field `customer`, which may be absent.
bool hold_placed_from_1(json& payload);
/// Schema 2 has added `customer`; before it, nobody said.
bool fan_identified_from_1(json& payload);
/// Schema 2 has added `maxSeatsPerCustomer` in `what.holds`, which may be absent.
bool show_from_1(json& payload);
/// Schema 3 has added `maxLifeMs` and `avoidOrphans` in `what.holds`, and in blocks `capacity`,
/// which may be absent. Before it no hold could be extended; now those of old shows can, to twice
/// their time.
bool show_from_2(json& payload);
/// Schema 2 has added `generation`; before it no hold ever changed. Of seats_held, seats_released
/// and seats_sold.
bool seats_from_1(json& payload);
/// The schema after has added `boxOffice`; before it, every hold and every order was a fan's.
bool hold_placed_from_2(json& payload);
bool order_placed_from_1(json& payload);
/// Schema 2 has added `token`, `country`, `chosen`, `skipped` and `until`, and `follows`, which may
/// be absent. Before it no gateway was tried after another, and an attempt was never given up.
bool payment_started_from_1(json& payload);
/// Schema 2 has added `reason` and `known`, and `amountMinor`, which may be absent. Before it,
/// money was on record only once, and nobody asked how much it was.
bool payment_settled_from_1(json& payload);
/// Schema 2 has added `asked`, which may be absent.
bool order_cancelled_from_1(json& payload);

inline constexpr std::array upcast_steps{
    upcast_step{"room_configured", 1, room_configured_from_1},
    upcast_step{"fans_joined", 1, fans_joined_from_1},
    upcast_step{"fans_admitted", 1, fans_admitted_from_1},
    upcast_step{"fan_identified", 1, fan_identified_from_1},
    upcast_step{"hold_placed", 1, hold_placed_from_1},
    upcast_step{"show_created", 1, show_from_1},
    upcast_step{"show_changed", 1, show_from_1},
    upcast_step{"show_created", 2, show_from_2},
    upcast_step{"show_changed", 2, show_from_2},
    upcast_step{"seats_held", 1, seats_from_1},
    upcast_step{"seats_released", 1, seats_from_1},
    upcast_step{"seats_sold", 1, seats_from_1},
    upcast_step{"hold_placed", 2, hold_placed_from_2},
    upcast_step{"order_placed", 1, order_placed_from_1},
    upcast_step{"payment_started", 1, payment_started_from_1},
    upcast_step{"payment_settled", 1, payment_settled_from_1},
    upcast_step{"order_cancelled", 1, order_cancelled_from_1},
};

/// What to say of a type that no table has.
[[nodiscard]] failure unknown_type(std::string_view type, std::uint32_t schema);

/// Takes a payload of `schema` to `newest`. A missing step, a step that does not fit, schema 0 and
/// a schema newer than `newest` are failures.
[[nodiscard]] std::optional<failure> upcast(json& payload, std::string_view type,
                                            std::uint32_t schema, std::uint32_t newest,
                                            std::span<const upcast_step> steps = upcast_steps);

} // namespace usher::storage
