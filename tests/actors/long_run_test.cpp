// Thousands of random steps of many fans on one show: joins, holds, releases, orders, payments,
// late confirmations, leaves, time, the room closed and opened, and power cuts at any moment, also
// between two messages. Whenever all is quiet the log, the boards and all that was acknowledged
// have to agree. USHER_SEED repeats a run.
#include "actors/basics/overloaded.hpp"
#include "tests/actors/log_check.hpp"
#include "tests/actors/world.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace {

using namespace usher::testing;
namespace orders = usher::orders;
namespace seating = usher::seating;
namespace waiting_room = usher::waiting_room;
using seating::shown;

constexpr std::uint32_t max_active = 12;
constexpr std::size_t seats_per_block = 8;
const std::vector<usher::block_id> blocks{"A", "B", "C"};

class sale_of_many : public world {
public:
  explicit sale_of_many(std::uint64_t seed) : world{seed} {
    put_show({{"A", seats_per_block}, {"B", seats_per_block}, {"C", seats_per_block}},
             fast_room(max_active));
    open_room();
    settle();
  }

  void run(std::size_t how_many) {
    for (std::size_t i = 0; i < how_many; ++i) {
      act();
      if (random().one_in(3))
        steps(random().below(12)); // others act before these have come to an end
      if (random().one_in(12)) {
        settle();
        collect();
        check();
      }
    }
    settle();
    collect();
    check();
  }

  std::size_t crashes = 0;
  std::size_t sales = 0;
  std::size_t refunds = 0;
  std::size_t refusals = 0;

private:
  void act() {
    switch (random().below(26)) {
    case 0:
    case 1:
    case 2:
      joins_.push_back(ask_join(1 + random().below(3)));
      return;
    case 3:
    case 4:
    case 5:
    case 6:
    case 7:
    case 8:
      holds_asked_.push_back(hold(somebody(), some_seats(), {some_key(), ttl_ms}));
      return;
    case 9:
    case 10:
    case 11:
      if (const auto* it = any_of(holds_))
        orders_asked_.push_back(order(it->second.owner, it->first, some_key()));
      return;
    case 12:
    case 13:
    case 14:
      if (const auto* it = any_of(orders_))
        pay(it->first, some_key());
      return;
    case 15:
      if (const auto* it = any_of(orders_))
        confirm(it->first);
      return;
    case 16:
    case 17:
      if (const auto* it = any_of(holds_))
        release(it->second.owner, it->first);
      return;
    case 18:
      if (const auto* it = any_of(orders_))
        cancel(it->first);
      return;
    case 19:
      if (!places_.empty())
        leave(places_[random().below(places_.size())].slot);
      return;
    case 20:
    case 21:
    case 22:
      pass(100 + static_cast<usher::duration_ms>(random().below(2000)), 250);
      return;
    case 23:
      if (random().one_in(4)) // until everything lapses
        pass(ttl_ms + 1000, 1000);
      return;
    case 24:
      if (random().one_in(6))
        random().one_in(2) ? close_room() : open_room();
      else
        open_room();
      return;
    default:
      if (random().one_in(3))
        power_cut();
    }
  }

  void power_cut() {
    ++crashes;
    switch (random().below(3)) {
    case 0:
      break;
    case 1:
      sluice().cut_after_next_sync();
      settle();
      break;
    default: // others go on while a sync runs, and it never returns
      sluice().during([this] {
        if (!sluice().is_cut())
          steps(random().below(10));
        sluice().cut();
      });
      settle();
    }
    collect(); // what was answered before the power went counts
    crash_and_restart();
    check();
  }

  /// Moves what was acknowledged into the model of what has to be there for ever.
  void collect() {
    for (const auto& one : joins_)
      if (one.came())
        for (const auto& answer : one.get())
          if (const auto* at = std::get_if<waiting_room::place>(&answer))
            places_.push_back(*at);
    for (const auto& one : holds_asked_)
      if (one.answer.came()) {
        if (const auto* made = as_hold(one.answer.get()))
          holds_.insert_or_assign(made->id, made->hold);
        else
          ++refusals;
      }
    for (const auto& one : orders_asked_)
      if (one.answer.came())
        if (const auto* made = as_order(one.answer.get()))
          orders_.insert_or_assign(made->id, made->order);
    joins_.clear();
    holds_asked_.clear();
    orders_asked_.clear();
  }

  void check() {
    BOOST_TEST(faults_in(log()) == std::vector<std::string>{}, boost::test_tools::per_element());
    auto found = usher::runtime::recover(log(), {});
    BOOST_REQUIRE(std::holds_alternative<usher::runtime::recovered>(found));
    auto& rebuilt = std::get<usher::runtime::recovered>(found).shows.at("hamlet");
    check_queue(rebuilt);
    check_seats(rebuilt);
    check_desk(rebuilt.desk);
  }

  void check_queue(const usher::runtime::recovered_show& rebuilt) {
    const auto live = show().board->room();
    BOOST_TEST(live.active <= max_active);
    BOOST_TEST(live.active == rebuilt.room.active());
    BOOST_TEST(live.waiting == rebuilt.room.waiting);
    BOOST_TEST(live.joined == rebuilt.room.joined());
    BOOST_CHECK(live.status == rebuilt.room.status());
    std::uint32_t position = 0;
    std::map<usher::slot_t, std::uint32_t> position_of;
    for (usher::slot_t slot = 0; slot < rebuilt.room.joined(); ++slot)
      if (rebuilt.room.status_of(slot) == waiting_room::ticket_status::waiting)
        position_of[slot] = ++position;
    for (const auto& at : places_) {
      const auto seen = look(at);
      BOOST_TEST_REQUIRE((seen.status == rebuilt.room.status_of(at.slot)));
      BOOST_TEST_REQUIRE((seen.status != waiting_room::ticket_status::unknown));
      if (seen.status == waiting_room::ticket_status::waiting)
        BOOST_TEST_REQUIRE(seen.position == position_of.at(at.slot));
    }
  }

