#include "http/api/fields.hpp"
#include "http/api/room_operations.hpp"
#include "http/api/ticket_answer.hpp"

#include <utility>

// What a fan does with a ticket.
namespace usher::http {

namespace {

constexpr std::size_t note_bytes_max = 500;

/// Leaves, or has it taken away; answers 204, or how the ticket ended before.
void end_ticket(call& at, const shows::show_entry& show, std::optional<std::string> revoked) {
  const auto now = at.with.clock->now();
  const auto view = look_at(at.with, show, at.path[1]);
  if (!waiting_room::is_live(view.status))
    return at.to.send(to_response(answer_for(show, at.path[1], view, now, false)));
  ask_desk(
      show, orders::command::leave{view.slot, 0, std::move(revoked)}, at.cause(),
      [later = at.to.defer(), &show, id = at.path[1], &with = at.with](const orders::answer& got) {
        // Somebody was faster (the deadline, another tab): then it has ended all the same.
        response made;
        made.status = 204;
        if (std::holds_alternative<waiting_room::rejection>(got.result)) {
          const auto then = with.clock->now();
          made = to_response(answer_for(show, id, look_at(with, show, id), then, false));
        }
        later.send(std::move(made));
      });
}

} // namespace

void send_ticket(call& at, const shows::show_entry& show, std::string_view ticket_id) {
  const auto now = at.with.clock->now();
  const auto answer =
      answer_for(show, ticket_id, look_at(at.with, show, ticket_id), now, at.drop_in);
  at.to.send_json(answer.status, answer.headers, answer.body);
}

namespace handlers {

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
  const auto view = look_at(at.with, *show, at.path[1]);
  if (waiting_room::is_live(view.status))
    return send_empty(at, 204);
  at.to.send(to_response(answer_for(*show, at.path[1], view, now, false)));
}

void leave(call& at) {
  if (const auto* show = show_of(at))
    end_ticket(at, *show, std::nullopt);
}

void revoke_ticket(call& at) {
  const auto* show = show_of(at);
  if (show == nullptr)
    return;
  auto reason = read_checked(at, [](const json& body, std::vector<fault>& faults) {
    return read_only_text(body, "reason", note_bytes_max, faults); // the fan reads it
  });
  if (reason)
    end_ticket(at, *show, std::move(*reason));
}

} // namespace handlers

} // namespace usher::http
