#include "bench/load/report.hpp"

#include <nlohmann/json.hpp>

namespace usher::load {

namespace {

using nlohmann::ordered_json;

double in_ms(double microseconds) {
  return microseconds / 1'000;
}

ordered_json latency_json(const histogram& of) {
  const auto at = [&](double quantile) { return in_ms(static_cast<double>(of.at_us(quantile))); };
  auto series = ordered_json::array();
  for (const auto& [quantile, value] : of.series())
    series.push_back({quantile, in_ms(static_cast<double>(value))});
  return {{"count", of.count()},
          {"meanMs", in_ms(of.mean_us())},
          {"p50Ms", at(0.5)},
          {"p90Ms", at(0.9)},
          {"p95Ms", at(0.95)},
          {"p99Ms", at(0.99)},
          {"p999Ms", at(0.999)},
          {"maxMs", in_ms(static_cast<double>(of.max_us()))},
          {"percentiles", std::move(series)}};
}

ordered_json kind_json(const kind_tally& its, double seconds) {
  ordered_json made{{"answers", its.all()},
                    {"perSecond", seconds > 0 ? static_cast<double>(its.all()) / seconds : 0},
                    {"fine", its.fine},
                    {"refused", its.refused},
                    {"shed", its.shed},
                    {"errors", its.wrong},
                    {"latency", latency_json(its.latency)}};
  if (its.shed > 0)
    made["shedLatency"] = latency_json(its.shed_latency);
  return made;
}

ordered_json phase_json(const phase& in) {
  auto requests = ordered_json::object();
  for (std::size_t i = 0; i < request_kinds; ++i) {
    const auto kind = static_cast<request_kind>(i);
    if (in.tally.of(kind).all() > 0)
      requests[std::string{to_string(kind)}] = kind_json(in.tally.of(kind), in.seconds);
  }
  auto remarks = ordered_json::array();
  for (const auto& [key, what] : in.tally.remarks())
    remarks.push_back({{"request", to_string(key.kind)},
                       {"outcome", key.what == outcome::wrong ? "error" : "refused"},
                       {"why", key.why},
                       {"count", what.count},
                       {"example", what.example}});
  return {{"name", in.name},
          {"what", in.what},
          {"seconds", in.seconds},
          {"sentLateMaxMs", in_ms(static_cast<double>(in.lateness.sent_late_max / microsecond_ns))},
          {"waitingForConnectionMax", in.lateness.waiting_max},
          {"requests", std::move(requests)},
          {"remarks", std::move(remarks)}};
}

} // namespace

ordered_json json_of(const report& all) {
  ordered_json made{{"scenario", all.scenario}, {"url", all.url}, {"show", all.show}};
  made["settings"] = ordered_json::object();
  for (const auto& [name, value] : all.settings)
    made["settings"][name] = value;
  made["phases"] = ordered_json::array();
  for (const auto& each : all.phases)
    made["phases"].push_back(phase_json(each));
  made["figures"] = ordered_json::object();
  for (const auto& each : all.figures)
    made["figures"][each.name] = {{"value", each.value}, {"unit", each.unit}};
  made["checks"] = ordered_json::array();
  for (const auto& each : all.checks)
    made["checks"].push_back({{"name", each.name}, {"held", each.held}, {"detail", each.detail}});
  made["passed"] = all.passed();
  return made;
}

} // namespace usher::load
