// The desk's rules for orders and payments: placing, paying, money from outside, cancelling. What
// every command does in every state is in orders_payments_edges_test.cpp.
#include "tests/rules/orders_payments_support.hpp"
#include "tests/rules/stops.hpp"

#include <boost/test/unit_test.hpp>

#include <map>

namespace {

using namespace usher::test;
namespace test = usher::test;
using usher::order_id;
using usher::payment_id;
using usher::refund_id;

/// As older logs have it: nothing gives it up.
event::payment_started attempt(std::uint8_t n) {
  return {order(1), payment(n), "SANDBOX", "card", std::nullopt};
}

event::payment_settled outcome(std::uint8_t n, payment_outcome what) {
  return {order(1), payment(n), what, "mine"};
}

command::place_order place(std::uint8_t id, std::optional<slot_t> owner = fan) {
  command::place_order what;
  what.order = order(id);
  what.owner = owner;
  what.hold = hold(1);
  what.currency = "EUR";
  what.payment_window_ms = 100;
  what.customer = "sealed";
  what.now = now;
  return what;
}

command::place_order place_reference(std::uint8_t id, const std::string& reference,
                                     std::optional<slot_t> owner = fan) {
  auto what = place(id, owner);
  what.hold = {};
  what.hold_ref = reference;
  what.amount_minor = 700;
  return what;
}

const command::confirm confirm_it = report("outside");

event::refund_started goes_back(refund_id which, const std::string& gateway,
                                const std::string& reference, payment_id whose,
                                orders::refund_cause cause) {
  return {.order = order(1),
          .refund = which,
          .payment = whose,
          .gateway = gateway,
          .reference = reference,
          .amount_minor = total_minor,
          .cause = cause};
}

} // namespace

BOOST_AUTO_TEST_CASE(an_order_is_placed_again_only_when_the_first_one_is_over) {
  const auto first_word = [](const std::string& text) { return text.substr(0, text.find(',')); };
  const std::map<std::string, std::pair<std::string, std::string>> by_kind{
      // without a key, with a new key
      {"pending", {"same", "hold-has-order"}},
      {"paying", {"same", "hold-has-order"}},
      {"paid", {"same", "hold-ended"}},
      {"refunding", {"same", "hold-ended"}},
      {"refunding a", {"same", "hold-ended"}},
      {"partly refunded", {"same", "hold-ended"}},
      {"expired", {"hold-expired", "hold-expired"}},
      {"cancelled", {"hold-ended", "hold-ended"}}};
  for (const auto& [name, here] : every_situation()) {
    const auto kind = by_kind.find(first_word(name));
    if (kind == by_kind.end())
      continue; // due and refunded: below
    auto again = place(2);
    BOOST_TEST_CONTEXT(name) {
      BOOST_TEST(short_of(here, here.decide(again)) == kind->second.first);
      again.asked = asked(9);
      BOOST_TEST(short_of(here, here.decide(again)) == kind->second.second);
    }
  }
  BOOST_TEST(is_repeat_of(in("due").decide(place(2)), order(1)), "its money is still here");
  for (const auto* over : {"refunded", "refunded, was due"})
    BOOST_TEST(!proposed(in(over).decide(place(2))));
}

BOOST_AUTO_TEST_CASE(what_is_not_known_is_refused) {
  const desk empty;
  BOOST_TEST(is_no(empty.decide(place(1)), why::unknown_hold));
  BOOST_TEST(is_no(empty.decide(pay(1)), why::unknown_order));
  BOOST_TEST(is_no(empty.decide(cancel_it), why::unknown_order));
  BOOST_TEST(is_no(orders::decide(empty.state, confirm_it, false), why::unknown_order));
}

BOOST_AUTO_TEST_CASE(an_order_takes_the_holds_total_and_ends_with_the_hold_at_the_latest) {
  desk here;
  here.after(hold_of_two());
  auto what = place(1);
  what.asked = asked(1);
  const auto short_window = here.decide(what);
  BOOST_TEST_REQUIRE(test::proposed(short_window));
  BOOST_TEST(words(test::proposed(short_window)->room) == "enter 7 until 1200");

  what.payment_window_ms = 9999;
  const auto wanted = here.does(what);
  const event::order_placed expected{order(1),      fan,        hold(1),  "",
                                     {2500, "EUR"}, hold_until, "sealed", asked(1)};
  BOOST_CHECK((wanted.events == test::events{expected}));
  BOOST_TEST(wanted.blocks.empty());
  BOOST_TEST(words(wanted.room) == "enter 7 until 1300");
}

