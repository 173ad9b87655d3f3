#include "actors/waiting_room/board.hpp"

#include "actors/waiting_room/eta.hpp"

#include <algorithm>
#include <cassert>
#include <span>
#include <utility>
#include <variant>

// What each event shows. One writer; whatever several atomics say together changes under the
// sequence lock.
namespace usher::waiting_room {
namespace {

constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;
using board_word::place_mask;
using board_word::tier_shift;

constexpr std::size_t slice_slots = 64; ///< most tickets changed while readers wait

/// Calls `change` for each slot, a slice under the lock at a time.
template <class Change>
void in_slices(sequence_lock& lock, std::span<const slot_t> slots, Change change) {
  while (!slots.empty()) {
    const auto slice = slots.first(std::min(slots.size(), slice_slots));
    lock.write([&] { std::for_each(slice.begin(), slice.end(), change); });
    slots = slots.subspan(slice.size());
  }
}

template <class Number>
void add(std::atomic<Number>& to, Number change) {
  to.store(to.load(std::memory_order_relaxed) + change, release);
}

std::uint32_t word_for(std::uint8_t tier, slot_t place) {
  return std::uint32_t{tier} << tier_shift | place;
}
std::uint8_t tier_in(std::uint32_t word) {
  return static_cast<std::uint8_t>(word >> tier_shift);
}

/// A contradiction is a bug or a damaged log: it asserts, and is left out where there are none.
[[nodiscard]] bool expect(bool holds) {
  assert(holds);
  return holds;
}

} // namespace

lane& board::lane_of(std::uint8_t tier) {
  auto& home = lanes_[tier];
  if (home.load(acquire) == nullptr)
    home.store(new lane{}, release);
  return *home.load(acquire);
}

template <class Change>
void board::post(Change change) {
  auto next = std::make_unique<notice>(notices());
  change(*next);
  notices_.push_back(std::move(next));
  notice_.store(notices_.back().get(), release);
}

void board::put_mode(room_mode mode) {
  lock_.write([&] {
    mode_.store(mode, release);
    paused_.store(false, release);
  });
}

void board::open_as(room_mode mode, time_ms at) {
  meter_.start(at);
  put_mode(mode);
}

void board::forget_sides() {
  const std::lock_guard lock{sides_mutex_};
  admitted_.clear();
  wishes_.clear();
  wish_outcomes_.clear();
}

void board::take_place(slot_t slot, std::uint64_t nonce, std::uint32_t word, time_ms at) {
  auto& home = chunks_[slot / chunk_slots];
  if (home.load(acquire) == nullptr)
    home.store(new chunk{}, release);
  chunk_of(slot).nonces[slot % chunk_slots].store(nonce, release);
  chunk_of(slot).seen[slot % chunk_slots].store(static_cast<std::uint16_t>(at / 1000),
                                                std::memory_order_relaxed);
  word_of(slot).store(word, release);
  set_status(slot, ticket_status::waiting);
}

void board::admit(slot_t slot, time_ms until, const identity& who) {
  if (!expect(status_of(slot) == ticket_status::waiting))
    return;
  const auto word = word_of(slot).load(acquire);
  lane_of(tier_in(word)).depart(word & place_mask);
  word_of(slot).store(deadline_of(until), release);
  set_status(slot, ticket_status::admitted);
  add(active_, 1U);
  admitted_.insert_or_assign(slot, admitted{until, 0, word, who});
}

/// Inside the sequence lock. Side tables are the caller's.
void board::end(slot_t slot, ticket_status after) {
  const auto before = status_of(slot);
  if (!expect(is_live(before)))
    return;
  if (before == ticket_status::waiting) {
    const auto word = word_of(slot).load(acquire);
    lane_of(tier_in(word)).depart(word & place_mask);
  } else if (before == ticket_status::absent) {
    add(absent_, -1U);
  } else {
    add(active_, -1U);
    add(after == ticket_status::used ? bought_ : not_bought_, 1U);
    // The place is kept for whoever may come back to it.
    if (const auto found = admitted_.find(slot); expect(found != admitted_.end()))
      word_of(slot).store(found->second.place_word, release);
  }
  set_status(slot, after);
}

void board::publish(const any_event& happened, time_ms at) {
  if (!started_)
    base_.store(at, release);
  started_ = true;
  std::visit([&](const auto& one) { show(one, at); }, happened);
}

// ---- what each event shows: the room

void board::show(const event::room_configured& happened, time_ms) {
  post([&](notice& next) { next.set = happened.to; });
}

void board::show(const event::room_scheduled& happened, time_ms) {
  post([&](notice& next) {
    next.draw = std::make_shared<const draw_notice>(
        draw_notice{happened.commitment, next.set.beacon, {}, false, {}, 0, {}});
  });
  put_mode(room_mode::scheduled);
}

void board::show(const event::room_unscheduled&, time_ms) {
  post([](notice& next) { next.draw.reset(); });
  put_mode(room_mode::off);
}

void board::show(const event::prequeue_opened&, time_ms) {
  put_mode(room_mode::prequeue);
}

void board::show(const event::beacon_given& happened, time_ms) {
  auto draw = notices().draw ? *notices().draw : draw_notice{};
  draw.beacon = happened.value;
  post([&](notice& next) { next.draw = std::make_shared<const draw_notice>(std::move(draw)); });
}

namespace {

using slots_by_tier = std::array<std::vector<slot_t>, tiers_max + 1>;

/// Sorts `slots`.
std::vector<std::pair<slot_t, slot_t>> ranges_of(std::vector<slot_t> slots) {
  std::sort(slots.begin(), slots.end());
  std::vector<std::pair<slot_t, slot_t>> ranges;
  for (const auto slot : slots)
    if (!ranges.empty() && ranges.back().second + 1 == slot)
      ranges.back().second = slot;
    else
      ranges.emplace_back(slot, slot);
  return ranges;
}

} // namespace

/// The new places stand behind the old ones. While they are written down they point past the end of
/// the lane, and readers are told no place; then, in one moment, the new ones count and the old
/// ones do not.
void board::show(const event::places_drawn& happened, time_ms at) {
  slots_by_tier drawn;
  for (const auto slot : happened.order)
    if (expect(status_of(slot) == ticket_status::waiting))
      drawn[tier_in(word_of(slot).load(acquire))].push_back(slot);
  const auto& names = notices().set.tiers;
  std::vector<drawn_tier> tiers;
  for (std::uint8_t tier = 0; tier <= names.size(); ++tier) {
    auto place = lane_of(tier).size();
    tiers.push_back({tier < names.size() ? names[tier] : "", place,
                     static_cast<std::uint32_t>(drawn[tier].size()), ranges_of(drawn[tier])});
    for (const auto slot : drawn[tier])
      word_of(slot).store(word_for(tier, place++), release);
  }
  lock_.write([&] {
    for (std::uint8_t tier = 0; tier < tiers.size(); ++tier) {
      left_over_[tier].store(lane_of(tier).present(), release);
      lane_of(tier).append(tiers[tier].count);
    }
  });
  auto draw = notices().draw ? *notices().draw : draw_notice{};
  draw.beacon = happened.beacon;
  draw.done = true;
  draw.seed = happened.seed;
  draw.drawn_at = at;
  draw.tiers = std::move(tiers);
  post([&](notice& next) { next.draw = std::make_shared<const draw_notice>(std::move(draw)); });
}

void board::show(const event::room_opened&, time_ms at) {
  if (mode_.load(acquire) == room_mode::standby)
    put_mode(room_mode::open);
  else
    open_as(room_mode::open, at);
}

void board::show(const event::room_put_on_standby&, time_ms at) {
  if (mode_.load(acquire) == room_mode::open)
    put_mode(room_mode::standby);
  else
    open_as(room_mode::standby, at);
}

void board::show(const event::room_paused&, time_ms) {
  lock_.write([&] { paused_.store(true, release); });
}

void board::show(const event::room_resumed&, time_ms) {
  lock_.write([&] { paused_.store(false, release); });
}

void board::show(const event::stock_changed& happened, time_ms) {
  lock_.write([&] { left_.store(happened.left, release); });
}

void board::show(const event::room_closed&, time_ms) {
  lock_.write([&] {
    mode_.store(room_mode::off, release);
    paused_.store(false, release);
    left_.store(stock::on_sale, release);
    lane_start_.store(joined_.load(acquire), release);
    for (std::size_t tier = 0; tier < lanes_.size(); ++tier)
      if (const auto* const those = lanes_[tier].load(acquire))
        left_over_[tier].store(those->present(), release);
    active_.store(0, release);
    absent_.store(0, release);
  });
  bought_.store(0, release);
  not_bought_.store(0, release);
  accuracy_.forget_all();
  forget_sides();
  post([](notice& next) {
    next.set.opens_at.reset();
    if (next.draw && !next.draw->done)
      next.draw.reset(); // it will never be
  });
}

void board::show(const event::codes_added&, time_ms) {} // no reader asks for codes

void board::show(const event::message_set& happened, time_ms) {
  post([&](notice& next) { next.message = happened.texts; });
}

// ---- what each event shows: fans

void board::show(const event::fans_joined& happened, time_ms at) {
  const auto count = static_cast<slot_t>(happened.nonces.size());
  if (!expect(happened.first == joined_.load(acquire) && count <= slots_max - happened.first))
    return;
  const auto general = static_cast<std::uint8_t>(notices().set.tiers.size());
  const bool formed = present() > 0;
  std::array<slot_t, tiers_max + 1> more{};
  for (slot_t fan = 0; fan < count; ++fan) {
    const auto tier = happened.tiers.empty() ? general : std::min(happened.tiers[fan], general);
    const auto place = lane_of(tier).size() + more[tier]++;
    take_place(happened.first + fan, happened.nonces[fan], word_for(tier, place), at);
  }
  if (!formed)
    meter_.queue_forms(at);
  lock_.write([&] { // from here on readers look at them
    for (std::uint8_t tier = 0; tier <= general; ++tier)
      if (more[tier] > 0)
        lane_of(tier).append(more[tier]);
    joined_.store(happened.first + count, release);
  });
  if (mode_.load(acquire) == room_mode::open)
    promise(happened.first, count, at);
}

void board::promise(slot_t first, slot_t count, time_ms at) {
  constexpr auto every = eta_accuracy::sampled_every;
  for (auto slot = (first + every - 1) / every * every; slot < first + count; slot += every) {
    const auto seen = view_of(slot, *nonce_of(slot));
    if (const auto wait = eta_seconds(seen.position, admissions_per_second_micro(at)))
      accuracy_.promise(slot, *wait, at);
  }
}

void board::show(const event::fan_identified& happened, time_ms) {
  if (!happened.customer)
    return;
  const std::lock_guard lock{sides_mutex_};
  if (const auto found = admitted_.find(happened.slot); found != admitted_.end())
    found->second.who = happened.who;
}

void board::show(const event::fan_promoted& happened, time_ms) {
  const auto slot = happened.slot;
  const auto before = status_of(slot);
  if (!expect(before == ticket_status::waiting || before == ticket_status::absent))
    return;
  auto& to = lane_of(happened.tier);
  lock_.write([&] {
    const auto word = word_of(slot).load(acquire);
    if (before == ticket_status::waiting)
      lane_of(tier_in(word)).depart(word & place_mask);
    else
      add(absent_, -1U);
    word_of(slot).store(word_for(happened.tier, to.size()), release);
    to.append(1);
    set_status(slot, ticket_status::waiting);
  });
}

void board::show(const event::fans_passed_over& happened, time_ms) {
  in_slices(lock_, happened.slots, [&](slot_t slot) {
    if (!expect(status_of(slot) == ticket_status::waiting))
      return;
    const auto word = word_of(slot).load(acquire);
    lane_of(tier_in(word)).depart(word & place_mask);
    set_status(slot, ticket_status::absent);
    add(absent_, 1U);
  });
  for (const auto slot : happened.slots)
    accuracy_.forget(slot);
}

void board::show(const event::fans_returned& happened, time_ms) {
  in_slices(lock_, happened.slots, [&](slot_t slot) {
    if (!expect(status_of(slot) == ticket_status::absent))
      return;
    const auto word = word_of(slot).load(acquire);
    lane_of(tier_in(word)).arrive(word & place_mask);
    set_status(slot, ticket_status::waiting);
    add(absent_, -1U);
  });
}

void board::show(const event::fan_reentered& happened, time_ms at) {
  const auto slot = happened.slot;
  if (!expect(status_of(slot) == ticket_status::expired || status_of(slot) == ticket_status::idle))
    return;
  heard_of(slot, at);
  lock_.write([&] {
    const auto word = word_of(slot).load(acquire);
    lane_of(tier_in(word)).arrive(word & place_mask);
    set_status(slot, ticket_status::waiting);
  });
}

void board::show(const event::fans_admitted& happened, time_ms at) {
  meter_.count(static_cast<std::uint32_t>(happened.slots.size()), at);
  const std::lock_guard lock{sides_mutex_};
  std::size_t next = 0;
  in_slices(lock_, happened.slots, [&](slot_t slot) {
    admit(slot, happened.until, happened.who.empty() ? identity{} : happened.who[next]);
    ++next;
  });
  for (const auto slot : happened.slots)
    accuracy_.kept(slot, at);
}

void board::show(const event::admission_kept& happened, time_ms) {
  const auto own = admitted_.find(happened.slot);
  if (!expect(own != admitted_.end()))
    return;
  {
    const std::lock_guard lock{sides_mutex_};
    own->second.busy_until = happened.busy_until;
  }
  const auto deadline = deadline_of(std::max(own->second.until, happened.busy_until));
  lock_.write([&] { word_of(happened.slot).store(deadline, release); });
}

void board::forget_side(slot_t slot) {
  admitted_.erase(slot);
  wishes_.erase(slot);
  wish_outcomes_.erase(slot);
  accuracy_.forget(slot);
}

void board::show(const event::tickets_ended& happened, time_ms) {
  const auto after = status_after(happened.reason);
  const std::lock_guard lock{sides_mutex_};
  in_slices(lock_, happened.slots, [&](slot_t slot) { end(slot, after); });
  for (const auto slot : happened.slots)
    forget_side(slot);
}

void board::show(const event::ticket_revoked& happened, time_ms at) {
  show(event::tickets_ended{end_reason::revoked, {happened.slot}}, at);
}

void board::show(const event::wish_set& happened, time_ms) {
  const std::lock_guard lock{sides_mutex_};
  if (happened.wanted)
    wishes_.insert_or_assign(happened.slot, *happened.wanted);
  else
    wishes_.erase(happened.slot);
}

void board::show(const event::wish_answered& happened, time_ms) {
  const std::lock_guard lock{sides_mutex_};
  wishes_.erase(happened.slot);
  wish_outcomes_.insert_or_assign(happened.slot, wish_outcome{happened.hold, happened.reason});
}

} // namespace usher::waiting_room
