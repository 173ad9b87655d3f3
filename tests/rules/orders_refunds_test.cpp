// Money that goes back: how much, with which seats, how often it is asked for, and what that makes
// of the order. The last test asks everything in every order to a depth and adds the money up. That
// it bites was tried: refunds that do not count what is under way fail there.
#include "tests/rules/orders_payments_support.hpp"
#include "tests/rules/stops.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>
#include <string>
#include <vector>

namespace {

using namespace usher::test;
namespace test = usher::test;
using outcome = usher::payments::outcome;
using seats = std::vector<usher::seat_id>;

/// A free order of the seats a and b, being paid.
desk free_order() {
  desk here;
  here.at(1000)
      .after(event::hold_placed{
          hold(1), fan, {seat("A", "a", 0), seat("B", "b", 0)}, "EUR", hold_until, std::nullopt})
      .after(event::order_placed{
          order(1), fan, hold(1), "", {0, "EUR"}, order_until, "", std::nullopt});
  here.at(now).does(pay(1));
  return here;
}

std::int64_t sum(const desk& here, bool done) {
  std::int64_t total = 0;
  for (const auto& one : the_order(here).refunds)
    if (done ? one.outcome == orders::refund_outcome::done : !one.outcome)
      total += one.amount_minor;
  return total;
}

/// A refund of what was paid with, from its start to its end.
void goes_back(desk& here, const command::refund& what) {
  here.does(what);
  if (!the_order(here).find(what.refund)->outcome)
    here.does(gone_back(what.refund.bytes[0], outcome::approved), false);
}

} // namespace

BOOST_AUTO_TEST_CASE(what_a_refund_gives_back) {
  struct given {
    seats of;
    std::optional<std::int64_t> amount;
    std::int64_t goes;
    seats with;
  };
  for (const auto& [of, amount, goes, with] :
       {given{{}, {}, 2500, {"b", "a"}}, given{{}, 2500, 2500, {"b", "a"}},
        given{{}, 2499, 2499, {}}, given{{}, 1, 1, {}}, given{{"a"}, {}, 1000, {"a"}},
        given{{"b"}, {}, 1500, {"b"}}, given{{"a", "b"}, {}, 2500, {"a", "b"}},
        given{{"a"}, 900, 900, {"a"}}, given{{"a"}, 0, 0, {"a"}}}) {
    auto here = in("paid");
    const auto wanted = here.does(give_back(60, of, amount));
    const auto& started = std::get<event::refund_started>(wanted.events.at(0));
    BOOST_TEST(started.amount_minor == goes);
    BOOST_TEST(started.seats == with, boost::test_tools::per_element());
    BOOST_TEST(started.resell == !with.empty());
    BOOST_CHECK(started.payment == payment(1));
    BOOST_TEST(started.gateway == "SANDBOX");
    BOOST_TEST(started.reference == "mine");
    BOOST_CHECK(started.cause == orders::refund_cause::asked);
  }
}

BOOST_AUTO_TEST_CASE(what_cannot_be_given_back_is_refused) {
  const auto refuses = [](const desk& here, const seats& of, std::optional<std::int64_t> amount,
                          why reason) {
    BOOST_TEST_CONTEXT(words(of) << " for " << amount.value_or(-1))
    BOOST_TEST(is_no(here.decide(give_back(70, of, amount)), reason));
  };
  const auto here = in("paid");
  refuses(here, {}, 2501, why::refund_too_large);
  refuses(here, {}, 0, why::refund_too_large);
  refuses(here, {}, -1, why::refund_too_large);
  refuses(here, {"a"}, 2501, why::refund_too_large); // not cut to what there is
  refuses(here, {"a"}, 1001, why::refund_too_large); // more than it cost
  refuses(here, {"a"}, -1, why::refund_too_large);
  refuses(here, {"x"}, {}, why::seat_not_sold);
  refuses(here, {"a", "a"}, {}, why::seat_not_sold);
  auto some_left = in("paid");
  some_left.does(give_back(60, {}, 2000));
  refuses(some_left, {}, 501, why::refund_too_large);
  BOOST_TEST(proposed(some_left.decide(give_back(70, {}, 500))));
  // The prices of these seats are more than is left: what is left goes back.
  BOOST_TEST(short_of(some_left, some_left.decide(give_back(70, {"a"}))) == "PAID, 500 go back");
  auto too_many = in("paid");
  for (std::size_t n = 0; n < orders::refunds_max; ++n) {
    auto little = give_back(0, {}, 1);
    little.refund.bytes[1] = static_cast<std::uint8_t>(n + 1);
    too_many.does(little);
  }
  refuses(too_many, {}, 1, why::too_many_refunds);
}

