#include "http/api/ticket_answer.hpp"

#include <algorithm>
#include <utility>

// GET …/tickets/{ticket}/stream: the same answer as a poll, pushed whenever it has changed.
namespace usher::http {

namespace {

using namespace std::chrono_literals;
using waiting_room::room_status;
using waiting_room::ticket_status;
using waiting_room::ticket_view;

/// What a fan would want to hear of. As an event's id it says which of it was heard last.
struct moment {
  ticket_status status = ticket_status::unknown;
  room_status room = room_status::off;
  std::uint32_t position = 0;
  std::size_t message = 0; ///< a hash of the texts, 0: none
  bool wish_answered = false;

  bool operator==(const moment&) const = default;

  [[nodiscard]] std::string id() const {
    return std::to_string(static_cast<unsigned>(status)) + "-" +
           std::to_string(static_cast<unsigned>(room)) + "-" + std::to_string(position) + "-" +
           std::to_string(message % 1'000'000'007) + "-" + (wish_answered ? "1" : "0");
  }
};

/// The most important thing that changed names the event.
std::string_view name_of(const moment& before, const moment& now, bool first) {
  if (first || before.status != now.status)
    return now.status == ticket_status::admitted ? "admitted"
           : waiting_room::is_live(now.status)   ? "waiting"
                                                 : "ended";
  if (before.room != now.room)
    return "room";
  if (before.message != now.message)
    return "message";
  return before.wish_answered != now.wish_answered ? "wish" : "position";
}

/// Near the front often, far behind seldom.
std::chrono::milliseconds pace_of(const moment& now) {
  if (now.status != ticket_status::waiting || now.position <= 100)
    return 1s;
  return now.position <= 1'000 ? 3s : 10s;
}

class ticket_stream : public event_source {
public:
  ticket_stream(const app& with, const shows::show_entry& show, std::string id,
                std::string_view heard)
      : with_{with}, show_{show}, id_{std::move(id)}, heard_{heard} {}

  turn look() override {
    const auto now = with_.clock->now();
    const auto view = look_at(with_, show_, id_);
    const auto current = moment_of(view);
    turn next;
    next.last = !waiting_room::is_live(view.status);
    next.next = pace_of(current);
    if (first_ ? current.id() != heard_ : current != last_)
      next.bytes = event_of(current, view, now);
    first_ = false;
    last_ = current;
    return next;
  }

private:
  [[nodiscard]] moment moment_of(const ticket_view& view) const {
    const auto& notices = show_.board->notices();
    moment made;
    made.status = view.status;
    made.position = view.position;
    made.room = show_.board->room().status;
    for (const auto& [language, text] : notices.message)
      made.message = made.message * 31 + std::hash<std::string>{}(language + "\n" + text) + 1;
    if (view.status == ticket_status::admitted)
      made.wish_answered = show_.board->wish_outcome_of(view.slot).has_value();
    return made;
  }

  [[nodiscard]] std::string event_of(const moment& current, const ticket_view& view,
                                     time_ms now) const {
    const auto answer = answer_for(show_, id_, view, now, false);
    std::string text{"event: "};
    text.append(name_of(last_, current, first_)).append("\nid: ").append(current.id());
    text.append("\ndata: ").append(answer.body).append("\n\n");
    return text;
  }

  const app& with_;
  const shows::show_entry& show_;
  std::string id_;
  std::string heard_; ///< Last-Event-ID of a stream that was cut off
  moment last_;
  bool first_ = true;
};

} // namespace

namespace handlers {

void stream_ticket(call& at) {
  const auto* show = show_of(at);
  if (show == nullptr)
    return;
  const auto now = at.with.clock->now();
  const auto view = look_at(at.with, *show, at.path[1]);
  // An EventSource gives up for good on anything but 200: what has ended is no stream.
  if (!waiting_room::is_live(view.status))
    return at.to.send(to_response(answer_for(*show, at.path[1], view, now, false)));
  at.to.send_stream(
      std::make_unique<ticket_stream>(at.with, *show, at.path[1], at.what.last_event_id));
}

} // namespace handlers

} // namespace usher::http
