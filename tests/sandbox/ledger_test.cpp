// The ledger alone: a key charges once whatever comes, final states stay, refunds never exceed the
// charge, totals add up.

#include "http/sandbox/ledger.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <thread>

namespace {

using namespace usher::sandbox;
using state = ledger::entered::state;

const key_name key{protocol::plain, "shop", "payment-1"};

charge a_charge(const std::string& id = "ch_1") {
  charge made;
  made.id = id;
  made.account = "shop";
  made.order_id = "order-1";
  made.payment_id = "payment-1";
  made.amount = {1000, "EUR"};
  return made;
}

refund a_refund(const std::string& id, std::int64_t amount,
                refund_status status = refund_status::done) {
  refund made;
  made.id = id;
  made.account = "shop";
  made.charge_id = "ch_1";
  made.amount = {amount, "EUR"};
  made.status = status;
  return made;
}

fault approve() {
  return {};
}

/// Charged under `key`.
void charge_it(ledger& book) {
  book.enter(key, "a", approve);
  book.open(key, a_charge());
  BOOST_TEST(book.settle("ch_1", charge_status::approved, "", 5).changed);
}

key_name refund_key(const std::string& name) {
  return {protocol::plain, "shop", name};
}

std::string give_back(ledger& book, const std::string& name, std::int64_t amount,
                      refund_status status = refund_status::done) {
  book.enter(refund_key(name), name, approve);
  const auto back = book.give_back(refund_key(name), a_refund("re_" + name, amount, status));
  return std::string{to_string(back.now.status)} +
         (back.now.reason.empty() ? "" : " " + back.now.reason);
}

} // namespace

BOOST_AUTO_TEST_SUITE(sandbox_ledger)

BOOST_AUTO_TEST_CASE(a_key_has_one_charge_one_rule_and_one_fault) {
  ledger book;
  int asked = 0;
  const auto choose = [&] {
    ++asked;
    return fault{.what = rule::delay};
  };
  for (int i = 0; i < 3; ++i) {
    const auto entered = book.enter(key, "a", choose);
    BOOST_TEST(to_string(entered.rule.what) == "delay");
    BOOST_TEST(book.open(key, a_charge("ch_" + std::to_string(i))).id == "ch_0");
    BOOST_TEST(book.strike(key) == (i == 0));
  }
  BOOST_TEST(asked == 1);
  BOOST_TEST((book.enter(key, "b", choose).is == state::other_request));
  BOOST_TEST(
      (book.enter({protocol::plain, "another", "payment-1"}, "b", choose).is == state::good));
  BOOST_TEST((book.enter({protocol::stripe, "shop", "payment-1"}, "b", choose).is == state::good));
  const auto seen = book.look();
  BOOST_TEST(seen.charges.size() == 1U);
  BOOST_TEST(seen.charges[0].calls == 3U);
}

BOOST_AUTO_TEST_CASE(many_threads_with_one_key_charge_once) {
  ledger book;
  std::atomic<int> charged{0};
  std::atomic<int> struck{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&, i] {
      book.enter(key, "a", approve);
      struck += book.strike(key) ? 1 : 0;
      const auto opened = book.open(key, a_charge("ch_" + std::to_string(i)));
      charged += book.settle(opened.id, charge_status::approved, "", 1).changed ? 1 : 0;
    });
  for (auto& each : threads)
    each.join();
  BOOST_TEST(charged == 1);
  BOOST_TEST(struck == 1);
  BOOST_TEST(book.look().charged == 1000);
}

BOOST_AUTO_TEST_CASE(what_is_final_stays_and_what_is_pending_moves) {
  using enum charge_status;
  const std::vector<std::pair<std::vector<charge_status>, charge_status>> table{
      {{approved, declined, voided, pending, created}, approved},
      {{declined, approved, voided}, declined},
      {{voided, approved, declined}, voided},
      {{pending, approved, declined}, approved},
      {{pending, declined, approved}, declined},
      {{pending, voided, approved}, voided},
      {{pending, created, approved}, approved}, // the payer agreed, then it was captured
      {{pending, pending}, pending},
  };
  for (const auto& [steps, wanted] : table) {
    ledger book;
    book.enter(key, "a", approve);
    book.open(key, a_charge());
    for (const auto step : steps)
      book.settle("ch_1", step, "", 1);
    BOOST_TEST(to_string(book.find_any("ch_1")->status) == to_string(wanted));
    BOOST_TEST(book.look().charged == (wanted == approved ? 1000 : 0));
  }
}

