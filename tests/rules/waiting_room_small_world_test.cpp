// A small world, enumerated: three fans, one place, every sequence of commands up to a depth,
// beside a naive model that keeps a list of tickets and lets the bucket drip a millisecond at a
// time. After each command the answers, the tickets and the bucket are the model's, and the
// invariants hold. Sequences that lead to the same model are followed once. That the comparison
// bites is proven by a model with a deliberate fault (it admits the last of the queue), which must
// be caught.
#include "tests/rules/waiting_room_support.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>
#include <set>
#include <sstream>
#include <stdexcept>

using namespace usher;
using namespace usher::waiting_room;
using namespace usher::waiting_room::test;

namespace {

constexpr int fan_count = 3;
constexpr duration_ms step_ms = 1000;
constexpr duration_ms ttl_ms = 2000;

settings one_place() {
  settings set;
  set.admit_per_second_micro = 1'000'000;
  set.max_active = 1;
  set.admission_ttl_ms = ttl_ms;
  set.max_queue = 2;
  return set;
}

void require(bool holds, const std::string& what) {
  if (!holds)
    throw std::logic_error{what};
}

struct model {
  struct ticket {
    int fan = 0;
    ticket_status status = ticket_status::waiting;
    time_ms until = 0;
    time_ms busy_until = 0;
    bool spent = false;
    [[nodiscard]] bool live() const { return is_live(status); }
    [[nodiscard]] time_ms deadline() const { return std::max(until, busy_until); }
  };

  bool admits_the_last = false; ///< the deliberate fault
  bool open = false;
  time_ms now = 0;
  std::uint64_t credit_micro = 0;
  std::vector<ticket> tickets;

  [[nodiscard]] std::uint32_t count(ticket_status status) const {
    std::uint32_t found = 0;
    for (const auto& one : tickets)
      found += one.status == status ? 1U : 0U;
    return found;
  }
  [[nodiscard]] int place_of(int fan) const {
    for (std::size_t slot = 0; slot < tickets.size(); ++slot)
      if (tickets[slot].fan == fan && tickets[slot].live())
        return static_cast<int>(slot);
    return -1;
  }
  /// Nobody gets an admission back whose time is over.
  void end_if_over(int fan) {
    const auto place = place_of(fan);
    if (place < 0 || tickets[static_cast<std::size_t>(place)].status != ticket_status::admitted)
      return;
    auto& mine = tickets[static_cast<std::size_t>(place)];
    if (mine.deadline() <= now)
      mine.status = mine.spent ? ticket_status::used : ticket_status::expired;
  }
  void pass(duration_ms ms) {
    for (; ms > 0; --ms, ++now)
      credit_micro = std::min<std::uint64_t>(credit_micro + 1000, 1'999'999);
  }
  void tick() {
    if (!open)
      return;
    for (auto& one : tickets)
      if (one.status == ticket_status::admitted && one.deadline() <= now)
        one.status = one.spent ? ticket_status::used : ticket_status::expired;
    if (credit_micro < 1'000'000 || count(ticket_status::admitted) > 0)
      return;
    ticket* next = nullptr;
    for (auto& one : tickets)
      if (one.status == ticket_status::waiting && (next == nullptr || admits_the_last))
        next = &one;
    if (next == nullptr)
      return;
    next->status = ticket_status::admitted;
    next->until = now + ttl_ms;
    credit_micro -= 1'000'000;
  }
  [[nodiscard]] std::string key() const {
    std::ostringstream text;
    text << open << ' ' << now << ' ' << credit_micro;
    for (const auto& one : tickets)
      text << '|' << one.fan << ' ' << static_cast<int>(one.status) << ' ' << one.until << ' '
           << one.busy_until << ' ' << one.spent;
    return text.str();
  }
};

/// The model and the real rules side by side, with everything that happened.
struct world {
  model naive;
  state room;
  std::vector<std::pair<any_event, time_ms>> history;
  std::vector<int> ends; ///< by slot: events that ended it

  world() { happen({event::room_configured{one_place()}}); }

