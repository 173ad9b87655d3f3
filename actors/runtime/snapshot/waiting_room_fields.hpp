#pragma once

#include "actors/runtime/snapshot/pass.hpp"
#include "actors/waiting_room/board.hpp"
#include "actors/waiting_room/state.hpp"

// What a snapshot keeps of a waiting room. Every function takes its object apart by a structured
// binding, which has to name every member: whoever adds one is stopped by the compiler, and says
// here whether it is kept.
namespace usher::waiting_room {

/// The tables as they are: a table that grew has forgotten who ended before.
template <class Io>
void snapshot_fields(Io& io, identity_index& index) {
  auto& [tables] = index;
  for (auto& [entries, used] : tables)
    runtime::snapshot::pass_all(io, entries, used);
}

template <class Io>
void snapshot_fields(Io& io, state& room) {
  auto& [mode, paused, left, set, draws_scheduled, commitment, beacon, lane_start, drawn_below,
         waiting, opened_at, lines, tickets, identities, tiers, index, seconds, seconds_of,
         customers, admissions, deadlines, claims, claim_deadlines, early_places, chances,
         chance_deadlines, chance_of, reentered, codes, code_batches, wishes, credit_micro,
         credit_at, ramp_tick, ramp_used] = room;
  runtime::snapshot::pass_all(io, mode, paused, left, set, draws_scheduled, commitment, beacon,
                              lane_start, drawn_below, waiting, opened_at, lines, tickets,
                              identities, tiers, index, seconds, seconds_of, customers, admissions,
                              deadlines, claims, claim_deadlines, early_places, chances,
                              chance_deadlines, chance_of, reentered, codes, code_batches, wishes,
                              credit_micro, credit_at, ramp_tick, ramp_used);
}

template <class Io>
void snapshot_fields(Io& io, admission_meter& meter) {
  auto& [buckets, started_s] = meter;
  runtime::snapshot::pass_all(io, buckets, started_s);
}

template <class Io>
void snapshot_fields(Io& io, eta_accuracy& accuracy) {
  auto& [open, counts, ratio_sum_percent] = accuracy;
  runtime::snapshot::pass_all(io, open, counts, ratio_sum_percent);
}

/// Reads into an empty lane.
template <class Io>
void snapshot_fields(Io& io, lane& those) {
  auto& [superblocks, departed_before, size, departed] = those;
  runtime::snapshot::pass_all(io, size, departed);
  if (size > places_max)
    throw runtime::snapshot::unreadable{"a lane is too long"};
  for (slot_t at = 0; at < those.superblocks(); ++at) {
    if constexpr (Io::reads)
      superblocks[at] = new lane::superblock{};
    auto& own = *superblocks[at].load();
    runtime::snapshot::pass_all(io, departed_before[at], own.departed, own.departed_before);
  }
}

/// Reads into a new board. Left out is what no event brings: who was heard of, what was counted.
template <class Io>
void snapshot_fields(Io& io, board& whole) {
  using runtime::snapshot::pass;
  auto& [lock, chunks, lanes, left_over, joined, mode, paused, left, lane_start, active, absent,
         bought, not_bought, base, excused_until, notice_now, meter, accuracy, seats_packed,
         returned_mutex, returned, sides_mutex, admitted, wishes, wish_outcomes, started, notices] =
      whole;
  runtime::snapshot::pass_all(io, left_over, joined, mode, paused, left, lane_start, active, absent,
                              bought, not_bought, base, meter, accuracy, admitted, wishes,
                              wish_outcomes, started);
  if constexpr (Io::reads) {
    auto told = std::make_unique<notice>();
    pass(io, *told);
    notices.push_back(std::move(told));
    notice_now = notices.back().get();
  } else {
    pass(io, *notices.back());
  }
  for (auto& one : lanes) {
    const bool there = runtime::snapshot::detail::pass_flag(io, one.load() != nullptr);
    if constexpr (Io::reads)
      if (there)
        one = new lane{};
    if (there)
      pass(io, *one.load());
  }
  if (joined > slots_max)
    throw runtime::snapshot::unreadable{"a room has too many slots"};
  for (slot_t first = 0; first < joined; first += board::chunk_slots) {
    auto& home = chunks[first / board::chunk_slots];
    if constexpr (Io::reads)
      home = new board::chunk{};
    auto& [nonces, words, seen, tickets] = *home.load();
    for (slot_t at = 0; at < std::min(joined - first, board::chunk_slots); ++at)
      runtime::snapshot::pass_all(io, nonces[at], words[at], seen[at], tickets[at]);
  }
}

} // namespace usher::waiting_room
