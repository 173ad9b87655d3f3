#include "http/api/ticket_answer.hpp"

#include "http/api/fields.hpp"

#include <utility>

// POST …/join: who wants a place, and what is asked of whoever does.
namespace usher::http {

namespace {

constexpr std::size_t access_code_bytes_max = 128;

std::string retry_after(std::int64_t seconds) {
  return "Retry-After: " + std::to_string(seconds) + "\r\n";
}

response when_it_opens(const shows::show_entry& show, time_ms now) {
  const auto& set = show.board->notices().set;
  const auto opens_at = set.opens_at.value_or(now);
  const auto from = opens_at - set.prequeue_ms;
  const auto wait = std::clamp<std::int64_t>(seconds_until(from, now), 1, 3600);
  return problem_response(409, "not-yet",
                          "The waiting room of '" + show.id + "' lets fans in from " +
                              time_text(from) + " on.",
                          retry_after(wait),
                          ordered_json{{"opensAt", time_text(opens_at)},
                                       {"joinFrom", time_text(from)},
                                       {"opensInSeconds", seconds_until(opens_at, now)}});
}

response code_refused(waiting_room::rejection no) {
  using enum waiting_room::rejection;
  const auto detail = no == code_unknown   ? "There is no such access code for this show."
                      : no == code_used    ? "This access code was used by somebody else."
                      : no == code_not_yet ? "This access code does not count yet."
                                           : "This access code does not count any more.";
  return problem_response(403, to_string(no),
                          std::string{detail} +
                              " Nothing was recorded: join without it, or with another.");
}

} // namespace

response join_refused(waiting_room::rejection no, const shows::show_entry& show, time_ms now) {
  using enum waiting_room::rejection;
  switch (no) {
  case room_full:
    return problem_response(503, "room-full",
                            "The waiting room is full. Nothing was recorded; try again later.",
                            retry_after(30));
  case not_yet:
    return when_it_opens(show, now);
  case sold_out:
    return problem_response(
        410, "sold-out", "Everything is sold. If seats come back, the room opens again by itself.");
  case code_unknown:
  case code_used:
  case code_not_yet:
  case code_expired:
    return code_refused(no);
  default:
    return problem_response(409, "room-off", "The waiting room of '" + show.id + "' is not open.");
  }
}

namespace {

/// Operators and services know their customers; a gate or a display does not.
bool names_customers(const std::optional<caller>& from) {
  return from && from->role != access::role::gate && from->role != access::role::viewer;
}

/// What the body of a join may say.
struct join_body {
  std::optional<std::string> customer;
  std::optional<std::string> token;
  std::optional<std::string> code;
  std::optional<std::string> challenge;
  std::optional<std::string> nonce;
};

std::optional<join_body> read_body(call& at) {
  const auto body = read_object(at);
  if (!body)
    return std::nullopt;
  std::vector<fault> faults;
  fields from{*body, faults};
  join_body read;
  read.customer = from.text("customerId", customer_id_bytes_max);
  read.token = from.text("customerToken", customer_token_verifier::token_bytes_max);
  read.code = from.text("accessCode", access_code_bytes_max);
  if (const auto* proof = from.find("proof")) {
    if (proof->is_object()) {
      fields inside{*proof, faults, "proof"};
      inside.require("challenge");
      inside.require("nonce");
      read.challenge = inside.text("challenge", proof_of_work::challenge_length);
      read.nonce = inside.text("nonce", proof_of_work::nonce_length_max);
    } else {
      from.add_fault("proof", R"(expected {"challenge", "nonce"})");
    }
  }
  for (const auto& [name, value] :
       {std::pair{"customerId", &read.customer}, std::pair{"accessCode", &read.code}})
    if (*value && (*value)->empty())
      from.add_fault(name, "expected a text that is not empty");
  if (faults.empty())
    return read;
  send_invalid(at, faults);
  return std::nullopt;
}

/// Who the customer is, if anybody who may says so; answers and gives nothing if the claim does not
/// count.
std::optional<std::optional<std::string>> customer_of(call& at, const shows::show_entry& show,
                                                      const join_body& body) {
  if (body.customer && !names_customers(at.from)) {
    send_problem(at, 403, "customer-not-trusted",
                 "customerId counts only with an operator's or a service's key. Leave it out to "
                 "join without one, or send a customerToken that the seller has signed.");
    return std::nullopt;
  }
  if (!body.token)
    return std::optional{body.customer};
  if (at.with.customer_tokens == nullptr) {
    send_problem(at, 403, "customer-token-invalid",
                 "This server is given no keys of sellers: it accepts no customerToken.");
    return std::nullopt;
  }
  const auto read = at.with.customer_tokens->verify(*body.token, show.id, at.with.clock->now());
  if (const auto* bad = std::get_if<token_fault>(&read)) {
    send_problem(at, 403, "customer-token-invalid", to_string(*bad));
    return std::nullopt;
  }
  const auto& subject = std::get<std::string>(read);
  if (body.customer && *body.customer != subject) {
    send_problem(at, 400, "invalid-request", "customerId and customerToken name two customers.");
    return std::nullopt;
  }
  return std::optional{std::optional{subject}};
}

/// Whether the work was done where it is asked for; answers if not. A request that is bad in
/// itself costs no challenge; one that the room refuses does, so that codes cannot be guessed for
/// free.
bool did_the_work(call& at, const shows::show_entry& show, const join_body& body) {
  if (!show.board->notices().set.proof_of_work || names_customers(at.from) ||
      at.with.proofs == nullptr)
    return true;
  const auto address = "/v1/shows/" + show.id + "/waiting-room/challenge";
  if (!body.challenge || !body.nonce) {
    send_problem(at, 403, "proof-required",
                 "This room asks for a proof of work: get a challenge from " + address +
                     " and send it with its solution as proof.",
                 {{"challenge", address}});
    return false;
  }
  const auto fault =
      at.with.proofs->spend(show.number, *body.challenge, *body.nonce, at.with.clock->now());
  if (!fault)
    return true;
  if (*fault == proof_fault::overloaded)
    send_problem(at, 503, "overloaded", to_string(*fault), ordered_json::object(), retry_after(5));
  else
    send_problem(at, 403, "proof-invalid", to_string(*fault), {{"challenge", address}});
  return false;
}

/// Reads who joins; answers and gives nothing if the input is bad.
std::optional<waiting_room::command::joiner> read_joiner(call& at, const shows::show_entry& show) {
  const auto body = read_body(at);
  if (!body)
    return std::nullopt;
  const auto customer = customer_of(at, show, *body);
  if (!customer)
    return std::nullopt;
  const auto key = read_key(at, false);
  if (!key)
    return std::nullopt;
  waiting_room::command::joiner fan;
  const auto carried = carried_ticket(at, show); // it may have ended
  const bool has_place =
      carried && waiting_room::is_live(show.board->look(carried->slot, carried->nonce).status);
  if (!has_place && !did_the_work(at, show, *body))
    return std::nullopt;
  if (carried)
    fan.before = carried->slot;
  fan.nonce = random_bits();
  if (*customer)
    fan.customer = identity_of(at.with, show, "customer", **customer);
  if (*key)
    fan.key = identity_of(at.with, show, "key", **key);
  if (body->code)
    fan.code = identity_of(at.with, show, "access code", *body->code);
  return fan;
}

/// A reload that still carries its ticket keeps its place without asking anybody.
bool answer_same_ticket(call& at, const shows::show_entry& show) {
  const auto id = at.what.admission_ticket;
  if (id.empty() || !at.what.body.empty() || !at.what.idempotency_key.empty())
    return false; // who says who they are is looked up
  const auto now = at.with.clock->now();
  const auto view = look_at(at.with, show, id);
  if (!waiting_room::is_live(view.status))
    return false;
  at.to.send(to_response(answer_for(show, id, view, now, at.drop_in)));
  return true;
}

/// Reads who joins and joins; `tell` makes the answer of the ticket, on any thread.
void take_place(call& at, shows::show_entry& show,
                std::function<response(const std::string& id, bool existed)> tell) {
  const auto fan = read_joiner(at, show);
  if (!fan)
    return;
  join_wish wish{*fan, {}};
  wish.done = [&show, &with = at.with, tell = std::move(tell),
               later = at.to.defer()](const waiting_room::join_answer& got) {
    if (const auto* no = std::get_if<waiting_room::rejection>(&got))
      return later.send(join_refused(*no, show, with.clock->now()));
    const auto& place = std::get<waiting_room::place>(got);
    later.send(tell(with.tickets.write({show.number, place.slot, place.nonce}), place.existed));
  };
  at.with.joins.add(at.to, show, at.from ? who(*at.from) : "fan", std::move(wish));
}

} // namespace

namespace handlers {

void join(call& at) {
  auto* show = show_of(at);
  if (show == nullptr || answer_same_ticket(at, *show))
    return;
  take_place(at, *show,
             [show, &with = at.with, drop_in = at.drop_in](const std::string& id, bool existed) {
               auto answer =
                   answer_for(*show, id, look_at(with, *show, id), with.clock->now(), drop_in);
               if (!existed && answer.status == 200)
                 answer.status = 202;
               return to_response(std::move(answer));
             });
}

void join_queue(call& at) {
  if (auto* show = show_of(at))
    take_place(at, *show, [](const std::string& id, bool) {
      return json_response(202, {{"queueId", id}});
    });
}

void get_challenge(call& at) {
  const auto* show = show_of(at);
  if (show == nullptr)
    return;
  if (at.with.proofs == nullptr)
    return send_problem(at, 404, "not-found", "This server asks for no proof of work.");
  const auto now = at.with.clock->now();
  send_json(at, 200,
            {{"challenge", at.with.proofs->issue(show->number, now)},
             {"difficulty", at.with.proofs->options().difficulty},
             {"algorithm", "SHA-256"},
             {"required", show->board->notices().set.proof_of_work},
             {"expiresInSeconds", at.with.proofs->options().lifetime_ms / 1000}});
}

} // namespace handlers

} // namespace usher::http
