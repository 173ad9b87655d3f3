// Long random histories of a room with everything in them: joins in batches with every kind of
// name, code and ticket, polls and silence, holds and purchases, operators, draws, standby, stock.
// After every event: the board shows what the rules hold, nobody live is neither queued nor
// admitted, no limit is passed and nobody present is overtaken; for every stretch with the same
// settings all windows of the rate; and at the end each prefix of the history, told again to a new
// room and a new board, gives the same room and the same board.
//
// It bites: with joins let in past those who wait, with claims put at the back, with a tick that
// counts idle admissions twice as ended, or with a full bucket at each change from OPEN to STANDBY
// (each tried in a copy), histories fail.
#include "tests/rules/waiting_room_world.hpp"

#include <array>
#include <map>

using namespace usher;
using namespace usher::waiting_room;
using namespace usher::waiting_room::test;

namespace {

constexpr std::uint64_t first_code = 5'000;
constexpr std::uint64_t codes_a_tier = 12;

/// Who stands where, kept by the tests' own count: a number a place, tier by tier.
struct standing {
  std::map<slot_t, std::pair<std::uint8_t, std::uint64_t>> places;
  std::uint64_t next = 0;

  void stand(slot_t slot, std::uint8_t tier) { places[slot] = {tier, next++}; }
  void note(const any_event& happened, std::uint8_t general) {
    if (const auto* const came = std::get_if<event::fans_joined>(&happened))
      for (slot_t fan = 0; fan < came->nonces.size(); ++fan)
        stand(came->first + fan, came->tiers.empty() ? general : came->tiers[fan]);
    if (const auto* const moved = std::get_if<event::fan_promoted>(&happened))
      stand(moved->slot, moved->tier);
    if (const auto* const drawn = std::get_if<event::places_drawn>(&happened))
      for (const auto slot : drawn->order)
        stand(slot, places.at(slot).first);
  }
};

std::uint64_t digest_of(const board& seen) {
  std::uint64_t digest = 14'695'981'039'346'656'037U;
  const auto put = [&](std::uint64_t number) { digest = (digest ^ number) * 1'099'511'628'211U; };
  const auto room = seen.room();
  put(static_cast<std::uint64_t>(room.status) << 8U | (room.paused ? 1U : 0U));
  put(static_cast<std::uint64_t>(room.left));
  for (const auto number : {room.waiting, room.absent, room.active, room.joined,
                            seen.ended().bought, seen.ended().others})
    put(number);
  for (slot_t slot = 0; slot < room.joined; ++slot) {
    const auto view = look(seen, slot);
    put(static_cast<std::uint64_t>(view.status) << 32U | view.position);
    put(std::uint64_t{view.ahead} << 32U | view.behind);
    put(std::uint64_t{view.tier} << 32U | view.place);
    put(static_cast<std::uint64_t>(view.until));
    put(id_hash{}(seen.who_is(slot)));
    put(seen.wish_of(slot) ? seen.wish_of(slot)->quantity : 0U);
    put(seen.wish_outcome_of(slot) ? 1U : 0U);
    put(*seen.nonce_of(slot));
  }
  const auto& draw = seen.notices().draw;
  put(draw ? (draw->done ? 2U : 1U) : 0U);
  for (std::size_t tier = 0; draw && tier < draw->tiers.size(); ++tier)
    put(draw->tiers[tier].first_place + std::uint64_t{draw->tiers[tier].count} * 1'000'000U);
  return digest;
}

/// How often each kind of event happened.
using kinds = std::array<std::uint64_t, std::variant_size_v<any_event>>;

class history {
public:
  history(std::mt19937_64& dice, kinds& seen) : dice_{dice}, kinds_{seen} {
    configure();
    open();
  }

  void live(int steps) {
    while (steps-- > 0) {
      step();
      if (in_.room.mode == room_mode::off && chance(50))
        reopen();
    }
    close_stretch();
  }

