#include "http/api/room_operations.hpp"
#include "http/api/routes.hpp"
#include "http/api/ticket_answer.hpp"

#include "actors/shows/rules.hpp"
#include "http/api/decimal_member.hpp"
#include "http/api/fields.hpp"

#include <caf/send.hpp>

#include <utility>

// Front ends written against the usual designs speak these dialects; the work is done by the
// handlers and actors that serve /v1.
namespace usher::http::handlers {

namespace {

using waiting_room::ticket_status;

/// `name=value` of the query, percent-decoding left out: show and user ids are plain.
std::string_view query_value(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const auto end = query.find('&');
    const auto pair = query.substr(0, end);
    if (pair.starts_with(name) && pair.substr(name.size()).starts_with('='))
      return pair.substr(name.size() + 1);
    query = end == std::string_view::npos ? std::string_view{} : query.substr(end + 1);
  }
  return {};
}

/// These calls believe the caller's userId, so they are there only where the operator wants them.
bool trusts_user_ids(call& at) {
  if (at.with.options.trust_user_ids)
    return true;
  send_problem(at, 404, "not-found",
               "Calls that trust the caller's userId are off. The operator can turn them on with "
               "trustUserIds.");
  return false;
}

/// Finds the place of the query's user and answers with what `tell` makes of it.
void look_up_user(call& at,
                  std::function<ordered_json(std::optional<waiting_room::ticket_view>)> tell) {
  if (!trusts_user_ids(at))
    return;
  const auto queue = query_value(at.what.query, "queue");
  const auto user = query_value(at.what.query, "userId");
  const auto* show = at.with.shows->find(queue.empty() ? "default" : queue);
  if (show == nullptr || user.empty())
    return send_json(at, 200, tell(std::nullopt));
  auto asked = std::make_shared<waiting_room::find_place>();
  asked->who = identity_of(at.with, *show, "customer", user);
  asked->done = [show, &with = at.with, tell = std::move(tell),
                 later = at.to.defer()](std::optional<waiting_room::place> found) {
    later.send(json_response(
        200, tell(found ? std::optional{look_at(with, *show, found->slot, found->nonce)}
                        : std::nullopt)));
  };
  caf::anon_send(show->room, std::move(asked));
}

} // namespace

void open_or_create(call& at) {
  if (const auto* show = at.with.shows->find(at.path[0]))
    return http::open_room(at, *show);
  shows::put_call asked;
  asked.what.id = at.path[0];
  asked.what.title = at.path[0];
  asked.what.currency = at.with.options.default_currency;
  const auto faults = shows::faults_of(asked.what);
  if (!faults.empty())
    return send_invalid(at, faults);
  asked.cause = at.cause();
  http::put_show(at.with, std::move(asked),
                 [later = at.to.defer(), shows = at.with.shows, id = at.path[0],
                  cause = at.cause()](const shows::put_answer&) {
                   const auto* show = shows->find(id);
                   if (show == nullptr)
                     return later.send(
                         problem_response(409, "too-many-shows", "No more shows can be made."));
                   auto open = std::make_shared<waiting_room::operate>();
                   open->what = waiting_room::command::open{};
                   open->cause = cause;
                   open->done = [later](std::optional<waiting_room::rejection> no) {
                     later.send(no ? operation_refused(*no) : no_content());
                   };
                   caf::anon_send(show->room, std::move(open));
                 });
}

void post_plain_order(call& at) {
  const auto body = read_object(at);
  if (!body)
    return;
  std::vector<fault> faults;
  fields from{*body, faults};
  const auto id = from.text("showId", shows::id_length_max).value_or("");
  if (id.empty() && faults.empty())
    from.add_fault("showId", "is missing");
  if (!faults.empty())
    return send_invalid(at, faults);
  const auto* show = at.with.shows->find(id);
  if (show == nullptr)
    return send_unknown_show(at, id);
  std::optional<std::int64_t> amount;
  if (const auto text = decimal_member(at.what.body, "amount")) {
    const auto read = read_money(*text, show->now()->what.currency);
    if (const auto* why = std::get_if<money_error>(&read)) {
      from.add_fault("amount", "expected a decimal amount in " + show->now()->what.currency + ": " +
                                   std::string{to_string(*why)});
      return send_invalid(at, faults);
    }
    amount = std::get<money>(read).amount_minor;
  } else if (from.has("amount")) {
    from.add_fault("amount", "expected a decimal number");
    return send_invalid(at, faults);
  }
  const auto key = read_key(at, false);
  if (!key)
    return;
  place_order(at, *show, *body, amount, *key ? key_of(at, "order", **key, *body) : keyless(*body));
}

void get_queue_place(call& at) {
  const auto* show = at.with.shows->find(at.path[0]);
  const auto known = at.with.tickets.read(at.path[1]);
  waiting_room::ticket_view view;
  if (show != nullptr && known && known->show == show->number)
    view = look_at(at.with, *show, known->slot, known->nonce);
  if (waiting_room::stands(view.status))
    return send_json(at, 200, {{"position", view.position}});
  if (view.status == ticket_status::admitted)
    return send_json(at, 200,
                     {{"accessToken", at.path[1]},
                      {"expiresInSeconds", seconds_until(view.until, at.with.clock->now())}});
  send_problem(at, 404, "unknown-ticket", "There is no such place in this queue.");
}

void register_user(call& at) {
  if (!trusts_user_ids(at))
    return;
  const auto body = read_object(at);
  if (!body)
    return;
  std::vector<fault> faults;
  fields from{*body, faults};
  const auto queue = from.text("queue", shows::id_length_max).value_or("default");
  const auto* number = from.find("userId");
  const auto user = number != nullptr && number->is_number_integer() ? std::optional{number->dump()}
                                                                     : from.text("userId");
  if ((!user || user->empty()) && faults.empty())
    from.add_fault("userId", "is missing");
  if (!faults.empty())
    return send_invalid(at, faults);
  auto* show = at.with.shows->find(queue);
  if (show == nullptr)
    return send_unknown_show(at, queue);
  join_wish wish;
  wish.fan.nonce = random_bits();
  wish.fan.customer = identity_of(at.with, *show, "customer", *user);
  wish.done = [show, &with = at.with, later = at.to.defer()](const waiting_room::join_answer& got) {
    const auto* place = std::get_if<waiting_room::place>(&got);
    if (place == nullptr)
      return later.send(
          join_refused(std::get<waiting_room::rejection>(got), *show, with.clock->now()));
    if (place->existed)
      return later.send(
          problem_response(409, "already-registered", "This user is in the queue already."));
    const auto view = show->board->look(place->slot, place->nonce);
    later.send(json_response(200, {{"rank", view.position}}));
  };
  at.with.joins.add(at.to, *show, "fan", std::move(wish));
}

void user_allowed(call& at) {
  look_up_user(at, [](const std::optional<waiting_room::ticket_view>& view) {
    return ordered_json{{"allowed", view && view->status == ticket_status::admitted}};
  });
}

void user_rank(call& at) {
  look_up_user(at, [](const std::optional<waiting_room::ticket_view>& view) {
    const bool waits = view && waiting_room::stands(view->status);
    return ordered_json{{"rank", waits ? static_cast<std::int64_t>(view->position) : -1}};
  });
}

} // namespace usher::http::handlers
