// What a run tells: the numbers of the JSON are those that were counted, a check that is missed
// makes it fail, and what a server said cannot steer the terminal. Made to fail once: with a run
// without checks that passes, with refused answers left out of the latencies, and with the text of
// a server printed as it is.

#include "bench/load/report.hpp"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

using namespace usher::load;

namespace {

constexpr time_ns ms = millisecond_ns;

report sample() {
  report made;
  made.scenario = "journey";
  made.url = "http://127.0.0.1:1";
  made.show = "gala";
  made.settings = {{"fans", "3"}};
  auto& sale = made.phases.emplace_back();
  sale.name = "sale";
  sale.what = "fans buy";
  sale.seconds = 2;
  for (const time_ns latency : {10 * ms, 20 * ms, 30 * ms})
    sale.tally.add(request_kind::join, {}, latency, "{}");
  sale.tally.add(request_kind::hold, verdict::refused("seat-unavailable"), 40 * ms, "{}");
  sale.tally.add(request_kind::hold, {outcome::shed}, 1 * ms, "{}");
  sale.lateness = {5 * ms, 7};
  made.figures.push_back({"seats sold", 12, "seats"});
  made.checks.push_back({"it is so", true, "1 of 1"});
  return made;
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace

BOOST_AUTO_TEST_CASE(the_json_has_what_was_counted) {
  const auto made = json_of(sample());
  BOOST_TEST(made["scenario"] == "journey");
  BOOST_TEST(made["settings"]["fans"] == "3");
  BOOST_TEST(made["figures"]["seats sold"]["value"] == 12);
  BOOST_TEST(made["passed"] == true);
  const auto& phase = made["phases"][0];
  BOOST_TEST(phase["seconds"] == 2);
  BOOST_TEST(phase["sentLateMaxMs"] == 5);
  BOOST_TEST(phase["waitingForConnectionMax"] == 7);
  BOOST_TEST(phase["requests"].size() == 2U); // kinds that nobody asked for are left out

  const auto& joins = phase["requests"]["join"];
  BOOST_TEST(joins["answers"] == 3);
  BOOST_TEST(joins["perSecond"] == 1.5);
  BOOST_TEST(joins["fine"] == 3);
  BOOST_TEST(joins["latency"]["count"] == 3);
  BOOST_TEST(joins["latency"]["meanMs"] == 20);
  BOOST_TEST(joins["latency"]["p50Ms"].get<double>() == 20, boost::test_tools::tolerance(0.001));
  BOOST_TEST(joins["latency"]["p99Ms"] == 30);
  BOOST_TEST(joins["latency"]["percentiles"].back() == (nlohmann::json{1.0, 30.0}));
  BOOST_TEST(!joins.contains("shedLatency"));

  const auto& holds = phase["requests"]["hold"];
  BOOST_TEST(holds["answers"] == 2);
  BOOST_TEST(holds["refused"] == 1);
  BOOST_TEST(holds["shed"] == 1);
  BOOST_TEST(holds["errors"] == 0);
  BOOST_TEST(holds["latency"]["count"] == 1); // of those that were not shed
  BOOST_TEST(holds["shedLatency"]["maxMs"] == 1);
  BOOST_TEST(phase["remarks"][0]["why"] == "seat-unavailable");
}

BOOST_AUTO_TEST_CASE(one_missed_check_or_none_at_all_fails_the_run) {
  auto made = sample();
  BOOST_TEST(made.passed());
  BOOST_TEST(says(text_of(made), "All checks held."));
  made.checks.push_back({"it is otherwise", false, "0 of 1"});
  BOOST_TEST(!made.passed());
  BOOST_TEST(json_of(made)["passed"] == false);
  BOOST_TEST(says(text_of(made), "MISSED  it is otherwise: 0 of 1"));
  BOOST_TEST(says(text_of(made), "Not all checks held."));
  made.checks.clear();
  BOOST_TEST(!made.passed());
}

BOOST_AUTO_TEST_CASE(errors_fail_the_run_and_are_told_with_an_example) {
  auto made = sample();
  made.check_no_errors();
  BOOST_TEST(made.passed());
  made.phases.back().tally.add(request_kind::pay, verdict::wrong("status 500"), ms,
                               "{\"code\":\"\x1b[2J\xc3\"}");
  made.check_no_errors();
  BOOST_TEST(!made.passed());
  BOOST_TEST(made.checks.back().detail == "1 errors in 6 answers");
  const auto text = text_of(made);
  BOOST_TEST(says(text, "1 x pay: status 500"), text);
  BOOST_TEST(says(text, "e.g. {\"code\":\" [2J"), text);
  BOOST_TEST(!says(text, "\x1b"));
  report nothing;
  nothing.check_no_errors(); // nobody answered anything
  BOOST_TEST(!nothing.passed());
}

BOOST_AUTO_TEST_CASE(a_percentile_is_held_against_its_limit) {
  auto made = sample();
  made.checks.clear();
  made.check_quantile(made.phases[0], request_kind::join, 0.95, 30);
  BOOST_TEST(made.passed());
  BOOST_TEST(made.checks.back().name == "join p95 at most 30 ms");
  made.check_quantile(made.phases[0], request_kind::join, 0.95, 29.9);
  BOOST_TEST(!made.checks.back().held);
  made.check_quantile(made.phases[0], request_kind::order, 0.95, 1'000);
  BOOST_TEST(!made.checks.back().held); // nothing was measured
}

BOOST_AUTO_TEST_CASE(parts_of_a_tally_are_merged) {
  auto one = sample().phases[0].tally;
  tally all;
  all.merge(one);
  all.merge(one);
  BOOST_TEST(all.answered() == 10U);
  BOOST_TEST(all.shed() == 2U);
  BOOST_TEST(all.of(request_kind::join).latency.count() == 6U);
  BOOST_TEST(all.of(request_kind::hold).all() == 4U);
  BOOST_TEST(all.remarks().begin()->second.count == 2U);
  BOOST_TEST(all.remarks().begin()->second.example == "{}");
}

BOOST_AUTO_TEST_CASE(numbers_are_written_for_people) {
  BOOST_TEST(grouped(0) == "0");
  BOOST_TEST(grouped(999) == "999");
  BOOST_TEST(grouped(1'000) == "1,000");
  BOOST_TEST(grouped(1'234'567) == "1,234,567");
  BOOST_TEST(milliseconds(123) == "0.12");
  BOOST_TEST(milliseconds(12'345) == "12.3");
  BOOST_TEST(milliseconds(123'456) == "123");
  BOOST_TEST(milliseconds(1'234'567) == "1,235");
  BOOST_TEST(percent(0.1234) == "12.3 %");
}
