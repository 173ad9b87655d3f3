#include "http/api/routes.hpp"

#include "actors/basics/reference.hpp"
#include "http/api/fields.hpp"
#include "http/api/seat_choice.hpp"

#include <caf/send.hpp>

#include <utility>

namespace usher::http {

namespace {

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
  if (hold.end == orders::hold_end::withdrawn)
    return "WITHDRAWN";
  return hold.end == orders::hold_end::expired || hold.end == orders::hold_end::order_expired
             ? "EXPIRED"
             : "RELEASED";
}

struct named_hold {
  const shows::show_entry* show;
  hold_id id;
};

/// The hold that the path names, or 404.
std::optional<named_hold> hold_of(call& at) {
  const auto* const show = show_of(at);
  if (show == nullptr)
    return std::nullopt;
  const auto found = read_reference("hold", at.path[1]);
  if (!found || found->show != show->number) {
    send_problem(at, 404, "unknown-hold", "There is no such hold.");
    return std::nullopt;
  }
  return named_hold{show, hold_id{found->id}};
}

/// Whoever gives something back: with a ticket of the show, admitted or not, or as staff.
template <class Command>
void sign(Command& asked, call& at, const shows::show_entry& show) {
  const auto carried = carried_ticket(at, show);
  asked.owner = carried ? std::optional{carried->slot} : std::nullopt;
  asked.box_office = !carried && is_staff(at);
}

std::string replayed_header(bool repeated) {
  return repeated ? "Idempotent-Replayed: true\r\n" : "";
}

/// How many seats one call may name: the staff's groups are larger than an admission's.
std::uint32_t seats_max(const admission& by, const shows::published& now) {
  return by.box_office ? shows::best_quantity_max : now.what.holds.max_seats;
}

/// Answers with the hold as it is, or says why not.
std::function<void(const orders::answer&)> answer_hold(call& at, const shows::show_entry& show) {
  return [&show, &with = at.with, drop_in = at.drop_in,
          later = at.to.defer()](const orders::answer& got) {
    const auto* view = std::get_if<orders::hold_view>(&got.result);
    if (view == nullptr)
      return later.send(refusal_of(got.result, show, drop_in));
    later.send(json_response(200, hold_json(show, *view, with.clock->now()),
                             replayed_header(got.repeated)));
  };
}

/// What placing a hold and adding to one have in common: who asks, for what, with which key.
struct taking {
  admission by;
  std::shared_ptr<const shows::published> now;
  seat_choice choice;
  std::optional<orders::idempotency> asked;
};

/// Answers and gives nothing if the call is not good. `scope` of the key.
std::optional<taking> read_taking(call& at, const shows::show_entry& show,
                                  const std::string& scope) {
  const auto passed = pass_gate(at, show, !at.what.idempotency_key.empty());
  if (!passed)
    return std::nullopt;
  auto now = show.now();
  if (!now->what.plan) {
    send_problem(at, 409, "no-plan",
                 "This show keeps its seats elsewhere: order with a reference of your own.");
    return std::nullopt;
  }
  const auto body = read_object(at);
  if (!body)
    return std::nullopt;
  std::vector<fault> faults;
  fields from{*body, faults};
  auto choice = read_choice(from, *now, seats_max(*passed, *now), faults);
  if (!faults.empty()) {
    send_invalid(at, faults);
    return std::nullopt;
  }
  const auto key = read_key(at, false);
  if (!key)
    return std::nullopt;
  taking made{*passed, std::move(now), std::move(choice), {}};
  if (*key)
    made.asked = key_of(at, scope, **key, *body);
  return made;
}

} // namespace

ordered_json hold_json(const shows::show_entry& show, const orders::hold_view& view, time_ms now) {
  auto seats = ordered_json::array();
  for (const auto& each : view.hold.seats)
    seats.push_back({{"id", each.id}, {"category", each.category}, {"price", each.price_minor}});
  const auto longest = view.hold.placed_at + show.now()->what.holds.max_life_ms;
  ordered_json body{
      {"holdId", write_reference("hold", show.number, view.id)},
      {"showId", show.id},
      {"status", status_text(view.hold, now)},
      {"seats", seats},
      {"total", {{"amount", view.hold.total_minor()}, {"currency", view.hold.currency}}},
      {"expiresAt", time_text(view.hold.until)},
      {"expiresInSeconds", seconds_until(view.hold.until, now)},
      {"maxExpiresAt", time_text(std::max(longest, view.hold.until))}};
  if (!view.hold.withdrawn.empty())
    body["withdrawn"] = view.hold.withdrawn;
  return body;
}

