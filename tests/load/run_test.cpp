// `usher load` against `usher serve`: each scenario in small, from the command line to the exit
// code. That a run can fail is shown in wrong_server_test.cpp. What a scenario checks of times may
// be missed here.

#include "tests/system/server_process.hpp"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

using namespace usher::test;
using nlohmann::json;

namespace {

using words = std::vector<std::string>;

run_result load(const server_process& server, const words& what) {
  launch run{.arguments = {"load"}, .environment = {{"USHER_OPERATOR_KEY", operator_key}}};
  run.arguments.insert(run.arguments.end(), what.begin(), what.end());
  run.arguments.insert(run.arguments.end(),
                       {"--server", "http://127.0.0.1:" + std::to_string(server.port())});
  return run_usher(run);
}

/// Depends on how fast the machine is, which may be busy with other tests.
bool is_about_time(const std::string& check) {
  for (const auto* part : {"p95", "p99", "goodput", "came as", "recovers", "within", "in time"})
    if (check.find(part) != std::string::npos)
      return true;
  return false;
}

/// The report of a run in which all checks held, but for those of time.
json report_of(const server_process& server, words what) {
  what.insert(what.end(), {"--json", "--connections", "64"});
  const auto got = load(server, what);
  BOOST_TEST_REQUIRE(got.exit_code <= 1, got.out << got.err);
  const auto told = json::parse(got.out);
  BOOST_TEST(told.at("passed") == (got.exit_code == 0));
  for (const auto& each : told.at("checks"))
    if (!is_about_time(each.at("name")))
      BOOST_TEST(each.at("held") == true, each);
  return told;
}

std::uint64_t answers(const json& report, std::size_t phase, const std::string& kind) {
  return report.at("phases").at(phase).at("requests").at(kind).at("answers");
}

/// Payments are made by the demo's sandbox.
struct demo_server {
  scratch_directory place;
  server_process server{place.data(), server_process::demo()};
};

} // namespace

BOOST_FIXTURE_TEST_CASE(journey_sells_what_fans_choose_on_the_map, demo_server) {
  const auto told = report_of(
      server, {"journey", "--fans", "40", "--arrivals", "40", "--admit", "40", "--seats", "100"});
  for (const auto* kind : {"event page", "join", "order", "pay"})
    BOOST_TEST(answers(told, 0, kind) == 40U, kind);
  BOOST_TEST(told.at("figures").at("seats sold").at("value") >= 40);
}

BOOST_FIXTURE_TEST_CASE(a_flash_crowd_sells_to_the_last_seat_and_keeps_its_places, demo_server) {
  const auto told =
      report_of(server, {"flash-crowd", "--fans", "500", "--admit", "50", "--seats", "60"});
  BOOST_TEST(told.at("figures").at("seats sold").at("value") == 60);
  BOOST_TEST(told.at("phases").at(1).at("name") == "places");
  BOOST_TEST(answers(told, 1, "place check") > 300U);
}

BOOST_FIXTURE_TEST_CASE(steady_and_entry_sell_to_everybody, demo_server) {
  const auto steady =
      report_of(server, {"steady", "--fans", "30", "--arrivals", "30", "--admit", "40"});
  BOOST_TEST(answers(steady, 0, "pay") == 30U);
  const auto entry = report_of(server, {"entry", "--fans", "30", "--seconds", "1"});
  BOOST_TEST(answers(entry, 0, "pay") == 30U);
}

BOOST_FIXTURE_TEST_CASE(a_seat_rush_gives_each_seat_to_one, demo_server) {
  const auto popular = report_of(server, {"seat-rush", "--fans", "50", "--wish", "popular"});
  BOOST_TEST(popular.at("phases").at(1).at("requests").at("hold").at("fine") == 1);
  const auto own = report_of(server, {"seat-rush", "--fans", "50", "--wish", "own"});
  BOOST_TEST(own.at("phases").at(1).at("requests").at("hold").at("fine") == 50);
  const auto any = report_of(server, {"seat-rush", "--fans", "50", "--seats", "20"});
  BOOST_TEST(answers(any, 1, "hold") == 50U);
}

BOOST_FIXTURE_TEST_CASE(a_poll_storm_asks_at_the_rate_that_was_set, demo_server) {
  const auto told = report_of(server, {"poll-storm", "--fans", "100", "--seconds", "1", "--polls",
                                       "200", "--threads", "2"});
  // Which the seed decides: 200 give or take some.
  const auto polls = answers(told, 1, "poll");
  BOOST_TEST(polls > 140U);
  BOOST_TEST(polls < 260U);
  BOOST_TEST(answers(told, 2, "place check") == 100U);
}

BOOST_FIXTURE_TEST_CASE(overload_finds_the_most_and_recovers, demo_server) {
  const auto told =
      report_of(server, {"overload", "--seconds", "1", "--arrivals", "100", "--polls", "50"});
  BOOST_TEST(answers(told, 0, "join") > 0U);
  BOOST_TEST(answers(told, 1, "poll") > 0U);
  BOOST_TEST(told.at("figures").at("joins a second, at most").at("value") > 0);
}

// As many under way as the server takes, and more who ask: they are turned away, which is counted
// and is no error.
BOOST_AUTO_TEST_CASE(who_is_turned_away_is_counted) {
  const scratch_directory place;
  auto with = server_process::demo();
  with.environment["USHER_IN_FLIGHT_MAX"] = "1";
  const server_process server{place.data(), with};
  const auto got = load(server, {"overload", "--seconds", "1", "--json"});
  BOOST_TEST(got.exit_code <= 1, got.err); // what one at a time can do is not the question
  const auto told = json::parse(got.out);
  const auto& joins = told.at("phases").at(0).at("requests").at("join");
  BOOST_TEST(joins.at("shed") > 0);
  BOOST_TEST(joins.at("errors") == 0, joins.dump());
  BOOST_TEST(joins.at("shedLatency").at("count") == joins.at("shed"));
}

BOOST_AUTO_TEST_CASE(the_key_of_an_operator_is_needed_and_enough) {
  const scratch_directory place;
  const server_process server{place.data()};
  const words storm{"poll-storm", "--fans", "5", "--seconds", "0.2", "--polls", "20"};
  BOOST_TEST(load(server, storm).exit_code == 0);
  auto without = storm;
  without.insert(without.begin(), "load");
  without.insert(without.end(), {"--server", "http://127.0.0.1:" + std::to_string(server.port())});
  const auto got = run_usher({.arguments = without});
  BOOST_TEST(got.exit_code == 2);
  BOOST_TEST(got.err.find("set USHER_OPERATOR_KEY") != std::string::npos, got.err);
}

BOOST_AUTO_TEST_CASE(the_line_teaches_and_refuses_what_makes_no_sense) {
  for (const words& asked : {words{"load", "--help"}, words{"load", "flash-crowd", "--help"}}) {
    const auto got = run_usher({.arguments = asked});
    BOOST_TEST(got.exit_code == 0);
    BOOST_TEST(got.out.find("Exit codes") != std::string::npos);
  }
  for (const words& bad :
       {words{"load"}, words{"load", "no-such-scenario"}, words{"load", "journey", "--fans", "0"},
        words{"load", "poll-storm", "--wish", "own"}, words{"load", "seat-rush", "--wish", "best"},
        words{"load", "journey", "--server", "ftp://x"},
        words{"load", "journey", "--connections", "60000"},
        words{"load", "entry", "--fans", "300000", "--server", "http://127.0.0.1:9"}}) {
    const auto got = run_usher({.arguments = bad});
    BOOST_TEST(got.exit_code == 2, bad.back() << ": " << got.out << got.err);
  }
}
