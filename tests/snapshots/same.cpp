#include "tests/snapshots/same.hpp"

#include <tuple>

namespace usher::test {

namespace {

namespace wr = waiting_room;

auto parts(const wr::ticket_view& seen) {
  return std::tuple{seen.status, seen.slot, seen.position, seen.ahead,
                    seen.behind, seen.tier, seen.place,    seen.until};
}

auto parts(const wr::room_view& seen) {
  return std::tuple{seen.status, seen.paused, seen.left,  seen.waiting,
                    seen.absent, seen.active, seen.joined};
}

bool same_draw(const wr::draw_notice& one, const wr::draw_notice& other) {
  const auto parts = [](const wr::draw_notice& draw) {
    return std::tie(draw.commitment, draw.source, draw.beacon, draw.done, draw.seed, draw.drawn_at);
  };
  return parts(one) == parts(other) &&
         std::equal(one.tiers.begin(), one.tiers.end(), other.tiers.begin(), other.tiers.end(),
                    [](const auto& a, const auto& b) {
                      return std::tie(a.name, a.first_place, a.count, a.tickets) ==
                             std::tie(b.name, b.first_place, b.count, b.tickets);
                    });
}

bool same_notice(const wr::notice& one, const wr::notice& other) {
  return one.set == other.set && one.message == other.message &&
         (one.draw == nullptr) == (other.draw == nullptr) &&
         (one.draw == nullptr || same_draw(*one.draw, *other.draw));
}

bool same_outcome(const std::optional<wr::wish_outcome>& one,
                  const std::optional<wr::wish_outcome>& other) {
  return one.has_value() == other.has_value() &&
         (!one || (one->hold == other->hold && one->reason == other->reason));
}

std::string slot_difference(const wr::board& one, const wr::board& other, slot_t slot,
                            time_ms now) {
  if (one.nonce_of(slot) != other.nonce_of(slot))
    return "nonce";
  const auto nonce = *one.nonce_of(slot);
  if (parts(one.look(slot, nonce)) != parts(other.look(slot, nonce)))
    return "look";
  if (one.last_seen(slot, now) != other.last_seen(slot, now))
    return "last seen";
  if (one.who_is(slot) != other.who_is(slot))
    return "who";
  if (one.deadline_of_admission(slot) != other.deadline_of_admission(slot))
    return "deadline";
  if (one.wish_of(slot) != other.wish_of(slot))
    return "wish";
  return same_outcome(one.wish_outcome_of(slot), other.wish_outcome_of(slot)) ? "" : "outcome";
}

std::string board_difference(const wr::board& one, const wr::board& other, time_ms now) {
  if (parts(one.room()) != parts(other.room()))
    return "room";
  if (!same_notice(one.notices(), other.notices()))
    return "notice";
  if (one.admissions_per_second_micro(now) != other.admissions_per_second_micro(now))
    return "pace";
  if (one.ended().bought != other.ended().bought || one.ended().others != other.ended().others)
    return "outcomes";
  for (std::size_t bucket = 0; bucket <= wr::eta_accuracy::bounds_percent.size(); ++bucket)
    if (one.accuracy().count(bucket) != other.accuracy().count(bucket))
      return "accuracy";
  if (one.accuracy().sum_of_ratios() != other.accuracy().sum_of_ratios())
    return "sum of ratios";
  for (slot_t slot = 0; slot < one.room().joined; ++slot)
    if (auto found = slot_difference(one, other, slot, now); !found.empty())
      return "slot " + std::to_string(slot) + ": " + found;
  return {};
}

std::string room_difference(const wr::state& one, const wr::state& other) {
  if (!(one == other))
    return "state";
  // What == of a room does not compare.
  if (one.seconds != other.seconds)
    return "seconds";
  if (one.chance_deadlines != other.chance_deadlines)
    return "chances";
  return one.index.bytes_used() == other.index.bytes_used() ? "" : "index";
}

std::string block_difference(const runtime::recovered_block& one,
                             const runtime::recovered_block& other) {
  if (!(one.block == other.block))
    return "state";
  const auto& a = *one.board;
  const auto& b = *other.board;
  if (a.version() != b.version() || a.as_of_ms() != b.as_of_ms() || !(a.count() == b.count()) ||
      a.seats()->ids() != b.seats()->ids())
    return "board";
  for (std::size_t seat = 0; seat < a.seats()->ids().size(); ++seat)
    for (const auto now : {time_ms{0}, a.as_of_ms(), a.as_of_ms() + 2'000, a.as_of_ms() + 5'000})
      if (a.seats()->at(seat) != b.seats()->at(seat) ||
          a.seats()->is_free(seat, now) != b.seats()->is_free(seat, now))
        return "seat " + a.seats()->ids()[seat];
  return {};
}

std::string show_difference(const runtime::recovered_show& one,
                            const runtime::recovered_show& other, time_ms now) {
  if (auto found = room_difference(one.room, other.room); !found.empty())
    return "room: " + found;
  if (!(one.desk == other.desk))
    return "desk";
  if (auto found = board_difference(*one.room_board, *other.room_board, now); !found.empty())
    return "board: " + found;
  if (one.blocks.size() != other.blocks.size())
    return "blocks";
  for (const auto& [id, block] : one.blocks) {
    if (!other.blocks.contains(id))
      return "blocks";
    if (auto found = block_difference(block, other.blocks.at(id)); !found.empty())
      return "block " + id + ": " + found;
  }
  return {};
}

} // namespace

std::string difference(const runtime::recovered& one, const runtime::recovered& other, time_ms now,
                       const show_id* only) {
  if (!(one.directory == other.directory))
    return "directory";
  if (!(one.cashier == other.cashier))
    return "cashier";
  if (one.keys != other.keys)
    return "keys";
  if (one.breakers != other.breakers)
    return "breakers";
  if (one.last_at != other.last_at)
    return "time";
  if (one.shows.size() != other.shows.size())
    return "shows";
  for (const auto& [id, show] : one.shows) {
    if (!other.shows.contains(id))
      return "shows";
    if (only != nullptr && id != *only)
      continue;
    if (auto found = show_difference(show, other.shows.at(id), now); !found.empty())
      return "show " + id + ": " + found;
  }
  return {};
}

} // namespace usher::test
