#include "http/api/room_settings_json.hpp"

#include "actors/basics/duration.hpp"
#include "actors/basics/rfc3339.hpp"
#include "actors/shows/rules.hpp"

#include <algorithm>
#include <cmath>

namespace usher::http {

namespace {

constexpr duration_ms second_ms = 1000;
constexpr duration_ms day_ms = 24LL * 60 * 60 * 1000;
constexpr duration_ms year_ms = 365 * day_ms;
constexpr std::size_t beacon_text_bytes_max = 128;

template <class Value>
using switchable = std::optional<std::optional<Value>>;

/// A duration, or null for "off".
switchable<duration_ms> read_switchable(fields& from, std::string_view name, duration_ms least,
                                        duration_ms most) {
  const auto* value = from.find(name);
  if (value == nullptr)
    return std::nullopt;
  if (value->is_null())
    return std::optional<duration_ms>{};
  const auto length = from.duration(name, least, most);
  return length ? switchable<duration_ms>{*length} : std::nullopt;
}

switchable<time_ms> read_opens_at(fields& from) {
  const auto* value = from.find("opensAt");
  if (value == nullptr)
    return std::nullopt;
  if (value->is_null())
    return std::optional<time_ms>{};
  const auto at =
      value->is_string() ? read_rfc3339(value->get_ref<const std::string&>()) : std::nullopt;
  if (!at) {
    from.add_fault("opensAt",
                   "expected a time as in RFC 3339, e.g. 2026-11-30T10:00:00-03:00, or null");
    return std::nullopt;
  }
  return switchable<time_ms>{*at};
}

std::optional<std::vector<std::string>> read_tiers(fields& from) {
  const auto* value = from.find("tiers");
  if (value == nullptr)
    return std::nullopt;
  const auto wanted = "expected a list of at most " + std::to_string(waiting_room::tiers_max) +
                      " different names, the first goes first";
  std::vector<std::string> tiers;
  bool good = value->is_array() && value->size() <= waiting_room::tiers_max;
  for (std::size_t at = 0; good && at < value->size(); ++at) {
    const auto& each = (*value)[at];
    good = each.is_string() && shows::is_id(each.get_ref<const std::string&>()) &&
           std::find(tiers.begin(), tiers.end(), each) == tiers.end();
    if (good)
      tiers.push_back(each.get<std::string>());
  }
  if (good)
    return tiers;
  from.add_fault("tiers", wanted);
  return std::nullopt;
}

switchable<waiting_room::beacon_source> read_beacon(fields& from, std::vector<fault>& faults) {
  const auto* value = from.find("beacon");
  if (value == nullptr)
    return std::nullopt;
  if (value->is_null())
    return std::optional<waiting_room::beacon_source>{};
  if (!value->is_object()) {
    from.add_fault("beacon", R"(expected {"source", "round"} or null)");
    return std::nullopt;
  }
  fields inside{*value, faults, from.path_of("beacon")};
  inside.refuse_others({"source", "round"});
  inside.require("source");
  inside.require("round");
  return std::optional{
      waiting_room::beacon_source{inside.text("source", beacon_text_bytes_max).value_or(""),
                                  inside.text("round", beacon_text_bytes_max).value_or("")}};
}

ordered_json or_null(const std::optional<std::uint32_t>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

ordered_json length_or_null(const std::optional<duration_ms>& length) {
  return length ? ordered_json(to_text(*length)) : ordered_json(nullptr);
}

} // namespace

shows::settings_patch read_settings(const json& section, const std::string& where,
                                    std::vector<fault>& faults) {
  fields from{section, faults, where};
  from.refuse_others({"admitPerSecond", "maxActive", "maxPerTick", "tick", "admissionTtl",
                      "maxQueue", "idleTimeout", "fixedLength", "opensAt", "prequeue",
                      "absentAfter", "claimTtl", "reentryGrace", "proofOfWork", "tiers", "beacon"});
  shows::settings_patch made;
  if (const auto rate = from.number("admitPerSecond", 0, 1'000'000))
    made.admit_per_second_micro = static_cast<std::uint64_t>(std::llround(*rate * 1e6));
  made.max_active = read_limit(from, "maxActive");
  made.max_per_tick = read_limit(from, "maxPerTick");
  made.tick_ms = from.duration("tick", 10, 60 * second_ms);
  made.admission_ttl_ms = from.duration("admissionTtl", second_ms, year_ms);
  if (const auto most = from.integer("maxQueue", 0, waiting_room::slots_max))
    made.max_queue = static_cast<std::uint32_t>(*most);
  // Last seen is kept for 18 hours: what is measured by it ends before.
  made.idle_timeout_ms = read_switchable(from, "idleTimeout", second_ms, day_ms / 2);
  made.fixed_length = from.boolean("fixedLength");
  made.opens_at = read_opens_at(from);
  made.prequeue_ms = from.duration("prequeue", 0, waiting_room::prequeue_max_ms);
  made.absent_after_ms = from.duration("absentAfter", second_ms, day_ms / 2);
  made.claim_ttl_ms = from.duration("claimTtl", 0, year_ms);
  made.reentry_grace_ms = read_switchable(from, "reentryGrace", second_ms, day_ms);
  made.proof_of_work = from.boolean("proofOfWork");
  made.tiers = read_tiers(from);
  made.beacon = read_beacon(from, faults);
  return made;
}

ordered_json settings_json(const waiting_room::settings& set) {
  ordered_json body{
      {"admitPerSecond", static_cast<double>(set.admit_per_second_micro) / 1e6},
      {"maxActive", or_null(set.max_active)},
      {"maxPerTick", or_null(set.max_per_tick)},
      {"tick", to_text(set.tick_ms)},
      {"admissionTtl", to_text(set.admission_ttl_ms)},
      {"idleTimeout", length_or_null(set.idle_timeout_ms)},
      {"fixedLength", set.fixed_length},
      {"maxQueue", set.max_queue},
      {"opensAt", set.opens_at ? ordered_json(time_text(*set.opens_at)) : ordered_json(nullptr)},
      {"prequeue", to_text(set.prequeue_ms)},
      {"absentAfter", to_text(set.absent_after_ms)},
      {"claimTtl", to_text(set.claim_ttl_ms)},
      {"reentryGrace", length_or_null(set.reentry_grace_ms)},
      {"proofOfWork", set.proof_of_work},
      {"tiers", set.tiers}};
  body["beacon"] = nullptr;
  if (set.beacon)
    body["beacon"] = {{"source", set.beacon->name}, {"round", set.beacon->round}};
  return body;
}

ordered_json message_json(const std::vector<std::pair<std::string, std::string>>& texts) {
  auto body = ordered_json::object();
  for (const auto& [language, text] : texts)
    body[language] = text;
  return body;
}

ordered_json room_json(const waiting_room::board& room) {
  const auto now = room.room();
  const auto& notices = room.notices();
  auto body = settings_json(notices.set);
  body["state"] = waiting_room::to_string(now.status);
  body["waiting"] = now.waiting;
  body["absent"] = now.absent;
  body["active"] = now.active;
  if (!notices.message.empty())
    body["message"] = message_json(notices.message);
  return body;
}

} // namespace usher::http