BOOST_AUTO_TEST_CASE(a_payment_voided_before_it_came_is_never_charged) {
  ledger book;
  BOOST_TEST(!book.void_payment(protocol::plain, "shop", "payment-1", 1));
  book.enter(key, "a", approve);
  BOOST_TEST(to_string(book.open(key, a_charge()).status) == "VOIDED");
  BOOST_TEST(!book.settle("ch_1", charge_status::approved, "", 2).changed);
  BOOST_TEST(book.look().charged == 0);
}

BOOST_AUTO_TEST_CASE(a_void_that_comes_too_late_leaves_the_charge) {
  ledger book;
  charge_it(book);
  const auto voided = book.void_payment(protocol::plain, "shop", "payment-1", 9);
  BOOST_REQUIRE(voided);
  BOOST_TEST(!voided->changed);
  BOOST_TEST(to_string(voided->now.status) == "APPROVED");
}

BOOST_AUTO_TEST_CASE(refunds_never_exceed_the_charge) {
  ledger book;
  charge_it(book);
  BOOST_TEST(give_back(book, "1", 400) == "DONE");
  BOOST_TEST(give_back(book, "1", 400) == "DONE"); // the same one
  BOOST_TEST(give_back(book, "2", 601) == "REFUSED amount_exceeded");
  BOOST_TEST(give_back(book, "3", 500, refund_status::pending) == "PENDING");
  BOOST_TEST(give_back(book, "4", 101) == "REFUSED amount_exceeded"); // what is pending counts
  BOOST_TEST(give_back(book, "5", 100) == "DONE");
  auto seen = book.look();
  BOOST_TEST(seen.refunded == 500);
  BOOST_TEST(book.settle_refund("re_3", refund_status::done, "").changed);
  BOOST_TEST(!book.settle_refund("re_3", refund_status::refused, "").changed);
  seen = book.look();
  BOOST_TEST(seen.charged == 1000);
  BOOST_TEST(seen.refunded == 1000);
  BOOST_TEST(give_back(book, "6", 1) == "REFUSED amount_exceeded");
}

BOOST_AUTO_TEST_CASE(a_pending_refund_that_fails_frees_its_amount) {
  ledger book;
  charge_it(book);
  BOOST_TEST(give_back(book, "1", 1000, refund_status::pending) == "PENDING");
  book.settle_refund("re_1", refund_status::refused, "failed");
  BOOST_TEST(book.look().refunded == 0);
  BOOST_TEST(give_back(book, "2", 1000) == "DONE");
}

BOOST_AUTO_TEST_CASE(what_was_not_charged_is_not_paid_back) {
  ledger book;
  book.enter(key, "a", approve);
  book.open(key, a_charge());
  BOOST_TEST(give_back(book, "1", 1) == "REFUSED not_charged");
  book.settle("ch_1", charge_status::declined, "", 1);
  BOOST_TEST(give_back(book, "2", 1) == "REFUSED not_charged");
}

BOOST_AUTO_TEST_CASE(one_order_is_looked_at_alone_and_a_reset_forgets_all) {
  ledger book;
  charge_it(book);
  auto other = a_charge("ch_2");
  other.order_id = "order-2";
  const key_name second{protocol::plain, "shop", "payment-2"};
  book.enter(second, "b", approve);
  book.open(second, other);
  book.settle("ch_2", charge_status::approved, "", 1);
  give_back(book, "1", 300);
  BOOST_TEST(book.look().charged == 2000);
  BOOST_TEST(book.look("order-1").refunds.size() == 1U);
  BOOST_TEST(book.look("order-2").charged == 1000);
  BOOST_TEST(book.look("order-2").refunds.empty());
  book.reset();
  BOOST_TEST(book.look().charges.empty());
  BOOST_TEST(!book.settle("ch_1", charge_status::approved, "", 1).changed); // and nothing breaks
  BOOST_TEST((book.enter(key, "another", approve).is == state::good));
}

BOOST_AUTO_TEST_SUITE_END()
