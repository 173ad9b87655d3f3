#include "storage/audit/story.hpp"

#include "actors/basics/overloaded.hpp"
#include "storage/audit/describe.hpp"
#include "storage/audit/describe_room.hpp"
#include "storage/audit/names.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <ostream>
#include <utility>

namespace usher::storage::audit {

namespace {

/// What belongs to the thing in one show, and whether an event is about any of it. It grows as
/// holds and orders of the thing come by, so it has to see all events in order, and twice: the hold
/// of an order is placed before it is known to belong, and so is one that gets the seat later.
class circle {
public:
  explicit circle(const story_of& about) {
    std::visit([this](const auto& id) { add(id); }, about.what);
  }

  /// Nothing if the event is not about it; else what there is to say about it in particular, or an
  /// empty text if the event's own description will do. `show`: its number.
  std::optional<std::string> concerns(const any_fact& what, show_number show) {
    return std::visit(overloaded{
                          [&](const waiting_room::any_event& any) { return visit(any, show); },
                          [&](const seating::any_event& any) { return visit(any); },
                          [&](const orders::any_event& any) { return visit(any); },
                          [&](const auto&) { return no(); },
                      },
                      what);
  }

  /// Before the events come a second time: what belongs together stays known.
  void begin_again() { in_ = false; }

private:
  using answer = std::optional<std::string>;
  static answer no() { return std::nullopt; }
  static answer if_so(bool concerned) { return concerned ? answer{""} : no(); }

  void add(const seat_id& id) { seat_ = id; }
  void add(slot_t slot) { slot_ = slot; }
  void add(const hold_id& id) { holds_.insert(id); }
  void add(const order_id& id) { orders_.insert(id); }

  template <class Variant>
  answer visit(const Variant& any) {
    return std::visit([this](const auto& e) { return about(e); }, any);
  }

  bool has(const std::vector<seat_id>& seats) const {
    return seat_ && std::ranges::find(seats, *seat_) != seats.end();
  }
  bool has(const std::vector<orders::offered_seat>& seats) const {
    return seat_ && std::ranges::find(seats, *seat_, &orders::offered_seat::id) != seats.end();
  }
  bool is_of(slot_t slot) const { return slot == slot_; }
  bool is_of(const std::vector<slot_t>& slots) const {
    return slot_ && std::ranges::find(slots, *slot_) != slots.end();
  }
  /// One or many tickets.
  template <class Event>
  bool names_it(const Event& e) const {
    if constexpr (requires { e.slots; })
      return is_of(e.slots);
    else if constexpr (requires { e.slot; })
      return is_of(e.slot);
    else
      return false; // the room's own affair
  }

  bool names_it(const waiting_room::event::fans_joined& e) const {
    return slot_ && *slot_ >= e.first && *slot_ - e.first < e.nonces.size();
  }
  bool names_it(const waiting_room::event::places_drawn& e) const { return is_of(e.order); }
  bool names_it(const waiting_room::event::room_closed&) const { return in_; }

  answer visit(const waiting_room::any_event& any, show_number show) {
    using namespace waiting_room::event;
    if (!std::visit([this](const auto& e) { return names_it(e); }, any))
      return no();
    if (std::holds_alternative<fans_joined>(any) || std::holds_alternative<fan_reentered>(any))
      in_ = true;
    if (std::holds_alternative<tickets_ended>(any) || std::holds_alternative<ticket_revoked>(any) ||
        std::holds_alternative<room_closed>(any))
      in_ = false;
    return describe_room(any, show, slot_);
  }

  answer about(const seating::event::block_planned& e) { return if_so(has(e.seats)); }
  answer about(const seating::event::seats_held& e) {
    return if_so(has(e.seats) || holds_.contains(e.hold));
  }
  answer about(const seating::event::seats_released& e) {
    return if_so(has(e.seats) || holds_.contains(e.hold));
  }
  answer about(const seating::event::seats_sold& e) {
    return if_so(has(e.seats) || holds_.contains(e.hold) || orders_.contains(e.order));
  }

  answer about(const seating::event::seats_blocked& e) { return if_so(has(e.seats)); }
  answer about(const seating::event::seats_unblocked& e) { return if_so(has(e.seats)); }
  answer about(const seating::event::seats_returned& e) {
    return if_so(has(e.seats) || orders_.contains(e.order));
  }

