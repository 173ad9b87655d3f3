// Logs with everything that payments, refunds and tickets allow, up to the very edges: the audit
// finds nothing wrong, and its sums of money add up. Many lines are a fault one millisecond or one
// cent further; audit_cases_payments.cpp and audit_cases_refunds.cpp have those.

#include "storage/audit/money_sums.hpp"
#include "storage/audit/summary.hpp"
#include "tests/storage/audit_payment_script.hpp"
#include "tests/storage/audit_violations.hpp"

#include <nlohmann/json.hpp>

#include <sstream>

using namespace usher;
using namespace usher::storage;
using namespace usher::storage::test;

namespace {

const std::vector<seat_id> both{"A-1", "A-2"};

std::unique_ptr<audit::auditor> audited(const script& what) {
  memory_log log;
  write(log, what);
  auto auditor = std::make_unique<audit::auditor>();
  audit_all(log, *auditor);
  return auditor;
}

/// `in, refunded, owed, sold` of the money of Brazil, when the log is clean.
std::string money_of(const script& what) {
  const auto auditor = audited(what);
  BOOST_TEST(violations_of(*auditor) == "");
  const auto sums = audit::money_of(auditor->seen());
  const auto found = sums.find("BRL");
  if (found == sums.end())
    return "";
  const auto& sum = found->second;
  BOOST_TEST(sum.in == sum.refunded + sum.owed + sum.sold);
  return std::to_string(sum.in) + " " + std::to_string(sum.refunded) + " " +
         std::to_string(sum.owed) + " " + std::to_string(sum.sold);
}

std::string state_of_order_1(const script& what) {
  const auto auditor = audited(what);
  return std::string{to_string(auditor->seen().shows.at("s").orders.at(order_no(1)).is)};
}

/// The first attempt is declined, the second could not charge, and the third, after it, takes the
/// money when the order itself would be over.
script at_the_third_attempt() {
  return pending() +
         script{starting(1, 2, 4000),
                settling(1, payment_outcome::declined, 3, 5000),
                starting(2, 4, 242'999), // the last moment
                {desk(300'000, settled(1, 2, payment_outcome::not_sent)),
                 desk(300'000, next_attempt(1, 3, 2, 842'999))},
                {desk(842'998, settled(1, 3, payment_outcome::failed)),
                 desk(842'998, next_attempt(1, 4, 3, 842'999))},
                batch_lines{desk(900'000, approved(1, 4))} + selling(4, 900'000, "ref", "STRIPE")};
}

/// Tickets are used; a seat is refunded for less than it cost, at the second try, and is held by
/// somebody else at once; the other one is refused, then goes back outside, and an operator puts it
/// on sale.
script bit_by_bit() {
  const auto seat_1 = asked_back(1, price_minor - 500, {"A-1"});
  const auto seat_2 = asked_back(2, price_minor, {"A-2"});
  auto rest = asked_back(3, price_minor + 500, {"A-2"});
  rest.resell = false;
  return sold_now() +
         script{{desk(6000, used(1, "A-1")), desk(6000, used(1, "A-2"))},
                {desk(7000, seat_1)},
                {desk(8000, tried(1))},
                {desk(9000, tried(1, payments::outcome::failed))},
                {by_clock(desk(10'000, went_back(1))), by_clock(desk(10'000, returned(1, {"A-1"}))),
                 by_clock(block(10'000, back_from(1, {"A-1"})))},
                holding(2, 1, {"A-1"}, 10'000),
                {desk(11'000, seat_2)},
                {desk(12'000, went_back(2, refund_outcome::refused))},
                {desk(13'000, rest), desk(13'000, went_back(3))},
                returning(1, {"A-2"}, 14'000)};
}

/// Fan 0 gives up while paying. The attempt took the money all the same: it goes back, though the
/// seats are free; a report from outside would have sold them.
script given_up() {
  const auto back = going_back(1, 1, "ref", both_minor, refund_cause::refund_due);
  return cancelled_now() +
         script{{desk(6000, approved(1, 1)), desk(6000, due(1)), desk(6000, back)}};
}
script given_up_and_reported() {
  return cancelled_now() + script{batch_lines{desk(6000, reported(1, "x"))} + selling(2, 6000, "x"),
                                  {desk(7000, settled(1, 1, payment_outcome::voided))}};
}

/// The attempt is given up at its very end; a report sells the seats, which are free; the attempt
/// tells of the same money; then of another, which goes back at once and is tried until it does.
script too_late() {
  auto known = approved(1, 1, "x");
  known.known = true;
  const auto surplus = going_back(1, 0, "y", 5, refund_cause::surplus);
  return paying_now() +
         script{expiring(2, 604'000),
                batch_lines{desk(605'000, reported(1, "x"))} + selling(2, 605'000, "x"),
                {desk(606'000, known)},
                {desk(607'000, reported(1, "y", 5)), desk(607'000, surplus)},
                {desk(608'000, tried(1, payments::outcome::declined))},
                {desk(609'000, desk_event::ticket_used{order_no(1), "A-1", ""})}};
}

/// It was declined when the order's own time was over. What it took after all finds the seats with
/// somebody else.
script declined_too_late() {
  const auto back = going_back(1, 1, "ref", both_minor, refund_cause::refund_due);
  return paying_now() +
         script{batch_lines{desk(243'000, settled(1, 1, payment_outcome::declined))} +
                    expiring(2, 243'000),
                {kept(244'000, 1, 900'000)},
                holding(2, 1, {"A-1"}, 244'000),
                {desk(245'000, reported(1, "ref", both_minor, 1)), desk(245'000, due(1)),
                 desk(245'000, back)},
                {desk(246'000, went_back(1))}};
}

/// A declined attempt took the money after all while the next one runs, which takes it, too.
script twice_paid() {
  auto second = going_back(1, 2, "ref-2", both_minor, refund_cause::surplus);
  return paying_now() +
         script{settling(1, payment_outcome::declined, 3, 5000),
                starting(2, 4, 6000),
                batch_lines{desk(7000, reported(1, "ref", both_minor, 1))} + selling(4, 7000),
                {desk(8000, approved(1, 2, "ref-2")), desk(8000, second)},
                {desk(9000, went_back(1))}};
}

/// A word from outside names neither gateway nor reference. The attempt's answer does, and is no
/// second payment.
script nameless() {
  auto word = reported(1, "");
  word.gateway = "EXTERNAL";
  auto named = approved(1, 1);
  named.known = true;
  auto a_cent = going_back(1, 0, "", 1, refund_cause::asked);
  a_cent.gateway = "EXTERNAL";
  auto rest = going_back(2, 0, "ref", both_minor - 1, refund_cause::asked, both);
  return paying_now() + script{batch_lines{desk(5000, word)} + selling(2, 5000, "", "EXTERNAL"),
                               {desk(6000, a_cent)},
                               {desk(7000, named)},
                               {desk(8000, rest)},
                               {desk(9000, went_back(1)), desk(9000, went_back(2))}};
}

/// The gateway took one less: the seats are free again.
script wrong_amount() {
  auto little = approved(1, 1);
  little.amount_minor = both_minor - 1;
  const auto back = going_back(1, 1, "ref", both_minor - 1, refund_cause::refund_due);
  return paying_now() +
         script{{desk(5000, little), desk(5000, due(1)), desk(5000, back),
                 desk(5000, hold_over(1, hold_end::expired)), block(5000, given_back(1, 2, both))},
                {desk(6000, went_back(1))}};
}

/// A report waits for its order, by the seller's reference; another is sent again a week later.
script reports_first() {
  constexpr time_ms week = 7LL * 24 * 60 * 60 * 1000;
  const auto in_r = [](time_ms later, const orders::any_event& what) {
    return desk(later, what, "r");
  };
  auto early = report(0, "x");
  early.hold_ref = "seller-1";
  auto money = reported(5, "x", price_minor);
  return beginning() + script{{in_r(2000, early)},
                              {in_r(2000, report(9, "y"))},
                              {in_r(3000, ordered_ref(5, "seller-1", 3000))},
                              {in_r(4000, money),
                               in_r(4000, desk_event::order_paid{order_no(5), "SANDBOX", "x"})},
                              {in_r(2000 + week, report(9, "y"))}};
}

/// Payments without a show: an order with its attempt each. One is paid, one given up.
script at_the_cashier() {
  const auto in_cash = [](time_ms later, const orders::any_event& what) {
    return in("cashier", later, encode(what));
  };
  auto first = ordered_ref(1, "one", 2000);
  first.until = start_ms + 2000 + attempt_ms;
  auto second = ordered_ref(2, "two", 2000);
  second.until = first.until;
  return beginning() + script{{in_cash(2000, first), in_cash(2000, attempt(1, 1, 2000))},
                              {in_cash(2000, second), in_cash(2000, attempt(2, 2, 2000))},
                              {in_cash(3000, approved(1, 1)), in_cash(3000, paid(1))},
                              {in_cash(602'000, desk_event::order_expired{order_no(2)})},
                              {in_cash(603'000, settled(2, 2, payment_outcome::voided))}};
}

/// What an older log left REFUND_DUE goes back now; so does nothing of what it got twice.
script of_an_older_log() {
  const auto back = going_back(1, 1, "ref", both_minor, refund_cause::refund_due);
  return paying() + script{{kept(5000, 1, 900'000)},
                           holding(2, 1, {"A-1"}, 302'000),
                           {desk(303'000, approved(1, 1)), desk(303'000, due(1))},
                           {by_clock(desk(304'000, back))},
                           {by_clock(desk(305'000, went_back(1)))}};
}
script paid_twice_in_an_older_log() {
  return paying() + script{{desk(5000, paid(1)), block(5000, sold_to(1, 1, both))},
                           {desk(6000, approved(1, 1, "ref-2"))}};
}

} // namespace

BOOST_AUTO_TEST_CASE(money_that_sells_something_is_clean) {
  BOOST_TEST(money_of(paying_now()) == "");
  BOOST_TEST(money_of(sold_now()) == "70000 0 0 70000");
  BOOST_TEST(money_of(at_the_third_attempt()) == "70000 0 0 70000");
  BOOST_TEST(money_of(given_up_and_reported()) == "70000 0 0 70000");
  BOOST_TEST(money_of(reports_first()) == "35000 0 0 35000");
  BOOST_TEST(money_of(at_the_cashier()) == "35000 0 0 35000");
}

BOOST_AUTO_TEST_CASE(money_that_goes_back_is_clean_and_adds_up) {
  BOOST_TEST(money_of(given_up()) == "70000 0 70000 0");
  BOOST_TEST(money_of(too_late()) == "70005 0 5 70000");
  BOOST_TEST(money_of(declined_too_late()) == "70000 70000 0 0");
  BOOST_TEST(money_of(twice_paid()) == "140000 70000 0 70000");
  BOOST_TEST(money_of(nameless()) == "70000 70000 0 0");
  BOOST_TEST(money_of(wrong_amount()) == "69999 69999 0 0");
  BOOST_TEST(money_of(bit_by_bit()) == "70000 70000 0 0");
  BOOST_TEST(money_of(sold_now() + script{{desk(6000, asked_back(1, 1))}}) == "70000 0 1 69999");
}

BOOST_AUTO_TEST_CASE(older_logs_promised_less) {
  BOOST_TEST(money_of(of_an_older_log()) == "70000 70000 0 0");
  BOOST_TEST(money_of(paid_twice_in_an_older_log()) == "140000 0 70000 70000");
}

BOOST_AUTO_TEST_CASE(an_order_is_what_its_refunds_make_it) {
  auto part = bit_by_bit();
  BOOST_TEST(state_of_order_1(part) == "REFUNDED");
  part.resize(part.size() - 2);
  BOOST_TEST(state_of_order_1(part) == "PARTLY_REFUNDED");
  BOOST_TEST(state_of_order_1(given_up()) == "REFUND_DUE");
  BOOST_TEST(state_of_order_1(wrong_amount()) == "REFUNDED");
  BOOST_TEST(state_of_order_1(twice_paid()) == "PAID");
}

BOOST_AUTO_TEST_CASE(the_state_has_the_money_of_shows_and_cashier) {
  const auto auditor = audited(at_the_cashier());
  std::ostringstream out;
  audit::write_state(out, auditor->seen(), auditor->seen().at, true);
  const auto all = nlohmann::json::parse(out.str());
  BOOST_TEST(all["cashier"]["orders"]["PAID"] == 1);
  BOOST_TEST(all["cashier"]["orders"]["EXPIRED"] == 1);
  BOOST_TEST(all["cashier"]["money"][0]["takenMinor"] == price_minor);
  BOOST_TEST(all["shows"][0]["money"].empty());

  const auto of_show = audited(bit_by_bit());
  std::ostringstream told;
  audit::write_state(told, of_show->seen(), of_show->seen().at, true);
  const auto show = nlohmann::json::parse(told.str())["shows"][0];
  BOOST_TEST(show["orders"]["REFUNDED"] == 1);
  BOOST_TEST(show["money"][0]["inMinor"] == both_minor);
  BOOST_TEST(show["money"][0]["refundedMinor"] == both_minor);
  BOOST_TEST(show["money"][0]["takenMinor"] == 0);
}
