// The gateway that moves no money: it approves at once, and the same payment has the same
// reference; what it never charged can be voided.
#include "actors/payments/sandbox.hpp"

#include <boost/test/unit_test.hpp>

#include <vector>

namespace payments = usher::payments;
using payments::outcome;

namespace {

struct fixture {
  payments::sandbox gateway;
  std::vector<payments::result> results;
  payments::on_result take = [this](payments::result got) { results.push_back(std::move(got)); };

  static payments::charge_request payment(std::uint8_t n) {
    payments::charge_request asked;
    asked.payment.bytes[15] = n;
    return asked;
  }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(it_approves_once_per_call_and_again_with_the_same_reference, fixture) {
  for (const auto n : {std::uint8_t{0x2A}, std::uint8_t{0x2A}, std::uint8_t{0x2B}})
    gateway.charge(payment(n), take);
  BOOST_TEST_REQUIRE(results.size() == 3U);
  BOOST_CHECK(results[0].what == outcome::approved);
  BOOST_TEST(results[0].reference == "sandbox-0000000000000000000000000000002a");
  BOOST_TEST(results[1].reference == results[0].reference);
  BOOST_TEST(results[2].reference != results[0].reference);
  BOOST_TEST(gateway.name() == "SANDBOX");
}

BOOST_FIXTURE_TEST_CASE(it_voids_what_it_never_charged_and_tells_what_it_did, fixture) {
  gateway.charge(payment(1), take);
  gateway.void_charge(payment(1), take);
  gateway.void_charge(payment(2), take);
  BOOST_TEST_REQUIRE(results.size() == 3U);
  BOOST_CHECK(results[1].what == outcome::approved);
  BOOST_TEST(results[1].reference == results[0].reference);
  BOOST_CHECK(results[2].what == outcome::failed);
}

BOOST_FIXTURE_TEST_CASE(it_believes_no_webhook, fixture) {
  bool believed = true;
  gateway.read_webhook({}, [&](const payments::webhook_reading& got) {
    believed = !std::holds_alternative<payments::not_believed>(got);
  });
  BOOST_TEST(!believed);
}
