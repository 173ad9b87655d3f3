// Money that arrives in any order, any number of times, and before its order; and what is
// remembered of keys. That the counts bite was tried: a report that is not compared with what is on
// record, and a surplus that is not given back, each fail here.
#include "tests/rules/orders_payments_support.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace usher::test;
using usher::money;
using usher::order_id;
using enum payment_outcome;
using outcome = usher::payments::outcome;

/// One piece of news of the order 1.
enum class news : std::uint8_t {
  stripe,   ///< a report of one payment
  cash,     ///< of another
  approved, ///< the attempt's answer, or its webhook
  declined, ///< likewise
  same,     ///< a report of the attempt's own money
  nameless, ///< a service says that it is paid, and not by what
};

struct counts {
  std::size_t sales = 0;
  std::size_t tickets = 0;
};

template <class Command>
void tell(desk& here, counts& seen, const Command& what) {
  const auto answer = orders::decide(here.state, what, false);
  if (const auto* wanted = proposed(answer))
    for (const auto& happened : wanted->events) {
      here.after(happened);
      seen.sales += std::holds_alternative<event::order_paid>(happened) ? 1U : 0U;
      seen.tickets += std::holds_alternative<event::tickets_issued>(happened) ? 1U : 0U;
    }
}

void tell(desk& here, counts& seen, news what) {
  switch (what) {
  case news::stripe:
    return tell(here, seen, report("one", 50, "STRIPE"));
  case news::cash:
    return tell(here, seen, report("two", 51, "CASH"));
  case news::approved:
    return tell(here, seen, settle(1, approved));
  case news::declined:
    return tell(here, seen, settle(1, declined, ""));
  case news::same:
    return tell(here, seen, report("mine", 52, "SANDBOX"));
  case news::nameless:
    return tell(here, seen, report("", 53, "EXTERNAL"));
  }
}

/// So many payments, one of them kept (if the order is sold), each other one given back once.
std::string fault_of_money(const desk& here, std::size_t payments) {
  const auto& it = the_order(here);
  std::size_t came = 0;
  std::size_t kept = 0;
  for (const auto& one : it.payments) {
    if (one.outcome != approved || one.known)
      continue;
    ++came;
    const auto back = std::ranges::count_if(it.refunds, [&](const orders::refund& r) {
      return r.payment == one.id && r.gateway == one.gateway &&
             r.payment_reference == one.reference && r.amount_minor == one.amount_minor;
    });
    kept += one.kept ? 1U : 0U;
    if (back != (one.kept && it.is_sold() ? 0 : 1))
      return one.reference + " is given back " + std::to_string(back) + " times";
  }
  if (came != payments)
    return std::to_string(came) + " payments";
  return kept == 1 ? "" : std::to_string(kept) + " payments are kept";
}

/// Every order in which the news can arrive, repeats and all.
std::size_t in_every_order(std::vector<news> all, const desk& from, std::size_t payments) {
  std::ranges::sort(all);
  std::size_t ways = 0;
  do {
    auto here = from;
    counts seen;
    for (const auto what : all)
      tell(here, seen, what);
    const auto fault = fault_of_money(here, payments);
    BOOST_REQUIRE_EQUAL(fault, "");
    BOOST_REQUIRE_EQUAL(seen.sales, 1U);
    BOOST_REQUIRE_EQUAL(seen.tickets, 1U);
    BOOST_REQUIRE(status_of(here) == order_status::paid);
    ++ways;
  } while (std::ranges::next_permutation(all).found);
  return ways;
}

command::keep_report webhook(order_id order, const std::string& hold_ref,
                             const std::string& reference, std::int64_t minor, time_ms when = now) {
  command::keep_report what;
  what.order = order;
  what.hold_ref = hold_ref;
  what.gateway = "STRIPE";
  what.reference = reference;
  what.amount = {minor, "EUR"};
  what.now = when;
  what.refund = refund(55);
  return what;
}

command::place_order for_reference(std::uint8_t id) {
  command::place_order what;
  what.order = order(id);
  what.owner = fan;
  what.hold_ref = "seats 5 and 6";
  what.currency = "EUR";
  what.amount_minor = 700;
  what.payment_window_ms = 100;
  what.asked = asked(static_cast<std::uint8_t>(20 + id));
  what.now = now;
  return what;
}

