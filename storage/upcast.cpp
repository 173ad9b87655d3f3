#include "storage/upcast.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>

namespace usher::storage {

namespace {

/// What an operator can do about it.
constexpr const char* newer_usher = "; a newer version of usher may know it";

/// A field that was not there before. False if it is there, or if this is no map.
bool add(json& map, const char* name, json value) {
  return map.is_object() && map.emplace(name, std::move(value)).second;
}

} // namespace

// What follows says what a schema meant when it came: it takes no default from the headers of the
// events, which may change.
bool room_configured_from_1(json& payload) {
  constexpr std::array<std::string_view, 6> known{
      "admitPerSecondMicro", "maxActive", "maxPerTick", "tickMs", "admissionTtlMs", "maxQueue"};
  if (!payload.is_object())
    return false;
  for (const auto& [name, value] : payload.items())
    if (std::ranges::find(known, name) == known.end())
      return false;
  payload["fixedLength"] = false;
  payload["prequeueMs"] = 0U;
  payload["absentAfterMs"] = 180'000U;
  payload["claimTtlMs"] = 1'800'000U;
  payload["proofOfWork"] = false;
  payload["tiers"] = json::array();
  auto settings = std::move(payload);
  payload = json::object({{"to", std::move(settings)}});
  return true;
}

bool fans_joined_from_1(json& payload) {
  return !payload.contains("codes") && !payload.contains("tiers");
}

bool fans_admitted_from_1(json& payload) {
  return !payload.contains("who");
}

bool hold_placed_from_1(json& payload) {
  return !payload.contains("customer");
}

bool fan_identified_from_1(json& payload) {
  return add(payload, "customer", false);
}

bool show_from_1(json& payload) {
  const json::json_pointer added{"/what/holds/maxSeatsPerCustomer"};
  return !payload.contains(added);
}

bool show_from_2(json& payload) {
  const json::json_pointer holds_at{"/what/holds"};
  const json::json_pointer ttl_at{"/what/holds/ttlMs"};
  const json::json_pointer blocks_at{"/what/plan/blocks"};
  constexpr std::uint64_t ttl_max = std::numeric_limits<std::int64_t>::max() / 2;
  if (!payload.contains(ttl_at) || !payload[ttl_at].is_number_unsigned())
    return false;
  const auto ttl = payload[ttl_at].get<std::uint64_t>();
  if (ttl > ttl_max)
    return false;
  if (payload.contains(blocks_at))
    for (const auto& block : payload[blocks_at])
      if (block.contains("capacity"))
        return false;
  return add(payload[holds_at], "maxLifeMs", 2 * ttl) &&
         add(payload[holds_at], "avoidOrphans", true);
}

bool seats_from_1(json& payload) {
  return add(payload, "generation", 1U);
}

bool hold_placed_from_2(json& payload) {
  return add(payload, "boxOffice", false);
}

bool order_placed_from_1(json& payload) {
  return add(payload, "boxOffice", false);
}

bool payment_started_from_1(json& payload) {
  return !payload.contains("follows") && add(payload, "token", json::binary({})) &&
         add(payload, "country", "") && add(payload, "chosen", false) &&
         add(payload, "skipped", json::array()) && add(payload, "until", 0);
}

bool payment_settled_from_1(json& payload) {
  return !payload.contains("amountMinor") && add(payload, "reason", "") &&
         add(payload, "known", false);
}

bool order_cancelled_from_1(json& payload) {
  return !payload.contains("asked");
}

failure unknown_type(std::string_view type, std::uint32_t schema) {
  return failure{"unknown event type `" + std::string{type} + "` of schema " +
                 std::to_string(schema) + newer_usher};
}

std::optional<failure> upcast(json& payload, std::string_view type, std::uint32_t schema,
                              std::uint32_t newest, std::span<const upcast_step> steps) {
  const auto named = [&] { return std::string{type} + " of schema " + std::to_string(schema); };
  if (schema == 0)
    return failure{named() + " cannot be: schemas count from 1"};
  if (schema > newest)
    return failure{named() + " is newer than this program, which knows " + std::to_string(newest) +
                   newer_usher};
  for (; schema < newest; ++schema) {
    const auto found = std::ranges::find_if(
        steps, [&](const upcast_step& row) { return row.type == type && row.from == schema; });
    if (found == steps.end() || !found->step(payload))
      return failure{named() + " cannot be read as schema " + std::to_string(schema + 1)};
  }
  return std::nullopt;
}

} // namespace usher::storage