namespace handlers {

void place_hold(call& at) {
  const auto* show = show_of(at);
  if (show == nullptr)
    return;
  auto wanted = read_taking(at, *show, "hold " + show->id);
  if (!wanted)
    return;
  const auto& holds = wanted->now->what.holds;
  orders::command::place_hold asked;
  static_cast<id128&>(asked.hold) = random_id();
  asked.owner = wanted->by.owner;
  asked.currency = wanted->now->what.currency;
  asked.ttl_ms = holds.ttl_ms;
  asked.max_seats = holds.max_seats;
  asked.max_seats_per_customer = holds.max_seats_per_customer;
  asked.only_repeat = !wanted->by.now;
  asked.box_office = wanted->by.box_office;
  if (asked.owner)
    asked.customer = show->board->who_is(*asked.owner);
  asked.asked = wanted->asked;
  take_seats(*show, *wanted->now, std::move(wanted->choice), std::move(asked), at.cause(),
             [show, &with = at.with, drop_in = at.drop_in,
              later = at.to.defer()](const orders::answer& got) {
               const auto* view = std::get_if<orders::hold_view>(&got.result);
               if (view == nullptr)
                 return later.send(refusal_of(got.result, *show, drop_in));
               const auto made = hold_json(*show, *view, with.clock->now());
               later.send(json_response(201, made,
                                        replayed_header(got.repeated) + "Location: /v1/shows/" +
                                            show->id + "/holds/" +
                                            made["holdId"].get<std::string>() + "\r\n"));
             });
}

void add_seats(call& at) {
  const auto hold = hold_of(at);
  if (!hold)
    return;
  const auto* const show = hold->show;
  auto wanted = read_taking(at, *show, "add " + at.path[1]);
  if (!wanted)
    return;
  orders::command::add_seats asked;
  asked.hold = hold->id;
  asked.owner = wanted->by.owner;
  asked.max_seats = wanted->now->what.holds.max_seats;
  asked.max_seats_per_customer = wanted->now->what.holds.max_seats_per_customer;
  asked.only_repeat = !wanted->by.now;
  asked.box_office = wanted->by.box_office;
  asked.asked = wanted->asked;
  take_seats(*show, *wanted->now, std::move(wanted->choice), std::move(asked), at.cause(),
             answer_hold(at, *show));
}

void extend_hold(call& at) {
  const auto hold = hold_of(at);
  if (!hold)
    return;
  const auto* const show = hold->show;
  const auto passed = pass_gate(at, *show, !at.what.idempotency_key.empty());
  if (!passed)
    return;
  const auto body = read_object(at);
  if (!body)
    return;
  const auto key = read_key(at, false);
  if (!key)
    return;
  const auto now = show->now();
  orders::command::extend_hold asked;
  asked.hold = hold->id;
  asked.owner = passed->owner;
  asked.ttl_ms = now->what.holds.ttl_ms;
  asked.max_life_ms = now->what.holds.max_life_ms;
  asked.box_office = passed->box_office;
  if (*key)
    asked.asked = key_of(at, "extend " + at.path[1], **key, *body);
  ask_desk(*show, std::move(asked), at.cause(), answer_hold(at, *show));
}

void release_seat(call& at) {
  const auto hold = hold_of(at);
  if (!hold)
    return;
  const auto* const show = hold->show;
  orders::command::release_seat asked;
  asked.hold = hold->id;
  sign(asked, at, *show);
  asked.seat = at.path[2];
  ask_desk(*show, std::move(asked), at.cause(), answer_hold(at, *show));
}

void get_hold(call& at) {
  const auto hold = hold_of(at);
  if (!hold)
    return;
  const auto* const show = hold->show;
  auto asked = std::make_shared<orders::lookup>();
  asked->what = hold->id;
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
  const auto hold = hold_of(at);
  if (!hold)
    return;
  const auto* const show = hold->show;
  orders::command::release_hold asked;
  asked.hold = hold->id;
  sign(asked, at, *show);
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
