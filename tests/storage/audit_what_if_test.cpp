// `usher audit what-if`: small openings that can be reckoned by hand; and openings that the real
// rules of the waiting room made, at random, which the simulation has to repeat to the millisecond
// under their own settings. That this can fail is shown by other settings: they give other times.
// USHER_SEED repeats a run.

#include "actors/waiting_room/rules.hpp"
#include "storage/audit/draw.hpp"
#include "storage/audit/what_if.hpp"
#include "tests/storage/audit_command_line.hpp"
#include "tests/storage/audit_payment_script.hpp"
#include "tests/storage/audit_room_script.hpp"

#include <map>
#include <random>
#include <set>

using namespace usher;
using namespace usher::storage;
using namespace usher::storage::test;

namespace {

namespace wr = waiting_room;

waiting_room::settings plain_settings() {
  auto set = settings(); // ten a second, a tick a second, admissions of five minutes
  set.max_active.reset();
  set.max_per_tick.reset();
  return set;
}

/// The room opens at 0 and a hundred fans come 10 ms later; nobody was admitted yet.
script a_backlog(const waiting_room::settings& set = plain_settings()) {
  return {{directory(0, created(0, "s"))},
          {queue(0, configured(set)), queue(0, room_event::room_opened{})},
          {queue(10, joined(0, 100))}};
}

audit::what_if_report asked(const script& what, const audit::changes& other = {}) {
  memory_log log;
  write(log, what);
  return must(audit::what_if(log, "s", other));
}

duration_ms wait_at(const audit::figures& it, unsigned hundredths) {
  return it.wait_at(hundredths).value_or(-1);
}

audit::changes rate(std::uint64_t fans_per_second) {
  audit::changes other;
  other.admit_per_second_micro = fans_per_second * 1'000'000;
  return other;
}

} // namespace

// ---- by hand