BOOST_AUTO_TEST_CASE(an_order_is_refused_by_owner_time_and_amount) {
  desk here;
  here.after(hold_of_two());
  BOOST_TEST(is_no(here.decide(place(1, other_fan)), why::not_the_owner));
  BOOST_TEST(is_no(here.decide(place(1, std::nullopt)), why::not_the_owner));
  auto late = place(1);
  late.now = hold_until;
  BOOST_TEST(is_no(here.decide(late), why::hold_expired));
  late.now = hold_until - 1;
  BOOST_TEST(test::proposed(here.decide(late)));
  auto wrong = place(1);
  wrong.amount_minor = 2499;
  BOOST_TEST(is_no(here.decide(wrong), why::amount_differs));
  wrong.amount_minor = 2500;
  BOOST_TEST(test::proposed(here.decide(wrong)));
}

BOOST_AUTO_TEST_CASE(how_a_hold_ended_says_why_it_cannot_be_ordered) {
  const std::map<hold_end, why> table{{hold_end::released, why::hold_ended},
                                      {hold_end::expired, why::hold_expired},
                                      {hold_end::admission_ended, why::hold_ended},
                                      {hold_end::order_expired, why::hold_expired},
                                      {hold_end::cancelled, why::hold_ended}};
  for (const auto& [end, reason] : table) {
    desk here;
    here.after(hold_of_two()).after(event::hold_ended{hold(1), end});
    BOOST_TEST_CONTEXT(orders::to_string(end))
    BOOST_TEST(is_no(here.decide(place(1)), reason));
  }
}

BOOST_AUTO_TEST_CASE(an_order_that_is_over_and_not_swept_yet_no_longer_stands) {
  const auto here = in("pending");
  auto again = place(2);
  again.now = order_until;
  BOOST_TEST(is_no(here.decide(again), why::hold_expired));
  BOOST_TEST(is_no(here.decide(pay(1, order_until)), why::order_over));
  BOOST_TEST(test::proposed(here.decide(pay(1, order_until - 1))));
}

BOOST_AUTO_TEST_CASE(the_same_key_finds_the_same_order_and_another_body_is_refused) {
  desk here;
  here.after(hold_of_two());
  auto what = place(1);
  what.asked = asked(1, 1);
  here.does(what);
  what.order = order(2);
  BOOST_TEST(is_repeat_of(here.decide(what), order(1)));
  what.asked = asked(1, 2);
  BOOST_TEST(is_no(here.decide(what), why::key_reused));
}

BOOST_AUTO_TEST_CASE(on_the_drop_in_path_only_the_same_fan_finds_the_order) {
  desk here;
  here.after(hold_of_two(std::nullopt)).after(ordered(fan));
  BOOST_TEST(is_repeat_of(here.decide(place(2, fan)), order(1)));
  BOOST_TEST(is_no(here.decide(place(2, other_fan)), why::hold_has_order));
}

BOOST_AUTO_TEST_CASE(a_show_without_a_plan_takes_one_order_for_a_reference) {
  desk here;
  auto first = place_reference(1, "seats 5 and 6");
  first.amount_minor.reset();
  BOOST_TEST(is_no(here.decide(first), why::amount_missing));
  first.amount_minor = 700;
  const auto wanted = here.does(first);
  BOOST_TEST(wanted.blocks.empty());
  BOOST_TEST(words(wanted.room) == "enter 7 until 1200");

  const auto same_fan = place_reference(2, "seats 5 and 6");
  const auto another = place_reference(2, "seats 5 and 6", other_fan);
  BOOST_TEST(is_repeat_of(here.decide(same_fan), order(1)));
  BOOST_TEST(is_no(here.decide(another), why::hold_has_order));
  BOOST_TEST(test::proposed(here.decide(place_reference(2, "others", other_fan))));

  auto later = another;
  later.now = order_until;
  BOOST_TEST(test::proposed(here.decide(later)), "over at now == until");
  auto paying = here;
  paying.after(attempt(1));
  BOOST_TEST(is_no(paying.decide(later), why::hold_has_order));
  auto paid = here;
  paid.after(event::order_paid{order(1), "X", "r"});
  BOOST_TEST(is_no(paid.decide(later), why::hold_has_order));
  BOOST_TEST(is_repeat_of(paid.decide(same_fan), order(1)));
  auto refund_due = here;
  refund_due.after(event::order_refund_due{order(1), "X", "r"});
  BOOST_TEST(is_no(refund_due.decide(later), why::hold_has_order));
  auto refunded = paid;
  refunded.does(give_back(60));
  BOOST_TEST(is_no(refunded.decide(later), why::hold_has_order), "until the money is back");
  refunded.does(gone_back(60, usher::payments::outcome::approved), false);
  BOOST_TEST(test::proposed(refunded.decide(later)));
}

