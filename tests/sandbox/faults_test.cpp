// Each rule in each protocol, asked for in each way: what the caller hears, whether money was taken
// by then, and what the same calls with the same keys hear the second time. Then the same for
// refunds.

#include "tests/sandbox/callers.hpp"

#include <boost/test/unit_test.hpp>

namespace {

using namespace usher::test;
using usher::sandbox::charge_status;
using usher::sandbox::gateway;
using usher::sandbox::to_string;

enum class way { header, means, queue };

struct row {
  std::string rule;
  std::string first;      ///< heard
  std::int64_t taken = 0; ///< by then
  std::string second;     ///< heard
  std::int64_t kept = 0;  ///< in the end
};

const std::vector<row> charges{
    {"approve", "APPROVED", 5000, "APPROVED", 5000},
    {"decline", "DECLINED", 0, "DECLINED", 0},
    {"decline*", "DECLINED", 0, "DECLINED", 0},
    {"delay=1", "APPROVED", 5000, "APPROVED", 5000},
    {"timeout-before", "silence", 0, "APPROVED", 5000},
    {"timeout-after", "silence", 5000, "APPROVED", 5000},
    {"error-before", "500", 0, "APPROVED", 5000},
    {"error-after", "500", 5000, "APPROVED", 5000},
    {"reset-before", "reset", 0, "APPROVED", 5000},
    {"reset-after", "reset", 5000, "APPROVED", 5000},
    {"rate-limited", "429", 0, "APPROVED", 5000},
    {"unauthorized", "401", 0, "APPROVED", 5000},
    {"pending", "PENDING", 0, "PENDING", 0},
    {"error-before*", "500", 0, "500", 0},
    {"timeout-after*", "silence", 5000, "silence", 5000},
    {"reset-after*", "reset", 5000, "reset", 5000},
    {"no-webhook", "APPROVED", 5000, "APPROVED", 5000},
    {"webhook-first", "APPROVED", 5000, "APPROVED", 5000},
    {"webhook-out-of-order", "APPROVED", 5000, "APPROVED", 5000},
    {"refund-error", "APPROVED", 5000, "APPROVED", 5000},
};

const std::vector<row> refunds{
    {"refund-refused", "REFUSED", 0, "REFUSED", 0},
    {"refund-error", "500", 0, "DONE", 2000},
    {"refund-error*", "500", 0, "500", 0},
    {"refund-timeout-after", "silence", 2000, "DONE", 2000},
    {"refund-pending", "PENDING", 0, "PENDING", 0},
    {"approve", "DONE", 2000, "DONE", 2000},
};

/// A payment whose rule is named in that way.
payment payment_with(gateway& at, const std::string& rule, way by) {
  payment made;
  if (by == way::header)
    made.headers = "Sandbox-Rule: " + rule + "\r\n";
  if (by == way::means)
    made.means = "rule:" + rule;
  if (by == way::queue)
    BOOST_TEST(ask(at.port(), "POST", "/control/next", {}, json{{"rules", {rule}}}.dump()).status ==
               200);
  return made;
}

std::string where(protocol by, const std::string& rule) {
  return std::string{to_string(by)} + " " + rule;
}

} // namespace

BOOST_AUTO_TEST_SUITE(sandbox_faults)

BOOST_AUTO_TEST_CASE(each_rule_does_what_it_says_and_asking_again_resolves_it) {
  gateway at{{}};
  for (const auto by : all_protocols)
    for (const auto& each : charges)
      for (const auto named : {way::header, way::means, way::queue}) {
        BOOST_TEST_CONTEXT(where(by, each.rule)) {
          ask(at.port(), "POST", "/control/reset");
          caller shop{at, by};
          const auto what = payment_with(at, each.rule, named);
          BOOST_TEST(shop.charge(what).what == each.first);
          BOOST_TEST(at.book().look().charged == each.taken);
          BOOST_TEST(shop.charge(what).what == each.second);
          const auto seen = at.book().look("order-1");
          BOOST_TEST(seen.charged == each.kept);
          BOOST_TEST(seen.charges.size() <= 1U);
        }
      }
}

