#include "tests/snapshots/room_walk.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <optional>
#include <string>

namespace usher::test {

namespace {

namespace wr = waiting_room;
namespace ask = waiting_room::command;

identity who(std::uint64_t number) {
  identity made;
  std::memcpy(made.bytes.data(), &number, sizeof number);
  return made;
}

constexpr std::uint64_t first_code = 5'000;

/// Keys that fall into one of the index's tables, so that it grows (identity_index.cpp, `spread`).
const std::vector<std::uint64_t>& crowded_keys() {
  static const auto keys = [] {
    std::vector<std::uint64_t> found;
    for (std::uint64_t number = 100'000; found.size() < 40; ++number)
      if (number * 0x9e37'79b9'7f4a'7c15ULL >> 56U == 0)
        found.push_back(number);
    return found;
  }();
  return keys;
}

} // namespace

room_walk::room_walk(std::uint64_t seed) : dice_{seed} {
  configure();
  open();
}

void room_walk::go(int steps) {
  while (steps-- > 0)
    step();
}

void room_walk::step() {
  now_ += static_cast<duration_ms>(below(one_in(20) ? 20'000 : 700));
  if (const auto due = wr::next_step(room_); due && due->at <= now_) {
    if (due->what == wr::step_due::kind::prequeue)
      accept(wr::decide(room_, ask::begin_prequeue{}));
    else
      open();
  }
  const auto pick = below(100);
  if (pick < 30)
    join();
  else if (pick < 65)
    tick();
  else if (pick < 77)
    buy();
  else if (pick < 82)
    accept(wr::decide(
        room_,
        ask::leave{some_slot(), one_in(3) ? std::optional<std::string>{"a robot"} : std::nullopt}));
  else if (pick < 92)
    accept(wr::decide(
        room_, ask::set_wish{some_slot(),
                             one_in(5) ? std::nullopt
                                       : std::optional{wr::wish{"stalls", "A", 2, 1, 5'000}}}));
  else
    operate();
}

void room_walk::join() {
  std::vector<ask::joiner> fans(1 + below(5));
  for (auto& fan : fans) {
    fan.nonce = dice_();
    if (one_in(2))
      fan.customer = who(1 + below(60));
    if (one_in(2))
      fan.key = who(crowded_keys()[below(40)]);
    if (one_in(6))
      fan.code = who(first_code + below(codes_ + 1));
    if (room_.joined() > 0 && one_in(4))
      fan.before = some_slot();
  }
  happen(wr::decide(room_, ask::join{fans, now_}).events);
}

void room_walk::tick() {
  const auto left = one_in(10) ? static_cast<wr::stock>(below(3)) : wr::stock::on_sale;
  // Who was passed over comes back now and then, and some are never heard of.
  std::vector<ask::heard_of> back;
  for (const auto& [until, slot] : room_.claim_deadlines)
    if (one_in(3))
      back.push_back({slot, now_});
  std::sort(back.begin(), back.end(), [](const auto& a, const auto& b) { return a.slot < b.slot; });
  accept(wr::decide(room_, ask::tick{now_, left, std::move(back), [this](slot_t slot) {
                                       return slot % 4 == 0 ? now_ - 30'000 : now_;
                                     }}));
  std::vector<slot_t> wishing;
  for (const auto& [until, slot] : room_.deadlines)
    if (room_.wishes.contains(slot) && one_in(3))
      wishing.push_back(slot);
  for (const auto slot : wishing)
    accept(wr::decide(room_, ask::answer_wish{slot, one_in(2) ? a_hold() : hold_id{}, "none"}));
}

void room_walk::buy() {
  const auto slot = some_admitted();
  const auto later = now_ + static_cast<duration_ms>(below(9'000));
  if (one_in(2))
    accept(wr::decide(room_, ask::enter{slot, later, now_}));
  else
    accept(wr::decide(room_, ask::settle{slot, one_in(2) ? 0 : later, one_in(2), now_}));
}

void room_walk::operate() {
  switch (below(16)) {
  case 0:
  case 1:
    accept(wr::decide(room_, ask::close{}));
    return schedule();
  case 2:
  case 3:
    return accept(wr::decide(room_, ask::pause{}));
  case 4:
  case 5:
  case 6:
    return accept(wr::decide(room_, ask::resume{}));
  case 7:
  case 8:
    return accept(wr::decide(room_, ask::standby{}));
  case 9:
    return configure();
  case 10:
    return accept(wr::decide(room_, ask::give_beacon{"value"}));
  case 11:
    return accept(wr::decide(room_, ask::set_message{{{"en", "Hello."}, {"pt", "Oi."}}}));
  default:
    return open();
  }
}

void room_walk::configure() {
  const auto commitment = some_bytes();
  wr::settings set = room_.set;
  set.admit_per_second_micro = 300'000 + below(3'000'000);
  set.max_active = one_in(5) ? std::nullopt : std::optional{static_cast<std::uint32_t>(below(12))};
  set.max_per_tick =
      one_in(2) ? std::nullopt : std::optional{static_cast<std::uint32_t>(1 + below(4))};
  set.admission_ttl_ms = static_cast<duration_ms>(1'000 + below(30'000));
  set.max_queue = static_cast<std::uint32_t>(20 + below(60));
  set.idle_timeout_ms = one_in(2) ? std::nullopt : std::optional<duration_ms>{8'000};
  set.fixed_length = one_in(5);
  set.absent_after_ms = 10'000;
  set.claim_ttl_ms = 20'000;
  set.reentry_grace_ms = one_in(3) ? std::nullopt : std::optional<duration_ms>{20'000};
  if (room_.mode == wr::room_mode::off)
    set.tiers = {"first", "second"};
  accept(wr::decide(room_, ask::configure{set, commitment, now_}));
  for (const bool single_use : {true, false}) {
    ask::add_codes asked{"batch", "first", single_use, {}, {}, {}};
    if (!single_use) {
      asked.tier = "second";
      asked.valid_from = now_;
      asked.valid_until = now_ + 600'000;
    }
    for (int code = 0; code < 4; ++code)
      asked.codes.push_back(who(first_code + codes_++));
    accept(wr::decide(room_, asked));
  }
}

void room_walk::open() {
  ask::open asked;
  asked.seed[0] = static_cast<std::uint8_t>(below(256));
  for (auto& each : wr::draw_participants(room_)) {
    std::shuffle(each.begin(), each.end(), dice_);
    asked.order.insert(asked.order.end(), each.begin(), each.end());
  }
  accept(wr::decide(room_, asked));
}

/// Ahead lies an opening with a draw.
void room_walk::schedule() {
  const auto commitment = some_bytes();
  auto set = room_.set;
  set.opens_at = now_ + 20'000;
  set.prequeue_ms = 15'000;
  set.beacon = one_in(3) ? std::nullopt : std::optional{wr::beacon_source{"source", "7"}};
  accept(wr::decide(room_, ask::configure{set, commitment, now_}));
  if (one_in(6)) {
    set.opens_at.reset();
    return accept(wr::decide(room_, ask::configure{set, commitment, now_}));
  }
  accept(wr::decide(room_, ask::give_beacon{"value"}));
  if (!one_in(4))
    accept(wr::decide(room_, ask::begin_prequeue{}));
}

void room_walk::accept(const wr::decision& decided) {
  if (const auto* events = std::get_if<std::vector<wr::any_event>>(&decided))
    happen(*events);
}

void room_walk::happen(const std::vector<wr::any_event>& events) {
  for (const auto& one : events) {
    wr::apply(room_, one, now_);
    happened_.emplace_back(now_, one);
  }
}

wr::bytes32 room_walk::some_bytes() {
  wr::bytes32 made{};
  made[0] = static_cast<std::uint8_t>(1 + below(255));
  return made;
}

hold_id room_walk::a_hold() {
  hold_id made;
  static_cast<id128&>(made) = who(dice_());
  return made;
}

slot_t room_walk::some_slot() {
  const auto first = one_in(4) ? slot_t{0} : room_.lane_start;
  return first + static_cast<slot_t>(below(room_.joined() - first + 1));
}

slot_t room_walk::some_admitted() {
  if (room_.deadlines.empty() || one_in(5))
    return some_slot();
  return std::next(room_.deadlines.begin(),
                   static_cast<std::ptrdiff_t>(below(room_.deadlines.size())))
      ->second;
}

} // namespace usher::test