BOOST_AUTO_TEST_CASE(late_money_for_a_reference_that_another_order_took_is_given_back) {
  desk here;
  here.does(place_reference(1, "ref"));
  here.after(event::order_expired{order(1)});
  auto money = confirm_it;
  money.amount = usher::money{700, "EUR"};
  BOOST_TEST(short_of(here, orders::decide(here.state, money, false)) == "PAID");

  auto taken = here;
  taken.does(place_reference(2, "ref", other_fan));
  BOOST_TEST(short_of(taken, orders::decide(taken.state, money, false)) ==
             "REFUND_DUE, 700 go back");

  auto other_over = taken; // both over: whoever's money comes first has it
  other_over.after(event::order_expired{order(2)});
  other_over.does(confirm_it, false);
  BOOST_CHECK(status_of(other_over) == order_status::paid);
  auto second = report("second");
  second.order = order(2);
  other_over.does(second, false);
  BOOST_CHECK(other_over.state.orders.at(order(2)).status == order_status::refund_due);
}

BOOST_AUTO_TEST_CASE(a_payment_is_durable_before_the_gateway_and_the_same_key_finds_it) {
  auto here = in("pending");
  const auto wanted = here.does(pay(1));
  const event::payment_started started{.order = order(1),
                                       .payment = payment(1),
                                       .gateway = "SANDBOX",
                                       .method = "card",
                                       .asked = asked(1),
                                       .token = "sealed token",
                                       .until = paying_until};
  // While it is not known whether it charged, nobody else gets the seats.
  const event::hold_changed kept{hold(1),      2,           hold_change::kept_for_payment, {}, {},
                                 paying_until, std::nullopt};
  BOOST_CHECK((wanted.events == test::events{started, kept}));
  BOOST_TEST(words(wanted.blocks) == "A: hold.2 a; B: hold.2 b");
  BOOST_TEST(words(wanted.room) == "settle 7 until 1700");
  BOOST_CHECK(status_of(here) == order_status::paying);

  auto again = pay(1);
  again.payment = payment(2);
  const auto answer = here.decide(again);
  BOOST_TEST_REQUIRE(is_repeat_of(answer, order(1)));
  BOOST_CHECK(std::get<orders::repeated>(answer).payment == payment(1));
  again.asked = asked(1, 2);
  BOOST_TEST(is_no(here.decide(again), why::key_reused));
  BOOST_TEST(is_no(here.decide(pay(2)), why::payment_running));
}

BOOST_AUTO_TEST_CASE(a_key_of_another_kind_of_call_or_of_another_order_is_refused) {
  auto here = in("pending");
  here.does(pay(1));
  auto as_order = place(2);
  as_order.asked = asked(1);
  BOOST_TEST(is_no(here.decide(as_order), why::key_reused));
  here.does(place_reference(2, "ref"));
  auto other_order = pay(1);
  other_order.order = order(2);
  BOOST_TEST(is_no(here.decide(other_order), why::key_reused));
}

BOOST_AUTO_TEST_CASE(approval_sells_the_seats_and_tells_the_room) {
  auto here = in("paying");
  event::hold_placed second = hold_of_two();
  second.hold = hold(2);
  second.until = 1250;
  here.after(second);
  const auto wanted = here.does(settle(1, payment_outcome::approved), false);
  BOOST_TEST_REQUIRE(wanted.events.size() == 3U);
  BOOST_CHECK(std::holds_alternative<event::payment_settled>(wanted.events[0]));
  BOOST_CHECK(
      (wanted.events[1] == orders::any_event{event::order_paid{order(1), "SANDBOX", "mine"}}));
  BOOST_CHECK((wanted.events[2] == orders::any_event{event::tickets_issued{order(1), {"b", "a"}}}));
  BOOST_TEST(words(wanted.blocks) == "A: sell.2 a; B: sell.2 b");
  const auto& sale = std::get<usher::seating::command::sell>(wanted.blocks[0].command);
  BOOST_CHECK(sale.order == order(1));
  BOOST_CHECK(sale.hold == hold(1));
  BOOST_TEST(words(wanted.room) == "settle 7 until 1250 paid");
  BOOST_CHECK(here.state.holds.at(hold(1)).status == orders::hold_status::sold);
  BOOST_TEST(here.state.orders.at(order(1)).payments.size() == 1U);
}

