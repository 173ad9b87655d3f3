// Who was told to have which seat, and what the seat map says of it. Made to fail once: with each
// of the five faults of the ledger taken for none, with holds that never end, and with a map that
// is not compared.

#include "bench/load/map_check.hpp"
#include "bench/load/map_choice.hpp"
#include "bench/load/seat_ledger.hpp"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <array>
#include <thread>

using namespace usher::load;

namespace {

constexpr seat_number hall_seats = 120;
constexpr time_ns now = 10 * second_ns;
constexpr time_ns later = 20 * second_ns;

using seats = std::vector<seat_number>;
const std::optional<std::string> all_well;

/// As the server writes it: what the ledger says, unless `but` names another state.
std::string map_of(const seat_ledger& told, time_ns when,
                   const std::map<seat_number, std::string>& but = {},
                   seat_number count = hall_seats) {
  auto shown = nlohmann::json::object();
  for (seat_number seat = 0; seat < count; ++seat) {
    const auto its = told.of(seat, when);
    const auto other = but.find(seat);
    shown[seat_name(seat)] = other != but.end() ? other->second
                             : its.sold         ? "SOLD"
                             : its.taken        ? "HELD"
                                                : "AVAILABLE";
  }
  return nlohmann::json{{"full", true}, {"blocks", {{{"id", "b1"}, {"seats", shown}}}}}.dump();
}

} // namespace

BOOST_AUTO_TEST_CASE(a_seat_that_is_held_ordered_and_paid_is_no_fault) {
  seat_ledger ledger{hall_seats};
  BOOST_TEST((ledger.hold(1, seats{4, 5}, now, later) == all_well));
  BOOST_TEST(ledger.taken(now) == 2U);
  BOOST_TEST((ledger.sell(1, seats{4, 5}) == all_well));
  BOOST_TEST(ledger.sold() == 2U);
  BOOST_TEST(ledger.taken(2 * later) == 2U); // for ever
}

BOOST_AUTO_TEST_CASE(two_holders_of_a_seat_are_found) {
  seat_ledger ledger{hall_seats};
  BOOST_TEST((ledger.hold(1, seats{4, 5}, now, later) == all_well));
  BOOST_TEST((ledger.hold(2, seats{5, 6}, now, later) ==
              std::optional<std::string>{"a hold of a seat that another fan holds"}));
  BOOST_TEST((ledger.hold(1, seats{5}, now, later) == all_well)); // one's own, again
}

BOOST_AUTO_TEST_CASE(a_hold_that_ended_is_free_to_take) {
  seat_ledger ledger{hall_seats};
  BOOST_TEST((ledger.hold(1, seats{4}, now, later) == all_well));
  BOOST_TEST(ledger.taken(later - 1) == 1U);
  BOOST_TEST(ledger.taken(later) == 0U);
  BOOST_TEST((ledger.hold(2, seats{4}, later, 2 * later) == all_well));
  BOOST_TEST((ledger.sell(2, seats{4}) == all_well));
}

BOOST_AUTO_TEST_CASE(a_seat_that_is_sold_is_nobody_elses) {
  seat_ledger ledger{hall_seats};
  BOOST_TEST((ledger.hold(1, seats{4}, now, later) == all_well));
  BOOST_TEST((ledger.sell(1, seats{4}) == all_well));
  BOOST_TEST((ledger.hold(2, seats{4}, 2 * later, 3 * later) ==
              std::optional<std::string>{"a hold of a seat that is sold"}));
  BOOST_TEST((ledger.sell(2, seats{4}) == std::optional<std::string>{"a seat was sold twice"}));
  BOOST_TEST(ledger.sold() == 1U);
}

BOOST_AUTO_TEST_CASE(a_sale_of_what_another_holds_is_found) {
  seat_ledger ledger{hall_seats};
  const std::optional<std::string> fault{"a sale of a seat that another fan holds"};
  BOOST_TEST((ledger.hold(1, seats{4}, now, later) == all_well));
  BOOST_TEST((ledger.sell(2, seats{4}) == fault));
  BOOST_TEST((ledger.sell(2, seats{7}) == fault)); // nobody's hold
}

BOOST_AUTO_TEST_CASE(a_seat_that_is_not_in_the_plan_is_found) {
  seat_ledger ledger{hall_seats};
  BOOST_TEST(ledger.hold(1, seats{hall_seats}, now, later).has_value());
  BOOST_TEST(ledger.sell(1, seats{hall_seats}).has_value());
  BOOST_TEST(!ledger.of(hall_seats, now).taken);
}

BOOST_AUTO_TEST_CASE(a_seat_that_was_refused_has_somebody) {
  seat_ledger ledger{hall_seats};
  ledger.refuse(4);
  ledger.refuse(5);
  BOOST_TEST(ledger.refused_for_nobody() == 2U);
  BOOST_TEST((ledger.hold(1, seats{4}, now, later) == all_well)); // told later than the refusal
  BOOST_TEST(ledger.refused_for_nobody() == 1U);
}

