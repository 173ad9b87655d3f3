#include "actors/basics/overloaded.hpp"
#include "actors/basics/reference.hpp"
#include "http/api/ticket_answer.hpp"
#include "storage/codec.hpp"

#include <caf/send.hpp>

#include <algorithm>
#include <utility>

// GET …/tickets/{ticket}/history: the receipt, from the log: what happened to the place, when and
// why.
namespace usher::http {

namespace {

namespace event = waiting_room::event;
using waiting_room::any_event;
using waiting_room::end_reason;

constexpr std::size_t records_max = 500;
/// Most receipts that are being read or wait for it: reading the log is slower than asking for it.
constexpr std::size_t receipts_max = 64;

/// Tells the records of one place as steps.
class receipt {
public:
  receipt(const shows::show_entry& show, slot_t slot) : show_{show}, slot_{slot} {}

  void add(const any_event& happened, time_ms at) {
    at_ = at;
    std::visit([&](const auto& e) { tell(e); }, happened);
  }

  ordered_json take() { return std::move(steps_); }

private:
  ordered_json& step(std::string_view what) {
    steps_.push_back({{"at", time_text(at_)}, {"what", what}});
    return steps_.back();
  }

  /// What happens to the room matters as long as the ticket lives.
  void room_step(std::string_view what) {
    if (live_)
      step(what);
  }

  template <class Column>
  [[nodiscard]] auto own(const std::vector<slot_t>& slots, const Column& column) const ->
      typename Column::value_type {
    const auto at =
        static_cast<std::size_t>(std::find(slots.begin(), slots.end(), slot_) - slots.begin());
    return at < column.size() ? column[at] : typename Column::value_type{};
  }

  void end(std::string_view reason) {
    step("ended")["reason"] = reason;
    live_ = false;
  }

  void tell(const event::fans_joined& e) {
    auto& made = step("joined");
    const auto fan = slot_ - e.first;
    const auto& tiers = show_.board->notices().set.tiers;
    if (fan < e.tiers.size() && e.tiers[fan] < tiers.size())
      made["tier"] = tiers[e.tiers[fan]];
  }
  void tell(const event::fan_identified&) { step("signed-in"); }
  void tell(const event::fan_promoted& e) {
    const auto& tiers = show_.board->notices().set.tiers;
    auto& made = step("moved-up");
    if (e.tier < tiers.size())
      made["tier"] = tiers[e.tier];
  }
  void tell(const event::fans_passed_over& e) {
    auto& made = step("passed-over");
    made["reason"] = "not heard of since " + time_text(own(e.slots, e.seen));
  }
  void tell(const event::fans_returned& e) {
    step("returned")["reason"] = "heard of again at " + time_text(own(e.slots, e.seen));
  }
  void tell(const event::fan_reentered&) {
    step("re-entered");
    live_ = true;
  }
  void tell(const event::fans_admitted& e) { step("admitted")["until"] = time_text(e.until); }
  void tell(const event::admission_kept& e) {
    auto& made = step("admission-kept");
    if (e.busy_until > 0)
      made["until"] = time_text(e.busy_until);
    made["reason"] = e.spent            ? "an order is paid"
                     : e.busy_until > 0 ? "a hold or an order keeps it"
                                        : "nothing keeps it any more";
  }
  void tell(const event::tickets_ended& e) { end(to_string(e.reason)); }
  void tell(const event::ticket_revoked& e) {
    end("revoked");
    steps_.back()["note"] = e.note;
  }
  void tell(const event::wish_set& e) { step(e.wanted ? "wish-prepared" : "wish-withdrawn"); }
  void tell(const event::wish_answered& e) {
    auto& made = step("wish-answered");
    if (e.hold.is_none())
      made["reason"] = e.reason;
    else
      made["holdId"] = write_reference("hold", show_.number, e.hold);
  }

  void tell(const event::places_drawn& e) {
    const auto found = std::find(e.order.begin(), e.order.end(), slot_);
    if (live_ && found != e.order.end())
      step("drawn")["place"] = found - e.order.begin() + 1;
  }
  void tell(const event::room_opened&) { room_step("room-opened"); }
  void tell(const event::room_put_on_standby&) { room_step("room-on-standby"); }
  void tell(const event::room_paused&) { room_step("room-paused"); }
  void tell(const event::room_resumed&) { room_step("room-resumed"); }
  void tell(const event::room_closed&) {
    if (live_)
      end("closed");
  }
  void tell(const event::stock_changed& e) {
    room_step(e.left == waiting_room::stock::on_sale     ? "seats-available"
              : e.left == waiting_room::stock::all_taken ? "all-seats-taken"
                                                         : "sold-out");
  }
  // Of no concern to one fan.
  void tell(const event::room_configured&) {}
  void tell(const event::room_scheduled&) {}
  void tell(const event::room_unscheduled&) {}
  void tell(const event::prequeue_opened&) {}
  void tell(const event::beacon_given&) {}
  void tell(const event::codes_added&) {}
  void tell(const event::message_set&) {}

  const shows::show_entry& show_;
  slot_t slot_;
  ordered_json steps_ = ordered_json::array();
  time_ms at_ = 0;
  bool live_ = true;
};

response history_of(const shows::show_entry& show, const std::string& id, slot_t slot,
                    const std::vector<storage::stored_record>& records) {
  receipt told{show, slot};
  for (const auto& each : records) {
    const auto read = storage::decode_waiting_room(each.type, each.schema, each.data);
    if (const auto* happened = std::get_if<any_event>(&read))
      told.add(*happened, each.at);
  }
  return json_response(200, {{"ticketId", id},
                             {"showId", show.id},
                             {"ticketNumber", slot},
                             {"complete", records.size() < records_max},
                             {"steps", told.take()}});
}

} // namespace

namespace handlers {

void get_history(call& at) {
  const auto* show = show_of(at);
  if (show == nullptr)
    return;
  const auto known = at.with.tickets.read(at.path[1]);
  const bool ours =
      known && known->show == show->number &&
      show->board->look(known->slot, known->nonce).status != waiting_room::ticket_status::unknown;
  if (!ours)
    return at.to.send(to_response(unknown_ticket(at.path[1])));
  show->board->heard_of(known->slot, at.with.clock->now());
  if (at.with.receipts_under_way.fetch_add(1) >= receipts_max) {
    --at.with.receipts_under_way;
    return send_problem(at, 503, "overloaded",
                        "Too many receipts are being read. Try again shortly.",
                        ordered_json::object(), "Retry-After: 5\r\n");
  }
  auto asked = std::make_shared<runtime::receipt_request>();
  asked->subject = "queue/" + show->id;
  asked->slot = known->slot;
  asked->records_max = records_max;
  asked->done = [&with = at.with, show, id = at.path[1], slot = known->slot,
                 later = at.to.defer()](const auto& read) {
    --with.receipts_under_way;
    if (const auto* records = std::get_if<0>(&read))
      return later.send(history_of(*show, id, slot, *records));
    later.send(problem_response(503, "log-unreadable", "The log cannot be read just now.",
                                "Retry-After: 30\r\n"));
  };
  caf::anon_send(at.with.archive, std::move(asked));
}

} // namespace handlers

} // namespace usher::http