// Ten at each tick, the first a second after the opening.
BOOST_AUTO_TEST_CASE(a_backlog_goes_in_at_the_rate) {
  const auto it = asked(a_backlog()).other;
  BOOST_TEST(it.fans == 100U);
  BOOST_TEST(it.waits.size() == 100U);
  BOOST_TEST(wait_at(it, 1) == 990);
  BOOST_TEST(wait_at(it, 10) == 990);
  BOOST_TEST(wait_at(it, 11) == 1990);
  BOOST_TEST(wait_at(it, 50) == 4990);
  BOOST_TEST(wait_at(it, 75) == 7990);
  BOOST_TEST(wait_at(it, 100) == 9990);
  BOOST_TEST(it.last_admission.value() == 10'000);
  BOOST_TEST(it.active_most == 100U);
  BOOST_TEST((it.admitted_by_minute == audit::by_minute{100}));
}

BOOST_AUTO_TEST_CASE(twice_the_rate_halves_the_waits_of_a_backlog) {
  const auto found = asked(a_backlog(), rate(20));
  BOOST_TEST(found.as_logged.last_admission.value() == 10'000);
  BOOST_TEST(found.other.last_admission.value() == 5'000);
  BOOST_TEST(wait_at(found.other, 50) == 2'990);
  BOOST_TEST(wait_at(found.other, 100) == 4'990);
}

// Half a fan a second: one at the second tick, the fourth and so on.
BOOST_AUTO_TEST_CASE(a_rate_may_be_a_fraction) {
  audit::changes half;
  half.admit_per_second_micro = 500'000;
  const auto it = asked(a_backlog(), half).other;
  BOOST_TEST(wait_at(it, 1) == 1'990);
  BOOST_TEST(wait_at(it, 100) == 199'990);
}

BOOST_AUTO_TEST_CASE(capacity_is_a_bound_and_places_come_free_with_time) {
  audit::changes five;
  five.max_active = audit::new_limit{5};
  five.admission_ttl_ms = 10'000;
  const auto it = asked(a_backlog(), five).other;
  BOOST_TEST(it.active_most == 5U);
  BOOST_TEST(wait_at(it, 5) == 990);
  BOOST_TEST(wait_at(it, 6) == 10'990); // when the first five are over
  BOOST_TEST(wait_at(it, 100) == 190'990);
  five.max_active = audit::new_limit{0};
  BOOST_TEST(asked(a_backlog(), five).other.waits.empty());
}

BOOST_AUTO_TEST_CASE(the_ramp_is_a_bound) {
  audit::changes ramp;
  ramp.max_per_tick = audit::new_limit{4};
  const auto it = asked(a_backlog(), ramp).other;
  BOOST_TEST(wait_at(it, 4) == 990);
  BOOST_TEST(wait_at(it, 5) == 1'990);
  BOOST_TEST(it.last_admission.value() == 25'000);
}

BOOST_AUTO_TEST_CASE(a_rate_of_nothing_admits_nobody_and_ends) {
  const auto it = asked(a_backlog(), rate(0)).other;
  BOOST_TEST(it.waits.empty());
  BOOST_TEST(!it.wait_at(50));
}

namespace {

/// Six seats, ten fans, two of whom are in at once: fan 0 holds two seats from 2 s and has bought
/// them at 5 s, fan 1 likewise at 6 s.
script six_seats() {
  auto set = plain_settings();
  set.max_active = 2;
  const auto buys = [](std::uint8_t number, const std::vector<seat_id>& seats, time_ms later) {
    return script{
        holding(number, static_cast<slot_t>(number - 1), seats, 2000),
        {desk(2500, ordered(number, static_cast<slot_t>(number - 1), number, 2, 2500))},
        {desk(3000, started(number, number))},
        {desk(later, settled(number, number, payment_outcome::approved)), desk(later, paid(number)),
         block(later, seat_event::seats_sold{hold_no(number), order_no(number), seats}),
         ended(later, waiting_room::end_reason::used, {static_cast<slot_t>(number - 1)})}};
  };
  return script{{directory(0, created(0, "s")),
                 block(0, seat_event::block_planned{{"A-1", "A-2", "A-3", "A-4", "A-5", "A-6"}})},
                {queue(0, configured(set)), queue(0, room_event::room_opened{})},
                {queue(10, joined(0, 10))},
                {queue(1000, admitted({0, 1}, 1000))}} +
         buys(1, {"A-1", "A-2"}, 5000) + buys(2, {"A-3", "A-4"}, 6000);
}

} // namespace

// All ten are in at 1 s, and at 2 s each wants two seats: there are six. The eight who were never
// in do what fans 0 and 1 did, in turn, so that the third buyer has bought at 5 s.
BOOST_AUTO_TEST_CASE(seats_run_out) {
  audit::changes open;
  open.max_active = audit::new_limit{};
  const auto found = asked(six_seats(), open);
  BOOST_TEST(found.has_seats);
  BOOST_TEST(found.other.waits.size() == 10U);
  BOOST_TEST(found.other.active_most == 10U);
  BOOST_TEST(found.other.sold == 6U);
  BOOST_TEST(found.holds_refused == 7U);
  BOOST_TEST(found.other.sold_out_after.value() == 6'000);
  BOOST_TEST((found.other.sold_by_minute == audit::by_minute{6}));
  // Two at once: the third is in when the first has bought, at 5 s, and has bought at 9 s.
  BOOST_TEST(found.as_logged.sold_out_after.value() == 9'000);
  BOOST_TEST(found.as_logged.active_most == 2U);
}

BOOST_AUTO_TEST_CASE(what_really_happened_stands_beside) {
  const auto found = asked(six_seats());
  BOOST_TEST(found.as_it_was.fans == 10U);
  BOOST_TEST(found.as_it_was.waits.size() == 2U);
  BOOST_TEST(wait_at(found.as_it_was, 100) == 990);
  BOOST_TEST(found.as_it_was.sold == 4U);
  BOOST_TEST(found.as_it_was.active_most == 2U);
  BOOST_TEST(!found.as_it_was.sold_out_after);
  BOOST_TEST(found.off.fans == 2U);
  BOOST_TEST(found.off.most == 0);
}

// A seat over the counter at 1.5 s, one taken off sale at 1.7 s: four are left for the fans.
BOOST_AUTO_TEST_CASE(seats_that_operators_take_are_not_there) {
  audit::changes open;
  open.max_active = audit::new_limit{};
  auto what = six_seats();
  const script counter{counter_sale(9, 9, {"A-5"}, 1500), {blocking({"A-6"}, 1700)}};
  what.insert(what.begin() + 4, counter.begin(), counter.end());
  const auto found = asked(what, open);
  BOOST_TEST(found.other.sold == 4U);
  BOOST_TEST(found.holds_refused == 8U);
}

BOOST_AUTO_TEST_CASE(who_left_before_their_turn_is_not_waited_for) {
  auto what = a_backlog();
  what.push_back({ended(500, waiting_room::end_reason::left, {0, 1, 2, 3, 4})});
  const auto it = asked(what).other;
  BOOST_TEST(it.waits.size() == 95U);
  BOOST_TEST(wait_at(it, 100) == 9'990);
  what = a_backlog();
  what.push_back({ended(9'500, waiting_room::end_reason::left, {0, 99})});
  // Fan 0 is in at 1 s and would not have left; fan 99 has, before the tick at 10 s.
  BOOST_TEST(asked(what).other.waits.size() == 99U);
}

BOOST_AUTO_TEST_CASE(the_last_opening_that_anybody_came_to_is_taken) {
  auto what = a_backlog();
  what.push_back({queue(20'000, room_event::room_closed{})});
  what.push_back({queue(30'000, room_event::room_opened{})});
  BOOST_TEST(asked(what).opened_at == start_ms);
  what.push_back({queue(30'010, joined(100, 7))});
  const auto found = asked(what);
  BOOST_TEST(found.opened_at == start_ms + 30'000);
  BOOST_TEST(found.other.fans == 7U);
}

BOOST_AUTO_TEST_CASE(a_pause_of_the_operators_is_kept) {
  auto what = a_backlog();
  what.push_back({queue(2'500, room_event::room_paused{})});
  what.push_back({queue(12'500, room_event::room_resumed{})});
  const auto it = asked(what).other;
  BOOST_TEST(wait_at(it, 20) == 1'990);
  BOOST_TEST(wait_at(it, 21) == 12'990);
}

// ---- against the real rules

namespace {

/// Fans come, leave, fall silent, come back, buy or let their time run out, at steps of 250 ms; the
/// room ticks every second after it opened.
class real_room {
public:
  explicit real_room(std::uint64_t seed) : random_{seed} {
    write(log_, {{directory(0, created(0, "s"))}});
    auto set = plain_settings();
    set.admit_per_second_micro = 500'000 + below(4) * 1'250'000;
    set.max_active = one_in(3) ? std::nullopt : std::optional{4 + below(12)};
    set.max_per_tick = one_in(2) ? std::nullopt : std::optional{1 + below(5)};
    set.admission_ttl_ms = 5'000 + 1'000 * below(20);
    set.absent_after_ms = 4'000;
    set.claim_ttl_ms = 8'000;
    set.opens_at = start_ms + 20'000;
    set.prequeue_ms = 15'000;
    decided(wr::decide(room_, wr::command::configure{set, {}, now_}));
  }

  void go() {
    for (; now_ < start_ms + 150'000; now_ += 250)
      step();
    room_ticks_ = false;
  }

  [[nodiscard]] const memory_log& log() const { return log_; }

private:
  std::uint32_t below(std::uint32_t bound) {
    return std::uniform_int_distribution<std::uint32_t>{0, bound - 1}(random_);
  }
  [[nodiscard]] bool one_in(std::uint32_t many) { return below(many) == 0; }

  void decided(const wr::decision& what) {
    const auto* events = std::get_if<std::vector<wr::any_event>>(&what);
    if (events == nullptr)
      return;
    for (const auto& e : *events)
      happened(e);
  }

  void happened(const wr::any_event& e) {
    wr::apply(room_, e, now_);
    must_append(log_, {queue(now_ - start_ms, e).what});
    if (const auto* in = std::get_if<wr::event::fans_admitted>(&e))
      for (const auto slot : in->slots)
        plan_visit(slot);
  }

  void plan_visit(slot_t slot) {
    const auto span = 1'000 + 250 * static_cast<duration_ms>(below(40));
    if (!one_in(3))
      ends_.emplace(now_ + span, slot);
  }

  void step() {
    const auto due = wr::next_step(room_);
    if (due && due->at <= now_)
      clock_step(due->what == wr::step_due::kind::prequeue);
    if (now_ < start_ms + 80'000 && one_in(2))
      join();
    leave();
    for (; !ends_.empty() && ends_.begin()->first <= now_; ends_.erase(ends_.begin()))
      finish(ends_.begin()->second);
    if (room_ticks_ && (now_ - opened_at_) % 1'000 == 0 && now_ > opened_at_)
      tick();
  }

  void clock_step(bool prequeue) {
    if (prequeue)
      return decided(wr::decide(room_, wr::command::begin_prequeue{}));
    const wr::bytes32 seed{7};
    decided(
        wr::decide(room_, wr::command::open{seed, audit::drawn_order(wr::draw_participants(room_),
                                                                     seed, room_.beacon)}));
    opened_at_ = now_;
    room_ticks_ = true;
  }

  void join() {
    wr::command::join asked{{}, now_};
    for (auto fans = 1 + below(6); fans > 0; --fans)
      asked.fans.emplace_back().nonce = below(1000);
    auto result = wr::decide(room_, asked);
    for (const auto& e : result.events)
      happened(e);
  }

  void leave() {
    if (room_.joined() == 0 || !one_in(6))
      return;
    const auto slot = below(room_.joined());
    if (one_in(2))
      decided(wr::decide(room_, wr::command::leave{slot, {}}));
    else
      silent_[slot] = now_;
  }

  void finish(slot_t slot) {
    if (one_in(2))
      decided(wr::decide(room_, wr::command::leave{slot, {}}));
    else
      decided(wr::decide(room_, wr::command::settle{slot, 0, true, now_}));
  }

  void tick() {
    wr::command::tick asked{now_, wr::stock::on_sale, {}, {}};
    for (const auto& [slot, claim] : room_.claims)
      if (one_in(4)) {
        asked.back.push_back({slot, now_});
        silent_.erase(slot);
      }
    asked.last_seen = [this](slot_t slot) {
      const auto found = silent_.find(slot);
      return found == silent_.end() ? now_ : found->second;
    };
    decided(wr::decide(room_, asked));
  }

  std::mt19937_64 random_;
  memory_log log_;
  wr::state room_;
  time_ms now_ = start_ms;
  time_ms opened_at_ = 0;
  bool room_ticks_ = false;
  std::multimap<time_ms, slot_t> ends_;
  std::map<slot_t, time_ms> silent_;
};

} // namespace

BOOST_AUTO_TEST_CASE(under_its_own_settings_an_opening_is_repeated_to_the_millisecond) {
  auto random = seeded();
  std::uint64_t compared = 0;
  for (int run = 0; run < 60; ++run) {
    const auto seed = random();
    BOOST_TEST_CONTEXT("run " << run << ", seed " << seed) {
      real_room room{seed};
      room.go();
      const auto found = must(audit::what_if(room.log(), "s", {}));
      BOOST_TEST(found.off.most == 0);
      BOOST_TEST(found.off.fans == found.as_it_was.waits.size());
      compared += found.off.fans;
    }
  }
  BOOST_TEST(compared > 2'000U);
}

BOOST_AUTO_TEST_CASE(under_other_settings_it_is_not) {
  real_room room{11};
  room.go();
  const auto as_it_was = must(audit::what_if(room.log(), "s", {}));
  audit::changes slower;
  slower.admit_per_second_micro = as_it_was.logged.admit_per_second_micro / 2;
  const auto found = must(audit::what_if(room.log(), "s", slower));
  BOOST_TEST(wait_at(found.other, 90) > wait_at(found.as_logged, 90));
  BOOST_TEST(found.other.last_admission.value() > found.as_logged.last_admission.value());
}

// ---- the command

BOOST_AUTO_TEST_CASE(the_command_prints_a_table_and_one_object) {
  const on_disk log{six_seats()};
  const auto human = usher_audit(
      {"what-if", "s", "--data", log.path(), "--max-active", "none", "--admit-per-second", "20"});
  BOOST_TEST(human.exit_code == 0);
  BOOST_TEST(says(human.out, "what if    admitPerSecond 20.0, maxActive none\n"), human.out);
  BOOST_TEST(says(human.out, "sold out after"), human.out);
  const auto found = usher_audit({"what-if", "--show", "s", "--data", log.path(), "--max-active",
                                  "none", "--json"})
                         .json();
  BOOST_TEST(found["whatIf"]["sold"] == 6);
  BOOST_TEST(found["whatIf"]["soldOutMs"] == 6000);
  BOOST_TEST(found["whatIf"]["waitMs"]["p50"] == 990);
  BOOST_TEST(found["simulated"]["soldOutMs"] == 9000);
  BOOST_TEST(found["asItWas"]["admitted"] == 2);
  BOOST_TEST(found["asItWas"]["soldOutMs"].is_null());
  BOOST_TEST(found["changes"]["maxActive"] == "none");
  BOOST_TEST(found["difference"]["mostMs"] == 0);
  // The same log and question, the same answer.
  BOOST_TEST(usher_audit({"what-if", "--data", log.path(), "--json"}).out ==
             usher_audit({"what-if", "s", "--data", log.path(), "--json"}).out);
}

BOOST_AUTO_TEST_CASE(what_makes_no_sense_is_2_with_a_sentence) {
  const on_disk log{six_seats()};
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong{
      {{"--admit-per-second", "fast"}, "--admit-per-second takes a number"},
      {{"--admit-per-second", "-1"}, "--admit-per-second takes a number"},
      {{"--admit-per-second", "nan"}, "--admit-per-second takes a number"},
      {{"--max-active", "many"}, "--max-active takes a whole number or `none`"},
      {{"--max-active", "-1"}, "--max-active takes a whole number or `none`"},
      {{"--max-per-tick", "1.5"}, "--max-per-tick takes a whole number or `none`"},
      {{"--admission-ttl", "5"}, "--admission-ttl takes a length of time"},
      {{"r"}, "show r is not in the log"},
      {{"s", "--show", "t"}, "two shows are named"}};
  for (auto [more, sentence] : wrong) {
    more.insert(more.begin(), "what-if");
    more.insert(more.end(), {"--data", log.path()});
    const auto got = usher_audit(more);
    BOOST_TEST(got.exit_code == 2);
    BOOST_TEST(says(got.err, sentence), got.err);
    BOOST_TEST(got.out.empty());
  }
}