  void happen(const events& decided) {
    for (const auto& one : decided) {
      note_ends(one);
      note_order(one);
      apply(room, one, naive.now);
      history.emplace_back(one, naive.now);
    }
    ends.resize(room.joined());
  }
  void note_ends(const any_event& one) {
    if (const auto* const ended = std::get_if<event::tickets_ended>(&one))
      for (const auto slot : ended->slots)
        ++ends.at(slot);
    if (std::holds_alternative<event::room_closed>(one))
      for (slot_t slot = 0; slot < room.joined(); ++slot)
        ends[slot] += is_live(room.status_of(slot)) ? 1 : 0;
  }
  void note_order(const any_event& one) const {
    if (const auto* const let_in = std::get_if<event::fans_admitted>(&one))
      for (const auto admitted_slot : let_in->slots)
        for (slot_t earlier = 0; earlier < admitted_slot; ++earlier)
          require(room.status_of(earlier) != ticket_status::waiting, "not first come first served");
  }
  void must_accept(const decision& decided) { happen(std::get<events>(decided)); }
};

void join(world& in, int fan) {
  const auto decided =
      decide(in.room, command::join{{a_fan(static_cast<std::uint64_t>(fan) + 1)}, in.naive.now});
  in.happen(decided.events);
  const auto& outcome = decided.outcomes.at(0);
  const auto* const refused = std::get_if<rejection>(&outcome);
  auto& naive = in.naive;
  if (!naive.open) {
    require(refused != nullptr && *refused == rejection::room_off, "join while OFF");
  } else if (naive.end_if_over(fan); naive.place_of(fan) >= 0) {
    const auto place = naive.place_of(fan);
    require(refused == nullptr && std::get<joined>(outcome).existed &&
                std::get<joined>(outcome).slot == static_cast<slot_t>(place),
            "join again");
  } else if (naive.count(ticket_status::waiting) >= 2) {
    require(refused != nullptr && *refused == rejection::room_full, "join while full");
  } else {
    require(refused == nullptr && !std::get<joined>(outcome).existed &&
                std::get<joined>(outcome).slot == naive.tickets.size(),
            "a new place");
    naive.tickets.push_back({fan, ticket_status::waiting, 0, 0, false});
  }
}

/// The newest ticket of the fan, live or not; or a slot that was never given.
slot_t ticket_of(const world& in, int fan) {
  for (auto slot = in.naive.tickets.size(); slot > 0; --slot)
    if (in.naive.tickets[slot - 1].fan == fan)
      return static_cast<slot_t>(slot - 1);
  return 1000;
}

void leave(world& in, int fan) {
  const auto slot = ticket_of(in, fan);
  const auto decided = decide(in.room, command::leave{slot});
  const auto* const refused = std::get_if<rejection>(&decided);
  if (slot == 1000) {
    require(refused != nullptr && *refused == rejection::unknown_ticket, "leave: never given");
  } else if (!in.naive.tickets[slot].live()) {
    require(refused != nullptr && *refused == rejection::already_ended, "leave: ended");
  } else {
    in.must_accept(decided);
    in.naive.tickets[slot].status = ticket_status::left;
  }
}

void enter(world& in, int fan, duration_ms busy_ms) {
  const auto slot = ticket_of(in, fan);
  const auto busy_until = in.naive.now + busy_ms;
  const auto decided = decide(in.room, command::enter{slot, busy_until, in.naive.now});
  auto* const mine = slot == 1000 ? nullptr : &in.naive.tickets[slot];
  const bool inside =
      mine != nullptr && mine->status == ticket_status::admitted && mine->deadline() > in.naive.now;
  require(std::holds_alternative<events>(decided) == (inside || !in.naive.open), "the gate");
  if (!std::holds_alternative<events>(decided))
    return;
  in.must_accept(decided);
  if (in.naive.open)
    mine->busy_until = std::max(mine->busy_until, busy_until);
}

void settle(world& in, int fan, duration_ms busy_ms, bool paid) {
  const auto slot = ticket_of(in, fan);
  const auto now = in.naive.now;
  const auto busy_until = busy_ms == 0 ? 0 : now + busy_ms;
  in.must_accept(decide(in.room, command::settle{slot, busy_until, paid, now}));
  auto* const mine = slot == 1000 ? nullptr : &in.naive.tickets[slot];
  if (mine == nullptr || mine->status != ticket_status::admitted)
    return;
  mine->spent = mine->spent || paid;
  mine->busy_until = busy_until;
  if (mine->spent && busy_until <= now)
    mine->status = ticket_status::used;
}

void open_or_close(world& in) {
  if (in.naive.open) {
    in.must_accept(decide(in.room, command::close{}));
    for (auto& one : in.naive.tickets)
      if (one.live())
        one.status = ticket_status::closed;
  } else {
    in.must_accept(decide(in.room, command::open{}));
    in.naive.credit_micro = 0;
  }
  in.naive.open = !in.naive.open;
}

using step = std::function<void(world&)>;

std::vector<step> alphabet() {
  std::vector<step> all;
  for (int fan = 0; fan < fan_count; ++fan) {
    all.emplace_back([fan](world& in) { join(in, fan); });
    all.emplace_back([fan](world& in) { leave(in, fan); });
    all.emplace_back([fan](world& in) { enter(in, fan, 3 * step_ms); });
    all.emplace_back([fan](world& in) { settle(in, fan, 0, true); });
    all.emplace_back([fan](world& in) { settle(in, fan, step_ms, fan == 0); });
  }
  all.emplace_back([](world& in) {
    in.must_accept(decide(in.room, command::tick{in.naive.now}));
    in.naive.tick();
  });
  all.emplace_back([](world& in) { in.naive.pass(step_ms); });
  all.emplace_back(open_or_close);
  return all;
}

void check(const world& now) {
  const auto& [naive, room, history, ends] = now;
  require(room.joined() == naive.tickets.size(), "slots");
  require(room.active() <= *room.set.max_active, "more active than there is room");
  require(room.active() == naive.count(ticket_status::admitted), "active");
  require(room.waiting == naive.count(ticket_status::waiting), "waiting");
  require(!naive.open || room.credit_micro_at(naive.now) == naive.credit_micro, "the bucket");
  require(room.deadlines.size() == room.admissions.size(), "deadlines");
  for (slot_t slot = 0; slot < room.joined(); ++slot) {
    const auto status = room.status_of(slot);
    require(status == naive.tickets[slot].status, "a ticket's status");
    require(ends[slot] == (is_live(status) ? 0 : 1), "a ticket ends exactly once");
    require(status != ticket_status::admitted ||
                room.admissions.at(slot).deadline() == naive.tickets[slot].deadline(),
            "a deadline");
  }
}

void check_fold(const world& now) {
  state fold;
  for (const auto& [happened, at] : now.history)
    apply(fold, happened, at);
  require(fold == now.room, "the fold of the events is the state");
}

std::size_t enumerate(const world& start, int depth) {
  const auto steps = alphabet();
  std::set<std::string> seen;
  std::vector<world> from{start};
  for (; depth > 0; --depth) {
    std::vector<world> reached;
    for (const auto& before : from)
      for (const auto& one : steps) {
        auto after = before;
        one(after);
        check(after);
        if (!seen.insert(after.naive.key()).second)
          continue;
        check_fold(after);
        reached.push_back(std::move(after));
      }
    from = std::move(reached);
  }
  return seen.size();
}

} // namespace

BOOST_AUTO_TEST_CASE(every_short_history_of_three_fans_and_one_place_is_as_the_model_says) {
  const auto worlds = enumerate(world{}, 8);
  BOOST_TEST_MESSAGE(worlds << " worlds");
  BOOST_TEST(worlds > 5000U);
}

BOOST_AUTO_TEST_CASE(every_continuation_of_a_full_room_is_as_the_model_says) {
  world busy;
  open_or_close(busy);
  join(busy, 0);
  join(busy, 1);
  busy.naive.pass(step_ms);
  busy.must_accept(decide(busy.room, command::tick{step_ms}));
  busy.naive.tick();
  check(busy);
  BOOST_TEST(enumerate(busy, 6) > 1000U);
}

BOOST_AUTO_TEST_CASE(a_model_with_a_fault_is_caught) {
  world faulty;
  faulty.naive.admits_the_last = true;
  open_or_close(faulty);
  BOOST_CHECK_THROW(enumerate(faulty, 5), std::logic_error);
}
