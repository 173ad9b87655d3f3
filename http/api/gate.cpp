#include "http/api/routes.hpp"

namespace usher::http {

namespace {

std::string join_address(const shows::show_entry& show, bool drop_in) {
  return drop_in ? "/orders/waiting-room/" + show.id + "/join"
                 : "/v1/shows/" + show.id + "/waiting-room/join";
}

/// The ticket's text, wherever the request carries it; empty if nowhere.
std::string_view ticket_text(const call& at) {
  if (!at.what.admission_ticket.empty())
    return at.what.admission_ticket;
  if (!at.what.queue_token.empty())
    return at.what.queue_token;
  return bearer(at.what.authorization).value_or(std::string_view{});
}

id128 half(const sha256_digest& digest) {
  id128 id;
  std::copy_n(digest.begin(), id.bytes.size(), id.bytes.begin());
  return id;
}

} // namespace

std::optional<ticket> carried_ticket(const call& at, const shows::show_entry& show) {
  const auto found = at.with.tickets.read(ticket_text(at));
  if (!found || found->show != show.number)
    return std::nullopt;
  // A place that the log does not have, or that was given to somebody else since a restore.
  if (show.board->look(found->slot, found->nonce).status == waiting_room::ticket_status::unknown)
    return std::nullopt;
  show.board->heard_of(found->slot, at.with.clock->now()); // whoever does something is there
  return found;
}

bool is_staff(const call& at) {
  return at.from && at.from->key_id != demo_key_id &&
         (at.from->role == access::role::admin || at.from->role == access::role::operator_);
}

std::optional<admission> pass_gate(call& at, const shows::show_entry& show, bool may_repeat) {
  const auto carried = carried_ticket(at, show);
  const auto owner = carried ? std::optional{carried->slot} : std::nullopt;
  if (!carried && is_staff(at))
    return admission{.owner = std::nullopt, .box_office = true};
  if (show.board->room().status == waiting_room::room_status::off)
    return admission{.owner = owner};
  if (carried) {
    const auto view = show.board->look(carried->slot, carried->nonce);
    if (view.status == waiting_room::ticket_status::admitted && at.with.clock->now() < view.until)
      return admission{.owner = owner};
  }
  if (carried && may_repeat)
    return admission{.owner = owner, .now = false};
  at.to.send(not_admitted(show, at.drop_in));
  return std::nullopt;
}

response not_admitted(const shows::show_entry& show, bool drop_in) {
  const auto address = join_address(show, drop_in);
  return problem_response(
      403, "not-admitted",
      "A ticket that is admitted now is needed. Join the waiting room with POST " + address +
          ", wait until it says ADMITTED, and send its ticketId as "
          "X-Admission-Ticket.",
      "", ordered_json{{"join", address}});
}

std::optional<std::optional<std::string_view>> read_key(call& at, bool required) {
  auto key = at.what.idempotency_key;
  if (key.empty()) {
    if (!required)
      return std::optional<std::string_view>{};
    send_problem(at, 400, "idempotency-key-missing",
                 "Send an Idempotency-Key: any text of your own that is new for this purchase, so "
                 "that a repeated call cannot buy twice.");
    return std::nullopt;
  }
  if (key.size() >= 2 && key.front() == '"' && key.back() == '"')
    key = key.substr(1, key.size() - 2);
  bool visible = !key.empty() && key.size() <= 255;
  for (const char c : key)
    visible = visible && c > ' ' && c <= '~';
  if (visible)
    return std::optional{key};
  send_problem(at, 400, "invalid-request",
               "Idempotency-Key: expected 1 to 255 visible ASCII characters.");
  return std::nullopt;
}

orders::idempotency keyless(const json& body) {
  orders::idempotency made;
  made.fingerprint = half(sha256(body.dump(-1, ' ', false, json::error_handler_t::replace)));
  return made;
}

orders::idempotency key_of(const call& at, std::string_view scope, std::string_view key,
                           const json& body) {
  auto made = keyless(body);
  const auto caller = at.from ? std::string_view{at.from->key_id} : std::string_view{};
  // The demo knows everybody as one caller: a bearer token has to count beside a known caller too.
  static_cast<id128&>(made.key) = half(sha256(joined({caller, ticket_text(at), scope, key})));
  return made;
}

identity identity_of(const app& with, const shows::show_entry& show, std::string_view kind,
                     std::string_view value) {
  return identity_of(with, show.id, kind, value);
}

identity identity_of(const app& with, const show_id& show, std::string_view kind,
                     std::string_view value) {
  identity made;
  static_cast<id128&>(made) = with.identities.mac(joined({show, kind, value}));
  return made;
}

void ask_desk(const orders::actor& desk, orders::any_command what, storage::cause cause,
              std::function<void(const orders::answer&)> done) {
  auto asked = std::make_shared<orders::call>();
  asked->what = std::move(what);
  asked->cause = std::move(cause);
  asked->done = std::move(done);
  caf::anon_send(desk, std::move(asked));
}

void ask_desk(const shows::show_entry& show, orders::any_command what, storage::cause cause,
              std::function<void(const orders::answer&)> done) {
  ask_desk(show.desk, std::move(what), std::move(cause), std::move(done));
}

} // namespace usher::http
