#include "http/api/routes.hpp"

#include "http/api/fields.hpp"
#include "http/api/reference.hpp"

#include <caf/send.hpp>

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace usher::http {

namespace {

/// The names in `seats`: 1 to max_seats, each once. Faults are added.
std::vector<seat_id> read_seats(fields& from, std::uint32_t max_seats) {
  const auto* list = from.find("seats");
  const auto wanted = "expected a list of 1 to " + std::to_string(max_seats) + " seat ids";
  std::vector<seat_id> seats;
  if (list == nullptr || !list->is_array() || list->empty() || list->size() > max_seats) {
    from.add_fault("seats", wanted);
    return seats;
  }
  std::unordered_set<std::string> seen;
  for (const auto& each : *list) {
    if (!each.is_string() || each.get_ref<const std::string&>().size() > shows::id_length_max) {
      from.add_fault("seats", wanted);
      return seats;
    }
    seats.push_back(each.get<std::string>());
    if (!seen.insert(seats.back()).second)
      from.add_fault("seats", "'" + seats.back() + "' stands twice");
  }
  return seats;
}

/// Why a seat cannot be had, as far as the board shows; only to complete a refusal.
std::optional<seating::unavailable> shown_in_the_way(const shows::published& now,
                                                     const seat_id& seat) {
  const auto found = now.seats.find(seat);
  if (found == now.seats.end())
    return seating::unavailable{seat, seating::unavailable_reason::unknown};
  const auto view = now.boards[found->second.block]->seats();
  const auto at = std::find(view->ids().begin(), view->ids().end(), seat);
  if (at == view->ids().end())
    return seating::unavailable{seat, seating::unavailable_reason::unknown};
  switch (view->at(static_cast<std::size_t>(at - view->ids().begin()))) {
  case seating::shown::held:
    return seating::unavailable{seat, seating::unavailable_reason::held};
  case seating::shown::sold:
    return seating::unavailable{seat, seating::unavailable_reason::sold};
  case seating::shown::available:
    break;
  }
  return std::nullopt;
}

/// The seats with block, category and price; or every seat in the way if one is not in the plan.
std::variant<std::vector<orders::offered_seat>, seating::refusal>
offer(const shows::published& now, const std::vector<seat_id>& seats) {
  std::vector<orders::offered_seat> offered;
  bool all_known = true;
  for (const auto& seat : seats) {
    const auto found = now.seats.find(seat);
    if (found == now.seats.end()) {
      all_known = false;
      continue;
    }
    const auto& category = now.what.plan->categories[found->second.category];
    offered.push_back(
        {seat, now.what.plan->blocks[found->second.block].id, category.id, category.price_minor});
  }
  if (all_known)
    return offered;
  seating::refusal refusal;
  for (const auto& seat : seats)
    if (auto why = shown_in_the_way(now, seat))
      refusal.push_back(std::move(*why));
  return refusal;
}

std::string_view status_text(const orders::hold& hold, time_ms now) {
  switch (hold.status) {
  case orders::hold_status::live:
  case orders::hold_status::ordered:
    return now < hold.until ? "HELD" : "EXPIRED";
  case orders::hold_status::sold:
    return "SOLD";
  case orders::hold_status::ended:
    break;
  }
  return hold.end == orders::hold_end::expired || hold.end == orders::hold_end::order_expired
             ? "EXPIRED"
             : "RELEASED";
}

/// The hold of the second path parameter, or 404.
std::optional<hold_id> hold_of(call& at, const shows::show_entry& show) {
  const auto found = read_reference("hold", at.path[1]);
  if (!found || found->show != show.number) {
    send_problem(at, 404, "unknown-hold", "There is no such hold.");
    return std::nullopt;
  }
  return hold_id{found->id};
}

std::string replayed_header(bool repeated) {
  return repeated ? "Idempotent-Replayed: true\r\n" : "";
}

} // namespace

ordered_json hold_json(const shows::show_entry& show, const orders::hold_view& view, time_ms now) {
  auto seats = ordered_json::array();
  for (const auto& each : view.hold.seats)
    seats.push_back({{"id", each.id}, {"category", each.category}, {"price", each.price_minor}});
  return {{"holdId", write_reference("hold", show.number, view.id)},
          {"showId", show.id},
          {"status", status_text(view.hold, now)},
          {"seats", seats},
          {"total", {{"amount", view.hold.total_minor()}, {"currency", view.hold.currency}}},
          {"expiresAt", time_text(view.hold.until)},
          {"expiresInSeconds", seconds_until(view.hold.until, now)}};
}

namespace handlers {

void place_hold(call& at) {
  const auto* show = show_of(at);
  if (show == nullptr)
    return;
  const auto passed = pass_gate(at, *show, !at.what.idempotency_key.empty());
  if (!passed)
    return;
  const auto now = show->now();
  if (!now->what.plan)
    return send_problem(at, 409, "no-plan",
                        "This show keeps its seats elsewhere: order with a reference of your own.");
  const auto body = read_object(at);
  if (!body)
    return;
  std::vector<fault> faults;
  fields from{*body, faults};
  const auto seats = read_seats(from, now->what.holds.max_seats);
  if (!faults.empty())
    return send_invalid(at, faults);
  const auto key = read_key(at, false);
  if (!key)
    return;
  auto offered = offer(*now, seats);
  if (const auto* refusal = std::get_if<seating::refusal>(&offered))
    return at.to.send(refusal_of(*refusal, *show, at.drop_in));

  orders::command::place_hold asked;
  static_cast<id128&>(asked.hold) = random_id();
  asked.owner = passed->owner;
  asked.seats = std::move(std::get<0>(offered));
  asked.currency = now->what.currency;
  asked.ttl_ms = now->what.holds.ttl_ms;
  asked.max_seats = now->what.holds.max_seats;
  asked.max_seats_per_customer = now->what.holds.max_seats_per_customer;
  asked.only_repeat = !passed->now;
  if (passed->owner)
    asked.customer = show->board->who_is(*passed->owner);
  if (*key)
    asked.asked = key_of(at, "hold " + show->id, **key, *body);
  ask_desk(*show, std::move(asked), at.cause(),
           [show, &with = at.with, drop_in = at.drop_in,
            later = at.to.defer()](const orders::answer& got) {
             const auto* view = std::get_if<orders::hold_view>(&got.result);
             if (view == nullptr)
               return later.send(refusal_of(got.result, *show, drop_in));
             const auto made = hold_json(*show, *view, with.clock->now());
             later.send(json_response(201, made,
                                      replayed_header(got.repeated) + "Location: /v1/shows/" +
                                          show->id + "/holds/" + made["holdId"].get<std::string>() +
                                          "\r\n"));
           });
}

void get_hold(call& at) {
  const auto* show = show_of(at);
  if (show == nullptr)
    return;
  const auto hold = hold_of(at, *show);
  if (!hold)
    return;
  auto asked = std::make_shared<orders::lookup>();
  asked->what = *hold;
  asked->done = [show, &with = at.with, later = at.to.defer()](const orders::answer& got) {
    const auto* view = std::get_if<orders::hold_view>(&got.result);
    if (view == nullptr)
      return later.send(refusal_of(got.result, *show, false));
    const auto now = with.clock->now();
    const auto body = hold_json(*show, *view, now);
    const auto& status = body["status"];
    later.send(json_response(status == "HELD" || status == "SOLD" ? 200 : 410, body));
  };
  caf::anon_send(show->desk, std::move(asked));
}

void release_hold(call& at) {
  const auto* show = show_of(at);
  if (show == nullptr)
    return;
  const auto hold = hold_of(at, *show);
  if (!hold)
    return;
  const auto carried = carried_ticket(at, *show);
  orders::command::release_hold asked;
  asked.hold = *hold;
  asked.owner = carried ? std::optional{carried->slot} : std::nullopt;
  ask_desk(*show, std::move(asked), at.cause(),
           [show, drop_in = at.drop_in, later = at.to.defer()](const orders::answer& got) {
             if (!std::holds_alternative<orders::hold_view>(got.result))
               return later.send(refusal_of(got.result, *show, drop_in));
             response made;
             made.status = 204;
             later.send(std::move(made));
           });
}

} // namespace handlers

} // namespace usher::http
