#include "actors/waiting_room/board.hpp"

#include <algorithm>
#include <limits>

// What readers see, and who writes it down. What each event changes is in board_show.cpp.
namespace usher::waiting_room {
namespace {

constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;

constexpr duration_ms deadline_unit_ms = 100;
constexpr std::uint16_t ahead_from_s = 65'535 - 600; ///< ages above are times ahead of now
constexpr unsigned seats_bits = 21;
constexpr std::uint64_t seats_mask = (1ULL << seats_bits) - 1;

} // namespace

board::board() {
  notices_.push_back(std::make_unique<const notice>());
  notice_.store(notices_.back().get(), release);
}

board::~board() {
  for (auto& one : chunks_)
    delete one.load(acquire);
  for (auto& one : lanes_)
    delete one.load(acquire);
}

// ---- tickets

board::chunk& board::chunk_of(slot_t slot) const {
  return *chunks_[slot / chunk_slots].load(acquire);
}

std::atomic<std::uint32_t>& board::word_of(slot_t slot) const {
  return chunk_of(slot).words[slot % chunk_slots];
}

void board::set_status(slot_t slot, ticket_status status) {
  chunk_of(slot).tickets[slot % chunk_slots].store(status, release);
}

ticket_status board::status_of(slot_t slot) const {
  if (slot >= joined_.load(acquire))
    return ticket_status::unknown;
  const auto own = chunk_of(slot).tickets[slot % chunk_slots].load(acquire);
  return slot < lane_start_.load(acquire) && is_live(own) ? ticket_status::closed : own;
}

std::uint32_t board::deadline_of(time_ms until) const {
  constexpr time_ms most = std::numeric_limits<std::uint32_t>::max();
  const auto units = (until - base_.load(acquire)) / deadline_unit_ms;
  return static_cast<std::uint32_t>(std::clamp<time_ms>(units, 0, most));
}

std::uint32_t board::present() const {
  slot_t all = 0;
  for (std::size_t tier = 0; tier < lanes_.size(); ++tier)
    if (const auto* const those = lanes_[tier].load(acquire))
      all += those->present() - left_over_[tier].load(acquire);
  return all;
}

ticket_view board::view_of(slot_t slot, std::uint64_t nonce) const {
  ticket_view seen;
  const auto status = status_of(slot);
  if (status == ticket_status::unknown ||
      chunk_of(slot).nonces[slot % chunk_slots].load(acquire) != nonce)
    return seen;
  seen.status = status;
  seen.slot = slot;
  const auto word = word_of(slot).load(acquire);
  if (status == ticket_status::admitted)
    seen.until = base_.load(acquire) + time_ms{word} * deadline_unit_ms;
  if (status != ticket_status::waiting && status != ticket_status::absent)
    return seen;
  // A mixture may stand here while the writer is at work: stay within bounds, look again later.
  seen.tier =
      static_cast<std::uint8_t>(std::min<std::size_t>(word >> board_word::tier_shift, tiers_max));
  seen.place = word & board_word::place_mask;
  if (const auto* const own = lanes_[seen.tier].load(acquire);
      own == nullptr || seen.place >= own->size())
    return seen; // a draw is being written down: no place can be told
  for (std::uint8_t tier = 0; tier <= seen.tier; ++tier)
    if (const auto* const those = lanes_[tier].load(acquire))
      seen.ahead += (tier < seen.tier ? those->present() : those->present_before(seen.place)) -
                    left_over_[tier].load(acquire);
  seen.position = seen.ahead + 1;
  seen.behind = present() - seen.ahead - (status == ticket_status::waiting ? 1 : 0);
  return seen;
}

ticket_view board::look(slot_t slot, std::uint64_t nonce) const {
  return lock_.read([&] { return view_of(slot, nonce); });
}

std::optional<std::uint64_t> board::nonce_of(slot_t slot) const {
  if (slot >= joined_.load(acquire))
    return std::nullopt;
  return chunk_of(slot).nonces[slot % chunk_slots].load(acquire);
}

// ---- the room

room_view board::room() const {
  return lock_.read([&] {
    room_view seen;
    seen.paused = paused_.load(acquire);
    seen.left = left_.load(acquire);
    seen.status = waiting_room::status_of(mode_.load(acquire), seen.paused, seen.left);
    seen.waiting = present();
    seen.absent = absent_.load(acquire);
    seen.active = active_.load(acquire);
    seen.joined = joined_.load(acquire);
    return seen;
  });
}

std::uint64_t board::admissions_per_second_micro(time_ms now) const {
  return meter_.per_second_micro(now).value_or(notices().set.admit_per_second_micro);
}

outcomes board::ended() const {
  return {bought_.load(acquire), not_bought_.load(acquire)};
}

void board::count_seats(const seats_left& count) {
  const auto part = [](std::uint32_t seats) { return std::min<std::uint64_t>(seats, seats_mask); };
  seats_packed_.store(part(count.available) | part(count.held) << seats_bits |
                          part(count.sold) << 2 * seats_bits |
                          (count.counted ? 1ULL << 3 * seats_bits : 0),
                      release);
}

seats_left board::seats() const {
  const auto packed = seats_packed_.load(acquire);
  const auto part = [&](unsigned which) {
    return static_cast<std::uint32_t>(packed >> which * seats_bits & seats_mask);
  };
  return {part(0), part(1), part(2), packed >> 3 * seats_bits != 0, 0};
}

// ---- who is there

void board::heard_of(slot_t slot, time_ms now) {
  if (slot >= joined_.load(acquire))
    return;
  auto& home = chunk_of(slot);
  home.seen[slot % chunk_slots].store(static_cast<std::uint16_t>(now / 1000),
                                      std::memory_order_relaxed);
  if (home.tickets[slot % chunk_slots].load(acquire) != ticket_status::absent)
    return;
  const std::lock_guard lock{returned_mutex_};
  if (returned_.size() < returns_noted_max)
    returned_.push_back({slot, now});
}

time_ms board::last_seen(slot_t slot, time_ms now) const {
  const auto excused = excused_until_.load(acquire);
  if (slot >= joined_.load(acquire))
    return now; // joined just now: not published yet
  const auto seen = chunk_of(slot).seen[slot % chunk_slots].load(std::memory_order_relaxed);
  const auto age_s = static_cast<std::uint16_t>(static_cast<std::uint16_t>(now / 1000) - seen);
  if (age_s > ahead_from_s)
    return now; // heard of on another thread, a moment after `now`
  return std::min(now, std::max(excused, (now / 1000 - age_s) * 1000 + 999));
}

void board::excuse_everybody_until(time_ms at) {
  auto before = excused_until_.load(acquire);
  while (before < at && !excused_until_.compare_exchange_weak(before, at)) {
  }
}

std::vector<command::heard_of> board::take_returned() {
  std::vector<command::heard_of> back;
  {
    const std::lock_guard lock{returned_mutex_};
    back.swap(returned_);
  }
  // Whoever came more than once came back at the first time.
  std::sort(back.begin(), back.end(), [](const auto& a, const auto& b) {
    return a.slot != b.slot ? a.slot < b.slot : a.at < b.at;
  });
  const auto same = [](const auto& a, const auto& b) { return a.slot == b.slot; };
  back.erase(std::unique(back.begin(), back.end(), same), back.end());
  return back;
}

bool board::has_returned() const {
  const std::lock_guard lock{returned_mutex_};
  return !returned_.empty();
}

// ---- side tables

identity board::who_is(slot_t slot) const {
  const std::lock_guard lock{sides_mutex_};
  const auto found = admitted_.find(slot);
  return found == admitted_.end() ? identity{} : found->second.who;
}

time_ms board::deadline_of_admission(slot_t slot) const {
  const std::lock_guard lock{sides_mutex_};
  const auto found = admitted_.find(slot);
  return found == admitted_.end() ? 0 : std::max(found->second.until, found->second.busy_until);
}

std::optional<wish> board::wish_of(slot_t slot) const {
  const std::lock_guard lock{sides_mutex_};
  const auto found = wishes_.find(slot);
  return found == wishes_.end() ? std::nullopt : std::optional{found->second};
}

std::optional<wish_outcome> board::wish_outcome_of(slot_t slot) const {
  const std::lock_guard lock{sides_mutex_};
  const auto found = wish_outcomes_.find(slot);
  return found == wish_outcomes_.end() ? std::nullopt : std::optional{found->second};
}

std::size_t board::bytes_used() const {
  const auto chunks = (joined_.load(acquire) + chunk_slots - 1) / chunk_slots;
  constexpr auto admitted_node = sizeof(std::pair<slot_t, admitted>) + sizeof(void*);
  auto bytes = chunks * sizeof(chunk) + admitted_.size() * admitted_node +
               admitted_.bucket_count() * sizeof(void*);
  for (const auto& each : lanes_)
    if (const auto* const those = each.load(acquire))
      bytes += sizeof(lane) + those->bytes_used();
  return bytes;
}

} // namespace usher::waiting_room
