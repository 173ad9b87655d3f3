#include "storage/codec_room_settings.hpp"

namespace usher::storage {

json settings_map(const waiting_room::settings& what) {
  auto map = json::object({{"admitPerSecondMicro", what.admit_per_second_micro},
                           {"tickMs", what.tick_ms},
                           {"admissionTtlMs", what.admission_ttl_ms},
                           {"maxQueue", what.max_queue},
                           {"fixedLength", what.fixed_length},
                           {"prequeueMs", what.prequeue_ms},
                           {"absentAfterMs", what.absent_after_ms},
                           {"claimTtlMs", what.claim_ttl_ms},
                           {"proofOfWork", what.proof_of_work},
                           {"tiers", json::array_t{what.tiers.begin(), what.tiers.end()}}});
  const auto put = [&map](const char* name, const auto& value) {
    if (value)
      map[name] = *value;
  };
  put("maxActive", what.max_active);
  put("maxPerTick", what.max_per_tick);
  put("idleTimeoutMs", what.idle_timeout_ms);
  put("opensAt", what.opens_at);
  put("reentryGraceMs", what.reentry_grace_ms);
  if (what.beacon)
    map["beacon"] = json::object({{"name", what.beacon->name}, {"round", what.beacon->round}});
  return map;
}

waiting_room::settings read_settings(fields& in) {
  return {.admit_per_second_micro = in.u64("admitPerSecondMicro"),
          .max_active = in.optional_u32("maxActive"),
          .max_per_tick = in.optional_u32("maxPerTick"),
          .tick_ms = in.i64("tickMs"),
          .admission_ttl_ms = in.i64("admissionTtlMs"),
          .max_queue = in.u32("maxQueue"),
          .idle_timeout_ms = in.optional_i64("idleTimeoutMs"),
          .fixed_length = in.flag("fixedLength"),
          .opens_at = in.optional_i64("opensAt"),
          .prequeue_ms = in.i64("prequeueMs"),
          .absent_after_ms = in.i64("absentAfterMs"),
          .claim_ttl_ms = in.i64("claimTtlMs"),
          .reentry_grace_ms = in.optional_i64("reentryGraceMs"),
          .proof_of_work = in.flag("proofOfWork"),
          .tiers = in.texts("tiers"),
          .beacon = in.optional_map("beacon", [](fields& beacon) {
            return waiting_room::beacon_source{.name = beacon.text("name"),
                                               .round = beacon.text("round")};
          })};
}

} // namespace usher::storage
