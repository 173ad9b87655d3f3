// The gateway that moves no money: it approves at once, and the same payment has the same
// reference.
#include "actors/payments/sandbox.hpp"

#include <boost/test/unit_test.hpp>

#include <vector>

namespace payments = usher::payments;

BOOST_AUTO_TEST_CASE(it_approves_once_per_call_and_again_with_the_same_reference) {
  payments::sandbox gateway;
  std::vector<payments::charge_result> results;
  const auto charge = [&](std::uint8_t n) {
    payments::charge_request asked;
    asked.payment.bytes[15] = n;
    gateway.charge(asked,
                   [&](payments::charge_result done) { results.push_back(std::move(done)); });
  };
  charge(0x2A);
  charge(0x2A);
  charge(0x2B);
  BOOST_TEST_REQUIRE(results.size() == 3U);
  BOOST_CHECK(results[0].outcome == payments::charge_result::outcome_t::approved);
  BOOST_TEST(results[0].reference == "sandbox-0000000000000000000000000000002a");
  BOOST_CHECK(results[1] == results[0]);
  BOOST_TEST(results[2].reference != results[0].reference);
  BOOST_TEST(gateway.name() == "SANDBOX");
}
