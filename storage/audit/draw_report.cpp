#include "storage/audit/draw_report.hpp"

#include "storage/audit/auditor.hpp"
#include "storage/audit/draw.hpp"
#include "storage/audit/reader.hpp"

#include <algorithm>

namespace usher::storage::audit {

namespace {

namespace event = waiting_room::event;

std::optional<wrong_place> first_wrong(const std::vector<slot_t>& given,
                                       const std::vector<slot_t>& right) {
  const auto [stands, belongs] = std::ranges::mismatch(given, right);
  if (stands == given.end() && belongs == right.end())
    return std::nullopt;
  wrong_place found;
  found.place = static_cast<std::size_t>(stands - given.begin()) + 1;
  if (stands != given.end())
    found.stands = *stands;
  if (belongs != right.end())
    found.belongs = *belongs;
  return found;
}

std::vector<tier_count> counts(const room& where, const std::vector<std::vector<slot_t>>& waiting) {
  std::vector<tier_count> all;
  for (std::size_t tier = 0; tier < where.general_tier(); ++tier)
    all.push_back({where.set.tiers[tier], waiting[tier].size()});
  all.push_back({"", waiting[where.general_tier()].size()});
  return all;
}

/// Looks at what happens to the draws of one room, before the room itself takes it.
class draws {
public:
  draws(draw_report& into, const room& where, const stored_record& record)
      : report_{into}, room_{where}, record_{record} {}

  void operator()(const event::room_scheduled& e) {
    call_off();
    auto& fresh = report_.draws.emplace_back();
    fresh.scheduled_position = record_.position;
    fresh.scheduled_at = record_.at;
    fresh.commitment = e.commitment;
    fresh.source = room_.set.beacon;
  }
  void operator()(const event::room_unscheduled&) { call_off(); }
  void operator()(const event::room_closed&) { call_off(); }
  void operator()(const event::beacon_given& e) {
    if (auto* last = ahead())
      last->beacon = e.value;
  }
  void operator()(const event::places_drawn& e) {
    if (report_.draws.empty())
      return; // nobody committed to it; `verify` says so
    auto& last = report_.draws.back();
    last.is = draw_state::drawn;
    last.position = record_.position;
    last.at = record_.at;
    last.seed = e.seed;
    last.beacon_used = e.beacon;
    last.seed_agrees = commitment_of(e.seed) == last.commitment;
    last.beacon_agrees = e.beacon == last.beacon;
    last.tickets = e.order.size();
    const auto waiting = room_.waiting_by_tier();
    last.tiers = counts(room_, waiting);
    last.wrong = first_wrong(e.order, drawn_order(waiting, e.seed, e.beacon));
    if (report_.ticket)
      if (const auto found = std::ranges::find(e.order, *report_.ticket); found != e.order.end())
        last.place = static_cast<std::size_t>(found - e.order.begin()) + 1;
  }
  template <class Other>
  void operator()(const Other&) {}

private:
  draw_record* ahead() {
    auto& all = report_.draws;
    return all.empty() || all.back().is != draw_state::ahead ? nullptr : &all.back();
  }
  void call_off() {
    if (auto* last = ahead())
      last->is = draw_state::called_off;
  }

  draw_report& report_;
  const room& room_;
  const stored_record& record_;
};

} // namespace

int draw_report::exit_code() const {
  const bool all_agree = std::ranges::all_of(
      draws, [](const draw_record& draw) { return draw.is != draw_state::drawn || draw.agrees(); });
  return all_agree ? 0 : 1;
}

std::variant<draw_report, failure> report_draws(const event_log& log, const show_id& which,
                                                std::optional<slot_t> ticket,
                                                const std::function<void(position_t)>& reached) {
  draw_report report{which, 0, ticket, {}};
  const auto subject = "queue/" + which;
  auditor world{0};
  auto broken = log.replay(1, [&](const stored_record& next) {
    const auto known = world.seen().shows.find(which);
    if (next.subject == subject && known != world.seen().shows.end()) {
      const auto read = read_event(next);
      if (const auto* what = std::get_if<any_fact>(&read))
        if (const auto* happened = std::get_if<waiting_room::any_event>(what))
          std::visit(draws{report, known->second.room, next}, *happened);
    }
    world.take(next);
    if (reached)
      reached(next.position);
    return true;
  });
  if (broken)
    return std::move(*broken);
  if (!world.seen().shows.contains(which))
    return failure{"there is no show " + which};
  report.number = world.seen().shows.at(which).number;
  if (report.draws.empty())
    return failure{"show " + which + " was never scheduled, so there is no draw"};
  return report;
}

} // namespace usher::storage::audit
