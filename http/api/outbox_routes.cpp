#include "http/api/query.hpp"
#include "http/api/routes.hpp"
#include "storage/outbox/workers.hpp"

#include <algorithm>
#include <limits>
#include <utility>

// The sinks that events go out to, for operators.
namespace usher::http {

namespace {

namespace outbox = storage::outbox;
using outbox::sink_state;
using storage::position_t;

/// Most shows that a sink names as behind; all are counted.
constexpr std::size_t behind_listed_max = 100;
constexpr std::size_t show_bytes_max = 256;

std::string_view state_text(sink_state state) {
  switch (state) {
  case sink_state::running:
    return "RUNNING";
  case sink_state::retrying:
    return "RETRYING";
  case sink_state::stopped:
    break;
  }
  return "STOPPED";
}

ordered_json behind_json(const outbox::cursors& cursors) {
  auto list = ordered_json::array();
  for (const auto& [show, its] : cursors.own)
    if (its < cursors.position && list.size() < behind_listed_max)
      list.push_back({{"show", show}, {"position", its}});
  return list;
}

ordered_json sink_json(const outbox::sink_view& view, const std::optional<std::string>& show,
                       time_ms now) {
  const auto& its = view.now;
  ordered_json body{
      {"sink", view.name},
      {"kind", view.kind},
      {"state", state_text(its.state)},
      {"position", its.cursors.position},
      {"lagEvents", view.lag_events},
      {"lagSeconds", its.oldest_at == 0 ? 0 : std::max<time_ms>(now - its.oldest_at, 0) / 1000},
      {"delivered", its.delivered},
      {"failures", its.failures},
      {"behind", behind_json(its.cursors)}};
  if (its.next_try_at != 0)
    body["nextTryAt"] = time_text(its.next_try_at);
  if (!its.last_error.empty()) {
    body["lastError"] = {{"what", its.last_error}};
    if (its.last_error_at != 0)
      body["lastError"]["at"] = time_text(its.last_error_at);
  }
  if (show)
    body["show"] = {{"show", *show}, {"position", its.cursors.of(*show)}};
  return body;
}

response unknown_sink(std::string_view name) {
  return problem_response(404, "unknown-sink", "There is no sink '" + std::string{name} + "'.");
}

bool is_partition(const app& with, std::string_view show) {
  return show == storage::system_partition || with.shows->find(show) != nullptr;
}

/// The sink as it is now, or why nothing was done.
response sink_response(const app& with, const std::string& name,
                       const std::optional<std::string>& show,
                       const std::optional<std::string>& refusal) {
  if (refusal)
    return problem_response(409, "cursor-not-moved", *refusal);
  for (const auto& each : with.outbox->look())
    if (each.name == name)
      return json_response(200, sink_json(each, show, with.clock->now()));
  return unknown_sink(name);
}

struct asked_reset {
  std::optional<std::string> show;
  std::optional<position_t> to; ///< none: now
};

asked_reset read_reset(const json& body, std::vector<fault>& faults) {
  fields from{body, faults};
  from.refuse_others({"show", "position"});
  from.require("position");
  asked_reset made{.show = from.text("show", show_bytes_max), .to = {}};
  if (made.show && made.show->empty())
    from.add_fault("show", "expected a show");
  if (const auto* value = from.find("position"); value != nullptr && *value == "now")
    return made;
  if (const auto* value = from.find("position"); value != nullptr && !value->is_number_integer()) {
    from.add_fault("position", "expected a position of the log, or \"now\"");
    return made;
  }
  made.to = static_cast<position_t>(
      from.integer("position", 0, std::numeric_limits<std::int64_t>::max()).value_or(0));
  return made;
}

/// Hands the sink's thread an order; `give` says whether there is such a sink.
template <class Give>
void give_order(call& at, std::optional<std::string> show, Give give) {
  const auto name = at.path.front();
  auto later = at.to.defer();
  const bool known = at.with.outbox != nullptr &&
                     give(name, [later, &with = at.with, name, show = std::move(show)](
                                    const std::optional<std::string>& refusal) mutable {
                       later.send(sink_response(with, name, show, refusal));
                     });
  if (!known)
    later.send(unknown_sink(name));
}

} // namespace

namespace handlers {

void get_outbox(call& at) {
  const auto show = query_parameter(at.what.query, "show");
  auto list = ordered_json::array();
  if (at.with.outbox != nullptr)
    for (const auto& each : at.with.outbox->look())
      list.push_back(sink_json(each, show, at.with.clock->now()));
  send_json(at, 200, {{"sinks", std::move(list)}});
}

void reset_sink(call& at) {
  const auto asked = read_checked(at, read_reset);
  if (!asked)
    return;
  if (asked->show && !is_partition(at.with, *asked->show))
    return send_unknown_show(at, *asked->show);
  give_order(at, asked->show, [&](const std::string& sink, outbox::workers::on_done done) {
    return at.with.outbox->reset(sink, asked->show, asked->to, std::move(done));
  });
}

void resume_sink(call& at) {
  give_order(at, std::nullopt, [&](const std::string& sink, outbox::workers::on_done done) {
    return at.with.outbox->resume(sink, std::move(done));
  });
}

} // namespace handlers

} // namespace usher::http
