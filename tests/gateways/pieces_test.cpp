// What the protocols are made of: JSON that is read to the letter, text that is encoded and
// cleaned, amounts, and the memory of what was asked before.
#include "http/gateways/exact_json.hpp"
#include "http/gateways/news.hpp"
#include "http/gateways/paypal_amount.hpp"
#include "http/gateways/seen.hpp"
#include "http/gateways/text.hpp"

#include <boost/test/unit_test.hpp>

using namespace usher;
using namespace usher::gateways;

BOOST_AUTO_TEST_CASE(json_keeps_the_letters_of_decimals) {
  const auto read = read_object(
      R"({"a":90071992547409.93,"b":12.50,"c":7,"d":"x","e":[{"f":1e2},[true,null]],"g":-3,"h":{}})");
  BOOST_TEST_REQUIRE(read.has_value());
  BOOST_TEST(text_at(*read, "/a") == "90071992547409.93");
  BOOST_TEST(text_at(*read, "/b") == "12.50");
  BOOST_TEST(text_at(*read, "/c") == "7");
  BOOST_TEST(text_at(*read, "/d") == "x");
  BOOST_TEST(text_at(*read, "/e/0/f") == "1e2");
  BOOST_TEST(text_at(*read, "/g") == "-3");
  for (const auto* nothing : {"/e/1/0", "/e/1/1", "/e", "/h", "/x", "/e/7", "/e/x", "/d/x", "/a/0"})
    BOOST_TEST(text_at(*read, nothing).empty(), nothing);
  BOOST_TEST((find_at(*read, "/e/1") != nullptr && find_at(*read, "/e/1")->size() == 2));
  // And as a whole what any reader reads.
  BOOST_TEST(
      read->dump() ==
      R"({"a":"90071992547409.93","b":"12.50","c":7,"d":"x","e":[{"f":"1e2"},[true,null]],"g":-3,"h":{}})");
}

BOOST_AUTO_TEST_CASE(only_one_json_object_is_read) {
  for (const std::string text :
       {"", "1", "[]", "null", "{", "}", "{}{}", "{} x", R"({"a":1},"b":2)", R"({"a":1}})",
        "{'a':1}", "{\"a\":\"\xff\"}", "{\"a\":/**/1}", "{\"a\":01}", "{\"a\":NaN}"})
    BOOST_TEST(!read_object(text).has_value(), text);
  BOOST_TEST(read_object(" {} \n").has_value());
  const auto nested = [](int depth) {
    return "{\"a\":" + std::string(static_cast<std::size_t>(depth - 1), '[') +
           std::string(static_cast<std::size_t>(depth - 1), ']') + "}";
  };
  BOOST_TEST(read_object(nested(json_depth_max)).has_value());
  BOOST_TEST(!read_object(nested(json_depth_max + 1)).has_value());
  BOOST_TEST(!read_object(nested(100'000)).has_value());
}

BOOST_AUTO_TEST_CASE(what_goes_into_addresses_and_forms_is_encoded) {
  BOOST_TEST(percent_encoded("aZ09-._~") == "aZ09-._~");
  BOOST_TEST(percent_encoded("a/b?c&d=e f%\xc3\xa9") == "a%2Fb%3Fc%26d%3De%20f%25%C3%A9");
  BOOST_TEST(form({{"a[b]", "1&2"}, {"c", ""}}) == "a%5Bb%5D=1%262&c=");
}

BOOST_AUTO_TEST_CASE(reasons_are_short_printable_and_without_secrets) {
  BOOST_TEST(clean_reason("card_declined", {"sk_live_1"}) == "card_declined");
  BOOST_TEST(clean_reason("a\nb\x1b\xff", {}) == "a?b??");
  BOOST_TEST(clean_reason(std::string(999, 'x'), {}).size() == reason_bytes_max);
  BOOST_TEST(clean_reason("bad key sk_live_1!", {"whsec", "sk_live_1"}) == "withheld");
  // Also where cutting would have left a part of it.
  BOOST_TEST(clean_reason(std::string(195, 'x') + "sk_live_1", {"sk_live_1"}) == "withheld");
  BOOST_TEST(clean_reason("declined", {"", "cl"}) == "declined");
}

BOOST_AUTO_TEST_CASE(amounts_are_written_as_paypal_takes_them) {
  struct row {
    money amount;
    std::string value;
  };
  for (const auto& [amount, value] : std::vector<row>{{{2550, "BRL"}, "25.50"},
                                                      {{5, "USD"}, "0.05"},
                                                      {{500, "JPY"}, "500"},
                                                      {{50000, "HUF"}, "500"},
                                                      {{100, "TWD"}, "1"}})
    BOOST_TEST(paypal_value(amount).value_or("none") == value, amount.currency);
  for (const auto& wrong : std::vector<money>{{0, "BRL"},
                                              {-5, "BRL"},
                                              {50001, "HUF"},
                                              {150, "TWD"},
                                              {1000, "BHD"},
                                              {1000, "KRW"},
                                              {1000, "XXX"}})
    BOOST_TEST(!paypal_value(wrong).has_value(), wrong.currency);
}

BOOST_AUTO_TEST_CASE(amounts_of_news_are_read_exactly_or_not_at_all) {
  BOOST_TEST((decimal_amount("25.5", "BRL") == money{2550, "BRL"}));
  BOOST_TEST((decimal_amount("100", "BRL") == money{10000, "BRL"}));
  BOOST_TEST((minor_amount("100", "BRL") == money{100, "BRL"}));
  for (const auto* wrong : {"", "x", "1.005", "-1", "1e2", "1,5"})
    BOOST_TEST(!decimal_amount(wrong, "BRL").has_value(), wrong);
  for (const auto* wrong : {"", "x", "1.5", "-1", "1e2", "99999999999999999999"})
    BOOST_TEST(!minor_amount(wrong, "BRL").has_value(), wrong);
  BOOST_TEST(!minor_amount("1", "brl").has_value());
}

BOOST_AUTO_TEST_CASE(what_was_asked_before_is_remembered_until_it_is_long_ago) {
  seen_lately seen;
  BOOST_TEST(!seen.again("a"));
  BOOST_TEST(seen.again("a"));
  for (std::size_t i = 0; i < seen_lately::kept_max; ++i)
    BOOST_TEST_REQUIRE(!seen.again(std::to_string(i)));
  BOOST_TEST(seen.again(std::to_string(seen_lately::kept_max - 1)));
  BOOST_TEST(!seen.again("a"));
}
