#include "http/api/routes.hpp"

#include "actors/shows/rules.hpp"
#include "actors/waiting_room/eta.hpp"
#include "http/api/fields.hpp"

#include <caf/send.hpp>

#include <charconv>
#include <utility>

namespace usher::http {

namespace {

using waiting_room::ticket_status;
using waiting_room::ticket_view;

constexpr std::size_t customer_id_bytes_max = 256;

template <class Number>
void append_number(std::string& text, Number value) {
  char digits[24];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
  text.append(digits, end);
}

/// The body of an answer and what goes into its header: written by hand, it is the hot path.
struct ticket_answer {
  unsigned status = 200;
  std::string headers;
  std::string body;
};

void begin_body(std::string& body, std::string_view id, const shows::show_entry& show,
                std::string_view status) {
  body.append(R"({"ticketId":")").append(id).append(R"(","showId":")").append(show.id);
  body.append(R"(","status":")").append(status).append("\"");
}

void write_waiting(ticket_answer& answer, const ticket_view& view, const shows::show_entry& show,
                   time_ms now) {
  const auto pace = show.board->admissions_per_second_micro(now);
  const auto eta = waiting_room::eta_of(view.position, pace);
  const auto again = waiting_room::poll_after_seconds(
      view.position, eta ? std::optional{eta->seconds} : std::nullopt,
      static_cast<std::uint32_t>(random_bits()));
  auto& body = answer.body;
  body.append(R"(,"position":)");
  append_number(body, view.position);
  body.append(R"(,"ahead":)");
  append_number(body, view.ahead);
  body.append(R"(,"behind":)");
  append_number(body, view.behind);
  body.append(R"(,"etaSeconds":)");
  if (eta) {
    append_number(body, eta->seconds);
    body.append(R"(,"etaRange":[)");
    append_number(body, eta->low);
    body.push_back(',');
    append_number(body, eta->high);
    body.push_back(']');
  } else {
    body.append("null");
  }
  body.append(R"(,"pollAfterSeconds":)");
  append_number(body, again);
  body.push_back('}');
  answer.headers.append("Retry-After: ");
  append_number(answer.headers, again);
  answer.headers.append("\r\n");
}

std::string_view reason_of(ticket_status status) {
  switch (status) {
  case ticket_status::left:
    return "left";
  case ticket_status::used:
    return "used";
  case ticket_status::closed:
    return "closed";
  case ticket_status::merged:
    return "merged";
  case ticket_status::expired:
  case ticket_status::unknown:
  case ticket_status::waiting:
  case ticket_status::admitted:
    break;
  }
  return "expired";
}

/// Ended tickets are EXPIRED, LEFT or USED; `reason` says more.
std::string_view ended_status_of(ticket_status status) {
  if (status == ticket_status::used)
    return "USED";
  return status == ticket_status::left || status == ticket_status::merged ? "LEFT" : "EXPIRED";
}

/// What the board says of a ticket, with a deadline that has passed judged as an end.
ticket_view view_of(const call& at, const shows::show_entry& show, std::string_view id,
                    time_ms now) {
  const auto known = at.with.tickets.read(id);
  if (!known || known->show != show.number)
    return {};
  auto view = show.board->look(known->slot, known->nonce);
  if (view.status == ticket_status::admitted && now >= view.until)
    view.status = ticket_status::expired;
  return view;
}

ticket_answer unknown_ticket(std::string_view id) {
  // Only what was sent and is plain comes back: no quoting is needed.
  const bool plain = shows::is_id(id.substr(0, shows::id_length_max));
  ticket_answer answer{404, {}, R"({"ticketId":")"};
  answer.body.append(plain && id.size() <= shows::id_length_max ? id : "");
  answer.body.append(R"(","status":"UNKNOWN"})");
  return answer;
}

ticket_answer answer_for(const shows::show_entry& show, std::string_view id,
                         const ticket_view& view, time_ms now, bool drop_in) {
  const bool live = waiting_room::is_live(view.status);
  if (view.status == ticket_status::unknown || (drop_in && !live))
    return unknown_ticket(id);
  ticket_answer answer;
  answer.body.reserve(256);
  if (view.status == ticket_status::waiting) {
    begin_body(answer.body, id, show, "WAITING");
    write_waiting(answer, view, show, now);
    return answer;
  }
  if (view.status == ticket_status::admitted) {
    begin_body(answer.body, id, show, "ADMITTED");
    answer.body.append(R"(,"expiresInSeconds":)");
    append_number(answer.body, seconds_until(view.until, now));
    answer.body.append(R"(,"expiresAt":")").append(time_text(view.until)).append("\"");
    const auto what = show.now();
    if (!what->what.admitted_url.empty())
      answer.body.append(R"(,"admittedUrl":)").append(json(what->what.admitted_url).dump());
    answer.body.push_back('}');
    return answer;
  }
  answer.status = 410;
  begin_body(answer.body, id, show, ended_status_of(view.status));
  answer.body.append(R"(,"reason":")").append(reason_of(view.status)).append("\"}");
  return answer;
}

response to_response(ticket_answer answer) {
  response made;
  made.status = answer.status;
  made.headers = std::move(answer.headers);
  made.body = std::move(answer.body);
  return made;
}

response join_refused(waiting_room::rejection no, const shows::show_entry& show) {
  if (no == waiting_room::rejection::room_full)
    return problem_response(503, "room-full",
                            "The waiting room is full. Nothing was recorded; try again later.",
                            "Retry-After: 30\r\n");
  return problem_response(409, "room-off", "The waiting room of '" + show.id + "' is not open.");
}

