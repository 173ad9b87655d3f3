#include "http/api/ticket_answer.hpp"

#include "actors/basics/reference.hpp"
#include "actors/shows/rules.hpp"
#include "actors/waiting_room/chance.hpp"
#include "actors/waiting_room/eta.hpp"
#include "http/api/availability.hpp"
#include "http/api/room_settings_json.hpp"

#include <charconv>
#include <cmath>
#include <utility>

namespace usher::http {

namespace {

using waiting_room::room_status;
using waiting_room::ticket_status;
using waiting_room::ticket_view;

/// Writes the members of one object, behind an open brace.
class members {
public:
  explicit members(std::string& into) : into_{into} {}

  members& text(std::string_view name, std::string_view plain) {
    begin(name);
    into_.append("\"").append(plain).append("\"");
    return *this;
  }

  template <class Number>
  members& number(std::string_view name, Number value) {
    begin(name);
    append(value);
    return *this;
  }

  /// Ready-made JSON.
  members& raw(std::string_view name, std::string_view value) {
    begin(name);
    into_.append(value);
    return *this;
  }

  members& range(std::string_view name, std::uint32_t low, std::uint32_t high) {
    begin(name);
    into_.push_back('[');
    append(low);
    into_.push_back(',');
    append(high);
    into_.push_back(']');
    return *this;
  }

private:
  void begin(std::string_view name) {
    into_.append(into_.back() == '{' ? "\"" : ",\"").append(name).append("\":");
  }

  template <class Number>
  void append(Number value) {
    char digits[32];
    const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
    into_.append(digits, end);
  }

  std::string& into_;
};

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
  case ticket_status::no_show:
    return "absent";
  case ticket_status::idle:
    return "idle";
  case ticket_status::revoked:
    return "revoked";
  case ticket_status::expired:
  case ticket_status::unknown:
  case ticket_status::waiting:
  case ticket_status::absent:
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

/// One answer while it is being written.
class writing {
public:
  writing(const shows::show_entry& show, std::string_view id, const ticket_view& view, time_ms now)
      : show_{show}, id_{id}, view_{view}, now_{now}, all_{show.board->notices()} {
    answer_.body.reserve(512);
    answer_.body.push_back('{');
  }

  ticket_answer prequeue() {
    const auto opens_at = all_.set.opens_at.value_or(now_);
    const auto left = static_cast<std::uint32_t>(seconds_until(opens_at, now_));
    begin("PREQUEUE").text("opensAt", time_text(opens_at)).number("opensInSeconds", left);
    out_.text("serverTime", time_text(now_)).number("waiting", show_.board->room().waiting);
    ask_again(waiting_room::poll_before_opening_seconds(left, random()));
    add_draw();
    add_notices();
    return finish();
  }

  ticket_answer waiting(const waiting_room::room_view& room) {
    const bool moves =
        room.status == room_status::open ||
        (room.status == room_status::standby && room.left == waiting_room::stock::on_sale);
    const auto pace = show_.board->admissions_per_second_micro(now_);
    begin("WAITING").number("position", view_.position).number("ahead", view_.ahead);
    out_.number("behind", view_.behind);
    add_eta(moves ? pace : 0);
    out_.text("roomState", to_string(room.status));
    out_.number("admitsPerMinute", moves ? pace * 60 / 1'000'000 : 0);
    if (view_.status == ticket_status::absent)
      out_.raw("passedOver", "true");
    if (view_.tier < all_.set.tiers.size())
      out_.text("tier", all_.set.tiers[view_.tier]);
    add_seats();
    add_draw();
    add_notices();
    return finish();
  }

  ticket_answer admitted() {
    begin("ADMITTED").number("expiresInSeconds", seconds_until(view_.until, now_));
    out_.text("expiresAt", time_text(view_.until));
    const auto what = show_.now();
    if (!what->what.admitted_url.empty())
      out_.raw("admittedUrl", json(what->what.admitted_url).dump());
    add_wish();
    add_notices();
    return finish();
  }

  ticket_answer ended() {
    answer_.status = 410;
    begin(ended_status_of(view_.status)).text("reason", reason_of(view_.status));
    return finish();
  }

private:
  members& begin(std::string_view status) {
    return out_.text("ticketId", id_).text("showId", show_.id).text("status", status);
  }