  void check_seats(const usher::runtime::recovered_show& rebuilt) {
    const auto map = seat_map();
    for (const auto& [name, its] : rebuilt.blocks)
      for (const auto& one : its.block.seats) {
        const auto expected =
            std::visit(usher::overloaded{[](const seating::available&) { return shown::available; },
                                         [](const seating::held&) { return shown::held; },
                                         [](const seating::sold&) { return shown::sold; }},
                       one.is);
        BOOST_TEST_REQUIRE((map.at(one.id) == expected), one.id);
        if (const auto* sold = std::get_if<seating::sold>(&one.is)) {
          const auto& order = rebuilt.desk.orders.at(sold->order);
          BOOST_TEST_REQUIRE((order.status == orders::order_status::paid));
          const auto& its_seats = rebuilt.desk.holds.at(order.hold).seats;
          BOOST_TEST_REQUIRE(std::ranges::count(its_seats, one.id, &orders::offered_seat::id) == 1);
        }
      }
  }

  /// Everything acknowledged is there, as it was acknowledged, and the desk says what the log says.
  void check_desk(const orders::state& rebuilt) {
    for (const auto& [id, known] : holds_) {
      const auto& now = rebuilt.holds.at(id);
      BOOST_TEST_REQUIRE(
          (now.owner == known.owner && now.seats == known.seats && now.until == known.until));
    }
    sales = refunds = 0;
    for (auto& [id, known] : orders_) {
      const auto& now = rebuilt.orders.at(id);
      BOOST_TEST_REQUIRE((now.hold == known.hold && now.total == known.total));
      const bool was_paid = known.status == orders::order_status::paid;
      BOOST_TEST_REQUIRE((!was_paid || now.status == orders::order_status::paid));
      known = now;
      sales += now.status == orders::order_status::paid ? 1 : 0;
      refunds += now.status == orders::order_status::refund_due ? 1 : 0;
      if (random().one_in(8))
        compare_with_the_live(id, now);
    }
  }

  void compare_with_the_live(const usher::order_id& id, const orders::order& rebuilt) {
    const auto answer = lookup(id);
    settle();
    BOOST_TEST_REQUIRE((as_order(answer.get())->order == rebuilt));
  }

  std::optional<usher::slot_t> somebody() {
    std::vector<usher::slot_t> inside;
    for (const auto& at : places_)
      if (look(at).status == waiting_room::ticket_status::admitted)
        inside.push_back(at.slot);
    if (inside.empty() || random().one_in(10))
      return random().one_in(2) ? std::nullopt : std::optional{usher::slot_t(random().below(50))};
    return inside[random().below(inside.size())];
  }

  std::vector<usher::seat_id> some_seats() {
    std::vector<usher::seat_id> seats;
    for (auto wanted = 1 + random().below(3); wanted > 0; --wanted) {
      auto seat = blocks[random().below(blocks.size())] + "-" +
                  std::to_string(1 + random().below(seats_per_block));
      if (std::ranges::find(seats, seat) == seats.end())
        seats.push_back(std::move(seat));
    }
    return seats;
  }

  std::optional<orders::idempotency> some_key() {
    return random().one_in(2) ? std::nullopt : std::optional{fresh_key()};
  }

  template <class Map>
  const typename Map::value_type* any_of(const Map& from) {
    return from.empty() ? nullptr
                        : &*std::next(from.begin(),
                                      static_cast<std::ptrdiff_t>(random().below(from.size())));
  }

  static constexpr usher::duration_ms ttl_ms = 20'000;

  std::vector<reply<std::vector<waiting_room::join_answer>>> joins_;
  std::vector<asked<usher::hold_id>> holds_asked_;
  std::vector<asked<usher::order_id>> orders_asked_;
  std::vector<waiting_room::place> places_;         ///< acknowledged
  std::map<usher::hold_id, orders::hold> holds_;    ///< acknowledged
  std::map<usher::order_id, orders::order> orders_; ///< acknowledged
};

} // namespace

BOOST_AUTO_TEST_SUITE(long_run)

BOOST_AUTO_TEST_CASE(thousands_of_random_steps_and_crashes_break_no_promise) {
  std::size_t crashes = 0;
  std::size_t sales = 0;
  std::size_t refunds = 0;
  std::size_t refusals = 0;
  for (std::uint64_t round = 0; round < 40; ++round) {
    BOOST_TEST_CONTEXT("round " << round) {
      sale_of_many one{seed_of_run() + round};
      one.run(400);
      crashes += one.crashes;
      sales += one.sales;
      refunds += one.refunds;
      refusals += one.refusals;
    }
  }
  // It did go through what it is for.
  BOOST_TEST(crashes > 20u);
  BOOST_TEST(sales > 20u);
  BOOST_TEST(refunds > 0u);
  BOOST_TEST(refusals > 100u);
}

BOOST_AUTO_TEST_SUITE_END()
