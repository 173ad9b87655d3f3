// Reads times as in RFC 3339: a table of those that are good with what they mean (computed with
// GNU date), and a table of those that are not.
#include "actors/basics/rfc3339.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace {

struct good {
  std::string text;
  usher::time_ms at;
};

const good good_times[] = {
    {"1970-01-01T00:00:00Z", 0},
    {"1970-01-01T00:00:00.001Z", 1},
    {"1985-04-12T23:20:50.52Z", 482'196'050'520}, // the examples of RFC 3339, 5.8
    {"1996-12-19T16:39:57-08:00", 851'042'397'000},
    {"2026-12-31T20:00:00-03:00", 1'798'758'000'000},
    {"2026-12-31T23:00:00+00:00", 1'798'758'000'000},
    {"2026-12-31T23:00:00-00:00", 1'798'758'000'000}, // "the offset is not known": UTC
    {"2027-01-01T22:59:00+23:59", 1'798'758'000'000},
    {"2026-12-31t23:00:00z", 1'798'758'000'000},
    {"2000-02-29T00:00:00Z", 951'782'400'000}, // a leap year, as every 400 years
    {"2024-02-29T12:00:00Z", 1'709'208'000'000},
    {"2026-11-30T10:44:57.1Z", 1'796'035'497'100},
    {"2026-11-30T10:44:57.9999Z", 1'796'035'497'999}, // cut, not rounded
    {"2026-11-30T10:44:57.000000000000000000000000000000001+01:00", 1'796'031'897'000},
    {"9999-12-31T23:59:59.999Z", 253'402'300'799'999},
    {"9999-12-31T23:59:59.999+00:01", 253'402'300'739'999},
};

} // namespace

BOOST_AUTO_TEST_CASE(times_mean_what_they_say) {
  for (const auto& [text, at] : good_times)
    BOOST_TEST_CONTEXT(text) {
      const auto read = usher::read_rfc3339(text);
      BOOST_REQUIRE(read.has_value());
      BOOST_TEST(*read == at);
    }
}

BOOST_AUTO_TEST_CASE(what_is_not_a_time_is_refused) {
  for (const auto* text : {
           "",
           "now",
           "2026-12-31",           // a date alone
           "20:00:00Z",            // a time alone
           "2026-12-31T20:00:00",  // where?
           "2026-12-31T20:00Z",    // no seconds
           "2026-12-31 20:00:00Z", // a space instead of T
           "2026-12-31T20:00:00 Z",
           " 2026-12-31T20:00:00Z",
           "2026-12-31T20:00:00Z ",
           "2026-12-31T20:00:00ZZ",
           "2026-12-31T20:00:00.Z", // a point, no digit
           "2026-12-31T20:00:00,5Z",
           "2026-12-31T20:00:00.5.5Z",
           "2026-12-31T20:00:00.-5Z",
           "2026-12-31T20:00:00+0300",
           "2026-12-31T20:00:00+03",
           "2026-12-31T20:00:00+3:00",
           "2026-12-31T20:00:00+24:00",
           "2026-12-31T20:00:00+03:60",
           "2026-12-31T20:00:00Z+03:00",
           "2026-12-31T20:00:00+03:00Z",
           "2026-00-31T20:00:00Z",
           "2026-13-31T20:00:00Z",
           "2026-12-00T20:00:00Z",
           "2026-12-32T20:00:00Z",
           "2026-02-29T20:00:00Z", // not a leap year
           "2100-02-29T20:00:00Z", // nor this, by the rule of centuries
           "2026-04-31T20:00:00Z",
           "2026-12-31T24:00:00Z",
           "2026-12-31T20:60:00Z",
           "2026-12-31T20:00:61Z",
           "2016-12-31T23:59:60Z", // a leap second, though a real one
           "1969-12-31T23:59:59Z",
           "1937-01-01T12:00:27.87+00:20", // an example of RFC 3339, but before 1970
           "1969-12-31T23:59:59-08:00",    // a good instant in a year as written before 1970
           "1970-01-01T00:00:00+00:01",    // the year as written is good, the instant is not
           "9999-12-31T23:59:59-00:01",    // the year 10000 in UTC
           "10000-01-01T00:00:00Z",
           "226-12-31T20:00:00Z",
           "+2026-12-31T20:00:00Z",
           "-2026-12-31T20:00:00Z",
           "2O26-12-31T20:00:00Z",
           "2026-1-31T20:00:00Z",
           "2026/12/31T20:00:00Z",
           "\xEF\xBC\x92"
           "026-12-31T20:00:00Z", // a full-width digit
       })
    BOOST_TEST(!usher::read_rfc3339(text).has_value(), '"' << text << '"');
  BOOST_TEST(!usher::read_rfc3339(std::string{"2026-12-31T20:00:00Z\0", 21}).has_value());
}

BOOST_AUTO_TEST_CASE(no_beginning_of_a_time_is_a_time) {
  const std::string whole = "2026-12-31T20:00:00.123-03:00";
  for (std::size_t length = 0; length < whole.size(); ++length)
    BOOST_TEST(!usher::read_rfc3339(whole.substr(0, length)).has_value(), length);
  BOOST_TEST(usher::read_rfc3339(whole).has_value());
}