BOOST_AUTO_TEST_CASE(money_without_seats_is_due_back_and_what_is_left_of_the_hold_is_released) {
  auto here = in("paying");
  const auto wanted = here.does(settle(1, payment_outcome::approved), true);
  BOOST_TEST_REQUIRE(wanted.events.size() == 4U);
  BOOST_CHECK(std::holds_alternative<event::payment_settled>(wanted.events[0]));
  const test::events rest{wanted.events.begin() + 1, wanted.events.end()};
  BOOST_CHECK((rest == test::events{event::order_refund_due{order(1), "SANDBOX", "mine"},
                                    goes_back(refund(101), "SANDBOX", "mine", payment(1),
                                              orders::refund_cause::refund_due),
                                    event::hold_ended{hold(1), hold_end::expired}}));
  BOOST_TEST(words(wanted.blocks) == "A: release 1.2 a; B: release 1.2 b");
  BOOST_TEST(words(wanted.room) == "settle 7 until 0");

  auto ended = in("expired");
  BOOST_TEST(ended.does(confirm_it, true).blocks.empty());
}

BOOST_AUTO_TEST_CASE(a_refused_payment_gives_the_hold_its_own_time_back) {
  for (const auto how : {payment_outcome::declined, payment_outcome::failed,
                         payment_outcome::not_sent, payment_outcome::voided}) {
    auto here = in("paying");
    BOOST_TEST(the_hold(here).until == paying_until);
    const auto wanted = here.does(settle(1, how, ""), false);
    BOOST_TEST_REQUIRE(wanted.events.size() == 2U);
    BOOST_CHECK((wanted.events[1] ==
                 orders::any_event{event::hold_changed{
                     hold(1), 3, hold_change::payment_over, {}, {}, hold_until, std::nullopt}}));
    BOOST_TEST(words(wanted.blocks) == "A: hold.3 a; B: hold.3 b");
    const auto& work = std::get<usher::seating::command::hold>(wanted.blocks[0].command);
    BOOST_TEST(work.until == hold_until);
    BOOST_TEST(words(wanted.room) == "settle 7 until 1200");
    BOOST_TEST(the_hold(here).until == hold_until);
    BOOST_CHECK((here.state.order_deadlines ==
                 std::set<std::pair<time_ms, order_id>>{{order_until, order(1)}}));
    BOOST_TEST(here.state.unsettled.empty());
    BOOST_TEST(the_order(here).payments[0].token == "", "of no use any more");

    here.does(pay(2)); // and once more: still its own time
    here.does(settle(2, how, ""), false);
    BOOST_TEST(the_hold(here).until == hold_until);
  }
}

BOOST_AUTO_TEST_CASE(an_attempt_that_is_given_up_early_never_shortens_the_hold) {
  auto here = in("pending");
  auto brief = pay(1);
  brief.give_up_ms = 10;
  here.does(brief);
  BOOST_TEST(the_hold(here).until == hold_until);
  here.does(settle(1, payment_outcome::declined, ""), false);
  BOOST_TEST(the_hold(here).until == hold_until);
}

BOOST_AUTO_TEST_CASE(an_attempt_that_is_given_up_early_leaves_the_order_its_own_time) {
  auto here = in("pending");
  auto brief = pay(1);
  brief.give_up_ms = 10;
  here.does(brief);
  auto swept = here;
  sweep(swept, order_until - 1);
  BOOST_CHECK(status_of(swept) == order_status::paying);
  sweep(swept, order_until);
  BOOST_CHECK(status_of(swept) == order_status::expired);
  here.does(settle(1, payment_outcome::voided, "", now + 20), false);
  BOOST_CHECK(status_of(here) == order_status::pending);
  BOOST_TEST(test::proposed(here.decide(pay(2, now + 30))));
}