BOOST_AUTO_TEST_CASE(a_refund_that_is_done_puts_its_seats_back_on_sale_once_and_unless_not_wanted) {
  auto here = in("paid");
  BOOST_TEST(here.does(give_back(60, {"a"})).blocks.empty(), "not before");
  const auto wanted = here.does(gone_back(60, outcome::approved, "re 1"), false);
  BOOST_TEST_REQUIRE(wanted.events.size() == 2U);
  BOOST_CHECK((wanted.events[1] ==
               orders::any_event{event::order_seats_returned{order(1), {"a"}, "re 1"}}));
  BOOST_TEST(words(wanted.blocks) == "A: return a");
  BOOST_TEST(words(wanted.room) == "");
  BOOST_CHECK(status_of(here) == order_status::partly_refunded);

  auto kept = in("paid");
  auto what = give_back(60);
  what.resell = false;
  kept.does(what);
  BOOST_TEST(kept.does(gone_back(60, outcome::approved), false).blocks.empty());
  BOOST_TEST(the_hold(kept).returned.empty());
  BOOST_CHECK(status_of(kept) == order_status::refunded);

  auto returned = in("paid"); // an operator was quicker with a
  returned.does(give_back(60));
  returned.does(command::return_seats{order(1), {"a"}, "by hand", now});
  BOOST_TEST(words(returned.does(gone_back(60, outcome::approved), false).blocks) == "B: return b");

  auto replanned = in("paid"); // the blocks have the seats no more
  replanned.does(give_back(60));
  const auto lost = replanned.does(gone_back(60, outcome::approved), true);
  BOOST_TEST(lost.blocks.empty());
  BOOST_CHECK(status_of(replanned) == order_status::refunded);
}

BOOST_AUTO_TEST_CASE(a_refund_that_the_gateway_refused_may_be_asked_for_again) {
  auto here = in("paid");
  here.does(give_back(60, {"a"}));
  here.does(gone_back(60, outcome::declined, "", "too old"), false);
  BOOST_TEST(here.state.unsettled.empty());
  goes_back(here, give_back(61, {"a"}));
  goes_back(here, give_back(62));
  BOOST_CHECK(status_of(here) == order_status::refunded);
  BOOST_TEST(sum(here, true) == total_minor);
}

BOOST_AUTO_TEST_CASE(money_that_is_owed_is_asked_for_until_it_is_done) {
  for (const auto* name : {"due", "paid, attempt open"}) {
    auto here = in(name);
    if (name != std::string{"due"})
      here.does(settle(1, payment_outcome::approved), false); // surplus
    const auto id = the_order(here).refunds[0].id.bytes[0];
    for (const auto how : {outcome::declined, outcome::failed, outcome::unknown, outcome::declined,
                           outcome::not_sent, outcome::declined})
      here.does(gone_back(id, how, "", "no"), false);
    BOOST_TEST(the_order(here).refunds[0].tries == 6U);
    BOOST_CHECK(!the_order(here).refunds[0].outcome);
    BOOST_TEST(here.state.unsettled.contains(order(1)));
    here.does(gone_back(id, outcome::approved), false);
    BOOST_TEST(here.state.unsettled.empty());
  }
}

