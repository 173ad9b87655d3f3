#include "storage/upcast.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace usher::storage {

// What follows says what schema 2 meant when it came: it takes no default from settings.hpp, which
// may change.
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
  if (!payload.is_object() || payload.contains("customer"))
    return false;
  payload["customer"] = false;
  return true;
}

bool show_from_1(json& payload) {
  const json::json_pointer added{"/what/holds/maxSeatsPerCustomer"};
  return !payload.contains(added);
}

std::optional<failure> upcast(json& payload, std::string_view type, std::uint32_t schema,
                              std::uint32_t newest, std::span<const upcast_step> steps) {
  const auto named = [&] { return std::string{type} + " of schema " + std::to_string(schema); };
  if (schema == 0)
    return failure{named() + " cannot be: schemas count from 1"};
  if (schema > newest)
    return failure{named() + " is newer than this program, which knows " + std::to_string(newest)};
  for (; schema < newest; ++schema) {
    const auto found = std::ranges::find_if(
        steps, [&](const upcast_step& row) { return row.type == type && row.from == schema; });
    if (found == steps.end() || !found->step(payload))
      return failure{named() + " cannot be read as schema " + std::to_string(schema + 1)};
  }
  return std::nullopt;
}

} // namespace usher::storage
