// The tickets of a sale: one a seat, each used once, void from the moment that its money begins to
// go back. That they bite was tried: a ticket that stays valid while its refund is under way, and
// one that may be used twice, each fail here.
#include "tests/rules/orders_payments_support.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace {

using namespace usher::test;
using outcome = usher::payments::outcome;

command::use_ticket show(const usher::seat_id& seat, bool mark = true) {
  return {order(1), seat, "north", mark, now};
}

std::string looked_at(const desk& here, const usher::seat_id& seat) {
  const auto answer = here.decide(show(seat, false));
  if (const auto* no = std::get_if<orders::rejection>(&answer))
    return std::string{orders::to_string(*no)};
  return "valid";
}

} // namespace

BOOST_AUTO_TEST_CASE(a_ticket_is_used_once_and_looking_at_it_does_not_use_it) {
  auto here = in("paid");
  for (int times = 0; times < 3; ++times) {
    const auto looked = here.decide(show("a", false));
    BOOST_TEST_REQUIRE(proposed(looked));
    BOOST_TEST(proposed(looked)->events.empty());
  }
  const auto wanted = here.at(1150).does(show("a"));
  BOOST_CHECK((wanted.events == usher::test::events{event::ticket_used{order(1), "a", "north"}}));
  BOOST_TEST(wanted.blocks.empty());
  BOOST_CHECK((the_order(here).used == std::vector<orders::used_ticket>{{"a", 1150, "north"}}));
  for (const bool mark : {true, false})
    BOOST_TEST(is_no(here.decide(show("a", mark)), why::ticket_was_used));
  BOOST_TEST(looked_at(here, "b") == "valid");
  BOOST_CHECK((the_order(here).history.back() ==
               orders::step{1150, orders::step_kind::ticket_used, 0, {}}));
}

BOOST_AUTO_TEST_CASE(a_ticket_is_void_as_soon_as_its_money_begins_to_go_back) {
  auto here = in("paid");
  here.does(give_back(60, {"a"}));
  BOOST_TEST(looked_at(here, "a") == "ticket-void");
  BOOST_TEST(looked_at(here, "b") == "valid");

  auto refused = here; // the gateway says no: it is theirs again
  refused.does(gone_back(60, outcome::declined), false);
  BOOST_TEST(looked_at(refused, "a") == "valid");
  refused.does(show("a"));

  auto uncertain = here;
  for (const auto how : {outcome::unknown, outcome::failed, outcome::not_sent})
    uncertain.does(gone_back(60, how), false);
  BOOST_TEST(looked_at(uncertain, "a") == "ticket-void");

  here.does(gone_back(60, outcome::approved), false);
  BOOST_TEST(looked_at(here, "a") == "ticket-void");
  BOOST_TEST(looked_at(here, "b") == "valid");
  here.does(show("b"));
  here.does(give_back(62));
  BOOST_TEST(looked_at(here, "b") == "ticket-void", "used or not");
}

BOOST_AUTO_TEST_CASE(an_amount_that_goes_back_leaves_the_tickets_valid_unless_it_is_the_last) {
  auto here = in("paid");
  here.does(give_back(60, {}, 700));
  here.does(gone_back(60, outcome::approved), false);
  for (const auto* seat : {"a", "b"})
    BOOST_TEST(looked_at(here, seat) == "valid");
  here.does(give_back(61, {}, 1800)); // all that is left
  for (const auto* seat : {"a", "b"})
    BOOST_TEST(looked_at(here, seat) == "ticket-void");
}

BOOST_AUTO_TEST_CASE(a_seat_that_went_back_on_sale_or_was_never_the_orders_has_no_ticket) {
  auto here = in("paid");
  here.does(command::return_seats{order(1), {"a"}, "refund 5", now});
  BOOST_TEST(looked_at(here, "a") == "ticket-void");
  BOOST_TEST(looked_at(here, "b") == "valid");
  BOOST_TEST(looked_at(here, "c") == "ticket-void");
  auto unknown = show("a");
  unknown.order = order(9);
  BOOST_TEST(is_no(here.decide(unknown), why::unknown_order));
  for (const auto& [name, desk] : every_situation())
    BOOST_TEST(looked_at(desk, "c") == "ticket-void");

  desk planless;
  planless
      .after(event::order_placed{order(1), fan, {}, "ref", {700, "EUR"}, 1200, "", std::nullopt})
      .after(event::order_paid{order(1), "G", "r"});
  BOOST_TEST(looked_at(planless, "a") == "ticket-void");
}

BOOST_AUTO_TEST_CASE(an_order_whose_wrong_amount_went_back_has_no_tickets) {
  auto here = in("paying");
  auto too_little = settle(1, payment_outcome::approved);
  too_little.amount = usher::money{1000, "EUR"};
  here.does(too_little, false);
  BOOST_TEST(looked_at(here, "a") == "ticket-void");
  here.does(gone_back(101, outcome::approved), false);
  for (const auto* seat : {"a", "b"})
    BOOST_TEST(looked_at(here, seat) == "ticket-void");
}
