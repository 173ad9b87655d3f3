// The desk's rules for orders and payments: placing, paying, money from outside, cancelling. The
// first tables ask every command of every state that an order can be in.
#include "tests/rules/orders_support.hpp"
#include "tests/rules/stops.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>
#include <map>

namespace {

using namespace usher::test;
namespace test = usher::test;

constexpr time_ms now = 1100; ///< of the commands, unless they say another
constexpr time_ms order_until = 1200;
constexpr time_ms hold_until = 1300;

event::hold_placed hold_of_two(std::optional<slot_t> owner = fan) {
  return {hold(1), owner,      {seat("B", "b", 1500), seat("A", "a", 1000)},
          "EUR",   hold_until, std::nullopt};
}

event::order_placed ordered(std::optional<slot_t> owner = fan) {
  return {order(1), owner, hold(1), "", {2500, "EUR"}, order_until, "sealed", std::nullopt};
}

event::payment_started attempt(std::uint8_t n) {
  return {order(1), payment(n), "SANDBOX", "card", std::nullopt};
}

event::payment_settled outcome(std::uint8_t n, payment_outcome what) {
  return {order(1), payment(n), what, "ref"};
}

/// The desk with the one order in each state that it can be in.
std::map<order_status, desk> every_state() {
  desk pending;
  pending.after(hold_of_two()).after(ordered());
  desk paying = pending;
  paying.after(attempt(1));
  desk paid = paying;
  paid.after(outcome(1, payment_outcome::approved))
      .after(event::order_paid{order(1), "SANDBOX", "ref"});
  desk expired = pending;
  expired.after(event::order_expired{order(1)})
      .after(event::hold_ended{hold(1), hold_end::order_expired});
  desk cancelled = pending;
  cancelled.after(event::order_cancelled{order(1)})
      .after(event::hold_ended{hold(1), hold_end::cancelled});
  desk refund_due = expired;
  refund_due.after(event::order_refund_due{order(1), "SANDBOX", "ref"});
  return {{order_status::pending, pending},     {order_status::paying, paying},
          {order_status::paid, paid},           {order_status::expired, expired},
          {order_status::cancelled, cancelled}, {order_status::refund_due, refund_due}};
}

desk desk_with(order_status status) {
  return every_state().at(status);
}

order_status status_of(const desk& here) {
  return here.state.orders.at(order(1)).status;
}

/// What an answer is, in short: a rejection's name, "same", or the state of the order after it.
std::string short_of(const desk& here, const orders::decision& answer) {
  if (const auto* no = std::get_if<orders::rejection>(&answer))
    return std::string{orders::to_string(*no)};
  if (std::holds_alternative<orders::repeated>(answer))
    return "same";
  auto after = here;
  for (const auto& happened : std::get<orders::proposal>(answer).events)
    after.after(happened);
  return std::string{orders::to_string(status_of(after))};
}

using question = std::function<orders::decision(const desk&)>;

void ask_everywhere(const std::string& what, const question& ask,
                    const std::map<order_status, std::string>& expected) {
  for (const auto& [status, here] : every_state())
    BOOST_TEST_CONTEXT(what << " of an order that is " << orders::to_string(status))
  BOOST_TEST(short_of(here, ask(here)) == expected.at(status));
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

command::start_payment pay(std::uint8_t n, time_ms when = now) {
  return {order(1), payment(n), "SANDBOX", "card", asked(n), when};
}

const command::cancel cancel_it{order(1), now};
const command::confirm confirm_it{order(1), "STRIPE", "outside", now};

} // namespace

BOOST_AUTO_TEST_CASE(every_state_of_an_order_answers_every_command) {
  using enum order_status;
  ask_everywhere("pay", [](const desk& here) { return here.decide(pay(2)); },
                 {{pending, "PAYING"},
                  {paying, "payment-running"},
                  {paid, "same"},
                  {expired, "order-over"},
                  {cancelled, "order-over"},
                  {refund_due, "order-over"}});
  ask_everywhere("cancel", [](const desk& here) { return here.decide(cancel_it); },
                 {{pending, "CANCELLED"},
                  {paying, "payment-running"},
                  {paid, "order-paid"},
                  {expired, "order-over"},
                  {cancelled, "same"},
                  {refund_due, "order-paid"}});
  ask_everywhere("confirm",
                 [](const desk& here) { return orders::decide(here.state, confirm_it, false); },
                 {{pending, "PAID"},
                  {paying, "PAID"},
                  {paid, "same"},
                  {expired, "PAID"},
                  {cancelled, "PAID"},
                  {refund_due, "same"}});
  ask_everywhere("confirm with the seats lost",
                 [](const desk& here) { return orders::decide(here.state, confirm_it, true); },
                 {{pending, "REFUND_DUE"},
                  {paying, "REFUND_DUE"},
                  {paid, "same"},
                  {expired, "REFUND_DUE"},
                  {cancelled, "REFUND_DUE"},
                  {refund_due, "same"}});
  const auto order_again = [](std::optional<orders::idempotency> key) {
    return [key](const desk& here) {
      auto again = place(2);
      again.asked = key;
      return here.decide(again);
    };
  };
  ask_everywhere("order again without a key", order_again(std::nullopt),
                 {{pending, "same"},
                  {paying, "same"},
                  {paid, "same"},
                  {expired, "hold-expired"},
                  {cancelled, "hold-ended"},
                  {refund_due, "same"}});
  ask_everywhere("order again with a new key", order_again(asked(9)),
                 {{pending, "hold-has-order"},
                  {paying, "hold-has-order"},
                  {paid, "hold-ended"},
                  {expired, "hold-expired"},
                  {cancelled, "hold-ended"},
                  {refund_due, "hold-expired"}});
}

BOOST_AUTO_TEST_CASE(every_outcome_of_an_attempt_in_every_state_it_can_be_reported_in) {
  using enum order_status;
  const auto settle = [](const desk& here, payment_outcome what, bool seats_lost) {
    return orders::decide(
        here.state, command::settle_payment{order(1), payment(1), what, "ref", now}, seats_lost);
  };
  // PAYING; and the two that another report made of it while the attempt's outcome was unknown.
  const auto running = desk_with(paying);
  auto paid_meanwhile = running;
  paid_meanwhile.after(event::order_paid{order(1), "STRIPE", "outside"});
  auto refunded_meanwhile = running;
  refunded_meanwhile.after(event::order_refund_due{order(1), "STRIPE", "outside"})
      .after(event::hold_ended{hold(1), hold_end::expired});

  using outcome_of = payment_outcome;
  BOOST_TEST(short_of(running, settle(running, outcome_of::approved, false)) == "PAID");
  BOOST_TEST(short_of(running, settle(running, outcome_of::approved, true)) == "REFUND_DUE");
  for (const auto what : {outcome_of::declined, outcome_of::failed})
    BOOST_TEST(short_of(running, settle(running, what, false)) == "PENDING");
  for (const auto what : {outcome_of::approved, outcome_of::declined, outcome_of::failed}) {
    BOOST_TEST(short_of(paid_meanwhile, settle(paid_meanwhile, what, false)) == "PAID");
    BOOST_TEST(short_of(refunded_meanwhile, settle(refunded_meanwhile, what, false)) ==
               "REFUND_DUE");
    const auto done = desk_with(paid);
    BOOST_TEST(short_of(done, settle(done, what, false)) == "same");
  }
  const auto none = desk_with(pending);
  BOOST_TEST(short_of(none, settle(none, outcome_of::approved, false)) == "unknown-order");
  BOOST_TEST(short_of(desk{}, settle(desk{}, outcome_of::approved, false)) == "unknown-order");
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
  const auto here = desk_with(order_status::pending);
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
}

BOOST_AUTO_TEST_CASE(late_money_for_a_reference_that_another_order_took_is_given_back) {
  desk here;
  here.does(place_reference(1, "ref"));
  here.after(event::order_expired{order(1)});
  BOOST_TEST(short_of(here, orders::decide(here.state, confirm_it, false)) == "PAID");

  auto taken = here;
  taken.does(place_reference(2, "ref", other_fan));
  BOOST_TEST(short_of(taken, orders::decide(taken.state, confirm_it, false)) == "REFUND_DUE");

  auto other_over = taken; // both over: whoever's money comes first has it
  other_over.after(event::order_expired{order(2)});
  other_over.does(confirm_it, false);
  BOOST_CHECK(status_of(other_over) == order_status::paid);
  other_over.does(command::confirm{order(2), "STRIPE", "second", now}, false);
  BOOST_CHECK(other_over.state.orders.at(order(2)).status == order_status::refund_due);
}

BOOST_AUTO_TEST_CASE(a_payment_is_durable_before_the_gateway_and_the_same_key_finds_it) {
  auto here = desk_with(order_status::pending);
  const auto wanted = here.does(pay(1));
  const event::payment_started started{order(1), payment(1), "SANDBOX", "card", asked(1)};
  BOOST_CHECK((wanted.events == test::events{started}));
  BOOST_TEST(words(wanted.room) == "");
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
  auto here = desk_with(order_status::pending);
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
  auto here = desk_with(order_status::paying);
  event::hold_placed second = hold_of_two();
  second.hold = hold(2);
  second.until = 1250;
  here.after(second);
  const auto wanted = here.does(
      command::settle_payment{order(1), payment(1), payment_outcome::approved, "ref", now}, false);
  BOOST_CHECK((wanted.events == test::events{outcome(1, payment_outcome::approved),
                                             event::order_paid{order(1), "SANDBOX", "ref"}}));
  BOOST_TEST(words(wanted.blocks) == "A: sell a; B: sell b");
  const auto& sale = std::get<usher::seating::command::sell>(wanted.blocks[0].command);
  BOOST_CHECK(sale.order == order(1));
  BOOST_CHECK(sale.hold == hold(1));
  BOOST_TEST(words(wanted.room) == "settle 7 until 1250 paid");
  BOOST_CHECK(here.state.holds.at(hold(1)).status == orders::hold_status::sold);
  BOOST_TEST(here.state.orders.at(order(1)).payments.size() == 1U);
}

BOOST_AUTO_TEST_CASE(money_without_seats_is_due_back_and_what_is_left_of_the_hold_is_released) {
  auto here = desk_with(order_status::paying);
  const auto wanted = here.does(
      command::settle_payment{order(1), payment(1), payment_outcome::approved, "ref", now}, true);
  BOOST_CHECK((wanted.events == test::events{outcome(1, payment_outcome::approved),
                                             event::order_refund_due{order(1), "SANDBOX", "ref"},
                                             event::hold_ended{hold(1), hold_end::expired}}));
  BOOST_TEST(words(wanted.blocks) == "A: release 1.1 a; B: release 1.1 b");
  BOOST_TEST(words(wanted.room) == "settle 7 until 0");

  auto ended = desk_with(order_status::expired);
  BOOST_TEST(ended.does(confirm_it, true).blocks.empty());
}

BOOST_AUTO_TEST_CASE(a_refused_payment_leaves_the_order_to_be_paid_again_or_to_expire) {
  auto here = desk_with(order_status::paying);
  const auto wanted = here.does(
      command::settle_payment{order(1), payment(1), payment_outcome::declined, "", now}, false);
  BOOST_TEST(wanted.blocks.empty());
  BOOST_TEST(words(wanted.room) == "");
  BOOST_TEST(here.state.order_deadlines.size() == 1U);
  BOOST_TEST(test::proposed(here.decide(pay(2))));
}

BOOST_AUTO_TEST_CASE(
    money_from_outside_stands_among_the_payments_and_a_late_failure_undoes_nothing) {
  auto here = desk_with(order_status::paying);
  const auto wanted = here.does(confirm_it, false);
  BOOST_TEST(words(wanted.blocks) == "A: sell a; B: sell b");
  BOOST_TEST(words(wanted.room) == "settle 7 until 0 paid");
  here.does(command::settle_payment{order(1), payment(1), payment_outcome::failed, "", now}, false);
  BOOST_CHECK(status_of(here) == order_status::paid);
  const auto& payments = here.state.orders.at(order(1)).payments;
  BOOST_TEST_REQUIRE(payments.size() == 2U);
  BOOST_CHECK(payments[0].outcome == payment_outcome::failed);
  BOOST_TEST(payments[1].gateway == "STRIPE");
  BOOST_TEST(payments[1].reference == "outside");
  BOOST_CHECK(payments[1].outcome == payment_outcome::approved);
}

BOOST_AUTO_TEST_CASE(a_second_approval_is_recorded_and_sells_nothing) {
  auto here = desk_with(order_status::paying);
  here.does(confirm_it, false);
  const auto wanted = here.does(
      command::settle_payment{order(1), payment(1), payment_outcome::approved, "twice", now},
      false);
  BOOST_TEST(wanted.events.size() == 1U);
  BOOST_TEST(wanted.blocks.empty());
  BOOST_TEST(words(wanted.room) == "");
  BOOST_TEST(here.state.orders.at(order(1)).payments[0].reference == "twice");
}

BOOST_AUTO_TEST_CASE(late_money_asks_for_the_same_seats_again) {
  for (const auto status : {order_status::expired, order_status::cancelled}) {
    auto here = desk_with(status);
    BOOST_TEST(words(here.does(confirm_it, false).blocks) == "A: sell a; B: sell b");
    const auto& it = here.state.holds.at(hold(1));
    BOOST_CHECK(it.status == orders::hold_status::sold);
    BOOST_TEST(!it.end.has_value());
  }
}

BOOST_AUTO_TEST_CASE(cancelling_ends_the_hold_too) {
  auto here = desk_with(order_status::pending);
  const auto wanted = here.does(cancel_it);
  BOOST_CHECK((wanted.events == test::events{event::order_cancelled{order(1)},
                                             event::hold_ended{hold(1), hold_end::cancelled}}));
  BOOST_TEST(words(wanted.blocks) == "A: release 1.1 a; B: release 1.1 b");
  BOOST_TEST(words(wanted.room) == "settle 7 until 0");
  BOOST_TEST(here.state.hold_deadlines.empty());
  BOOST_TEST(here.state.order_deadlines.empty());
}

BOOST_AUTO_TEST_CASE(an_event_that_contradicts_the_state_stops_the_process) {
  const auto stops_on = [](order_status status, const orders::any_event& happened) {
    return usher::test::stops([&] { desk_with(status).after(happened); });
  };
  using enum order_status;
  const event::order_paid pays{order(1), "X", "r"};
  BOOST_TEST(!stops_on(pending, pays));
  BOOST_TEST(stops_on(paid, pays), "paid twice");
  BOOST_TEST(stops_on(refund_due, pays), "sold after the refund");
  BOOST_TEST(stops_on(paying, event::order_expired{order(1)}), "expired while paying");
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
                         hold_end::order_expired, hold_end::cancelled})
    BOOST_CHECK(orders::hold_end_of(orders::to_string(end)) == end);
  for (const auto what :
       {payment_outcome::approved, payment_outcome::declined, payment_outcome::failed})
    BOOST_CHECK(orders::payment_outcome_of(orders::to_string(what)) == what);
  BOOST_TEST(orders::to_string(hold_end::admission_ended) == "admission_ended");
  BOOST_CHECK(!orders::hold_end_of("?"));
  BOOST_CHECK(!orders::payment_outcome_of(""));
}
