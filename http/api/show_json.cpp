#include "http/api/show_json.hpp"

#include "actors/basics/duration.hpp"
#include "actors/shows/rules.hpp"
#include "http/api/availability.hpp"
#include "http/api/room_settings_json.hpp"
#include "http/plans/plan_json.hpp"

#include <algorithm>

namespace usher::http {

namespace {

shows::hold_settings read_holds(const json& section, std::vector<fault>& faults) {
  fields from{section, faults, "holds"};
  from.refuse_others(
      {"ttl", "maxLife", "paymentWindow", "maxSeats", "maxSeatsPerCustomer", "avoidOrphans"});
  shows::hold_settings made;
  made.ttl_ms = from.duration("ttl", 1000, 24LL * 3'600'000).value_or(made.ttl_ms);
  made.max_life_ms = from.duration("maxLife", 1000, 48LL * 3'600'000).value_or(2 * made.ttl_ms);
  made.avoid_orphans = from.boolean("avoidOrphans").value_or(true);
  // A short hold keeps the usual share of it for paying.
  made.payment_window_ms = std::min(made.payment_window_ms, made.ttl_ms * 4 / 5);
  made.payment_window_ms =
      from.duration("paymentWindow", 100, 24LL * 3'600'000).value_or(made.payment_window_ms);
  made.max_seats = static_cast<std::uint32_t>(from.integer("maxSeats", 1, 100).value_or(4));
  made.max_seats_per_customer =
      read_limit(from, "maxSeatsPerCustomer").value_or(shows::limit{}).most;
  return made;
}

/// A section is an object; anything else is a fault.
const json* section_of(fields& from, std::string_view name) {
  const auto* value = from.find(name);
  if (value == nullptr || value->is_object())
    return value;
  from.add_fault(name, "expected an object");
  return nullptr;
}

ordered_json categories_json(const shows::published& now) {
  const auto counts = count_by_category(
      *now.what.plan, [&now](std::size_t block) { return now.boards[block]->count(); });
  auto list = ordered_json::array();
  for (const auto& each : now.what.plan->categories) {
    const auto its = counts.find(each.id);
    list.push_back(
        {{"id", each.id},
         {"name", each.name},
         {"price", each.price_minor},
         {"availability", its == counts.end() ? "none" : availability_level(its->second)}});
  }
  return list;
}

} // namespace

shows::put_call read_show(const show_id& id, const json& body, std::vector<fault>& faults) {
  fields from{body, faults};
  from.refuse_others(
      {"title", "startsAt", "currency", "plan", "waitingRoom", "holds", "admittedUrl"});
  shows::put_call made;
  made.what.id = id;
  made.what.title = from.text("title", shows::title_length_max);
  made.what.starts_at = from.text("startsAt", 64);
  made.what.currency = from.text("currency", 3);
  made.what.admitted_url = from.text("admittedUrl", 2048);
  from.object("plan", [&](fields& inside) { made.what.plan = plans::read_plan(inside); });
  if (const auto* holds = section_of(from, "holds"))
    made.what.holds = read_holds(*holds, faults);
  if (const auto* room = section_of(from, "waitingRoom"))
    made.room = read_settings(*room, "waitingRoom", faults);
  if (faults.empty())
    faults = shows::faults_of(made.what);
  return made;
}

ordered_json show_json(const shows::show_entry& show) {
  const auto now = show.now();
  ordered_json body{{"id", show.id}, {"title", now->what.title}};
  if (!now->what.starts_at.empty())
    body["startsAt"] = now->what.starts_at;
  body["currency"] = now->what.currency;
  if (!now->what.admitted_url.empty())
    body["admittedUrl"] = now->what.admitted_url;
  if (now->what.plan) {
    seating::tally all;
    for (const auto& board : now->boards) {
      const auto one = board->count();
      all.available += one.available;
      all.held += one.held;
      all.sold += one.sold;
    }
    body["categories"] = categories_json(*now);
    body["availability"] = availability_level(all);
  }
  body["holds"] = {{"ttl", to_text(now->what.holds.ttl_ms)},
                   {"maxLife", to_text(now->what.holds.max_life_ms)},
                   {"paymentWindow", to_text(now->what.holds.payment_window_ms)},
                   {"maxSeats", now->what.holds.max_seats},
                   {"avoidOrphans", now->what.holds.avoid_orphans}};
  if (const auto most = now->what.holds.max_seats_per_customer)
    body["holds"]["maxSeatsPerCustomer"] = *most;
  body["waitingRoom"] = room_json(*show.board);
  return body;
}

} // namespace usher::http
