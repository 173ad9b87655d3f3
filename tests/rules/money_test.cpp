// Reads decimal amounts into minor units and back. The first table is the agreed cases for amounts
// (shared with everybody who reads amounts); the second the ways to write nonsense.
#include "actors/basics/money.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace {

using usher::money;
using usher::money_error;

struct good {
  std::string amount;
  std::string currency;
  std::int64_t minor;
};

struct bad {
  std::string amount;
  std::string currency;
  std::string error;
};

void check(const good& expected) {
  const auto read = usher::read_money(expected.amount, expected.currency);
  BOOST_TEST_CONTEXT(expected.amount << ' ' << expected.currency) {
    BOOST_REQUIRE(std::holds_alternative<money>(read));
    BOOST_TEST(std::get<money>(read).amount_minor == expected.minor);
    BOOST_TEST(std::get<money>(read).currency == expected.currency);
  }
}

void check(const bad& expected) {
  const auto read = usher::read_money(expected.amount, expected.currency);
  BOOST_TEST_CONTEXT('"' << expected.amount << "\" " << expected.currency) {
    BOOST_REQUIRE(std::holds_alternative<money_error>(read));
    BOOST_TEST(usher::to_string(std::get<money_error>(read)) == expected.error);
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(the_agreed_amounts_become_the_agreed_minor_units) {
  for (const auto& one :
       {good{"100.99", "CHF", 10099}, good{"101", "JPY", 101}, good{"101.000", "BHD", 101000},
        good{"350.00", "BRL", 35000}, good{"0.1", "EUR", 10}})
    check(one);
}

BOOST_AUTO_TEST_CASE(the_agreed_faults_are_refused_with_the_agreed_words) {
  for (const auto& one :
       {bad{"101.5", "JPY", "too many decimals"}, bad{"-1.00", "EUR", "negative"},
        bad{"1e3", "EUR", "not a decimal"}, bad{"92233720368547758.08", "EUR", "too large"},
        bad{"10.00", "XXQ", "unknown currency"}})
    check(one);
}

BOOST_AUTO_TEST_CASE(the_edges_of_the_range_are_read_exactly) {
  for (const auto& one :
       {good{"92233720368547758.07", "EUR", 9223372036854775807}, good{"0", "EUR", 0},
        good{"0.00", "EUR", 0}, good{"0.01", "EUR", 1}, good{"0.001", "BHD", 1},
        good{"1.0001", "CLF", 10001}, good{"9223372036854775807", "JPY", 9223372036854775807}})
    check(one);
}

BOOST_AUTO_TEST_CASE(what_is_not_a_plain_decimal_is_refused) {
  for (const auto* text :
       {"",     ".",     "1.", ".5",  "+1",  " 1",   "1 ",    "1,0", "007",  "00",
        "00.5", "1.2.3", "-",  "--1", "-.5", "0x10", "1_000", "NaN", "1.-5", "\xC2\xBD"})
    check(bad{text, "EUR", "not a decimal"});
  check(bad{std::string("1\0", 2), "EUR", "not a decimal"});
}

BOOST_AUTO_TEST_CASE(an_absurdly_long_number_is_refused_by_its_size) {
  check(bad{std::string(100'000, '9'), "EUR", "too large"});
  check(bad{"9223372036854775808", "JPY", "too large"});
  check(bad{"1." + std::string(100'000, '0'), "EUR", "too many decimals"});
  check(bad{"0.100", "EUR", "too many decimals"});
}

BOOST_AUTO_TEST_CASE(a_currency_is_three_upper_case_letters_of_the_table) {
  for (const auto* code : {"", "EU", "EURO", "eur", "EU ", " EU", "UR ", "XAU", "XXX", "XTS"})
    BOOST_TEST(!usher::minor_digits(code).has_value(), code);
  BOOST_TEST(usher::minor_digits("KRW").value() == 0);
  BOOST_TEST(usher::minor_digits("AED").value() == 2);
  BOOST_TEST(usher::minor_digits("ZWG").value() == 2);
  BOOST_TEST(usher::minor_digits("TND").value() == 3);
  BOOST_TEST(usher::minor_digits("UYW").value() == 4);
}

BOOST_AUTO_TEST_CASE(writing_an_amount_is_the_inverse_of_reading_it) {
  for (const auto* currency : {"JPY", "EUR", "BHD", "CLF"})
    for (const std::int64_t minor :
         {0LL, 1LL, 9LL, 10LL, 99LL, 100LL, 12345LL, 9223372036854775807LL}) {
      const money value{minor, currency};
      const auto text = usher::decimal_of(value);
      BOOST_TEST_CONTEXT(text << ' ' << currency)
      BOOST_CHECK((usher::read_money(text, currency) == std::variant<money, money_error>{value}));
    }
  BOOST_TEST(usher::decimal_of({35000, "BRL"}) == "350.00");
  BOOST_TEST(usher::decimal_of({5, "EUR"}) == "0.05");
  BOOST_TEST(usher::decimal_of({101, "JPY"}) == "101");
}
