#include "actors/waiting_room/rules.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

// The tick: what is over ends, who is back stands again, and who is next is admitted.
namespace usher::waiting_room {
namespace {

using events = std::vector<any_event>;

class ticking {
public:
  ticking(const state& room, const command::tick& asked) : room_{room}, asked_{asked} {}

  events decided() && {
    if (asked_.left != room_.left)
      happened_.emplace_back(event::stock_changed{asked_.left});
    end_overdue();
    end_idle();
    take_back();
    end_claims();
    if (admits())
      admit();
    return std::move(happened_);
  }

private:
  [[nodiscard]] bool admits() const {
    if (room_.mode == room_mode::standby)
      return asked_.left == stock::on_sale;
    return waiting_room::status_of(room_.mode, room_.paused, asked_.left) == room_status::open;
  }

  void end(end_reason reason, std::vector<slot_t> slots) {
    if (!slots.empty())
      happened_.emplace_back(event::tickets_ended{reason, std::move(slots)});
  }

  void end_overdue() {
    std::vector<slot_t> used;
    std::vector<slot_t> expired;
    for (const auto& [deadline, slot] : room_.deadlines) {
      if (deadline > asked_.now)
        break;
      (room_.admissions.at(slot).spent ? used : expired).push_back(slot);
    }
    ended_ += used.size() + expired.size();
    end(end_reason::used, std::move(used));
    end(end_reason::expired, std::move(expired));
  }

  void end_idle() {
    if (!room_.set.idle_timeout_ms || room_.set.fixed_length || !asked_.last_seen)
      return;
    std::vector<slot_t> idle;
    for (const auto& [deadline, slot] : room_.deadlines) {
      const auto& held = room_.admissions.at(slot);
      if (deadline <= asked_.now || held.busy_until > asked_.now)
        continue;
      const auto seen = std::max(asked_.last_seen(slot), held.since);
      if (asked_.now - seen >= *room_.set.idle_timeout_ms)
        idle.push_back(slot);
    }
    ended_ += idle.size();
    end(end_reason::idle, std::move(idle));
  }

  void end_claims() {
    std::vector<slot_t> over;
    for (const auto& [deadline, slot] : room_.claim_deadlines) {
      if (deadline > asked_.now)
        break;
      if (!back_.contains(slot)) // came back in time, whenever this tick is
        over.push_back(slot);
    }
    end(end_reason::absent, std::move(over));
  }

  void take_back() {
    event::fans_returned back;
    for (const auto& each : asked_.back) {
      const auto found = room_.claims.find(each.slot);
      if (found == room_.claims.end() || found->second.until <= each.at ||
          !back_.emplace(each.slot, found->second.from).second)
        continue;
      back.slots.push_back(each.slot);
      back.seen.push_back(each.at);
    }
    if (!back.slots.empty())
      happened_.emplace_back(std::move(back));
  }

  /// Nobody is absent in the first absent_after_ms of an opening: a prequeue counts for nobody.
  [[nodiscard]] bool is_absent(slot_t slot, time_ms seen) const {
    return !back_.contains(slot) &&
           asked_.now - std::max(seen, room_.opened_at) >= room_.set.absent_after_ms;
  }

  /// Admits the candidate or passes it over; says whether to go on.
  bool consider(slot_t slot) {
    const auto seen = asked_.last_seen ? asked_.last_seen(slot) : asked_.now;
    if (!is_absent(slot, seen)) {
      admitted_.slots.push_back(slot);
    } else {
      passed_.slots.push_back(slot);
      passed_.seen.push_back(seen);
    }
    return admitted_.slots.size() < wanted_ && passed_.slots.size() < passed_per_tick_max;
  }

  bool consider_early(std::uint8_t tier) {
    std::map<slot_t, slot_t> back;
    for (const auto& [slot, from] : back_)
      if (from.tier == tier)
        back.emplace(from.index, slot);
    const auto& early = room_.lines[tier].early;
    for (auto one = early.begin(), other = back.cbegin();
         one != early.end() || other != back.end();) {
      const bool first = other == back.cend() || (one != early.end() && one->first < other->first);
      if (!consider(first ? one++->second : other++->second))
        return false;
    }
    return true;
  }

  bool consider_line(const line& those) {
    for (auto index = those.head; index < those.end(); ++index) {
      const auto slot = those.order[index - those.base];
      if (slot != line::nobody && room_.tickets[slot] == ticket_status::waiting && !consider(slot))
        return false;
    }
    return true;
  }

  void admit() {
    const auto credit = room_.credit_micro_at(asked_.now);
    wanted_ = std::min<std::uint64_t>(credit / 1'000'000, room_.room_left(asked_.now, ended_));
    if (wanted_ == 0)
      return;
    for (std::uint8_t tier = 0; tier <= room_.general_tier(); ++tier)
      if (!consider_early(tier) || !consider_line(room_.lines[tier]))
        break;
    if (!passed_.slots.empty())
      happened_.emplace_back(std::move(passed_));
    if (admitted_.slots.empty())
      return;
    admitted_.until = asked_.now + room_.set.admission_ttl_ms;
    admitted_.credit_left_micro = credit - admitted_.slots.size() * 1'000'000;
    admitted_.who = known(room_, admitted_.slots);
    happened_.emplace_back(std::move(admitted_));
  }

  const state& room_;
  const command::tick& asked_;
  events happened_;
  std::size_t ended_ = 0;
  std::unordered_map<slot_t, place_in_line> back_;
  std::uint64_t wanted_ = 0;
  event::fans_admitted admitted_;
  event::fans_passed_over passed_;
};

} // namespace

decision decide(const state& room, const command::tick& asked) {
  if (room.mode != room_mode::open && room.mode != room_mode::standby)
    return events{};
  return ticking{room, asked}.decided();
}

} // namespace usher::waiting_room
