// The names of rules, read and written, and the amounts that ask for them: tables.

#include "http/sandbox/json.hpp"
#include "http/sandbox/rules.hpp"

#include <boost/test/unit_test.hpp>

#include <sstream>

namespace {

using namespace usher::sandbox;

} // namespace

BOOST_AUTO_TEST_SUITE(sandbox_rules)

BOOST_AUTO_TEST_CASE(every_name_is_read_and_written_the_same) {
  std::istringstream names{rule_names()};
  std::size_t count = 0;
  for (std::string name; names >> name; ++count)
    for (const auto& text : {name, name + "*"}) {
      const auto read = read_fault(text);
      BOOST_REQUIRE_MESSAGE(read, text);
      BOOST_TEST(to_text(*read) == text);
    }
  BOOST_TEST(count == 22U);
  BOOST_TEST(to_text(read_fault("delay=50*").value()) == "delay=50*");
}

BOOST_AUTO_TEST_CASE(what_is_no_rule_is_refused) {
  for (const auto* text : {"", "*", "Decline", "decline ", "decline=5", "delay=", "delay=x",
                           "delay=-1", "delay=600001", "delay=5=5", "delay*=5", "=5"})
    BOOST_TEST(!read_fault(text), text);
  BOOST_TEST(read_fault("delay=600000").has_value());
}

BOOST_AUTO_TEST_CASE(amounts_ask_for_rules_by_their_last_two_digits) {
  const std::vector<std::pair<int, rule>> table{{0, rule::approve},
                                                {1, rule::decline},
                                                {2, rule::delay},
                                                {3, rule::pending},
                                                {4, rule::timeout_before},
                                                {5, rule::timeout_after},
                                                {6, rule::error_before},
                                                {7, rule::error_after},
                                                {8, rule::reset_before},
                                                {9, rule::reset_after},
                                                {10, rule::approve},
                                                {11, rule::webhook_first},
                                                {12, rule::webhook_twice},
                                                {13, rule::webhook_late},
                                                {14, rule::webhook_out_of_order},
                                                {15, rule::webhook_bad_signature},
                                                {16, rule::no_webhook},
                                                {21, rule::rate_limited},
                                                {22, rule::unauthorized},
                                                {31, rule::refund_refused},
                                                {32, rule::refund_error},
                                                {33, rule::refund_timeout_after},
                                                {34, rule::refund_pending},
                                                {50, rule::approve},
                                                {99, rule::approve}};
  for (const auto& [digits, wanted] : table)
    for (const int hundreds : {0, 100, 123'400}) {
      const auto got = rule_for_amount(hundreds + digits);
      BOOST_TEST(to_string(got) == to_string(wanted), hundreds + digits);
    }
}

// PayPal's verify endpoint is sent the body of a webhook inside another one.
BOOST_AUTO_TEST_CASE(a_member_is_found_as_it_was_sent) {
  const std::string event = R"({ "b" : [1, {"x":"}\"]"}], "a":1.50 })";
  const std::string text =
      R"( {"first": {"webhook_event": 1}, "say\"": "webhook_event", "webhook_event" : )" + event +
      R"( , "last":[2]} )";
  BOOST_TEST(raw_member(text, "webhook_event") == event);
  BOOST_TEST(raw_member(text, "last") == "[2]");
  BOOST_TEST(raw_member(text, "none") == "");
  BOOST_TEST(raw_member("{}", "none") == "");
}

BOOST_AUTO_TEST_SUITE_END()