BOOST_AUTO_TEST_CASE(what_perhaps_was_done_is_asked_again_as_the_same_attempt) {
  // A new attempt is a new key, which the provider would pay once more: only after it said that
  // this one is not done.
  struct given {
    std::vector<outcome> answers;
    std::uint32_t attempt;
  };
  for (const auto& [answers, attempt] :
       {given{{outcome::unknown}, 1}, given{{outcome::unknown, outcome::unknown}, 1},
        given{{outcome::declined}, 2}, given{{outcome::unknown, outcome::declined}, 2},
        given{{outcome::declined, outcome::unknown}, 2},
        given{{outcome::unknown, outcome::not_sent}, 1},
        given{{outcome::unknown, outcome::failed}, 1},
        given{{outcome::declined, outcome::unknown, outcome::not_sent}, 2}}) {
    auto here = in("due");
    for (const auto how : answers)
      here.does(gone_back(50, how, how == outcome::unknown ? "re 7" : ""), false);
    BOOST_TEST(the_order(here).refunds[0].attempt == attempt);
  }
  auto pending = in("due"); // the provider named it, and did not reach its bank yet
  pending.does(gone_back(50, outcome::unknown, "re 7"), false);
  pending.does(gone_back(50, outcome::unknown, ""), false);
  BOOST_TEST(the_order(pending).refunds[0].reference == "re 7");
}

BOOST_AUTO_TEST_CASE(money_that_went_back_outside_is_recorded_once) {
  auto cash = give_back(70);
  cash.done_outside = "cash";
  cash.asked = asked(40);

  auto here = in("paid");
  here.does(cash);
  BOOST_CHECK(status_of(here) == order_status::refunded);
  BOOST_TEST(the_order(here).refunds[0].reference == "cash");
  BOOST_TEST(the_hold(here).returned.size() == 2U);
  BOOST_TEST(is_repeat_of(here.decide(cash), order(1)));

  // One that is on its way is done by that; and the same call again finds it so.
  auto surplus = in("paid, attempt open");
  surplus.does(settle(1, payment_outcome::approved), false);
  cash.settles = refund(101);
  surplus.does(cash);
  BOOST_CHECK(status_of(surplus) == order_status::paid);
  BOOST_TEST(surplus.state.unsettled.empty());
  const auto again = surplus.decide(cash);
  BOOST_TEST(is_repeat_of(again, order(1)), "the sale stays: " << short_of(surplus, again));
  BOOST_CHECK(std::get<orders::repeated>(again).refund == refund(101));
  cash.asked = asked(41);
  BOOST_TEST(is_no(surplus.decide(cash), why::unknown_refund));
  const auto late = orders::decide(surplus.state, gone_back(101, outcome::approved), false);
  BOOST_TEST(short_of(surplus, late) == "same");

  auto due = in("due"); // it is clear which
  cash.settles = {};
  due.does(cash);
  BOOST_CHECK(status_of(due) == order_status::refunded);
  BOOST_TEST(is_repeat_of(due.decide(cash), order(1)));
}

BOOST_AUTO_TEST_CASE(a_refund_of_money_without_a_name_still_counts_when_its_name_is_told) {
  auto here = in("paying");
  here.does(report("", 50, "EXTERNAL"), false);
  goes_back(here, give_back(60, {"a"}));
  here.does(settle(1, payment_outcome::approved), false); // so that is whose money it was
  const auto& it = the_order(here);
  BOOST_TEST(it.refunds.size() == 1U, "no second payment");
  BOOST_TEST(it.refundable_minor(*it.kept()) == total_minor - 1000);
  here.does(give_back(61));
  BOOST_TEST(the_order(here).refunds.back().amount_minor == total_minor - 1000);
  BOOST_TEST(the_order(here).refunds.back().gateway == "SANDBOX");

  auto due = in("paying"); // and what is owed is asked of the gateway that has it
  due.does(report("", 50, "EXTERNAL"), true);
  due.does(settle(1, payment_outcome::approved), false);
  BOOST_TEST_REQUIRE(the_order(due).refunds.size() == 1U);
  BOOST_TEST(the_order(due).refunds[0].gateway == "SANDBOX");
  BOOST_TEST(the_order(due).refunds[0].payment_reference == "mine");
}

