#include "actors/basics/overloaded.hpp"
#include "tests/actors/log_check.hpp"
#include "tests/actors/sale_of_many.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <utility>

// What has to be true whenever all is quiet.
namespace usher::testing {

using seating::shown;

/// Moves what was acknowledged into the model of what has to be there for ever.
void sale_of_many::collect() {
  for (const auto& one : joins_)
    if (one.came())
      for (const auto& answer : one.get())
        if (const auto* at = std::get_if<waiting_room::place>(&answer))
          places_.push_back(*at);
  for (const auto& one : plans_asked_)
    if (one.came())
      ++(std::holds_alternative<shows::put_done>(one.get()) ? seen.plans : seen.plans_refused);
  for (const auto& one : expected_)
    if (one.answer.came()) {
      const auto& told = one.answer.get();
      seen.refusals += as_hold(told) == nullptr && as_order(told) == nullptr ? 1 : 0;
      one.then(told);
    }
  joins_.clear();
  plans_asked_.clear();
  expected_.clear();
}

/// Answers may be read in another order than they were given: what was later is what counts.
void sale_of_many::collect_hold(const orders::answer& what) {
  const auto* made = as_hold(what);
  if (made == nullptr)
    return;
  const auto [known, is_new] = holds_.emplace(made->id, made->hold);
  if (!is_new && made->hold.generation > known->second.generation)
    known->second = made->hold;
}

void sale_of_many::collect_order(const orders::answer& what) {
  const auto* made = as_order(what);
  if (made == nullptr)
    return;
  const auto [known, is_new] = orders_.emplace(made->id, made->order);
  if (!is_new && known->second.status != orders::order_status::paid)
    known->second = made->order;
}

void sale_of_many::check() {
  const auto faults = faults_in(log(), limits);
  for (const auto& each : faults)
    BOOST_ERROR(each);
  BOOST_REQUIRE(faults.empty()); // else the same again at every check
  auto found = runtime::recover(log(), {});
  BOOST_REQUIRE(std::holds_alternative<runtime::recovered>(found));
  auto& rebuilt = std::get<runtime::recovered>(found).shows.at("hamlet");
  check_queue(rebuilt);
  check_seats(rebuilt);
  check_desk(rebuilt.desk);
}

void sale_of_many::check_queue(const runtime::recovered_show& rebuilt) const {
  const auto live = show().board->room();
  BOOST_TEST(live.active <= max_active);
  BOOST_TEST(live.active == rebuilt.room.active());
  BOOST_TEST(live.waiting == rebuilt.room.waiting);
  BOOST_TEST(live.joined == rebuilt.room.joined());
  BOOST_CHECK(live.status == rebuilt.room.status());
  std::uint32_t position = 0;
  std::map<slot_t, std::uint32_t> position_of;
  for (slot_t slot = 0; slot < rebuilt.room.joined(); ++slot)
    if (rebuilt.room.status_of(slot) == waiting_room::ticket_status::waiting)
      position_of[slot] = ++position;
  for (const auto& at : places_) {
    const auto seen_now = look(at);
    BOOST_TEST_REQUIRE((seen_now.status == rebuilt.room.status_of(at.slot)));
    BOOST_TEST_REQUIRE((seen_now.status != waiting_room::ticket_status::unknown));
    if (seen_now.status == waiting_room::ticket_status::waiting)
      BOOST_TEST_REQUIRE(seen_now.position == position_of.at(at.slot));
  }
}

/// The boards show what the log says, of all seats that the published plan has and no others.
void sale_of_many::check_seats(const runtime::recovered_show& rebuilt) const {
  const auto map = seat_map();
  std::size_t all = 0;
  for (const auto& [name, its] : rebuilt.blocks)
    for (const auto& one : its.block.seats) {
      ++all;
      const auto shows_as =
          std::visit(overloaded{[](const seating::available&) { return shown::available; },
                                [](const seating::held&) { return shown::held; },
                                [](const seating::sold&) { return shown::sold; },
                                [](const seating::blocked&) { return shown::blocked; }},
                     one.is);
      BOOST_TEST_REQUIRE((map.at(one.id) == shows_as), one.id);
      if (const auto* sold = std::get_if<seating::sold>(&one.is)) {
        const auto& order = rebuilt.desk.orders.at(sold->order);
        BOOST_TEST_REQUIRE((order.status == orders::order_status::paid));
        const auto& its_seats = rebuilt.desk.holds.at(order.hold).seats;
        BOOST_TEST_REQUIRE(std::ranges::count(its_seats, one.id, &orders::offered_seat::id) == 1);
      }
    }
  BOOST_TEST(map.size() == all);
  BOOST_TEST(show().now()->seats.size() == all);
}

/// Everything acknowledged is there, as it was acknowledged or as a later change left it, and the
/// desk says what the log says.
void sale_of_many::check_desk(const orders::state& rebuilt) {
  for (auto& [id, known] : holds_) {
    const auto& now = rebuilt.holds.at(id);
    BOOST_TEST_REQUIRE((now.owner == known.owner && now.placed_at == known.placed_at &&
                        now.generation >= known.generation));
    BOOST_TEST_REQUIRE((now.generation > known.generation ||
                        (now.seats == known.seats && now.until == known.until)));
    BOOST_TEST_REQUIRE((known.status != orders::hold_status::sold || now.status == known.status));
    known = now;
  }
  seen.sales = seen.refunds = 0;
  for (auto& [id, known] : orders_) {
    const auto& now = rebuilt.orders.at(id);
    BOOST_TEST_REQUIRE((now.hold == known.hold && now.total == known.total));
    const bool was_paid = known.status == orders::order_status::paid;
    BOOST_TEST_REQUIRE((!was_paid || now.status == orders::order_status::paid));
    known = now;
    seen.sales += now.status == orders::order_status::paid ? 1 : 0;
    seen.refunds += now.status == orders::order_status::refund_due ? 1 : 0;
    if (random().one_in(8))
      compare_with_the_live(id, now);
  }
}

void sale_of_many::compare_with_the_live(const order_id& id, const orders::order& rebuilt) {
  const auto answer = lookup(id);
  settle();
  BOOST_TEST_REQUIRE((as_order(answer.get())->order == rebuilt));
}

} // namespace usher::testing
