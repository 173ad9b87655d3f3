#include "storage/audit/auditor.hpp"

#include "actors/basics/overloaded.hpp"
#include "storage/audit/breaker_audit.hpp"
#include "storage/audit/desk_audit.hpp"
#include "storage/audit/names.hpp"
#include "storage/audit/room_audit.hpp"
#include "storage/audit/seats_audit.hpp"

#include <algorithm>

namespace usher::storage::audit {

namespace {

/// A desk stamps its events with the time it began to decide, and others finish before it.
constexpr duration_ms desk_slack_ms = 60'000;

aggregate aggregate_of(const any_fact& what) {
  return std::visit(
      overloaded{[](const waiting_room::any_event&) { return aggregate::waiting_room; },
                 [](const seating::any_event&) { return aggregate::seating; },
                 [](const orders::any_event&) { return aggregate::orders; },
                 [](const shows::any_event&) { return aggregate::shows; },
                 [](const access::any_event&) { return aggregate::access; },
                 [](const payments::any_event&) { return aggregate::payments; }},
      what);
}

hold_limits limits_of(const shows::description& what) {
  return {what.holds.max_seats, what.holds.max_life_ms};
}

void describe_again(show& known, const shows::description& what, time_ms at) {
  auto& earlier = known.earlier;
  while (!earlier.empty() && earlier.front().changed_at + 2 * desk_slack_ms < at)
    earlier.pop_front();
  earlier.push_back({known.limits, at});
  known.title = what.title;
  known.limits = limits_of(what);
}

} // namespace

void auditor::take(const stored_record& next) {
  if (next.batch_first != batch_first_) {
    together_.finish();
    batch_first_ = next.batch_first;
  }
  world_.position = next.position;
  world_.at = std::max(world_.at, next.at);
  const spot here{next, found_};
  judge_time(next, here);
  const auto read = read_event(next);
  if (const auto* fault = std::get_if<failure>(&read)) {
    here.report(fault::event_unreadable, "The event cannot be read: " + fault->what + ".");
    return;
  }
  const auto where = read_subject(next.subject);
  const auto& what = std::get<any_fact>(read);
  if (!where || where->of != aggregate_of(what)) {
    here.report(fault::event_misplaced,
                "A " + next.type + " does not belong to " + next.subject + ".");
    return;
  }
  take(*where, what, here);
}

void auditor::finish() {
  together_.finish();
  for (auto& [id, known] : world_.shows)
    settle(known.room);
}

void auditor::judge_time(const stored_record& next, const spot& here) {
  const auto [last, is_new] = last_at_.try_emplace(next.subject, next.at);
  const bool of_a_desk = next.subject.starts_with("desk/") || next.subject == "cashier";
  const auto slack = of_a_desk ? desk_slack_ms : 0;
  if (next.at + slack < last->second)
    here.report(fault::time_ran_backwards, "The time is " + time_text(next.at) +
                                               ", and the subject was at " +
                                               time_text(last->second) + " already.");
  last->second = std::max(last->second, next.at);
}

show* auditor::find(const show_id& id, const spot& here) {
  const auto found = world_.shows.find(id);
  if (found != world_.shows.end())
    return &found->second;
  here.report(fault::show_unknown, "There is no show " + id + ".");
  return nullptr;
}

void auditor::take(const place& where, const any_fact& what, const spot& here) {
  const auto in_show = [&](const auto& go_on) {
    if (auto* known = find(where.show, here))
      go_on(*known);
  };
  std::visit(
      overloaded{
          [&](const waiting_room::any_event& e) {
            in_show([&](show& known) { audit::take(known.room, where.show, e, together_, here); });
          },
          [&](const seating::any_event& e) {
            in_show([&](show& known) {
              audit::take(known.blocks[where.block], {where.show, where.block}, e, together_, here);
            });
          },
          [&](const orders::any_event& e) {
            if (where.show.empty())
              audit::take(world_.cashier, where.show, e, together_, here);
            else
              in_show([&](show& known) { audit::take(known, where.show, e, together_, here); });
          },
          [&](const shows::any_event& e) { take(e, here); },
          [](const access::any_event&) {},
          [&](const payments::any_event& e) {
            audit::take(world_.breakers[where.gateway], where.gateway, e, here);
          },
      },
      what);
}

void auditor::take(const shows::any_event& happened, const spot& here) {
  std::visit(overloaded{
                 [&](const shows::event::show_created& e) {
                   if (world_.shows.contains(e.id) || e.number != world_.by_number.size()) {
                     here.report(fault::show_created_wrongly,
                                 "Show " + e.id + " was made as number " +
                                     std::to_string(e.number) +
                                     "; it is there already, or number " +
                                     std::to_string(world_.by_number.size()) + " should come.");
                     return;
                   }
                   world_.by_number.push_back(e.id);
                   auto& fresh = world_.shows[e.id];
                   fresh.number = e.number;
                   fresh.title = e.what.title;
                   fresh.limits = limits_of(e.what);
                 },
                 [&](const shows::event::show_changed& e) {
                   if (e.number >= world_.by_number.size())
                     here.report(fault::show_unknown,
                                 "There is no show number " + std::to_string(e.number) + ".");
                   else
                     describe_again(world_.shows.at(world_.by_number[e.number]), e.what, here.at());
                 },
             },
             happened);
}

} // namespace usher::storage::audit
