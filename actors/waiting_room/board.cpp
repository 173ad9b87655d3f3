#include "actors/waiting_room/board.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <span>
#include <variant>

namespace usher::waiting_room {
namespace {

constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;

constexpr std::size_t slice_slots = 64; ///< most tickets changed while readers wait
constexpr duration_ms deadline_unit_ms = 100;

std::int64_t word_of(const std::optional<std::uint32_t>& limit) {
  return limit ? std::int64_t{*limit} : -1;
}

std::optional<std::uint32_t> limit_of(std::int64_t word) {
  return word < 0 ? std::nullopt : std::optional{static_cast<std::uint32_t>(word)};
}

/// Calls `change` for each slot, a slice under the lock at a time.
template <class Change>
void in_slices(sequence_lock& lock, std::span<const slot_t> slots, Change change) {
  while (!slots.empty()) {
    const auto slice = slots.first(std::min(slots.size(), slice_slots));
    lock.write([&] { std::for_each(slice.begin(), slice.end(), change); });
    slots = slots.subspan(slice.size());
  }
}

} // namespace

void published_settings::store(const settings& set) {
  admit_per_second_micro_.store(set.admit_per_second_micro, release);
  max_active_.store(word_of(set.max_active), release);
  max_per_tick_.store(word_of(set.max_per_tick), release);
  tick_ms_.store(set.tick_ms, release);
  admission_ttl_ms_.store(set.admission_ttl_ms, release);
  max_queue_.store(set.max_queue, release);
}

settings published_settings::load() const {
  return {admit_per_second_micro_.load(acquire), limit_of(max_active_.load(acquire)),
          limit_of(max_per_tick_.load(acquire)), tick_ms_.load(acquire),
          admission_ttl_ms_.load(acquire),       max_queue_.load(acquire)};
}

board::~board() {
  for (auto& one : chunks_)
    delete one.load(acquire);
}

void board::publish(const any_event& happened, time_ms at) {
  if (!started_)
    base_.store(at, release);
  started_ = true;
  std::visit([&](const auto& one) { show(one, at); }, happened);
}

void board::show(const event::room_configured& happened, time_ms) {
  lock_.write([&] { settings_.store(happened.to); });
}

void board::show(const event::room_opened&, time_ms at) {
  meter_.start(at);
  lock_.write([&] { status_.store(room_status::open, release); });
}

void board::show(const event::room_closed&, time_ms) {
  lock_.write([&] {
    status_.store(room_status::off, release);
    lane_start_.store(lane_.size(), release);
    left_over_.store(lane_.present(), release);
    active_.store(0, release);
  });
  until_.clear();
}

void board::show(const event::fans_joined& happened, time_ms at) {
  const auto count = static_cast<slot_t>(happened.nonces.size());
  const bool fits = happened.first == lane_.size() && count <= slots_max - lane_.size();
  assert(fits);
  if (!fits)
    return;
  if (lane_.present() == left_over_.load(acquire))
    meter_.queue_forms(at);
  for (slot_t fan = 0; fan < count; ++fan)
    place(happened.first + fan, happened.nonces[fan]);
  lock_.write([&] { lane_.append(count); }); // from here on readers look at them
}

void board::show(const event::fan_identified&, time_ms) {} // no reader asks for identities

void board::show(const event::fans_admitted& happened, time_ms at) {
  meter_.count(static_cast<std::uint32_t>(happened.slots.size()), at);
  in_slices(lock_, happened.slots, [&](slot_t slot) { admit(slot, happened.until); });
}

void board::show(const event::admission_kept& happened, time_ms) {
  const auto own = until_.find(happened.slot);
  assert(own != until_.end());
  if (own == until_.end())
    return;
  const auto deadline = deadline_of(std::max(own->second, happened.busy_until));
  lock_.write([&] {
    chunk_of(happened.slot).deadlines[happened.slot % chunk_slots].store(deadline, release);
  });
}

void board::show(const event::tickets_ended& happened, time_ms) {
  const auto after = status_after(happened.reason);
  in_slices(lock_, happened.slots, [&](slot_t slot) { end(slot, after); });
}

void board::place(slot_t slot, std::uint64_t nonce) {
  auto& home = chunks_[slot / chunk_slots];
  if (home.load(acquire) == nullptr)
    home.store(new chunk{}, release);
  chunk_of(slot).nonces[slot % chunk_slots].store(nonce, release);
  chunk_of(slot).tickets[slot % chunk_slots].store(ticket_status::waiting, release);
}

void board::admit(slot_t slot, time_ms until) {
  const bool waits = status_of(slot) == ticket_status::waiting;
  assert(waits);
  if (!waits)
    return;
  auto& home = chunk_of(slot);
  home.deadlines[slot % chunk_slots].store(deadline_of(until), release);
  home.tickets[slot % chunk_slots].store(ticket_status::admitted, release);
  lane_.depart(slot);
  active_.store(active_.load(acquire) + 1, release);
  until_.emplace(slot, until);
}

void board::end(slot_t slot, ticket_status after) {
  const auto before = status_of(slot);
  assert(is_live(before));
  if (!is_live(before))
    return;
  chunk_of(slot).tickets[slot % chunk_slots].store(after, release);
  if (before == ticket_status::waiting) {
    lane_.depart(slot);
  } else {
    active_.store(active_.load(acquire) - 1, release);
    until_.erase(slot);
  }
}

board::chunk& board::chunk_of(slot_t slot) const {
  return *chunks_[slot / chunk_slots].load(acquire);
}

ticket_status board::status_of(slot_t slot) const {
  if (slot >= lane_.size())
    return ticket_status::unknown;
  const auto own = chunk_of(slot).tickets[slot % chunk_slots].load(acquire);
  return slot < lane_start_.load(acquire) && is_live(own) ? ticket_status::closed : own;
}

std::uint32_t board::deadline_of(time_ms until) const {
  constexpr time_ms most = std::numeric_limits<std::uint32_t>::max();
  const auto units = (until - base_.load(acquire)) / deadline_unit_ms;
  return static_cast<std::uint32_t>(std::clamp<time_ms>(units, 0, most));
}

ticket_view board::view_of(slot_t slot, std::uint64_t nonce) const {
  ticket_view seen;
  const auto status = status_of(slot);
  if (status == ticket_status::unknown ||
      chunk_of(slot).nonces[slot % chunk_slots].load(acquire) != nonce)
    return seen;
  seen.status = status;
  if (status == ticket_status::waiting) {
    const auto left_over = left_over_.load(acquire);
    seen.ahead = lane_.present_before(slot) - left_over;
    seen.position = seen.ahead + 1;
    seen.behind = lane_.present() - left_over - seen.position;
  } else if (status == ticket_status::admitted) {
    const auto units = chunk_of(slot).deadlines[slot % chunk_slots].load(acquire);
    seen.until = base_.load(acquire) + time_ms{units} * deadline_unit_ms;
  }
  return seen;
}

ticket_view board::look(slot_t slot, std::uint64_t nonce) const {
  return lock_.read([&] { return view_of(slot, nonce); });
}

std::optional<std::uint64_t> board::nonce_of(slot_t slot) const {
  if (slot >= lane_.size())
    return std::nullopt;
  return chunk_of(slot).nonces[slot % chunk_slots].load(acquire);
}

room_view board::room() const {
  return lock_.read([&] {
    return room_view{status_.load(acquire), lane_.present() - left_over_.load(acquire),
                     active_.load(acquire), lane_.size(), settings_.load()};
  });
}

std::uint64_t board::admissions_per_second_micro(time_ms now) const {
  return meter_.per_second_micro(now).value_or(room().set.admit_per_second_micro);
}

std::size_t board::bytes_used() const {
  const auto chunks = (lane_.size() + chunk_slots - 1) / chunk_slots;
  constexpr auto until_node = sizeof(std::pair<slot_t, time_ms>) + sizeof(void*);
  return chunks * sizeof(chunk) + lane_.bytes_used() + until_.size() * until_node +
         until_.bucket_count() * sizeof(void*);
}

} // namespace usher::waiting_room
