// What is wrong with a show's description, and where: every fault is named by its field. Areas of
// general admission and their limits, ids, duplicates, holds, prices.
#include "actors/shows/rules.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace {

namespace shows = usher::shows;
using usher::duration_ms;

shows::row row_of(const std::string& id, const std::vector<std::string>& seats) {
  shows::row made{id, {}};
  for (const auto& seat : seats)
    made.seats.push_back({seat, std::nullopt, false});
  return made;
}

/// A row of so many seats that no other row has.
shows::row long_row(const std::string& id, std::size_t seats) {
  shows::row made{id, {}};
  for (std::size_t n = 0; n < seats; ++n)
    made.seats.push_back({id + "-" + std::to_string(n), std::nullopt, false});
  return made;
}

shows::block area(const std::string& id, std::uint32_t capacity) {
  return {id, "stalls", {}, capacity};
}

shows::block rows(const std::string& id, std::vector<shows::row> its) {
  return {id, "stalls", std::move(its), 0};
}

shows::command::put with_blocks(std::vector<shows::block> blocks) {
  shows::command::put asked;
  asked.id = "hamlet";
  asked.plan = shows::plan{std::nullopt, {{"stalls", "Stalls", 1000}}, std::move(blocks)};
  return asked;
}

shows::command::put with_holds(const shows::hold_settings& holds) {
  shows::command::put asked;
  asked.id = "hamlet";
  asked.holds = holds;
  return asked;
}

using fields = std::vector<std::string>;

fields faulty(const shows::command::put& asked) {
  fields names;
  for (const auto& one : shows::faults_of(asked))
    names.push_back(one.field);
  return names;
}

std::string first_fault(const shows::command::put& asked) {
  const auto found = shows::faults_of(asked);
  return found.empty() ? "" : found.front().what;
}

const shows::block& block_of(const shows::command::put& asked, std::size_t at) {
  return asked.plan->blocks[at];
}

} // namespace

BOOST_AUTO_TEST_CASE(a_plan_with_rows_and_areas_has_no_fault) {
  const auto asked = with_blocks(
      {rows("A", {row_of("1", {"a1", "a2"}), row_of("2", {"a3"})}), area("floor", 500)});
  BOOST_TEST(faulty(asked).empty());
  BOOST_TEST(shows::seats_of(block_of(asked, 1)).size() == 500U);
}

BOOST_AUTO_TEST_CASE(a_block_has_either_rows_or_a_capacity) {
  auto both = rows("A", {row_of("1", {"a1"})});
  both.capacity = 10;
  BOOST_CHECK((faulty(with_blocks({both})) == fields{"plan.blocks[0].capacity"}));
  BOOST_CHECK((faulty(with_blocks({rows("A", {})})) == fields{"plan.blocks[0].rows"}));
  BOOST_TEST(first_fault(with_blocks({area("floor", 0)})) ==
             "expected at least one row, or a capacity");
  BOOST_CHECK(
      (faulty(with_blocks({rows("A", {row_of("1", {})})})) == fields{"plan.blocks[0].rows[0]"}));
  BOOST_CHECK((faulty(with_blocks({})) == fields{"plan.blocks"}));
}