  /// Every prefix again.
  void replay() const {
    state fold;
    board again;
    for (std::size_t at = 0; at < in_.history.size(); ++at) {
      const auto& [happened, when] = in_.history[at];
      apply(fold, happened, when);
      again.publish(happened, when);
      BOOST_REQUIRE_MESSAGE(digest_of(again) == digests_[at], "the board after event " << at);
      if (const auto kept = rooms_.find(at); kept != rooms_.end())
        BOOST_REQUIRE_MESSAGE(fold == kept->second, "the room after event " << at);
    }
    BOOST_REQUIRE(fold == in_.room);
    BOOST_REQUIRE(again.notices().set == in_.seen->notices().set);
  }

private:
  bool chance(int percent) { return any_of(dice_, 1, 100) <= percent; }
  slot_t any_slot() { return any_of<slot_t>(dice_, 0, in_.room.joined()); }
  slot_t any_of_this_opening() {
    return any_of<slot_t>(dice_, in_.room.lane_start, in_.room.joined());
  }
  slot_t any_admitted() {
    if (in_.room.admissions.empty() || chance(20))
      return any_slot();
    const auto number = any_of<std::size_t>(dice_, 0, in_.room.deadlines.size() - 1);
    return std::next(in_.room.deadlines.begin(), static_cast<std::ptrdiff_t>(number))->second;
  }

  /// What follows from a command, an event at a time, with all that must hold in between.
  void happen(const events& decided) {
    for (const auto& one : decided) {
      standing_.note(one, in_.room.general_tier());
      if (std::holds_alternative<event::room_configured>(one))
        close_stretch();
      in_.happen({one});
      ++kinds_[one.index()];
      if (const auto* const let_in = std::get_if<event::fans_admitted>(&one))
        check_admitted(*let_in);
      if (const auto* const passed = std::get_if<event::fans_passed_over>(&one))
        check_evidence(*passed);
      require_board_shows(in_.room, *in_.seen);
      digests_.push_back(digest_of(*in_.seen));
      if (digests_.size() % 97 == 0)
        rooms_.emplace(digests_.size() - 1, in_.room);
    }
  }
  void accept(const decision& decided) {
    if (const auto* const happened = std::get_if<events>(&decided))
      happen(*happened);
  }

  void check_admitted(const event::fans_admitted& let_in) {
    admitted_.push_back({in_.now, let_in.slots.size()});
    if (in_.room.set.max_active)
      BOOST_REQUIRE_LE(in_.room.active(), *in_.room.set.max_active);
    BOOST_REQUIRE(in_.room.mode == room_mode::standby || in_.room.status() == room_status::open);
    BOOST_REQUIRE(in_.room.left == stock::on_sale);
    auto last = standing_.places.at(let_in.slots.front());
    for (const auto slot : let_in.slots)
      last = std::max(last, standing_.places.at(slot));
    for (const auto& [slot, place] : standing_.places) {
      // Of a batch that enters at once the first come in, whatever the tier of those behind.
      const bool came_with_them = by_join_ && place.second > last.second;
      BOOST_REQUIRE_MESSAGE(in_.status_of(slot) != ticket_status::waiting || place > last ||
                                came_with_them,
                            "slot " << slot << " was overtaken");
    }
  }

  void check_evidence(const event::fans_passed_over& passed) {
    BOOST_REQUIRE_GE(in_.now - in_.room.opened_at, in_.room.set.absent_after_ms);
    for (const auto seen : passed.seen)
      BOOST_REQUIRE_GE(in_.now - seen, in_.room.set.absent_after_ms);
  }

  void close_stretch() {
    BOOST_REQUIRE(keeps_the_promise(admitted_, in_.room.set));
    admitted_.clear();
  }

  // ---- what may happen