BOOST_AUTO_TEST_CASE(seats_given_back_outside_do_not_settle_another_refund) {
  auto here = in("paid, attempt open");
  here.does(settle(1, payment_outcome::approved), false); // surplus is on its way
  auto cash = give_back(70, {"a"});
  cash.done_outside = "cash";
  here.does(cash);
  BOOST_CHECK(!the_order(here).find(refund(101))->outcome);
  BOOST_TEST_REQUIRE(the_order(here).find(refund(70)) != nullptr);
  BOOST_CHECK(the_order(here).find(refund(70))->outcome == orders::refund_outcome::done);
  BOOST_CHECK(status_of(here) == order_status::partly_refunded);
}

BOOST_AUTO_TEST_CASE(a_free_order_gives_seats_back_one_by_one_without_a_gateway) {
  auto here = free_order();
  here.does(settle(1, payment_outcome::approved, "free"), false);
  here.does(give_back(60, {"a"}));
  BOOST_TEST(here.state.unsettled.empty(), "there is nothing to pay back");
  BOOST_TEST(the_hold(here).returned.size() == 1U);
  BOOST_CHECK(status_of(here) == order_status::partly_refunded);
  BOOST_TEST(proposed(here.decide(command::use_ticket{order(1), "b", "", true, now})));
  here.does(give_back(61));
  BOOST_CHECK(status_of(here) == order_status::refunded);
  BOOST_TEST(the_hold(here).returned.size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_free_order_whose_seats_are_gone_owes_nothing) {
  auto here = free_order();
  here.does(settle(1, payment_outcome::approved, "free"), true);
  BOOST_CHECK(status_of(here) == order_status::refunded);
  BOOST_TEST(here.state.unsettled.empty(), "no gateway gives nothing back");
}

BOOST_AUTO_TEST_CASE(with_the_last_money_all_seats_are_given_back) {
  // Otherwise a seat would be sold to nobody, with a ticket that lets nobody in.
  auto here = in("paid");
  goes_back(here, give_back(60, {}, 1500));
  goes_back(here, give_back(61, {"a"}, 1000));
  const bool b_is_theirs = proposed(here.decide(command::use_ticket{order(1), "b", "", true, now}));
  BOOST_TEST((b_is_theirs || the_hold(here).returned.size() == 2U));
}

BOOST_AUTO_TEST_CASE(a_due_refund_of_an_older_log_is_begun_once) {
  auto here = in("expired");
  here.after(event::order_refund_due{order(1), "STRIPE", "old"});
  const command::begin_due_refund begin{order(1), refund(80), now};
  const auto wanted = here.does(begin);
  BOOST_TEST_REQUIRE(wanted.events.size() == 1U);
  const auto& started = std::get<event::refund_started>(wanted.events[0]);
  BOOST_TEST(started.amount_minor == total_minor);
  BOOST_TEST(started.gateway == "STRIPE");
  BOOST_TEST(started.reference == "old");
  BOOST_CHECK(started.cause == orders::refund_cause::refund_due);
  BOOST_TEST(is_repeat_of(here.decide(begin), order(1)));
  here.does(gone_back(80, outcome::approved), false);
  BOOST_CHECK(status_of(here) == order_status::refunded);
  BOOST_TEST(is_repeat_of(here.decide(begin), order(1)));
}

BOOST_AUTO_TEST_CASE(an_event_of_a_refund_that_contradicts_the_state_stops_the_process) {
  const auto stops_on = [](const char* name, const orders::any_event& happened) {
    return test::stops([&] { in(name).after(happened); });
  };
  using orders::refund_outcome;
  const event::refund_settled done{order(1), refund(60), refund_outcome::done, "re", {}};
  BOOST_TEST(!stops_on("refunding", done));
  BOOST_TEST(stops_on("refunded", done), "settled twice");
  BOOST_TEST(stops_on("paid", done), "of a refund that never began");
  BOOST_TEST(stops_on("refunded", event::refund_tried{order(1), refund(60)}), "tried when done");
  event::refund_started twice;
  twice.order = order(1);
  twice.refund = refund(60);
  BOOST_TEST(stops_on("refunding", twice), "begun twice");
  BOOST_TEST(stops_on("pending", event::tickets_issued{order(1), {"a"}}), "without a sale");
  auto used = in("paid");
  used.after(event::ticket_used{order(1), "a", ""});
  BOOST_TEST(test::stops([&] { used.after(event::ticket_used{order(1), "a", ""}); }), "used twice");
}

BOOST_AUTO_TEST_CASE(refunds_in_every_order_never_give_back_more_than_came) {
  struct way {
    seats of;
    std::optional<std::int64_t> amount;
  };
  const std::vector<way> ways{{{}, {}},     {{"a"}, {}}, {{"b"}, {}},
                              {{"a"}, 900}, {{}, 700},   {{}, 1500}};
  std::size_t worlds = 0;
  std::size_t all_back = 0;
  const auto check = [&](const desk& here) {
    ++worlds;
    const auto& it = the_order(here);
    const auto done = sum(here, true);
    const auto open = sum(here, false);
    BOOST_REQUIRE_LE(done + open, total_minor);
    BOOST_REQUIRE_EQUAL(it.refundable_minor(*it.kept()), total_minor - done - open);
    BOOST_REQUIRE_EQUAL(here.state.unsettled.contains(order(1)),
                        std::ranges::any_of(it.refunds, [](const auto& r) { return !r.outcome; }));
    const auto is_done = [](const auto& r) { return r.outcome == orders::refund_outcome::done; };
    const auto is_back = [&](const usher::seat_id& id) {
      return std::ranges::any_of(it.refunds, [&](const auto& r) {
        return is_done(r) && std::ranges::find(r.seats, id) != r.seats.end();
      });
    };
    // All of it: the money and the seats. A seat that was not given back stays theirs.
    const auto expected = std::ranges::none_of(it.refunds, is_done) ? order_status::paid
                          : done == total_minor && is_back("a") && is_back("b")
                              ? order_status::refunded
                              : order_status::partly_refunded;
    BOOST_REQUIRE(it.status == expected);
    all_back += expected == order_status::refunded ? 1U : 0U;
    std::size_t returned = 0;
    for (const auto* id : {"a", "b"}) {
      std::size_t given = 0;
      bool back_on_sale = false;
      for (const auto& one : it.refunds)
        if (one.outcome != orders::refund_outcome::refused &&
            std::ranges::find(one.seats, id) != one.seats.end()) {
          ++given;
          back_on_sale = one.outcome.has_value();
        }
      BOOST_REQUIRE_LE(given, 1U);
      returned += back_on_sale ? 1U : 0U;
    }
    BOOST_REQUIRE_GE(the_hold(here).returned.size(), returned);
    BOOST_REQUIRE_LE(the_hold(here).returned.size(), 2U);
  };
  std::function<void(const desk&, std::uint8_t)> go = [&](const desk& here, std::uint8_t depth) {
    check(here);
    if (depth == 0)
      return;
    for (const auto& [of, amount] : ways)
      if (const auto what = give_back(depth, of, amount); proposed(here.decide(what))) {
        auto after = here;
        after.does(what);
        go(after, depth - 1);
      }
    for (const auto& one : the_order(here).refunds)
      if (!one.outcome)
        for (const auto how : {outcome::approved, outcome::declined}) {
          auto after = here;
          after.does(gone_back(one.id.bytes[0], how), false);
          go(after, depth - 1);
        }
  };
  go(in("paid"), 5);
  BOOST_TEST(worlds > 3000U);
  BOOST_TEST(all_back > 50U);
}