BOOST_AUTO_TEST_CASE(a_block_has_at_most_20_000_seats_whatever_it_is) {
  BOOST_TEST(faulty(with_blocks({area("floor", 20'000)})).empty());
  BOOST_CHECK((faulty(with_blocks({area("floor", 20'001)})) == fields{"plan.blocks[0]"}));
  BOOST_TEST(first_fault(with_blocks({area("floor", 20'001)})) ==
             "expected at most 20000 seats, got 20001");
  BOOST_TEST(
      faulty(with_blocks({rows("A", {long_row("1", 19'000), long_row("2", 1'000)})})).empty());
  BOOST_CHECK((faulty(with_blocks({rows("A", {long_row("1", 19'000), long_row("2", 1'001)})})) ==
               fields{"plan.blocks[0]"}));
  // The largest number that a description can say does not wrap around.
  BOOST_CHECK(
      (faulty(with_blocks({area("floor", 4'294'967'295)})) == fields{"plan.blocks[0]", "plan"}));
}

BOOST_AUTO_TEST_CASE(a_show_has_at_most_200_000_seats) {
  std::vector<shows::block> full;
  for (int n = 0; n < 10; ++n)
    full.push_back(area("floor-" + std::to_string(n), 20'000));
  BOOST_TEST(faulty(with_blocks(full)).empty());
  full.push_back(area("one-more", 1));
  BOOST_CHECK((faulty(with_blocks(full)) == fields{"plan"}));
  BOOST_TEST(first_fault(with_blocks(full)) == "expected at most 200000 seats, got 200001");
  full.back() = rows("one-more", {row_of("1", {"a1"})}); // areas and rows are added up
  BOOST_CHECK((faulty(with_blocks(full)) == fields{"plan"}));
}

BOOST_AUTO_TEST_CASE(ids_are_checked_wherever_they_stand) {
  for (const std::string bad : {"", ".a", "a b", "a/b", "a:1", "ä"}) {
    BOOST_TEST(!shows::is_id(bad));
    auto asked = with_blocks({rows(bad, {row_of(bad, {bad})})});
    BOOST_CHECK((faulty(asked) == fields{"plan.blocks[0].id", "plan.blocks[0].rows[0].id",
                                         "plan.blocks[0].rows[0].seats[0].id"}));
    asked = with_blocks({area("floor", 1)});
    asked.id = bad;
    BOOST_CHECK((faulty(asked) == fields{"show"}));
    asked = with_blocks({area("floor", 1)});
    asked.plan->categories.push_back({bad, "", 0});
    BOOST_CHECK((faulty(asked) == fields{"plan.categories[1].id"}));
  }
  BOOST_TEST(shows::is_id("A-1_b.c"));
  BOOST_TEST(shows::is_id(std::string(shows::id_length_max, 'a')));
  BOOST_TEST(!shows::is_id(std::string(shows::id_length_max + 1, 'a')));
}

BOOST_AUTO_TEST_CASE(no_seat_of_a_plan_can_have_the_name_of_a_place_in_an_area) {
  const auto places = shows::seats_of(area("floor", 3));
  BOOST_CHECK((places == std::vector<usher::seat_id>{"floor:1", "floor:2", "floor:3"}));
  for (const auto& place : places)
    BOOST_TEST(!shows::is_id(place));
}

BOOST_AUTO_TEST_CASE(nothing_stands_twice) {
  BOOST_CHECK((faulty(with_blocks({area("A", 1), area("B", 1), area("A", 1)})) ==
               fields{"plan.blocks[2].id"}));
  // Seats are unique in the show, not only in their block; rows may have the same name.
  BOOST_CHECK((faulty(with_blocks({rows("A", {row_of("1", {"s1", "s2"})}),
                                   rows("B", {row_of("1", {"s3", "s1"})})})) ==
               fields{"plan.blocks[1].rows[0].seats[1].id"}));
  auto asked = with_blocks({area("A", 1)});
  asked.plan->categories.push_back({"stalls", "again", 0});
  BOOST_CHECK((faulty(asked) == fields{"plan.categories[1].id"}));
  BOOST_TEST(first_fault(asked) == "'stalls' stands twice");
}

BOOST_AUTO_TEST_CASE(a_block_is_of_a_category_of_the_plan) {
  auto asked = with_blocks({area("A", 1)});
  asked.plan->blocks[0].category = "gallery";
  BOOST_CHECK((faulty(asked) == fields{"plan.blocks[0].category"}));
}

BOOST_AUTO_TEST_CASE(a_holds_longest_life_is_at_least_its_ttl_and_at_most_two_days) {
  constexpr duration_ms day_ms = 86'400'000;
  const auto faulty_life = [](duration_ms ttl, duration_ms life) {
    shows::hold_settings holds;
    holds.ttl_ms = ttl;
    holds.payment_window_ms = 500;
    holds.max_life_ms = life;
    return faulty(with_holds(holds));
  };
  BOOST_TEST(faulty_life(300'000, 300'000).empty());
  BOOST_CHECK((faulty_life(300'000, 299'999) == fields{"holds.maxLife"}));
  BOOST_CHECK((faulty_life(300'000, 0) == fields{"holds.maxLife"}));
  BOOST_TEST(faulty_life(day_ms, 2 * day_ms).empty());
  BOOST_CHECK((faulty_life(day_ms, 2 * day_ms + 1) == fields{"holds.maxLife"}));
  BOOST_CHECK((faulty_life(day_ms + 1, 2 * day_ms) == fields{"holds.ttl"}));
  BOOST_CHECK((faulty_life(999, 2000) == fields{"holds.ttl"}));
  BOOST_TEST(faulty(with_holds({})).empty(), "the defaults are sound");
}

BOOST_AUTO_TEST_CASE(the_other_settings_of_holds_have_bounds_too) {
  shows::hold_settings holds;
  holds.payment_window_ms = holds.ttl_ms;
  BOOST_CHECK((faulty(with_holds(holds)) == fields{"holds.paymentWindow"}));
  holds.payment_window_ms = 99;
  BOOST_CHECK((faulty(with_holds(holds)) == fields{"holds.paymentWindow"}));
  holds.payment_window_ms = 100;
  BOOST_TEST(faulty(with_holds(holds)).empty());
  for (const std::uint32_t seats : {0U, 101U}) {
    holds.max_seats = seats;
    BOOST_CHECK((faulty(with_holds(holds)) == fields{"holds.maxSeats"}));
  }
  holds.max_seats = 100;
  BOOST_TEST(faulty(with_holds(holds)).empty());
}

BOOST_AUTO_TEST_CASE(prices_are_amounts_that_can_be_added_up) {
  constexpr std::int64_t most = 1'000'000'000'000;
  auto asked = with_blocks({area("A", 1)});
  for (const std::int64_t price : {std::int64_t{-1}, most + 1}) {
    asked.plan->categories[0].price_minor = price;
    BOOST_CHECK((faulty(asked) == fields{"plan.categories[0].price"}));
    shows::command::put moved;
    moved.id = "hamlet";
    moved.prices = {{"stalls", price}, {"circle", 5}};
    BOOST_CHECK((faulty(moved) == fields{"stalls"}));
    moved.prices = {{"stalls", 0}, {"circle", most}};
    BOOST_TEST(faulty(moved).empty());
  }
}

BOOST_AUTO_TEST_CASE(a_description_with_very_many_faults_names_the_first_fifty) {
  std::vector<shows::block> many;
  for (int n = 0; n < 60; ++n)
    many.push_back(area("same", 1));
  BOOST_TEST(faulty(with_blocks(many)).size() == shows::faults_listed_max);
}
