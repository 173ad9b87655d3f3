// A small room, enumerated: three fans, two tiers with one code, capacity 1, every sequence of
// joins (with and without the code), leaving, revoking, polls, ticks, pauses, the draw and time
// that passes, up to a depth. Beside it a naive model that knows no lanes, heads or counters: a
// plain list of tickets, and for each tier a plain list of who ever stood in it. After each step
// every ticket's status and deadline, the order, the bucket and (in each new state) the board's
// views are the model's. Sequences that lead to the same state are followed once. Times are kept
// relative, so that a state is found again later.
//
// That it bites is part of the test: models with one deliberate fault each must be caught.
#include "tests/rules/waiting_room_model.hpp"
#include "tests/rules/waiting_room_world.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <unordered_set>

using namespace usher;
using namespace usher::waiting_room;
using namespace usher::waiting_room::test;
using namespace usher::waiting_room::test::small;

namespace {

struct small_world {
  model naive;
  state room;
  std::vector<std::pair<any_event, time_ms>> history;

  void happen(const events& decided) {
    for (const auto& one : decided) {
      check_evidence(one);
      apply(room, one, naive.now);
      history.emplace_back(one, naive.now);
    }
  }
  void check_evidence(const any_event& one) const {
    if (const auto* const passed = std::get_if<event::fans_passed_over>(&one))
      for (std::size_t at = 0; at < passed->slots.size(); ++at)
        require(passed->seen[at] == naive.at(static_cast<int>(passed->slots[at])).seen,
                "the evidence");
  }
  void must_accept(const decision& decided) {
    require(std::holds_alternative<events>(decided), "refused");
    happen(std::get<events>(decided));
  }
};

small_world prequeue(bool shared_code = false) {
  small_world made;
  made.naive.shared_code = shared_code;
  made.must_accept(decide(made.room, command::configure{small_room(), {}, 0}));
  made.must_accept(decide(
      made.room, command::add_codes{"batch", "first", !shared_code, {}, {}, {who(the_code)}}));
  made.must_accept(decide(made.room, command::begin_prequeue{}));
  return made;
}

void join(small_world& in, int fan, bool with_code) {
  const auto decided = decide(in.room, command::join{{a_fan(static_cast<std::uint64_t>(fan) + 1, 0,
                                                            with_code ? the_code : 0)},
                                                     in.naive.now});
  in.happen(decided.events);
  const auto expected = in.naive.join(fan, with_code);
  const auto& outcome = decided.outcomes.front();
  if (const auto* const no = std::get_if<rejection>(&expected)) {
    const auto* const refused = std::get_if<rejection>(&outcome);
    require(refused != nullptr && *refused == *no, "a refusal");
  } else {
    const auto* const got = std::get_if<joined>(&outcome);
    require(got != nullptr && got->slot == static_cast<slot_t>(std::get<int>(expected)),
            "the place of a join");
  }
}

void leave(small_world& in, int fan, bool revoked) {
  const auto mine = in.naive.newest(fan);
  const auto slot = mine < 0 ? slot_t{1000} : static_cast<slot_t>(mine);
  const auto decided = decide(
      in.room, command::leave{slot, revoked ? std::optional<std::string>{"why"} : std::nullopt});
  if (mine < 0) {
    require(decided == decision{rejection::unknown_ticket}, "leaving without a ticket");
  } else if (!is_live(in.naive.at(mine).status)) {
    require(decided == decision{rejection::already_ended}, "leaving twice");
  } else {
    in.must_accept(decided);
    in.naive.at(mine).status = revoked ? ticket_status::revoked : ticket_status::left;
  }
}

void poll(small_world& in, int fan) {
  if (const auto mine = in.naive.newest(fan); mine >= 0)
    in.naive.hear(mine);
}

void tick(small_world& in) {
  command::tick asked{in.naive.now, stock::on_sale, {}, [&](slot_t slot) {
                        return in.naive.at(static_cast<int>(slot)).seen;
                      }};
  for (const auto number : in.naive.back)
    asked.back.push_back({static_cast<slot_t>(number), in.naive.at(number).came_back});
  in.must_accept(decide(in.room, asked));
  in.naive.tick();
  in.naive.back.clear();
}

void open_or_pause(small_world& in) {
  auto& naive = in.naive;
  if (naive.open) {
    if (naive.paused)
      in.must_accept(decide(in.room, command::resume{}));
    else
      in.must_accept(decide(in.room, command::pause{}));
    naive.paused = !naive.paused;
    return;
  }
  command::open asked;
  for (auto& each : draw_participants(in.room))
    asked.order.insert(asked.order.end(), each.rbegin(), each.rend());
  in.must_accept(decide(in.room, asked));
  naive.draw();
}

using step = std::function<void(small_world&)>;

std::vector<step> alphabet() {
  std::vector<step> all;
  for (int fan = 0; fan < fan_count; ++fan) {
    all.emplace_back([fan](small_world& in) { join(in, fan, false); });
    all.emplace_back([fan](small_world& in) { join(in, fan, true); });
    all.emplace_back([fan](small_world& in) { poll(in, fan); });
    all.emplace_back([fan](small_world& in) { leave(in, fan, fan == 0); });
  }
  all.emplace_back(tick);
  all.emplace_back(open_or_pause);
  all.emplace_back([](small_world& in) { in.naive.pass(second); });
  all.emplace_back([](small_world& in) { in.naive.pass(3 * second); });
  return all;
}

void check(const small_world& now) {
  const auto& naive = now.naive;
  const auto& room = now.room;
  require(room.joined() == naive.tickets.size(), "how many tickets there are");
  require(room.active() <= 1, "more active than there is room");
  require(room.waiting == naive.count(ticket_status::waiting), "how many wait");
  require(room.claims.size() == naive.count(ticket_status::absent), "how many are absent");
  require(!naive.open || room.credit_micro_at(naive.now) == naive.credit_micro, "the bucket");
  const auto order = naive.order();
  const auto real = waiting_in_order(room);
  require(std::equal(order.begin(), order.end(), real.begin(), real.end(),
                     [](int one, slot_t slot) { return static_cast<slot_t>(one) == slot; }),
          "the order");
  for (slot_t slot = 0; slot < room.joined(); ++slot) {
    const auto& one = naive.at(static_cast<int>(slot));
    require(room.status_of(slot) == one.status, "a ticket's status");
    if (one.status == ticket_status::admitted)
      require(room.admissions.at(slot).deadline() == one.until, "an admission's deadline");
    if (one.status == ticket_status::absent)
      require(room.claims.at(slot).until == one.until, "a claim's deadline");
    if (is_live(one.status))
      require(room.place_of(who(static_cast<std::uint64_t>(one.fan) + 1)) == slot, "a fan's place");
  }
}

/// The board's views against the model, and the fold of the history against the state.
void check_board(const small_world& now) {
  const auto& naive = now.naive;
  board seen;
  state fold;
  for (const auto& [happened, at] : now.history) {
    apply(fold, happened, at);
    seen.publish(happened, at);
  }
  require(fold == now.room, "the fold of the events is the state");
  const auto shown = seen.room();
  require(shown.status == now.room.status() && shown.active == now.room.active() &&
              shown.waiting == now.room.waiting && shown.absent == now.room.claims.size(),
          "the board's counts");
  for (int number = 0; number < static_cast<int>(naive.tickets.size()); ++number) {
    const auto& one = naive.at(number);
    const auto view = look(seen, static_cast<slot_t>(number));
    require(view.status == one.status, "the board's status");
    if (one.status == ticket_status::admitted)
      require(view.until == one.until, "the board's deadline");
    if (one.status != ticket_status::waiting && one.status != ticket_status::absent)
      continue;
    auto as_if_waiting = naive; // where it stands, or would stand
    as_if_waiting.at(number).status = ticket_status::waiting;
    const auto order = as_if_waiting.order();
    const auto ahead = std::find(order.begin(), order.end(), number) - order.begin();
    require(view.ahead == static_cast<std::uint32_t>(ahead) && view.position == view.ahead + 1 &&
                view.behind == order.size() - 1 - view.ahead && view.tier == one.tier,
            "the board's position");
  }
}

struct explored {
  std::size_t states = 0;
  std::size_t steps = 0;
};

explored enumerate(const small_world& start, int depth) {
  const auto steps = alphabet();
  // How the rules keep a place is no business of the model's, but may matter for what comes.
  const auto key_of = [](const small_world& at) {
    auto key = at.naive.key();
    for (slot_t slot = 0; slot < at.room.joined(); ++slot)
      key += at.room.early_places.contains(slot) ? '<' : '-';
    return key;
  };
  std::unordered_set<std::string> seen{key_of(start)};
  explored total{1, 0};
  std::vector<small_world> from{start};
  for (; depth > 0; --depth) {
    std::vector<small_world> reached;
    for (const auto& before : from)
      for (const auto& one : steps) {
        auto after = before;
        one(after);
        ++total.steps;
        check(after);
        if (!seen.insert(key_of(after)).second)
          continue;
        check_board(after);
        ++total.states;
        if (depth > 1)
          reached.push_back(std::move(after));
      }
    from = std::move(reached);
  }
  return total;
}

/// One is in (fan 0), one absent (fan 1), one waits (fan 2, with the code), and time has passed.
small_world busy() {
  auto made = prequeue();
  join(made, 0, false);
  join(made, 1, false);
  open_or_pause(made);
  made.naive.pass(3 * second);
  poll(made, 0);
  made.naive.pass(second);
  tick(made); // the draw put fan 1 first, who is not heard of
  join(made, 2, true);
  check(made);
  require(made.naive.at(0).status == ticket_status::admitted, "fan 0 is in");
  require(made.naive.at(1).status == ticket_status::absent, "fan 1 is absent");
  return made;
}

/// Fan 0 expired, came back, and is in again; fans 1 and 2 wait.
small_world back_in() {
  auto made = prequeue();
  open_or_pause(made);
  join(made, 0, false);
  made.naive.pass(second);
  tick(made);
  made.naive.pass(2 * second);
  tick(made);
  join(made, 0, false);
  join(made, 1, false);
  made.naive.pass(second);
  tick(made);
  check(made);
  require(made.naive.at(0).status == ticket_status::admitted && made.naive.at(0).reentered,
          "fan 0 is in again");
  join(made, 2, false);
  return made;
}

small_world with(small_world made, fault wrong) {
  made.naive.wrong = wrong;
  return made;
}

} // namespace