BOOST_AUTO_TEST_CASE(a_gateway_that_the_fan_chose_gives_way_to_no_other) {
  auto here = in("pending");
  auto chosen = pay(1);
  chosen.chosen = true;
  here.does(chosen);
  here.does(and_then(settle(1, payment_outcome::failed, ""), 2), false);
  BOOST_CHECK(status_of(here) == order_status::pending);
  BOOST_TEST(the_order(here).payments.size() == 1U);
}

BOOST_AUTO_TEST_CASE(one_gateway_cannot_speak_for_another) {
  auto theirs = settle(1, payment_outcome::approved, "theirs");
  theirs.gateway = "STRIPE"; // the attempt is at SANDBOX
  auto here = in("paying");
  here.does(theirs, false);
  BOOST_CHECK(status_of(here) == order_status::paid);
  BOOST_TEST(the_order(here).kept()->gateway == "STRIPE");
  BOOST_CHECK(!the_order(here).payments[0].outcome);
  BOOST_TEST(is_repeat_of(orders::decide(here.state, theirs, false), order(1)));
  here.does(settle(1, payment_outcome::approved), false);
  BOOST_TEST(the_order(here).refunds.size() == 1U, "its own money came, too");

  theirs.outcome = payment_outcome::declined;
  const auto still = in("paying");
  BOOST_TEST(short_of(still, orders::decide(still.state, theirs, false)) == "same");
}

BOOST_AUTO_TEST_CASE(a_payment_refused_after_the_orders_own_time_ends_it_in_the_same_batch) {
  for (const auto when : {order_until, order_until + 1, paying_until}) {
    auto here = in("paying");
    const auto wanted = here.does(settle(1, payment_outcome::declined, "", when), false);
    BOOST_TEST_REQUIRE(wanted.events.size() == 3U);
    BOOST_CHECK((wanted.events[1] == orders::any_event{event::order_expired{order(1)}}));
    BOOST_CHECK((wanted.events[2] ==
                 orders::any_event{event::hold_ended{hold(1), hold_end::order_expired}}));
    BOOST_TEST(words(wanted.blocks) == "A: release 1.2 a; B: release 1.2 b");
    BOOST_TEST(words(wanted.room) == "settle 7 until 0");
  }
  auto in_time = in("paying");
  in_time.does(settle(1, payment_outcome::declined, "", order_until - 1), false);
  BOOST_CHECK(status_of(in_time) == order_status::pending);
}

BOOST_AUTO_TEST_CASE(a_gateway_that_could_not_charge_gives_way_to_the_next_in_the_same_batch) {
  for (const auto when : {now, order_until + 1, paying_until - 1}) { // while PAYING in time
    auto here = in("paying");
    auto failing = and_then(settle(1, payment_outcome::failed, "", when), 2);
    failing.next->skipped = {{"STRIPE", usher::payments::passed_over{}.why}};
    const auto wanted = here.does(failing, false);
    BOOST_TEST_REQUIRE(wanted.events.size() == 2U);
    const event::payment_started next{.order = order(1),
                                      .payment = payment(2),
                                      .gateway = "PAYPAL",
                                      .method = "card",
                                      .asked = std::nullopt,
                                      .token = {}, // it means nothing to another gateway
                                      .follows = payment(1),
                                      .skipped = failing.next->skipped,
                                      .until = paying_until};
    BOOST_CHECK((wanted.events[1] == orders::any_event{next}));
    BOOST_TEST(wanted.blocks.empty(), "the seats are kept as they are");
    BOOST_TEST(words(wanted.room) == "");
    BOOST_CHECK(status_of(here) == order_status::paying);
    BOOST_TEST(the_hold(here).until == paying_until);

    // Whoever asks with the key of the first finds the last.
    const auto again = here.decide(pay(1));
    BOOST_TEST_REQUIRE(is_repeat_of(again, order(1)));
    BOOST_CHECK(std::get<orders::repeated>(again).payment == payment(1));
    BOOST_CHECK(the_order(here).last_after(*the_order(here).find(payment(1))).id == payment(2));

    here.does(settle(2, payment_outcome::declined, "", now), false);
    BOOST_TEST(the_hold(here).until == hold_until, "its own time, from before the first");
  }
}