BOOST_AUTO_TEST_CASE(amounts_ask_for_rules_too) {
  const std::vector<std::pair<std::int64_t, std::string>> table{
      {5001, "DECLINED"}, {5003, "PENDING"},   {5005, "silence"}, {5006, "500"},
      {5009, "reset"},    {5021, "429"},       {5022, "401"},     {5000, "APPROVED"},
      {5050, "APPROVED"}, {105001, "DECLINED"}};
  for (const auto by : all_protocols)
    for (const auto& [amount, wanted] : table) {
      gateway at{{}};
      BOOST_TEST(caller(at, by).charge({.amount = amount}).what == wanted,
                 where(by, std::to_string(amount)));
    }
}

// The queue before the header, the header before the means, the means before the amount, and the
// default where none of them says anything.
BOOST_AUTO_TEST_CASE(the_ways_have_an_order) {
  for (const auto by : all_protocols) {
    gateway at{{}};
    caller shop{at, by};
    ask(at.port(), "POST", "/control/default", {}, R"({"rule": "unauthorized"})");
    ask(at.port(), "POST", "/control/next", {}, R"({"rules": ["error-before"]})");
    payment what{.amount = 5021, .means = "rule:pending", .headers = "Sandbox-Rule: decline\r\n"};
    what.name = "a";
    BOOST_TEST(shop.charge(what).what == "500");
    what.name = "b";
    BOOST_TEST(shop.charge(what).what == "DECLINED");
    what.name = "c";
    what.headers.clear();
    BOOST_TEST(shop.charge(what).what == "PENDING");
    what.name = "d";
    what.means = "card";
    BOOST_TEST(shop.charge(what).what == "429");
    what.name = "e";
    what.amount = 5000;
    BOOST_TEST(shop.charge(what).what == "401");
  }
}

BOOST_AUTO_TEST_CASE(what_is_lost_is_found_by_looking) {
  for (const auto by : all_protocols) {
    gateway at{{}};
    caller shop{at, by};
    BOOST_TEST(shop.charge({.means = "rule:timeout-after*"}).what == "silence");
    const auto kept = at.book().look().charges.at(0);
    BOOST_TEST(shop.look(kept.id).what == "APPROVED");
    BOOST_TEST(kept.order_id == "order-1");
    BOOST_TEST(kept.payment_id == "payment-1");
  }
}

BOOST_AUTO_TEST_CASE(refunds_have_rules_of_their_own) {
  gateway at{{}};
  for (const auto by : all_protocols)
    for (const auto& each : refunds)
      for (const auto named : {way::header, way::means, way::queue}) {
        BOOST_TEST_CONTEXT(where(by, each.rule)) {
          ask(at.port(), "POST", "/control/reset");
          caller shop{at, by};
          auto what = payment_with(at, each.rule, named);
          const auto headers = std::exchange(what.headers, {}); // for the refund's call alone
          const auto charged = shop.charge(what);
          BOOST_TEST(charged.what == "APPROVED");
          BOOST_TEST(shop.refund(charged, 2000, "refund-1", headers).what == each.first);
          BOOST_TEST(at.book().look().refunded == each.taken);
          BOOST_TEST(shop.refund(charged, 2000, "refund-1", headers).what == each.second);
          BOOST_TEST(at.book().look().refunded == each.kept);
          BOOST_TEST(at.book().look().charged == 5000);
        }
      }
}

BOOST_AUTO_TEST_CASE(refunds_never_exceed_what_was_charged) {
  for (const auto by : all_protocols) {
    gateway at{{}};
    caller shop{at, by};
    const auto charged = shop.charge({});
    BOOST_TEST(shop.refund(charged, 2000, "r-1").what == "DONE");
    BOOST_TEST(shop.refund(charged, 3001, "r-2").what == "REFUSED");
    BOOST_TEST(shop.refund(charged, 3000, "r-3").what == "DONE");
    BOOST_TEST(shop.refund(charged, 1, "r-4").what == "REFUSED");
    BOOST_TEST(at.book().look().refunded == 5000);
  }
}

BOOST_AUTO_TEST_SUITE_END()