BOOST_AUTO_TEST_CASE(every_short_history_of_a_small_room_is_as_the_model_says) {
  for (const bool shared_code : {false, true}) {
    const auto total = enumerate(prequeue(shared_code), shared_code ? 5 : 6);
    std::cout << "from the prequeue: " << total.states << " states, " << total.steps << " steps\n";
    BOOST_TEST(total.states > 3'000U);
  }
}

BOOST_AUTO_TEST_CASE(every_continuation_of_a_busy_room_is_as_the_model_says) {
  for (const auto& start : {busy(), back_in()}) {
    const auto total = enumerate(start, 6);
    std::cout << "from a busy room: " << total.states << " states, " << total.steps << " steps\n";
    BOOST_TEST(total.states > 3'000U);
  }
}

BOOST_AUTO_TEST_CASE(a_model_with_a_fault_is_caught) {
  for (const auto wrong :
       {fault::ignores_tiers, fault::returns_to_the_back, fault::promotes_to_the_front,
        fault::reenters_twice, fault::forgets_the_draw, fault::waits_for_the_absent,
        fault::code_of_a_ghost, fault::admits_while_paused}) {
    const auto explore = [&] {
      enumerate(with(prequeue(true), wrong), 4);
      enumerate(with(prequeue(), wrong), 5);
      enumerate(with(busy(), wrong), 4);
      enumerate(with(back_in(), wrong), 4);
    };
    BOOST_TEST_CONTEXT("fault " << static_cast<int>(wrong)) {
      BOOST_CHECK_THROW(explore(), std::logic_error);
    }
  }
}