BOOST_AUTO_TEST_CASE(
    money_from_outside_stands_among_the_payments_and_a_late_failure_undoes_nothing) {
  auto here = in("paying");
  const auto wanted = here.does(confirm_it, false);
  BOOST_TEST(words(wanted.blocks) == "A: sell.2 a; B: sell.2 b");
  BOOST_TEST(words(wanted.room) == "settle 7 until 0 paid");
  here.does(settle(1, payment_outcome::failed, ""), false);
  BOOST_CHECK(status_of(here) == order_status::paid);
  const auto& payments = here.state.orders.at(order(1)).payments;
  BOOST_TEST_REQUIRE(payments.size() == 2U);
  BOOST_CHECK(payments[0].outcome == payment_outcome::failed);
  BOOST_TEST(payments[1].gateway == "STRIPE");
  BOOST_TEST(payments[1].reference == "outside");
  BOOST_CHECK(payments[1].outcome == payment_outcome::approved);
}

BOOST_AUTO_TEST_CASE(a_second_approval_is_recorded_and_goes_back) {
  auto here = in("paying");
  here.does(confirm_it, false);
  const auto wanted = here.does(settle(1, payment_outcome::approved, "twice"), false);
  BOOST_TEST_REQUIRE(wanted.events.size() == 2U);
  BOOST_CHECK(
      (wanted.events[1] == orders::any_event{goes_back(refund(101), "SANDBOX", "twice", payment(1),
                                                       orders::refund_cause::surplus)}));
  BOOST_TEST(wanted.blocks.empty());
  BOOST_TEST(words(wanted.room) == "");
  BOOST_TEST(the_order(here).payments[0].reference == "twice");
  BOOST_TEST(the_order(here).kept()->reference == "outside");
}

