// The audit agrees with the rules: whatever the real rules of the waiting room decide, asked at
// random by fans, operators and the clock, is clean. Two programs that share no code came to the
// same rules; where they do not, one of them is wrong. The second test forges what the rules
// decided, and the audit names it. USHER_SEED repeats a run.

#include "actors/waiting_room/rules.hpp"
#include "storage/audit/draw.hpp"
#include "tests/storage/audit_violations.hpp"

#include <functional>
#include <random>
#include <set>
#include <string>
#include <variant>
#include <vector>

using namespace usher;
using namespace usher::storage;
using namespace usher::storage::test;

namespace {

namespace wr = waiting_room;

/// Changes what the rules decided before it is written, to see that the audit notices.
using forger = std::function<void(std::vector<wr::any_event>&)>;

class walk {
public:
  walk(std::uint32_t seed, forger forge) : random_{seed}, forge_{std::move(forge)} {
    write(log_, {{directory(0, created(0, "s"))}});
    configure();
  }

  void go(int steps) {
    for (int step = 0; step < steps; ++step) {
      now_ += below(20) == 0 ? below(40'000) : below(700);
      one_step();
      if (below(3) > 0)
        flush();
    }
    flush();
  }

  [[nodiscard]] std::string violations() const { return violations_of(log_); }
  /// Which events came up, by their number in any_event.
  [[nodiscard]] const std::set<std::size_t>& kinds() const { return kinds_; }

private:
  std::uint32_t below(std::uint32_t bound) {
    return std::uniform_int_distribution<std::uint32_t>{0, bound - 1}(random_);
  }
  [[nodiscard]] bool one_in(std::uint32_t many) { return below(many) == 0; }

  void one_step() {
    clock();
    switch (below(12)) {
    case 0:
      return operate();
    case 1:
    case 2:
    case 3:
    case 4:
      return join();
    case 5:
      return decided(wr::decide(
          room_, wr::command::leave{some_slot(), one_in(3) ? std::optional<std::string>{"a robot"}
                                                           : std::nullopt}));
    case 6:
      return decided(wr::decide(room_, wr::command::set_wish{some_slot(), a_wish()}));
    case 7:
      return decided(wr::decide(room_, wr::command::answer_wish{some_slot(), {}, "none"}));
    case 8:
      return decided(
          wr::decide(room_, wr::command::enter{some_slot(), now_ + below(90'000), now_}));
    case 9:
      return decided(
          wr::decide(room_, wr::command::settle{some_slot(), one_in(2) ? 0 : now_ + below(60'000),
                                                one_in(2), now_}));
    default:
      return tick();
    }
  }

  void operate() {
    switch (below(12)) {
    case 0:
    case 1:
      return configure();
    case 2:
    case 3:
      return decided(wr::decide(room_, opening()));
    case 4:
      return decided(wr::decide(room_, wr::command::close{}));
    case 5:
      return decided(wr::decide(room_, wr::command::pause{}));
    case 6:
    case 7:
      return decided(wr::decide(room_, wr::command::resume{}));
    case 8:
      return decided(wr::decide(room_, wr::command::standby{}));
    case 9:
      return decided(wr::decide(room_, wr::command::give_beacon{"value"}));
    case 10:
      return decided(wr::decide(room_, wr::command::set_message{{{"en", "Hello."}}}));
    default:
      return add_codes();
    }
  }

  void clock() {
    const auto due = wr::next_step(room_);
    if (!due || due->at > now_)
      return;
    who_ = "usher";
    if (due->what == wr::step_due::kind::prequeue)
      decided(wr::decide(room_, wr::command::begin_prequeue{}));
    else
      decided(wr::decide(room_, opening()));
    who_ = "fan";
  }

  [[nodiscard]] wr::bytes32 draw_seed() const {
    wr::bytes32 seed{};
    seed[0] = static_cast<std::uint8_t>(draws_);
    seed[1] = static_cast<std::uint8_t>(draws_ >> 8);
    return seed;
  }

  [[nodiscard]] wr::command::open opening() const {
    const auto seed = draw_seed();
    return {seed, audit::drawn_order(wr::draw_participants(room_), seed, room_.beacon)};
  }

  void configure() {
    auto set = room_.set;
    set.admit_per_second_micro = one_in(4) ? 700'000 : 3'000'000;
    set.max_active = one_in(3) ? std::nullopt : std::optional{2 + below(6)};
    set.max_per_tick = one_in(2) ? std::nullopt : std::optional{1 + below(4)};
    set.admission_ttl_ms = 5'000 + below(20'000);
    set.idle_timeout_ms = one_in(2) ? std::nullopt : std::optional<duration_ms>{4'000};
    set.fixed_length = one_in(5);
    set.absent_after_ms = 3'000 + below(6'000);
    set.claim_ttl_ms = 8'000 + below(20'000);
    set.reentry_grace_ms = one_in(3) ? std::nullopt : std::optional<duration_ms>{15'000};
    set.max_queue = 4 + below(20);
    set.tiers = one_in(4) ? std::vector<std::string>{"members", "vip"}
                          : std::vector<std::string>{"vip", "members"};
    set.prequeue_ms = one_in(3) ? 0 : 9'000;
    set.opens_at = one_in(3) ? std::nullopt : std::optional<time_ms>{now_ + 10'000 + below(20'000)};
    set.beacon = one_in(2) ? std::nullopt : std::optional{wr::beacon_source{"drand", "1"}};
    ++draws_;
    auto decision =
        wr::decide(room_, wr::command::configure{set, audit::commitment_of(draw_seed()), now_});
    const auto* events = std::get_if<std::vector<wr::any_event>>(&decision);
    const bool schedules = events != nullptr && events->size() == 2 &&
                           std::holds_alternative<wr::event::room_scheduled>(events->back());
    if (!schedules)
      --draws_; // the seed is still that of the draw ahead
    decided(decision);
  }

  void add_codes() {
    wr::command::add_codes codes{"batch", one_in(2) ? "vip" : "members", one_in(2), {}, {}, {}};
    if (one_in(3))
      codes.valid_until = now_ + 30'000;
    for (int i = 0; i < 3; ++i)
      codes.codes.push_back(some_id(40, 24));
    decided(wr::decide(room_, codes));
  }

  identity some_id(std::uint32_t from, std::uint32_t many) {
    identity id;
    id.bytes[0] = static_cast<std::uint8_t>(from + below(many));
    return id;
  }

  slot_t some_slot() {
    const auto joined = room_.joined();
    if (joined == 0)
      return 0;
    return joined - 1 - below(std::min<slot_t>(joined, 30));
  }

  std::optional<wr::wish> a_wish() { return one_in(3) ? std::nullopt : std::optional{wr::wish{}}; }

  void join() {
    wr::command::join asked;
    asked.now = now_;
    for (auto fans = 1 + below(5); fans > 0; --fans) {
      wr::command::joiner fan;
      fan.nonce = 7;
      if (one_in(2))
        fan.customer = some_id(100, 40);
      if (one_in(2))
        fan.key = some_id(150, 40);
      if (one_in(3))
        fan.code = some_id(40, 24);
      if (one_in(4))
        fan.before = some_slot();
      asked.fans.push_back(fan);
    }
    auto decision = wr::decide(room_, asked);
    decided(std::move(decision.events));
  }

  void tick() {
    wr::command::tick asked;
    asked.now = now_;
    asked.left = one_in(8)    ? wr::stock::all_taken
                 : one_in(20) ? wr::stock::sold_out
                              : wr::stock::on_sale;
    for (const auto& [slot, claim] : room_.claims)
      if (one_in(4))
        asked.back.push_back({slot, now_});
    asked.last_seen = [&](slot_t slot) {
      return now_ - static_cast<time_ms>((slot * 2'654'435'761U + now_ / 2'000) % 12'000);
    };
    decided(wr::decide(room_, asked));
  }

  void decided(const wr::decision& decision) {
    if (const auto* events = std::get_if<std::vector<wr::any_event>>(&decision))
      decided(*events);
  }
  void decided(std::vector<wr::any_event> events) {
    for (const auto& happened : events)
      wr::apply(room_, happened, now_);
    if (forge_)
      forge_(events);
    for (const auto& happened : events) {
      kinds_.insert(happened.index());
      auto made = queue(now_ - start_ms, happened);
      made.what.cause.who = who_;
      batch_.push_back(made);
    }
  }
  void flush() {
    if (!batch_.empty())
      write(log_, {std::exchange(batch_, {})});
  }

  std::mt19937 random_;
  forger forge_;
  wr::state room_;
  time_ms now_ = start_ms;
  std::uint32_t draws_ = 0;
  std::string who_ = "fan";
  memory_log log_;
  batch_lines batch_;
  std::set<std::size_t> kinds_;
};

} // namespace

BOOST_AUTO_TEST_CASE(what_the_rules_decide_is_clean) {
  const auto first = seed_of_this_run();
  std::set<std::size_t> kinds;
  for (std::uint32_t seed = first; seed < first + 60; ++seed) {
    walk one{seed, {}};
    one.go(600);
    kinds.insert(one.kinds().begin(), one.kinds().end());
    BOOST_TEST_CONTEXT("USHER_SEED=" << seed) {
      const auto violations = one.violations();
      BOOST_REQUIRE_MESSAGE(violations.empty(), violations);
    }
  }
  for (std::size_t kind = 0; kind < std::variant_size_v<wr::any_event>; ++kind)
    BOOST_TEST(kinds.contains(kind), "event number " << kind << " never came up");
}

BOOST_AUTO_TEST_CASE(what_was_forged_is_not_clean) {
  namespace event = wr::event;
  struct forgery {
    std::string name; ///< of the violation that must be among those found
    forger how;
  };
  const std::vector<forgery> all{
      {"admitted-out-of-turn",
       [](std::vector<wr::any_event>& events) {
         for (auto& happened : events)
           if (auto* e = std::get_if<event::fans_admitted>(&happened); e && e->slots.size() > 1)
             std::swap(e->slots.front(), e->slots.back());
       }},
      {"admitted-out-of-turn",
       [](std::vector<wr::any_event>& events) {
         std::erase_if(events, [](const wr::any_event& happened) {
           return std::holds_alternative<event::fans_passed_over>(happened);
         });
       }},
      {"draw-order-wrong",
       [](std::vector<wr::any_event>& events) {
         for (auto& happened : events)
           if (auto* e = std::get_if<event::places_drawn>(&happened); e && e->order.size() > 1)
             std::swap(e->order.front(), e->order.back());
       }},
      {"tier-wrong",
       [](std::vector<wr::any_event>& events) {
         for (auto& happened : events)
           if (auto* e = std::get_if<event::fans_joined>(&happened))
             e->tiers.assign(e->nonces.size(), 0);
       }},
      {"passed-over-early",
       [](std::vector<wr::any_event>& events) {
         for (auto& happened : events)
           if (auto* e = std::get_if<event::fans_passed_over>(&happened))
             e->seen.assign(e->seen.size(), start_ms + 1'000'000'000);
       }},
  };
  for (const auto& [name, how] : all) {
    std::string found;
    for (std::uint32_t seed = 1; seed < 6; ++seed) {
      walk one{seed, how};
      one.go(600);
      found += one.violations();
    }
    BOOST_TEST(says(found, " " + name + ": "), name);
  }
}