BOOST_AUTO_TEST_CASE(of_many_threads_one_gets_each_seat) {
  seat_ledger ledger{hall_seats};
  std::array<std::size_t, 4> got{};
  {
    std::vector<std::jthread> fans;
    for (std::uint32_t fan = 0; fan < got.size(); ++fan)
      fans.emplace_back([&, fan] {
        for (seat_number seat = 0; seat < hall_seats; ++seat)
          got[fan] += ledger.hold(fan, seats{seat}, now, later) ? 0 : 1;
      });
  }
  BOOST_TEST(got[0] + got[1] + got[2] + got[3] == hall_seats);
}

BOOST_AUTO_TEST_CASE(a_map_that_says_what_was_told_has_no_fault) {
  seat_ledger ledger{hall_seats};
  BOOST_TEST((fault_in_map(map_of(ledger, now), ledger, now) == all_well));
  BOOST_TEST((ledger.hold(1, seats{4, 5}, now, later) == all_well));
  BOOST_TEST((ledger.sell(1, seats{4}) == all_well));
  BOOST_TEST((fault_in_map(map_of(ledger, now), ledger, now) == all_well));
  // A hold that ended may still be shown, as the fan's clock is a second early.
  BOOST_TEST((fault_in_map(map_of(ledger, now), ledger, later) == all_well));
}

BOOST_AUTO_TEST_CASE(a_map_that_says_something_else_is_found) {
  seat_ledger ledger{hall_seats};
  BOOST_TEST((ledger.hold(1, seats{4, 5}, now, later) == all_well));
  BOOST_TEST((ledger.sell(1, seats{4}) == all_well));
  const std::vector<std::pair<std::string, std::string>> wrong{
      {map_of(ledger, now, {{4, "HELD"}}), "was sold, and is not any more"},
      {map_of(ledger, now, {{4, "AVAILABLE"}}), "was sold, and is not any more"},
      {map_of(ledger, now, {{5, "AVAILABLE"}}), "is free, and somebody holds it"},
      {map_of(ledger, now, {{5, "SOLD"}}), "is sold, and nobody was told so"},
      {map_of(ledger, now, {{6, "HELD"}}), "is held, and nobody was told so"},
      {map_of(ledger, now, {}, hall_seats - 1), "119 seats on the map"},
      {R"({"full":true,"blocks":[{"seats":{"A-1":"AVAILABLE"}}]})", "is not in the plan"},
      {"", "0 seats on the map"},
  };
  for (const auto& [map, why] : wrong) {
    const auto fault = fault_in_map(map, ledger, now);
    BOOST_TEST_REQUIRE(fault.has_value(), why);
    BOOST_TEST(fault->find(why) != std::string::npos, *fault << ", not " << why);
  }
}

BOOST_AUTO_TEST_CASE(fans_choose_free_seats_and_all_of_them_equally) {
  const std::string map =
      R"({"blocks":[{"available":1,"seats":{"r1-1":"SOLD","r1-2":"AVAILABLE"}},)"
      R"({"available":3,"seats":{"r2-1":"AVAILABLE","r2-2":"HELD","r2-3":"AVAILABLE","r2-4":"AVAILABLE"}}]})";
  BOOST_TEST((choose_on_map(map, 1, 0.0) == seats{1}));
  BOOST_TEST((choose_on_map(map, 1, 0.26) == seats{50}));
  BOOST_TEST((choose_on_map(map, 2, 0.51) == seats{52, 53}));
  BOOST_TEST((choose_on_map(map, 2, 0.99) == seats{53})); // at the end of the block
  BOOST_TEST(
      choose_on_map(R"({"blocks":[{"available":0,"seats":{"r1-1":"SOLD"}}]})", 2, 0.5).empty());
  BOOST_TEST(choose_on_map("nonsense", 2, 0.5).empty());
}

BOOST_AUTO_TEST_CASE(every_seat_has_a_name_and_a_plan_has_them_all) {
  for (const seat_number seat : {0U, 1U, 49U, 50U, 999U, 1'000U, seats_max - 1})
    BOOST_TEST((seat_named(seat_name(seat)) == std::optional{seat}));
  for (const auto* name : {"", "r", "r1", "r1-", "r0-1", "r1-0", "r1-51", "x1-1", "r1-1x", "r01-1",
                           "r-1", "r4001-1", "r1-1-1"})
    BOOST_TEST(!seat_named(name), name);
  for (const seat_number count : {1U, 50U, 51U, 1'000U, 1'001U, 2'345U}) {
    seat_number planned = 0;
    const auto plan = plan_of(count);
    for (const auto& block : plan["blocks"])
      for (const auto& row : block["rows"])
        planned += row["count"].get<seat_number>();
    BOOST_TEST(planned == count);
  }
}