BOOST_AUTO_TEST_CASE(the_attempts_own_money_that_was_reported_before_is_known_and_stays) {
  for (const bool lost : {false, true}) {
    auto here = in("paying");
    here.does(report("mine", 50, "SANDBOX"), lost);
    const auto before = status_of(here);
    const auto wanted = here.does(settle(1, payment_outcome::approved), false);
    BOOST_TEST_REQUIRE(wanted.events.size() == 1U);
    BOOST_TEST(std::get<event::payment_settled>(wanted.events[0]).known);
    BOOST_CHECK(status_of(here) == before);
    BOOST_TEST(the_order(here).refunds.size() == (lost ? 1U : 0U));
    BOOST_TEST(here.state.unsettled.contains(order(1)) == lost);
  }
  // The same id at another gateway is other money.
  auto here = in("paying");
  here.does(report("mine", 50, "STRIPE"), false);
  here.does(settle(1, payment_outcome::approved), false);
  BOOST_TEST(the_order(here).refunds.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_wrong_amount_of_an_attempt_goes_back_as_it_came) {
  for (const std::int64_t minor : {1000, 2499, 2501, 9000}) {
    auto here = in("paying");
    auto wrong = settle(1, payment_outcome::approved);
    wrong.amount = usher::money{minor, "EUR"};
    here.does(wrong, false);
    BOOST_TEST_CONTEXT(minor) {
      BOOST_CHECK(status_of(here) == order_status::refund_due);
      BOOST_TEST(the_order(here).payments[0].amount_minor == minor);
      BOOST_TEST_REQUIRE(the_order(here).refunds.size() == 1U);
      BOOST_TEST(the_order(here).refunds[0].amount_minor == minor);
      here.does(gone_back(101, usher::payments::outcome::approved), false);
      BOOST_CHECK(status_of(here) == order_status::refunded);
    }
  }
}

BOOST_AUTO_TEST_CASE(money_of_another_currency_sells_nothing) {
  for (const auto* name : {"pending", "paying", "expired", "cancelled"}) {
    auto other = report("yen");
    other.amount = usher::money{total_minor, "JPY"};
    const auto here = in(name);
    BOOST_TEST(!short_of(here, orders::decide(here.state, other, false)).starts_with("PAID"));
  }
  auto other = settle(1, payment_outcome::approved);
  other.amount = usher::money{total_minor, "JPY"};
  const auto here = in("paying");
  BOOST_TEST(!short_of(here, orders::decide(here.state, other, false)).starts_with("PAID"));
}

BOOST_AUTO_TEST_CASE(late_money_asks_for_the_same_seats_again) {
  for (const auto* name : {"expired", "cancelled"}) {
    auto here = in(name);
    BOOST_TEST(words(here.does(confirm_it, false).blocks) == "A: sell a; B: sell b");
    const auto& it = the_hold(here);
    BOOST_CHECK(it.status == orders::hold_status::sold);
    BOOST_TEST(!it.end.has_value());
  }
}

BOOST_AUTO_TEST_CASE(cancelling_ends_the_hold_too) {
  auto here = in("pending");
  const auto wanted = here.does(cancel_it);
  BOOST_CHECK((wanted.events == test::events{event::order_cancelled{order(1)},
                                             event::hold_ended{hold(1), hold_end::cancelled}}));
  BOOST_TEST(words(wanted.blocks) == "A: release 1.1 a; B: release 1.1 b");
  BOOST_TEST(words(wanted.room) == "settle 7 until 0");
  BOOST_TEST(here.state.hold_deadlines.empty());
  BOOST_TEST(here.state.order_deadlines.empty());
}

BOOST_AUTO_TEST_CASE(cancelling_while_it_is_being_paid_ends_the_hold_too) {
  auto here = in("paying");
  auto asked_for = cancel_it;
  asked_for.asked = asked(5);
  const auto wanted = here.does(asked_for);
  BOOST_CHECK((wanted.events == test::events{event::order_cancelled{order(1), asked(5)},
                                             event::hold_ended{hold(1), hold_end::cancelled}}));
  BOOST_TEST(words(wanted.blocks) == "A: release 1.2 a; B: release 1.2 b");
  BOOST_TEST(words(wanted.room) == "settle 7 until 0");
  BOOST_TEST(here.state.order_deadlines.empty());
  BOOST_TEST(here.state.unsettled.contains(order(1)), "its attempt goes on without it");
  BOOST_TEST(is_repeat_of(here.decide(asked_for), order(1)));
}

BOOST_AUTO_TEST_CASE(an_event_that_contradicts_the_state_stops_the_process) {
  const auto stops_on = [](const char* name, const orders::any_event& happened) {
    return usher::test::stops([&] { in(name).after(happened); });
  };
  const auto *pending = "pending", *paying = "paying", *paid = "paid", *refund_due = "due";
  const event::order_paid pays{order(1), "X", "r"};
  BOOST_TEST(!stops_on(pending, pays));
  BOOST_TEST(stops_on(paid, pays), "paid twice");
  BOOST_TEST(stops_on(refund_due, pays), "sold after the refund");
  BOOST_TEST(!stops_on(paying, event::order_expired{order(1)}), "it was given up");
  BOOST_TEST(stops_on(paid, event::order_expired{order(1)}), "expired when paid");
  BOOST_TEST(stops_on(paying, event::hold_ended{hold(1), hold_end::expired}), "hold of a payment");
  BOOST_TEST(stops_on(pending, event::hold_ended{hold(1), hold_end::expired}), "hold of an order");
  BOOST_TEST(stops_on(paid, event::hold_ended{hold(1), hold_end::released}), "hold sold");
  BOOST_TEST(stops_on(paid, event::order_cancelled{order(1)}), "cancelled when paid");
  BOOST_TEST(stops_on(paying, attempt(2)), "two attempts at once");
  BOOST_TEST(stops_on(pending, outcome(1, payment_outcome::approved)), "an unknown attempt");
  BOOST_TEST(stops_on(paid, outcome(1, payment_outcome::declined)), "settled twice");
  BOOST_TEST(stops_on(pending, ordered()), "placed twice");
  BOOST_TEST(stops_on(pending, hold_of_two()), "held twice");
  BOOST_TEST(stops_on(pending, event::order_paid{order(9), "X", "r"}), "an unknown order");
}

BOOST_AUTO_TEST_CASE(stored_names_are_read_back_and_others_are_not) {
  for (const auto end : {hold_end::released, hold_end::expired, hold_end::admission_ended,
                         hold_end::order_expired, hold_end::cancelled, hold_end::withdrawn})
    BOOST_CHECK(orders::hold_end_of(orders::to_string(end)) == end);
  for (const auto what :
       {payment_outcome::approved, payment_outcome::declined, payment_outcome::failed,
        payment_outcome::not_sent, payment_outcome::voided})
    BOOST_CHECK(orders::payment_outcome_of(orders::to_string(what)) == what);
  BOOST_TEST(orders::to_string(hold_end::admission_ended) == "admission_ended");
  BOOST_CHECK(!orders::hold_end_of("?"));
  BOOST_CHECK(!orders::payment_outcome_of(""));
}