  settings any_settings() {
    settings set;
    set.admit_per_second_micro = any_of<std::uint64_t>(dice_, 300'000, 6'000'000);
    set.max_active = chance(80) ? std::optional{any_of<std::uint32_t>(dice_, 0, 12)} : std::nullopt;
    set.max_per_tick =
        chance(40) ? std::optional{any_of<std::uint32_t>(dice_, 1, 4)} : std::nullopt;
    set.tick_ms = any_of<duration_ms>(dice_, 100, 2'000);
    set.admission_ttl_ms = any_of<duration_ms>(dice_, 1'000, 30'000);
    set.max_queue = any_of<std::uint32_t>(dice_, 5, 60);
    set.idle_timeout_ms = chance(50) ? std::optional<duration_ms>{8'000} : std::nullopt;
    set.fixed_length = chance(20);
    set.absent_after_ms = any_of<duration_ms>(dice_, 5'000, 20'000);
    set.claim_ttl_ms = any_of<duration_ms>(dice_, 5'000, 60'000);
    set.reentry_grace_ms = chance(70) ? std::optional<duration_ms>{20'000} : std::nullopt;
    return set;
  }

  void configure() {
    auto set = any_settings();
    set.opens_at = in_.room.set.opens_at;
    set.tiers = in_.room.set.tiers;
    set.prequeue_ms = in_.room.set.prequeue_ms;
    if (in_.room.mode == room_mode::off) {
      set.tiers = {"first", "second"};
      if (chance(50))
        std::swap(set.tiers[0], set.tiers[1]);
    }
    accept(decide(in_.room, command::configure{set, {}, in_.now}));
    if (in_.room.code_batches.empty())
      for (const auto* const tier : {"first", "second"})
        for (const bool single_use : {true, false}) {
          command::add_codes asked{"batch", tier, single_use, {}, {}, {}};
          for (std::uint64_t code = 0; code < (single_use ? codes_a_tier : 1); ++code)
            asked.codes.push_back(who(first_code + next_code_++));
          accept(decide(in_.room, asked));
        }
  }

  void open() {
    command::open asked;
    for (auto& each : draw_participants(in_.room)) {
      std::shuffle(each.begin(), each.end(), dice_);
      asked.order.insert(asked.order.end(), each.begin(), each.end());
    }
    accept(decide(in_.room, asked));
  }

  void reopen() {
    if (chance(50))
      return chance(50) ? open() : accept(decide(in_.room, command::standby{}));
    auto set = in_.room.set;
    set.opens_at = in_.now + 20'000;
    set.prequeue_ms = 15'000;
    set.beacon = chance(50) ? std::optional{beacon_source{"source", "7"}} : std::nullopt;
    accept(decide(in_.room, command::configure{set, {}, in_.now}));
    if (chance(20)) {
      set.opens_at.reset();
      return accept(decide(in_.room, command::configure{set, {}, in_.now}));
    }
    accept(decide(in_.room, command::give_beacon{"value"}));
    if (chance(80))
      accept(decide(in_.room, command::begin_prequeue{}));
  }

  command::joiner any_fan() {
    auto fan = a_fan(chance(60) ? any_of<std::uint64_t>(dice_, 1, 60) : 0,
                     chance(40) ? any_of<std::uint64_t>(dice_, 1'001, 1'040) : 0,
                     chance(15) ? first_code + any_of<std::uint64_t>(dice_, 0, next_code_) : 0);
    fan.nonce = dice_();
    if (in_.room.joined() > 0 && chance(20))
      fan.before = any_of<slot_t>(dice_, 0, in_.room.joined() - 1);
    return fan;
  }

  void join() {
    std::vector<command::joiner> batch(any_of<std::size_t>(dice_, 1, 5));
    std::generate(batch.begin(), batch.end(), [&] { return any_fan(); });
    const auto decided = decide(in_.room, command::join{batch, in_.now});
    BOOST_REQUIRE_EQUAL(decided.outcomes.size(), batch.size());
    by_join_ = true;
    happen(decided.events);
    by_join_ = false;
    for (std::size_t at = 0; at < batch.size(); ++at)
      if (const auto* const got = std::get_if<joined>(&decided.outcomes[at])) {
        BOOST_REQUIRE(got->slot < in_.room.joined());
        in_.seen->heard_of(got->slot, in_.now);
        check_found_again(batch[at], *got);
      }
  }

  /// One person has one live place: whoever has just joined is found by either name.
  void check_found_again(const command::joiner& fan, const joined& got) {
    if (!is_live(in_.status_of(got.slot)))
      return; // merged away later in the same batch
    for (const auto& who_is : {fan.customer, fan.key})
      if (!who_is.is_none())
        BOOST_REQUIRE(in_.room.place_of(who_is).has_value());
  }

  void tick() {
    in_.left = chance(90) ? in_.left : static_cast<stock>(any_of(dice_, 0, 2));
    if (chance(20))
      in_.left = stock::on_sale;
    accept(decide(in_.room,
                  command::tick{in_.now, in_.left, in_.seen->take_returned(), [this](slot_t slot) {
                                  return in_.seen->last_seen(slot, in_.now);
                                }}));
    slots wishing;
    for (const auto& [slot, wanted] : in_.room.wishes)
      wishing.push_back(slot);
    for (const auto slot : wishing)
      if (chance(30))
        accept(decide(in_.room, command::answer_wish{slot, {}, "none"}));
  }

  void buy() {
    const auto slot = any_admitted();
    const auto later = in_.now + any_of<duration_ms>(dice_, 0, 9'000);
    if (chance(50))
      accept(decide(in_.room, command::enter{slot, later, in_.now}));
    else
      accept(decide(in_.room, command::settle{slot, chance(50) ? 0 : later, chance(40), in_.now}));
  }

  void operate() {
    switch (any_of(dice_, 0, 9)) {
    case 0:
      return accept(decide(in_.room, command::close{}));
    case 1:
    case 2:
      return accept(decide(in_.room, command::pause{}));
    case 3:
    case 4:
      return accept(decide(in_.room, command::resume{}));
    case 5:
    case 6:
      return accept(decide(in_.room, command::standby{}));
    case 7:
      return configure();
    default:
      return open();
    }
  }

  void step() {
    in_.now += any_of<duration_ms>(dice_, 0, chance(5) ? 20'000 : 700);
    const auto pick = any_of(dice_, 0, 99);
    if (pick < 30)
      join();
    else if (pick < 60)
      tick();
    else if (pick < 73)
      in_.seen->heard_of(any_of_this_opening(), in_.now);
    else if (pick < 83)
      buy();
    else if (pick < 87)
      accept(
          decide(in_.room, command::leave{any_slot(), chance(30) ? std::optional<std::string>{"why"}
                                                                 : std::nullopt}));
    else if (pick < 94)
      accept(
          decide(in_.room, command::set_wish{any_of_this_opening(),
                                             chance(80) ? std::optional{wish{}} : std::nullopt}));
    else if (pick < 96)
      accept(decide(in_.room, command::answer_wish{any_admitted(), {}, "none"}));
    else
      operate();
  }

  std::mt19937_64& dice_;
  kinds& kinds_;
  world in_;
  standing standing_;
  record admitted_;
  bool by_join_ = false; ///< what happens now follows from a join
  std::uint64_t next_code_ = 0;
  std::vector<std::uint64_t> digests_; ///< of the board, an event each
  std::map<std::size_t, state> rooms_; ///< some of the states, by event
};

} // namespace

BOOST_AUTO_TEST_CASE(long_histories_keep_every_promise_and_can_be_told_again) {
  std::mt19937_64 dice{seed()};
  kinds seen{};
  for (int round = 0; round < 40; ++round) {
    history one{dice, seen};
    one.live(1'500);
    one.replay();
  }
  for (std::size_t kind = 0; kind < seen.size();
       ++kind) { // histories in which little happens prove little
    BOOST_TEST_MESSAGE("event " << kind << ": " << seen[kind]);
    const bool only_readers = kind == any_event{event::message_set{}}.index();
    BOOST_TEST((seen[kind] >= 3 || only_readers), "event " << kind << " happened too seldom");
  }
}