  answer about(const orders::event::hold_placed& e) {
    if (has(e.seats) || (slot_ && e.owner == slot_))
      holds_.insert(e.hold);
    return if_so(holds_.contains(e.hold));
  }
  answer about(const orders::event::hold_changed& e) {
    if (has(e.added))
      holds_.insert(e.hold);
    return if_so(holds_.contains(e.hold));
  }
  answer about(const orders::event::hold_ended& e) { return if_so(holds_.contains(e.hold)); }
  answer about(const orders::event::order_placed& e) {
    if ((slot_ && e.owner == slot_) || holds_.contains(e.hold))
      orders_.insert(e.order);
    if (!orders_.contains(e.order))
      return no();
    if (!e.hold.is_none())
      holds_.insert(e.hold);
    return if_so(true);
  }
  template <class EventOfAnOrder>
  answer about(const EventOfAnOrder& e) {
    return if_so(orders_.contains(e.order));
  }

  std::optional<seat_id> seat_;
  std::optional<slot_t> slot_;
  std::set<hold_id> holds_;
  std::set<order_id> orders_;
  bool in_ = false; ///< the ticket is live
};

/// A circle for each show that may have the thing, and which shows do.
class search {
public:
  explicit search(const story_of& about) : about_{about} {}

  template <class Told>
  void take(const stored_record& next, Told told) {
    const auto where = read_subject(next.subject);
    const auto read = read_event(next);
    const auto* what = std::get_if<any_fact>(&read);
    if (!where || what == nullptr)
      return; // verify reports it
    if (where->of == aggregate::shows)
      note(std::get<shows::any_event>(*what));
    if (where->show.empty() || !is_wanted(where->show))
      return;
    auto& mates = circles_.try_emplace(where->show, about_).first->second;
    const auto number = numbers_[where->show];
    if (auto text = mates.concerns(*what, number))
      told(where->show, text->empty() ? describe(*what, number) : std::move(*text));
  }

  void begin_again() {
    for (auto& [id, mates] : circles_)
      mates.begin_again();
  }

private:
  void note(const shows::any_event& any) {
    if (const auto* made = std::get_if<shows::event::show_created>(&any))
      numbers_[made->id] = made->number;
  }

  bool is_wanted(const show_id& id) const {
    return std::visit(overloaded{
                          [](std::monostate) { return true; },
                          [&](const show_id& wanted) { return id == wanted; },
                          [&](show_number wanted) {
                            const auto found = numbers_.find(id);
                            return found != numbers_.end() && found->second == wanted;
                          },
                      },
                      about_.show);
  }

  const story_of& about_;
  std::map<show_id, show_number> numbers_;
  std::map<show_id, circle> circles_;
};

} // namespace

std::variant<story, failure> tell(const event_log& log, const story_of& about) {
  std::set<show_id> shows;
  search events{about};
  if (auto fault = log.replay(1, [&](const stored_record& next) {
        events.take(next, [&](const show_id& show, const std::string&) { shows.insert(show); });
        return true;
      }))
    return std::move(*fault);
  if (shows.empty())
    return failure{"the log has no event about it"};
  if (shows.size() > 1) {
    std::string names;
    for (const auto& show : shows)
      names += (names.empty() ? "" : ", ") + show;
    return failure{"name the show: " + names + " have one"};
  }
  story told{*shows.begin(), {}};
  events.begin_again();
  if (auto fault = log.replay(1, [&](const stored_record& next) {
        events.take(next, [&](const show_id&, std::string sentence) {
          told.lines.push_back(
              {next.position, next.at, next.type, next.cause, std::move(sentence)});
        });
        return true;
      }))
    return std::move(*fault);
  return told;
}

void write_story(std::ostream& out, const story& what, bool as_json) {
  if (as_json) {
    nlohmann::ordered_json all{{"show", what.show}, {"events", nlohmann::ordered_json::array()}};
    for (const auto& line : what.lines)
      all["events"].push_back({{"position", line.position},
                               {"time", time_text(line.at)},
                               {"type", line.type},
                               {"what", line.sentence},
                               {"who", line.cause.who},
                               {"request", line.cause.request}});
    out << all.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << "\n";
    return;
  }
  out << "show " << what.show << "\n";
  for (const auto& line : what.lines)
    out << line.position << "  " << time_text(line.at) << "  " << line.sentence << "  ("
        << line.cause.who << (line.cause.request.empty() ? "" : ", request " + line.cause.request)
        << ")\n";
}

} // namespace usher::storage::audit