  ticket_answer finish() {
    answer_.body.push_back('}');
    return std::move(answer_);
  }

  static std::uint32_t random() { return static_cast<std::uint32_t>(random_bits()); }

  void ask_again(std::uint32_t seconds) {
    out_.number("pollAfterSeconds", seconds);
    answer_.headers.append("Retry-After: ").append(std::to_string(seconds)).append("\r\n");
  }

  /// A pace of 0 promises nothing.
  void add_eta(std::uint64_t pace_micro) {
    std::optional<std::uint32_t> seconds;
    if (const auto eta = waiting_room::eta_of(view_.position, pace_micro)) {
      out_.number("etaSeconds", eta->seconds).range("etaRange", eta->low, eta->high);
      seconds = eta->seconds;
    } else {
      out_.raw("etaSeconds", "null");
    }
    ask_again(waiting_room::poll_after_seconds(view_.position, seconds, random()));
  }

  void add_seats() {
    const auto seats = show_.board->seats();
    if (!seats.counted)
      return;
    const auto ended = show_.board->ended();
    const auto chance =
        waiting_room::chance_of_seats({seats.available, seats.held, seats.sold,
                                       show_.board->room().active, ended.bought, ended.others},
                                      view_.ahead);
    out_.text("availability", availability_level(seats.available, std::uint64_t{seats.available} +
                                                                      seats.held + seats.sold));
    out_.number("chanceOfSeats", std::round(chance * 100) / 100);
  }

  /// What is needed to recompute one's own place.
  void add_draw() {
    if (!all_.draw)
      return;
    out_.number("ticketNumber", view_.slot);
    if (all_.draw->done)
      if (const auto place = drawn_place(*all_.draw, view_.tier, view_.place))
        out_.number("drawnPlace", *place);
    out_.text("draw", "/v1/shows/" + show_.id + "/waiting-room/draw");
  }

  void add_notices() {
    if (!all_.message.empty())
      out_.raw(
          "message",
          message_json(all_.message).dump(-1, ' ', false, ordered_json::error_handler_t::replace));
  }

  void add_wish() {
    if (const auto got = show_.board->wish_outcome_of(view_.slot)) {
      ordered_json wish{{"status", got->hold.is_none() ? "UNAVAILABLE" : "HELD"}};
      if (got->hold.is_none())
        wish["reason"] = got->reason;
      else
        wish["holdId"] = write_reference("hold", show_.number, got->hold);
      out_.raw("wish", wish.dump());
    } else if (show_.board->wish_of(view_.slot)) {
      out_.raw("wish", R"({"status":"PENDING"})");
    }
  }

  const shows::show_entry& show_;
  std::string_view id_;
  const ticket_view& view_;
  time_ms now_;
  const waiting_room::notice& all_;
  ticket_answer answer_;
  members out_{answer_.body};
};

} // namespace

ticket_view look_at(const app& with, const shows::show_entry& show, slot_t slot,
                    std::uint64_t nonce) {
  const auto now = with.clock->now();
  auto view = show.board->look(slot, nonce);
  // The view's deadline may be a little early: near it the exact one decides, as it does in the
  // room.
  if (view.status == ticket_status::admitted && now >= view.until &&
      now >= show.board->deadline_of_admission(slot))
    view.status = ticket_status::expired;
  if (waiting_room::is_live(view.status))
    show.board->heard_of(slot, now);
  return view;
}

ticket_view look_at(const app& with, const shows::show_entry& show, std::string_view id) {
  const auto known = with.tickets.read(id);
  return known && known->show == show.number ? look_at(with, show, known->slot, known->nonce)
                                             : ticket_view{};
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
  writing answer{show, id, view, now};
  if (view.status == ticket_status::admitted)
    return answer.admitted();
  if (!live)
    return answer.ended();
  const auto room = show.board->room();
  return room.status == room_status::prequeue && !drop_in ? answer.prequeue()
                                                          : answer.waiting(room);
}

response to_response(ticket_answer answer) {
  response made;
  made.status = answer.status;
  made.headers = std::move(answer.headers);
  made.body = std::move(answer.body);
  return made;
}

} // namespace usher::http
