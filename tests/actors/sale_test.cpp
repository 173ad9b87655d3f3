// The life of a sale, from the empty log to sold seats and back, through every actor of a show: one
// thread, virtual time, message order picked by the seed.
#include "tests/actors/world.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace {

using namespace usher::testing;
using usher::orders::order_status;
using usher::seating::shown;
using usher::seating::unavailable_reason;
using usher::waiting_room::ticket_status;

struct on_sale : world {
  on_sale() {
    put_show({{"A", 6}, {"B", 6}});
    open_room();
    settle();
  }

  asked<usher::hold_id> held(usher::slot_t owner, const std::vector<usher::seat_id>& seats) {
    auto got = hold(owner, seats);
    settle();
    BOOST_REQUIRE(as_hold(got.answer.get()) != nullptr);
    return got;
  }

  asked<usher::order_id> ordered(usher::slot_t owner, const usher::hold_id& what) {
    auto got = order(owner, what);
    settle();
    BOOST_REQUIRE(has_status(got.answer.get(), order_status::pending));
    return got;
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(sale, on_sale)

BOOST_AUTO_TEST_CASE(two_seats_over_two_blocks_are_sold_once_and_use_up_the_admission) {
  const auto places = join(2);
  BOOST_TEST(look(places[0]).position == 1u);
  BOOST_TEST(look(places[1]).position == 2u);
  pass(1000);
  BOOST_REQUIRE(look(places[0]).status == ticket_status::admitted);

  const auto first = held(places[0].slot, {"A-1", "B-1"});
  BOOST_CHECK(seat("A-1") == shown::held && seat("B-1") == shown::held);
  const auto second = hold(places[1].slot, {"A-1", "A-2", "B-1"});
  settle();
  BOOST_CHECK(is_refused_with(
      second.answer.get(), {{"A-1", unavailable_reason::held}, {"B-1", unavailable_reason::held}}));
  BOOST_CHECK(seat("A-2") == shown::available);

  const auto its = ordered(places[0].slot, first.id);
  const auto paid = pay(its.id);
  settle();
  BOOST_REQUIRE(has_status(paid.answer.get(), order_status::paid));
  BOOST_TEST(as_order(paid.answer.get())->order.total.amount_minor == 2000);
  BOOST_CHECK(seat("A-1") == shown::sold && seat("B-1") == shown::sold);
  BOOST_CHECK(look(places[0]).status == ticket_status::used);
  const auto late = hold(places[1].slot, {"B-1"});
  settle();
  BOOST_CHECK(is_refused_with(late.answer.get(), {{"B-1", unavailable_reason::sold}}));
}

BOOST_AUTO_TEST_CASE(whoever_is_not_admitted_holds_nothing) {
  const auto places = join(1);
  const auto waiting = hold(places[0].slot, {"A-1"});
  const auto stranger = hold(std::nullopt, {"A-1"});
  const auto forged = hold(usher::slot_t{77}, {"A-1"});
  settle();
  for (const auto& one : {waiting, stranger, forged})
    BOOST_CHECK(is_denied_with(one.answer.get(), usher::waiting_room::rejection::not_admitted));
  BOOST_CHECK(seat("A-1") == shown::available);
  held(admitted(1)[0], {"A-1"}); // and the block kept nothing back for them
}

BOOST_AUTO_TEST_CASE(the_same_keys_again_give_the_same_things_and_one_sale) {
  const auto fan = admitted(1)[0];
  const auto hold_key = fresh_key();
  const auto order_key = fresh_key();
  const auto pay_key = fresh_key();
  const auto first = hold(fan, {"A-1"}, {hold_key});
  settle();
  const auto again = hold(fan, {"A-1"}, {hold_key});
  settle();
  const bool first_won = !first.answer.get().repeated;
  const auto made = first_won ? first.id : again.id;
  BOOST_TEST((first.answer.get().repeated != again.answer.get().repeated));
  BOOST_CHECK(as_hold(first.answer.get())->id == made && as_hold(again.answer.get())->id == made);

  const auto one = order(fan, made, order_key);
  settle();
  const auto two = order(fan, made, order_key);
  settle();
  const auto its = as_order(one.answer.get())->id;
  BOOST_CHECK(as_order(two.answer.get())->id == its);

  std::vector<reply<usher::orders::answer>> reports;
  for (int i = 0; i < 3; ++i) {
    reports.push_back(pay(its, pay_key).answer);
    reports.push_back(confirm(its));
    reports.push_back(order(fan, made, order_key).answer);
  }
  settle();
  for (const auto& one_report : reports) {
    const auto& told = one_report.get();
    const bool same = as_order(told) != nullptr && as_order(told)->id == its;
    BOOST_CHECK(same || is_rejected_with(told, usher::orders::rejection::key_in_use));
  }
  const auto now = lookup(its);
  settle();
  BOOST_CHECK(has_status(now.get(), order_status::paid));
  const auto other_body = hold(fan, {"A-2"}, {usher::orders::idempotency{hold_key.key, {}}});
  settle();
  BOOST_CHECK(is_rejected_with(other_body.answer.get(), usher::orders::rejection::key_reused));
}

BOOST_AUTO_TEST_CASE(
    a_hold_ends_at_its_time_exactly_and_another_takes_the_seat_before_any_sweeper) {
  const auto fans = admitted(2);
  const auto first = held(fans[0], {"A-1"});
  const auto until = as_hold(first.answer.get())->hold.until;
  pass_unnoticed(until - 1 - clock().now());
  const auto early = hold(fans[1], {"A-1"});
  settle();
  BOOST_CHECK(is_refused_with(early.answer.get(), {{"A-1", unavailable_reason::held}}));

  pass_unnoticed(1);
  BOOST_CHECK(seat("A-1") == shown::held); // nobody has swept
  const auto in_time = order(fans[0], first.id);
  settle();
  BOOST_CHECK(is_rejected_with(in_time.answer.get(), usher::orders::rejection::hold_expired));

  // The admissions went with the time too: close the room, which lifts the gate.
  close_room();
  settle();
  const auto second = hold(std::nullopt, {"A-1"});
  settle();
  BOOST_REQUIRE(as_hold(second.answer.get()) != nullptr);

  pass(2000); // now the sweeper comes, late, and does not touch the new owner
  const auto still = hold(std::nullopt, {"A-1"});
  const auto old = lookup(first.id);
  settle();
  BOOST_CHECK(is_refused_with(still.answer.get(), {{"A-1", unavailable_reason::held}}));
  BOOST_CHECK(as_hold(old.get())->hold.end == usher::orders::hold_end::expired);
}

BOOST_AUTO_TEST_CASE(the_sweeper_gives_lapsed_seats_back_to_the_displays) {
  const auto fans = admitted(2);
  held(fans[0], {"A-1", "B-1"});
  const auto other = held(fans[1], {"A-2"});
  ordered(fans[1], other.id);
  pass(301'000, 500);
  BOOST_CHECK(seat("A-1") == shown::available && seat("B-1") == shown::available);
  BOOST_CHECK(seat("A-2") == shown::available);
}

BOOST_AUTO_TEST_CASE(the_sweeper_goes_on_after_a_restart) {
  const auto fan = admitted(1)[0];
  held(fan, {"A-1", "B-1"});
  crash_and_restart();
  BOOST_CHECK(seat("A-1") == shown::held);
  pass(301'000, 500);
  BOOST_CHECK(seat("A-1") == shown::available && seat("B-1") == shown::available);
}

BOOST_AUTO_TEST_CASE(late_money_takes_the_same_seats_again_or_is_due_for_refund) {
  const auto fans = admitted(2);
  const auto free = ordered(fans[0], held(fans[0], {"A-1", "B-1"}).id);
  const auto lost = ordered(fans[1], held(fans[1], {"A-2", "B-2"}).id);
  pass(301'000, 500);
  close_room();
  settle();
  const auto other = hold(std::nullopt, {"B-2"});
  settle();
  BOOST_REQUIRE(as_hold(other.answer.get()) != nullptr);

  const auto late = confirm(free.id);
  const auto too_late = confirm(lost.id, "outside-2");
  settle();
  BOOST_CHECK(has_status(late.get(), order_status::paid));
  BOOST_CHECK(seat("A-1") == shown::sold && seat("B-1") == shown::sold);
  BOOST_CHECK(has_status(too_late.get(), order_status::refund_due));
  BOOST_CHECK(seat("A-2") == shown::available && seat("B-2") == shown::held);
}

BOOST_AUTO_TEST_CASE(leaving_gives_the_seats_back_and_leaves_others_alone) {
  const auto places = join(2);
  pass(1000);
  const auto mine = held(places[0].slot, {"A-1", "B-1"});
  held(places[1].slot, {"A-2"});
  const auto left = leave(places[0].slot);
  settle();
  BOOST_CHECK(std::holds_alternative<usher::orders::nothing>(left.get().result));
  BOOST_CHECK(look(places[0]).status == ticket_status::left);
  BOOST_CHECK(seat("A-1") == shown::available && seat("B-1") == shown::available);
  BOOST_CHECK(seat("A-2") == shown::held);
  const auto twice = leave(places[0].slot);
  const auto after = hold(places[0].slot, {"A-1"});
  settle();
  BOOST_CHECK(is_denied_with(twice.get(), usher::waiting_room::rejection::already_ended));
  BOOST_CHECK(is_denied_with(after.answer.get(), usher::waiting_room::rejection::not_admitted));
}

BOOST_AUTO_TEST_CASE(releasing_and_cancelling_give_the_seats_back_at_once) {
  const auto fan = admitted(1)[0];
  const auto one = held(fan, {"A-1", "B-1"});
  const auto two = ordered(fan, held(fan, {"A-2"}).id);
  const auto released = release(fan, one.id);
  const auto cancelled = cancel(two.id);
  settle();
  BOOST_CHECK(as_hold(released.get())->hold.status == usher::orders::hold_status::ended);
  BOOST_CHECK(has_status(cancelled.get(), order_status::cancelled));
  for (const auto& [id, is] : seat_map())
    BOOST_CHECK_MESSAGE(is == shown::available, id << " is free");
}

BOOST_AUTO_TEST_SUITE_END()