/// Operators and services know their customers; a gate or a display does not.
bool names_customers(const std::optional<caller>& from) {
  return from && from->role != access::role::gate && from->role != access::role::viewer;
}

/// Reads who joins; answers and gives nothing if the input is bad.
std::optional<waiting_room::command::joiner> read_joiner(call& at, const shows::show_entry& show) {
  const auto body = read_object(at);
  if (!body)
    return std::nullopt;
  std::vector<fault> faults;
  fields from{*body, faults};
  const auto customer = from.text("customerId", customer_id_bytes_max);
  if (customer && customer->empty())
    from.add_fault("customerId", "expected a text that is not empty");
  if (!faults.empty()) {
    send_invalid(at, faults);
    return std::nullopt;
  }
  if (customer && !names_customers(at.from)) {
    send_problem(at, 403, "customer-not-trusted",
                 "customerId counts only with an operator's or a service's key. Leave it out to "
                 "join without one.");
    return std::nullopt;
  }
  const auto key = read_key(at, false);
  if (!key)
    return std::nullopt;
  waiting_room::command::joiner fan;
  fan.nonce = random_bits();
  if (customer)
    fan.customer = identity_of(at.with, show, "customer", *customer);
  if (*key)
    fan.key = identity_of(at.with, show, "key", **key);
  return fan;
}

/// A reload that still carries its ticket keeps its place without asking anybody.
bool answer_same_ticket(call& at, const shows::show_entry& show) {
  const auto id = at.what.admission_ticket;
  if (id.empty() || !at.what.body.empty() || !at.what.idempotency_key.empty())
    return false; // who says who they are is looked up
  const auto now = at.with.clock->now();
  const auto view = view_of(at, show, id, now);
  if (!waiting_room::is_live(view.status))
    return false;
  at.to.send(to_response(answer_for(show, id, view, now, at.drop_in)));
  return true;
}

} // namespace

void send_ticket(call& at, const shows::show_entry& show, std::string_view ticket_id) {
  const auto now = at.with.clock->now();
  const auto answer =
      answer_for(show, ticket_id, view_of(at, show, ticket_id, now), now, at.drop_in);
  at.to.send_json(answer.status, answer.headers, answer.body);
}

void operate_room(call& at, const shows::show_entry& show, bool open) {
  auto asked = std::make_shared<waiting_room::operate>();
  if (open)
    asked->what = waiting_room::command::open{};
  else
    asked->what = waiting_room::command::close{};
  asked->cause = at.cause();
  asked->done = [later = at.to.defer()] {
    response made;
    made.status = 204;
    later.send(std::move(made));
  };
  caf::anon_send(show.room, std::move(asked));
}

namespace handlers {

void open_room(call& at) {
  if (const auto* show = show_of(at))
    operate_room(at, *show, true);
}

void close_room(call& at) {
  if (const auto* show = show_of(at))
    operate_room(at, *show, false);
}

void join(call& at) {
  auto* show = show_of(at);
  if (show == nullptr || answer_same_ticket(at, *show))
    return;
  const auto fan = read_joiner(at, *show);
  if (!fan)
    return;
  join_wish wish{*fan, {}};
  wish.done = [show, &with = at.with, drop_in = at.drop_in,
               later = at.to.defer()](const waiting_room::join_answer& got) {
    if (const auto* no = std::get_if<waiting_room::rejection>(&got))
      return later.send(join_refused(*no, *show));
    const auto& place = std::get<waiting_room::place>(got);
    const auto id = with.tickets.write({show->number, place.slot, place.nonce});
    const auto now = with.clock->now();
    auto answer = answer_for(*show, id, show->board->look(place.slot, place.nonce), now, drop_in);
    if (!place.existed && answer.status == 200)
      answer.status = 202;
    later.send(to_response(std::move(answer)));
  };
  at.with.joins.add(at.to, *show, at.from ? who(*at.from) : "fan", std::move(wish));
}

void get_ticket(call& at) {
  const auto* show = at.with.shows->find(at.path[0]);
  if (show == nullptr)
    return at.drop_in ? at.to.send(to_response(unknown_ticket(at.path[1])))
                      : send_unknown_show(at, at.path[0]);
  send_ticket(at, *show, at.path[1]);
}

void heartbeat(call& at) {
  const auto* show = show_of(at);
  if (show == nullptr)
    return;
  const auto now = at.with.clock->now();
  const auto view = view_of(at, *show, at.path[1], now);
  if (waiting_room::is_live(view.status))
    return send_empty(at, 204);
  at.to.send(to_response(answer_for(*show, at.path[1], view, now, false)));
}

void leave(call& at) {
  const auto* show = show_of(at);
  if (show == nullptr)
    return;
  const auto now = at.with.clock->now();
  const auto view = view_of(at, *show, at.path[1], now);
  if (!waiting_room::is_live(view.status))
    return at.to.send(to_response(answer_for(*show, at.path[1], view, now, false)));
  const auto known = at.with.tickets.read(at.path[1]);
  ask_desk(*show, orders::command::leave{known->slot, 0}, at.cause(),
           [later = at.to.defer(), show, id = at.path[1], &with = at.with,
            known](const orders::answer& got) {
             // Somebody was faster (the deadline, another tab): then it has ended all the same.
             response made;
             made.status = 204;
             if (std::holds_alternative<waiting_room::rejection>(got.result)) {
               const auto then = with.clock->now();
               made = to_response(answer_for(
                   *show, id, show->board->look(known->slot, known->nonce), then, false));
             }
             later.send(std::move(made));
           });
}

} // namespace handlers

} // namespace usher::http