void take_due(desk& here) {
  for (auto& due : orders::due_reports(here.state)) {
    due.now = here.now;
    due.refund = refund(56);
    const auto answer = orders::decide(here.state, due, false);
    if (const auto* wanted = proposed(answer))
      for (const auto& happened : wanted->events)
        here.after(happened);
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(reports_and_outcomes_in_every_order_make_one_sale_and_give_the_rest_back) {
  using enum news;
  const std::vector<news> all{stripe,         stripe,         cash,
                              cash,           news::approved, news::approved,
                              news::approved, news::declined, news::declined};
  BOOST_TEST(in_every_order(all, in("paying"), 3) == 7560U); // 9! / (2! 2! 3! 2!)
  // An attempt that was given up: its money may still come, and the seats are free.
  BOOST_TEST(in_every_order(all, in("expired, attempt open"), 3) == 7560U);
}

BOOST_AUTO_TEST_CASE(fifty_reports_and_outcomes_make_one_sale) {
  using enum news;
  std::vector<news> all;
  for (const auto& [what, times] : {std::pair{stripe, 13}, std::pair{cash, 12},
                                    std::pair{news::approved, 13}, std::pair{news::declined, 12}})
    all.insert(all.end(), static_cast<std::size_t>(times), what);
  std::mt19937 random{4711};
  for (int round = 0; round < 200; ++round) {
    std::ranges::shuffle(all, random);
    auto here = in("paying");
    counts seen;
    for (const auto what : all)
      tell(here, seen, what);
    BOOST_REQUIRE_EQUAL(seen.sales, 1U);
    BOOST_REQUIRE_EQUAL(fault_of_money(here, 3), "");
  }
}

BOOST_AUTO_TEST_CASE(one_payment_told_in_two_ways_is_one_payment_in_every_order) {
  using enum news;
  const std::vector<news> all{news::same,     news::same,     news::same,    news::approved,
                              news::approved, news::approved, news::declined};
  BOOST_TEST(in_every_order(all, in("paying"), 1) == 140U);
  BOOST_TEST(in_every_order(all, in("expired, attempt open"), 1) == 140U);
  const std::vector<news> without_name{nameless, nameless, news::approved, news::approved};
  for (const auto* name : {"paying", "expired, attempt open"})
    BOOST_TEST(in_every_order(without_name, in(name), 1) == 6U);
}

BOOST_AUTO_TEST_CASE(of_two_payments_at_once_the_first_is_kept_and_the_other_goes_back) {
  for (const bool report_first : {true, false}) {
    auto here = in("paying");
    if (report_first)
      here.does(report("outside"), false);
    here.does(settle(1, approved), false);
    if (!report_first)
      here.does(report("outside"), false);
    BOOST_TEST(the_order(here).kept()->reference == (report_first ? "outside" : "mine"));
    const auto& back = the_order(here).refunds;
    BOOST_TEST_REQUIRE(back.size() == 1U);
    BOOST_TEST(back[0].payment_reference == (report_first ? "mine" : "outside"));
    BOOST_CHECK(back[0].cause == orders::refund_cause::surplus);
    BOOST_TEST(back[0].seats.empty(), "the seats are paid for");
    here.does(gone_back(back[0].id.bytes[0], outcome::approved), false);
    BOOST_CHECK(status_of(here) == order_status::paid);
    BOOST_TEST(here.state.unsettled.empty());
  }
}

BOOST_AUTO_TEST_CASE(of_a_cancelled_order_its_own_money_goes_back_and_a_services_report_sells) {
  for (const auto* name : {"cancelled, attempt open", "cancelled, attempt voided"}) {
    auto own = in(name);
    own.does(settle(1, approved), false);
    BOOST_CHECK(status_of(own) == order_status::refund_due);
    BOOST_TEST(the_order(own).payments.size() == 1U, "it is the attempt's own money");
    own.does(report("outside"), false);
    BOOST_CHECK(status_of(own) == order_status::refund_due);
    BOOST_TEST(fault_of_money(own, 2) == "");

    auto told = in(name);
    told.does(report("outside"), false);
    told.does(settle(1, approved), false);
    BOOST_CHECK(status_of(told) == order_status::paid);
    BOOST_TEST(fault_of_money(told, 2) == "");
  }
}

BOOST_AUTO_TEST_CASE(a_report_that_comes_before_its_order_is_kept_applied_and_erased) {
  desk here;
  here.at(now).does(webhook(order(1), "", "early", 700), false);
  here.does(webhook({}, "seats 5 and 6", "early too", 700), false);
  BOOST_TEST(here.state.kept_reports.size() == 2U);
  const auto again = orders::decide(here.state, webhook(order(1), "", "early", 700), false);
  BOOST_TEST_REQUIRE(proposed(again));
  BOOST_TEST(proposed(again)->events.empty(), "kept already");
  BOOST_TEST(orders::due_reports(here.state).empty());

  here.does(for_reference(1));
  BOOST_TEST(orders::due_reports(here.state).size() == 2U);
  take_due(here);
  BOOST_CHECK(status_of(here) == order_status::paid);
  BOOST_TEST(fault_of_money(here, 2) == "");
  BOOST_TEST(here.state.kept_reports.empty());
  BOOST_TEST(orders::due_reports(here.state).empty());
}

BOOST_AUTO_TEST_CASE(a_kept_report_is_erased_by_the_attempts_own_approval_too) {
  desk here;
  here.at(now).does(webhook({}, "seats 5 and 6", "mine", 700), false);
  here.does(for_reference(1));
  auto stripe = pay(1);
  stripe.gateway = "STRIPE";
  here.does(stripe);
  here.does(settle(1, approved), false);
  BOOST_TEST(the_order(here).payments.size() == 1U);
  BOOST_TEST(here.state.kept_reports.empty());
}

BOOST_AUTO_TEST_CASE(money_that_an_order_has_pays_no_other_order_of_the_same_reference) {
  desk here;
  here.at(now).does(for_reference(1));
  here.does(webhook({}, "seats 5 and 6", "one", 700), false);
  BOOST_CHECK(status_of(here) == order_status::paid);
  here.does(give_back(60));
  here.does(gone_back(60, outcome::approved), false);
  here.does(for_reference(2));
  // The provider repeats itself, as providers do for days.
  const auto repeated = orders::decide(here.state, webhook({}, "seats 5 and 6", "one", 700), false);
  if (const auto* wanted = proposed(repeated))
    for (const auto& happened : wanted->events)
      here.after(happened);
  BOOST_CHECK(here.state.orders.at(order(2)).status == order_status::pending);
}

BOOST_AUTO_TEST_CASE(so_many_reports_are_kept_and_old_ones_make_room) {
  desk here;
  here.at(now);
  for (std::size_t n = 0; n < orders::kept_reports_max; ++n)
    here.after(event::report_kept{"STRIPE", std::to_string(n), {}, "none", {700, "EUR"}});
  BOOST_TEST(is_no(orders::decide(here.state, webhook({}, "none", "x", 700), false),
                   why::too_many_reports));
  const auto week = now + orders::kept_report_life_ms;
  BOOST_TEST(is_no(orders::decide(here.state, webhook({}, "none", "x", 700, week - 1), false),
                   why::too_many_reports));
  const auto later = orders::decide(here.state, webhook({}, "none", "x", 700, week), false);
  BOOST_TEST_REQUIRE(proposed(later));
  for (const auto& happened : proposed(later)->events)
    here.at(week).after(happened);
  BOOST_TEST(here.state.kept_reports.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_key_finds_its_payment_refund_report_or_cancelling_for_a_day_and_no_longer) {
  constexpr auto day = orders::key_life_ms;
  auto here = in("paying"); // by the key 1, at `now`
  auto reported = report("outside");
  reported.asked = asked(2);
  here.does(reported, false);
  auto back = give_back(60, {"a"});
  back.asked = asked(3);
  here.does(back);

  auto pay_again = pay(1, now + day - 1);
  pay_again.payment = payment(9);
  const auto paid = here.decide(pay_again);
  BOOST_TEST_REQUIRE(is_repeat_of(paid, order(1)));
  BOOST_CHECK(std::get<orders::repeated>(paid).payment == payment(1));
  auto report_again = report("another id for the same call");
  report_again.asked = asked(2);
  report_again.now = now + day - 1;
  BOOST_TEST(is_repeat_of(orders::decide(here.state, report_again, false), order(1)));
  back.refund = refund(61);
  back.now = now + day - 1;
  const auto refunded = here.decide(back);
  BOOST_TEST_REQUIRE(is_repeat_of(refunded, order(1)));
  BOOST_CHECK(std::get<orders::repeated>(refunded).refund == refund(60));
  back.asked = asked(3, 2);
  BOOST_TEST(is_no(here.decide(back), why::key_reused));

  report_again.now = now + day;
  BOOST_TEST(proposed(orders::decide(here.state, report_again, false)), "a new call by now");
  back.now = now + day;
  back.seats = {"b"};
  BOOST_TEST(proposed(here.decide(back)));
  BOOST_TEST(here.state.keys.size() == 3U);
  here.at(now + day).does(back);
  BOOST_TEST(here.state.keys.size() == 1U, "what is a day old is forgotten as new keys come");
  BOOST_TEST(here.state.key_ages.size() == 1U);
}
