#include "storage/audit/describe_room.hpp"

#include "storage/audit/lists.hpp"
#include "storage/audit/names.hpp"
#include "storage/files.hpp"

#include <algorithm>

namespace usher::storage::audit {

namespace {

namespace event = waiting_room::event;
using waiting_room::bytes32;

std::string ticket(slot_t slot) {
  return "ticket " + std::to_string(slot);
}

std::string hex_of(const bytes32& bytes) {
  return to_hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::string wish_text(const waiting_room::wish& wanted) {
  auto text = std::to_string(wanted.quantity) + (wanted.quantity == 1 ? " seat" : " seats");
  text += wanted.category.empty() ? " of any category" : " of category " + wanted.category;
  if (!wanted.block.empty())
    text += " in block " + wanted.block;
  if (wanted.accessible > 0)
    text += ", " + std::to_string(wanted.accessible) + " accessible";
  if (wanted.price_max_minor)
    text += ", for at most " + std::to_string(*wanted.price_max_minor) + " each (minor units)";
  return text;
}

class room_teller {
public:
  room_teller(show_number show, std::optional<slot_t> of) : show_{show}, of_{of} {}

  std::string operator()(const event::room_configured& e) const {
    return "room set to " + std::to_string(e.to.admit_per_second_micro) +
           " millionths of a fan a second, tick " + std::to_string(e.to.tick_ms) + " ms";
  }
  std::string operator()(const event::room_scheduled& e) const {
    return "room scheduled, with a draw committed to by " + hex_of(e.commitment);
  }
  std::string operator()(const event::room_unscheduled&) const { return "room unscheduled"; }
  std::string operator()(const event::prequeue_opened&) const { return "prequeue opened"; }
  std::string operator()(const event::beacon_given& e) const {
    return "beacon's value given: " + e.value;
  }
  std::string operator()(const event::places_drawn& e) const {
    const auto how = " with seed " + hex_of(e.seed) +
                     (e.beacon.empty() ? " and no beacon" : " and beacon " + e.beacon);
    if (!of_)
      return std::to_string(e.order.size()) + " places drawn" + how;
    const auto place = std::ranges::find(e.order, *of_) - e.order.begin() + 1;
    return ticket(*of_) + " drawn: place " + std::to_string(place) + " of " +
           std::to_string(e.order.size()) + "," + how;
  }
  std::string operator()(const event::room_opened&) const { return "room opened"; }
  std::string operator()(const event::room_put_on_standby&) const { return "room put on standby"; }
  std::string operator()(const event::room_paused&) const { return "room paused"; }
  std::string operator()(const event::room_resumed&) const { return "room resumed"; }
  std::string operator()(const event::stock_changed& e) const {
    return "what is left of the seats: " + std::string{to_string(e.left)};
  }
  std::string operator()(const event::room_closed&) const {
    return "room closed: every live ticket ended";
  }
  std::string operator()(const event::fans_joined& e) const {
    if (!of_)
      return std::to_string(e.nonces.size()) + " joined, from ticket " + std::to_string(e.first) +
             " on";
    const auto entry = static_cast<std::size_t>(*of_ - e.first);
    const bool with_code = entry < e.codes.size() && !e.codes[entry].is_none();
    return ticket(*of_) + " joined, in a batch of " + std::to_string(e.nonces.size()) +
           (with_code ? ", with an access code" : "");
  }
  std::string operator()(const event::fan_identified& e) const {
    return ticket(e.slot) + " has another identity, too";
  }
  std::string operator()(const event::fan_promoted& e) const {
    return ticket(e.slot) + " promoted to tier " + std::to_string(e.tier) + " by an access code";
  }
  std::string operator()(const event::fans_passed_over& e) const {
    return whom(e.slots) + " passed over" + evidence(e.slots, e.seen, "because last heard of at");
  }
  std::string operator()(const event::fans_returned& e) const {
    return whom(e.slots) + " returned" + evidence(e.slots, e.seen, "heard of again at");
  }
  std::string operator()(const event::fan_reentered& e) const {
    return ticket(e.slot) + " re-entered and waits where it stood";
  }
  std::string operator()(const event::fans_admitted& e) const {
    return whom(e.slots) + " admitted until " + time_text(e.until);
  }
  std::string operator()(const event::admission_kept& e) const {
    return "admission of " + ticket(e.slot) +
           (e.busy_until == 0 ? " kept by nothing more"
                              : " kept until " + time_text(e.busy_until)) +
           (e.spent ? ", an order is paid" : "");
  }
  std::string operator()(const event::tickets_ended& e) const {
    return whom(e.slots) + " ended: " + std::string{to_string(e.reason)};
  }
  std::string operator()(const event::ticket_revoked& e) const {
    return ticket(e.slot) + " revoked: " + e.note;
  }
  std::string operator()(const event::codes_added& e) const {
    return std::to_string(e.codes.size()) + (e.single_use ? " single-use" : "") +
           " access codes of batch " + e.batch + " added for tier " + e.tier;
  }
  std::string operator()(const event::message_set& e) const {
    return e.texts.empty() ? "message to all who wait taken back"
                           : "message to all who wait: " + e.texts.front().second;
  }
  std::string operator()(const event::wish_set& e) const {
    return ticket(e.slot) + (e.wanted ? " wishes " + wish_text(*e.wanted) : " takes its wish back");
  }
  std::string operator()(const event::wish_answered& e) const {
    return "wish of " + ticket(e.slot) +
           (e.hold.is_none() ? " came to nothing: " + e.reason
                             : " granted by " + reference_text("hold", show_, e.hold));
  }

private:
  std::string whom(const std::vector<slot_t>& slots) const {
    return of_ ? ticket(*of_) : tickets_text(slots);
  }
  /// Of one ticket; nothing of many.
  std::string evidence(const std::vector<slot_t>& slots, const std::vector<time_ms>& seen,
                       const std::string& words) const {
    if (!of_)
      return {};
    const auto entry = static_cast<std::size_t>(std::ranges::find(slots, *of_) - slots.begin());
    return entry < seen.size() ? ", " + words + " " + time_text(seen[entry]) : "";
  }

  show_number show_;
  std::optional<slot_t> of_;
};

} // namespace

std::string describe_room(const waiting_room::any_event& what, show_number show,
                          std::optional<slot_t> of) {
  return std::visit(room_teller{show, of}, what);
}

} // namespace usher::storage::audit
