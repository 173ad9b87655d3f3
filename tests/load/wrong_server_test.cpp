// `usher load` against a box office that does one thing wrong: the run must fail, with 1, and say
// why. The same box office that does nothing wrong passes, so it is that one thing which is found.

#include "tests/load/fake_box_office.hpp"
#include "tests/system/server_process.hpp"

#include <boost/test/unit_test.hpp>

using namespace usher::test;

namespace {

using words = std::vector<std::string>;

const words storm{"poll-storm", "--fans",        "20", "--seconds", "0.3", "--polls",
                  "100",        "--connections", "1",  "--threads", "1"};
const words rush{"seat-rush", "--fans",        "5", "--seats",   "50", "--wish",
                 "popular",   "--connections", "1", "--threads", "1"};
const words random_rush{"seat-rush",     "--fans", "5",         "--seats", "50",
                        "--connections", "1",      "--threads", "1"};
const words steady{"steady", "--fans",        "50", "--arrivals", "0", "--seconds",
                   "50",     "--connections", "4",  "--threads",  "1"};
const words steady_in_turn{"steady", "--fans",        "5", "--arrivals", "0", "--seconds",
                           "20",     "--connections", "1", "--threads",  "1"};

run_result load(const words& what, wrong how) {
  const scripted_server server{fake_box_office{how}};
  launch run{.arguments = {"load"}};
  run.arguments.insert(run.arguments.end(), what.begin(), what.end());
  run.arguments.insert(run.arguments.end(), {"--server", server.url()});
  return run_usher(run);
}

void fails(const words& what, wrong how, const std::string& why) {
  const auto got = load(what, how);
  BOOST_TEST(got.exit_code == 1, why << ": " << got.out << got.err);
  BOOST_TEST(got.out.find(why) != std::string::npos, why << " is not in " << got.out);
  BOOST_TEST(got.out.find("Not all checks held.") != std::string::npos);
}

void passes(const words& what) {
  const auto got = load(what, wrong::nothing);
  BOOST_TEST(got.exit_code == 0, got.out << got.err);
}

} // namespace

BOOST_AUTO_TEST_CASE(a_box_office_that_does_nothing_wrong_passes) {
  passes(storm);
  passes(rush);
  passes(random_rush);
  passes(steady);
}

BOOST_AUTO_TEST_CASE(places_that_jump_backwards_are_found) {
  fails(storm, wrong::places_grow, "poll: the position grew");
}

BOOST_AUTO_TEST_CASE(two_fans_at_one_place_are_found) {
  fails(storm, wrong::places_twice,
        "MISSED  the places are those of a queue: position 1 was given to two fans");
}

BOOST_AUTO_TEST_CASE(a_line_in_another_order_than_that_of_arrival_is_found) {
  fails(storm, wrong::places_reversed, "had a place before somebody ahead asked for one");
}

BOOST_AUTO_TEST_CASE(a_fan_who_is_overtaken_is_found) {
  fails(steady_in_turn, wrong::overtaken, "poll: somebody who joined later was let in before");
}

BOOST_AUTO_TEST_CASE(a_seat_that_two_hold_is_found) {
  fails(rush, wrong::held_twice, "hold: a hold of a seat that another fan holds");
}

BOOST_AUTO_TEST_CASE(a_seat_that_is_sold_twice_is_found) {
  fails(steady, wrong::sold_twice, "pay: a seat was sold twice");
}

BOOST_AUTO_TEST_CASE(a_refusal_without_a_reason_is_found) {
  fails(rush, wrong::refused_for_nobody, "MISSED  no seat was refused that nobody has");
}

BOOST_AUTO_TEST_CASE(a_seat_map_that_says_something_else_is_found) {
  fails(rush, wrong::shown_free, "seat r1-1 is free, and somebody holds it");
}

BOOST_AUTO_TEST_CASE(being_turned_away_for_good_is_found) {
  fails(storm, wrong::turned_away, "join: 503 without Retry-After");
}

BOOST_AUTO_TEST_CASE(a_server_that_is_not_there_or_refuses_the_staff_is_no_missed_check) {
  const auto nobody =
      run_usher({.arguments = {"load", "journey", "--server",
                               "http://127.0.0.1:" + std::to_string(closed_port())}});
  BOOST_TEST(nobody.exit_code == 2);
  BOOST_TEST(nobody.err.find("usher load: no answer from") != std::string::npos, nobody.err);
  const scripted_server strict{[](const seen_request&) {
    return json_answer(401, R"({"code":"unauthorized","detail":"Who are you?"})");
  }};
  const auto refused = run_usher({.arguments = {"load", "journey", "--server", strict.url()}});
  BOOST_TEST(refused.exit_code == 2);
  BOOST_TEST(refused.err.find("set USHER_OPERATOR_KEY") != std::string::npos, refused.err);
}
