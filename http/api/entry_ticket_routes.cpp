#include "actors/basics/reference.hpp"
#include "http/api/entry_ticket.hpp"
#include "http/api/routes.hpp"

#include <caf/send.hpp>

#include <algorithm>
#include <memory>
#include <utility>

namespace usher::http {

namespace {

constexpr std::size_t gate_bytes_max = 64;

struct scan {
  std::string code;
  std::string gate;
  bool mark = true;
};

scan read_scan(const json& body, std::vector<fault>& faults) {
  fields from{body, faults};
  from.refuse_others({"code", "gate", "mark"});
  from.require("code");
  return {from.text("code", entry_ticket_codec::code_bytes_max).value_or(""),
          from.text("gate", gate_bytes_max).value_or(""), from.boolean("mark").value_or(true)};
}

/// One scan on its way: what the answers tell of it.
struct scanned {
  const shows::show_entry* show;
  entry_ticket ticket;
  deferred later;

  [[nodiscard]] ordered_json facts() const {
    return {{"seat", ticket.seat},
            {"showId", show->id},
            {"orderId", write_reference("order", show->number, ticket.order)}};
  }
};

const orders::used_ticket* use_of(const orders::answer& got, const seat_id& seat) {
  const auto* view = std::get_if<orders::order_view>(&got.result);
  if (view == nullptr)
    return nullptr;
  const auto& used = view->order.used;
  const auto found = std::ranges::find(used, seat, &orders::used_ticket::seat);
  return found == used.end() ? nullptr : &*found;
}

response void_ticket(const ordered_json& facts) {
  return problem_response(410, "ticket-void",
                          "The ticket does not admit any more: its seat was given back, or its "
                          "order is not paid.",
                          "", facts);
}

response admitted(const scanned& what, const orders::answer& got) {
  ordered_json body{{"valid", true}};
  body.update(what.facts());
  if (const auto* use = use_of(got, what.ticket.seat))
    body["usedAt"] = time_text(use->at);
  return json_response(200, body);
}

/// The desk said that somebody went in with it; the order says when and where.
void tell_of_use(const scanned& what) {
  auto asked = std::make_shared<orders::lookup>();
  asked->what = what.ticket.order;
  asked->done = [what](const orders::answer& got) {
    const auto* use = use_of(got, what.ticket.seat);
    if (use == nullptr)
      return what.later.send(refusal_of(got.result, *what.show, false));
    auto facts = what.facts();
    facts["usedAt"] = time_text(use->at);
    facts["gate"] = use->gate;
    what.later.send(problem_response(
        409, "ticket-used", "Somebody went in with this ticket at " + time_text(use->at) + ".", "",
        facts));
  };
  caf::anon_send(what.show->desk, std::move(asked));
}

void answer_scan(const scanned& what, const orders::answer& got) {
  using enum orders::rejection;
  const auto* no = std::get_if<orders::rejection>(&got.result);
  if (no == nullptr)
    return what.later.send(admitted(what, got));
  if (*no == ticket_was_used)
    return tell_of_use(what);
  what.later.send(*no == ticket_void || *no == unknown_order
                      ? void_ticket(what.facts())
                      : refusal_of(got.result, *what.show, false));
}

} // namespace

namespace handlers {

void verify_entry_ticket(call& at) {
  auto asked = read_checked(at, read_scan);
  if (!asked)
    return;
  auto ticket = at.with.entry_tickets.read(asked->code);
  if (!ticket)
    return send_problem(at, 422, "ticket-invalid",
                        "This is no ticket that this server has issued.");
  const auto* show = at.with.shows->find(ticket->show);
  if (show == nullptr)
    return at.to.send(void_ticket({{"seat", ticket->seat}, {"showId", ticket->show}}));
  orders::command::use_ticket use{ticket->order, ticket->seat, std::move(asked->gate), asked->mark,
                                  0};
  ask_desk(*show, std::move(use), at.cause(),
           [what = scanned{show, std::move(*ticket), at.to.defer()}](const orders::answer& got) {
             answer_scan(what, got);
           });
}

void get_key_set(call& at) {
  // One set for all kinds of tokens: `kid` and `alg` tell them apart.
  const auto body = std::make_shared<const std::string>(
      ordered_json{{"keys", at.with.entry_tickets.public_keys()}}.dump());
  const auto etag = "\"" + to_hex(sha256(*body)) + "\"";
  response made;
  made.content_type = "application/jwk-set+json";
  made.headers = "ETag: " + etag + "\r\nCache-Control: public, max-age=300\r\n";
  if (at.what.if_none_match == etag)
    made.status = 304;
  else
    made.shared_body = body;
  at.to.send(made);
}

} // namespace handlers

} // namespace usher::http
