#include "actors/waiting_room/rules.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

// What operators may do, and what the clock does in their stead.
namespace usher::waiting_room {
namespace {

using events = std::vector<any_event>;

template <class... Events>
decision these(Events... happened) {
  events all;
  all.reserve(sizeof...(happened));
  (all.emplace_back(std::move(happened)), ...);
  return all;
}

bool fans_may_be_in(room_mode mode) {
  return mode == room_mode::prequeue || mode == room_mode::open || mode == room_mode::standby;
}

bool has_tier(const settings& set, const std::string& name) {
  return std::find(set.tiers.begin(), set.tiers.end(), name) != set.tiers.end();
}

bool is_same(const code_batch& known, const command::add_codes& asked) {
  return known.tier == asked.tier && known.single_use == asked.single_use &&
         known.valid_from == asked.valid_from && known.valid_until == asked.valid_until;
}

std::optional<rejection> refusal_of(const state& room, const command::configure& asked) {
  const auto& was = room.set;
  const auto& to = asked.to;
  if (to.opens_at && to.opens_at != was.opens_at && *to.opens_at < asked.now)
    return rejection::opens_at_past;
  if (fans_may_be_in(room.mode)) {
    // A prequeue may be moved, but not called off; who opened already has no opening ahead, and may
    // only forget the one it had.
    const bool opening_fixed = room.mode == room_mode::prequeue
                                   ? !to.opens_at
                                   : to.opens_at && to.opens_at != was.opens_at;
    if (opening_fixed || to.tiers != was.tiers || to.beacon != was.beacon)
      return rejection::room_running;
  }
  for (const auto& batch : room.code_batches)
    if (!has_tier(to, batch.tier))
      return rejection::tier_in_use;
  return std::nullopt;
}

} // namespace

decision decide(const state& room, const command::configure& asked) {
  if (asked.to == room.set)
    return these();
  if (const auto no = refusal_of(room, asked))
    return *no;
  event::room_configured configured{asked.to, room.set};
  const bool scheduled = room.mode == room_mode::scheduled;
  if (scheduled && !asked.to.opens_at)
    return these(std::move(configured), event::room_unscheduled{});
  const bool begins = room.mode == room_mode::off && asked.to.opens_at;
  if (begins || (scheduled && asked.to.beacon != room.set.beacon))
    return these(std::move(configured), event::room_scheduled{asked.commitment});
  return these(std::move(configured));
}

decision decide(const state& room, const command::open& asked) {
  switch (room.mode) {
  case room_mode::off:
  case room_mode::standby:
    return these(event::room_opened{});
  case room_mode::scheduled:
  case room_mode::prequeue:
    return these(event::places_drawn{asked.seed, room.beacon, asked.order}, event::room_opened{});
  case room_mode::open:
    break;
  }
  return room.paused ? these(event::room_resumed{}) : these();
}

decision decide(const state& room, const command::close&) {
  return room.mode == room_mode::off ? these() : these(event::room_closed{});
}

decision decide(const state& room, const command::pause&) {
  if (room.mode != room_mode::open || room.status() == room_status::ended)
    return rejection::not_open;
  return room.paused ? these() : these(event::room_paused{});
}

decision decide(const state& room, const command::resume&) {
  if (room.mode != room_mode::open)
    return rejection::not_open;
  return room.paused ? these(event::room_resumed{}) : these();
}

decision decide(const state& room, const command::standby&) {
  const auto status = room.status();
  if (status == room_status::standby)
    return these();
  if (status != room_status::off && status != room_status::open)
    return rejection::not_open;
  return these(event::room_put_on_standby{});
}

decision decide(const state& room, const command::begin_prequeue&) {
  return room.mode == room_mode::scheduled ? these(event::prequeue_opened{}) : these();
}

decision decide(const state& room, const command::give_beacon& asked) {
  const bool ahead = room.mode == room_mode::scheduled || room.mode == room_mode::prequeue;
  if (!ahead || !room.set.beacon || asked.value.empty())
    return rejection::no_draw;
  if (room.beacon.empty())
    return these(event::beacon_given{asked.value});
  return room.beacon == asked.value ? these() : decision{rejection::beacon_fixed};
}

decision decide(const state&, const command::set_message& asked) {
  return these(event::message_set{asked.texts});
}

decision decide(const state& room, const command::add_codes& asked) {
  if (!has_tier(room.set, asked.tier))
    return rejection::tier_unknown;
  event::codes_added added{asked.batch,      asked.tier,        asked.single_use,
                           asked.valid_from, asked.valid_until, {}};
  std::unordered_set<identity, id_hash> seen;
  for (const auto& code : asked.codes) {
    const auto known = room.codes.find(code);
    if (known == room.codes.end() && seen.insert(code).second)
      added.codes.push_back(code);
    else if (known != room.codes.end() && !is_same(room.code_batches[known->second.batch], asked))
      return rejection::code_exists;
  }
  if (added.codes.size() > codes_max - room.codes.size())
    return rejection::too_many_codes;
  return added.codes.empty() ? these() : these(std::move(added));
}

} // namespace usher::waiting_room
