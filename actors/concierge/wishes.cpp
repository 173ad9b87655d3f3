#include "actors/concierge/wishes.hpp"

#include "actors/runtime/draw.hpp"
#include "actors/runtime/random_id.hpp"

#include <caf/send.hpp>

#include <algorithm>
#include <utility>

namespace usher::concierge {

namespace {

const storage::cause by_itself{"", "usher"};

/// The admission takes the key's place: its fan and when it began.
orders::idempotency key_of(const show_id& show, slot_t slot, time_ms since) {
  const auto digest = runtime::draw_seed({}, "wish/" + show + "/" + std::to_string(since), slot);
  orders::idempotency made;
  std::copy_n(digest.begin(), made.key.bytes.size(), made.key.bytes.begin());
  return made;
}

bool is_area(const shows::description& show, const block_id& id) {
  return show.plan && std::ranges::any_of(show.plan->blocks, [&](const shows::block& one) {
           return one.id == id && one.capacity > 0;
         });
}

std::variant<shows::best_ask, area_ask> ask_of(const waiting_room::wish& wanted,
                                               const shows::description& show) {
  if (is_area(show, wanted.block))
    return area_ask{wanted.block, wanted.quantity};
  shows::best_ask ask;
  ask.avoid_orphans = show.holds.avoid_orphans;
  ask.quantity = wanted.quantity;
  ask.block = wanted.block;
  if (!wanted.category.empty())
    ask.categories = {wanted.category};
  ask.accessible = wanted.accessible;
  ask.price_max_minor = wanted.price_max_minor;
  return ask;
}

void answer_wish(const waiting_room::actor& room, slot_t slot, const orders::answer& got) {
  auto told = std::make_shared<waiting_room::operate>();
  waiting_room::command::answer_wish what{slot, {}, {}};
  if (const auto* held = std::get_if<orders::hold_view>(&got.result))
    what.hold = held->id;
  else
    what.reason = reason_of(got);
  told->what = std::move(what);
  told->cause = by_itself;
  told->done = [](std::optional<waiting_room::rejection>) {};
  caf::anon_send(room, std::move(told));
}

} // namespace

std::string_view reason_of(const orders::answer& no) {
  if (const auto* seats = std::get_if<seating::refusal>(&no.result))
    return seats->empty() ? "no-seats-match" : "seats-taken";
  if (const auto* why = std::get_if<orders::rejection>(&no.result))
    return to_string(*why);
  return "not-admitted";
}

waiting_room::wish_taker wish_taker_of(const shows::registry* shows, show_id show, actor chooses) {
  return [shows, show = std::move(show), chooses = std::move(chooses)](
             slot_t slot, const waiting_room::wish& wanted, time_ms since) {
    const auto* const entry = shows->find(show);
    if (entry == nullptr) // its room is open before it is published: nothing is sold yet
      return;
    const auto now = entry->now();
    auto asked = std::make_shared<request>();
    asked->ask = ask_of(wanted, now->what);
    orders::command::place_hold hold;
    hold.hold = runtime::random_id<hold_id>();
    hold.owner = slot;
    hold.currency = now->what.currency;
    hold.ttl_ms = now->what.holds.ttl_ms;
    hold.max_seats = now->what.holds.max_seats;
    hold.customer = entry->board->who_is(slot);
    hold.max_seats_per_customer = now->what.holds.max_seats_per_customer;
    hold.asked = key_of(show, slot, since);
    asked->wanted = std::move(hold);
    asked->cause = by_itself;
    asked->done = [room = entry->room, slot](const orders::answer& got) {
      answer_wish(room, slot, got);
    };
    caf::anon_send(chooses, std::move(asked));
  };
}

} // namespace usher::concierge
