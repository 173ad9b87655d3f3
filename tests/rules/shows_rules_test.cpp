// The rules of the show directory: what makes a show, what changes it, what a move of prices
// changes, and of which blocks the seats change.
#include "actors/shows/rules.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace {

namespace shows = usher::shows;
using usher::block_id;

shows::block area(const std::string& id, std::uint32_t capacity) {
  return {id, "stalls", {}, capacity};
}

/// A block of one row with the seats `<id>1`, `<id>2`, …
shows::block row_block(const std::string& id, int seats) {
  shows::row line{"1", {}};
  for (int n = 1; n <= seats; ++n)
    line.seats.push_back({id + std::to_string(n), std::nullopt, false});
  return {id, "circle", {line}, 0};
}

shows::plan plan_of(std::vector<shows::block> blocks) {
  return {std::nullopt, {{"stalls", "Stalls", 1000}, {"circle", "Circle", 500}}, std::move(blocks)};
}

shows::command::put put(std::optional<shows::plan> plan = std::nullopt) {
  shows::command::put asked;
  asked.id = "hamlet";
  asked.plan = std::move(plan);
  return asked;
}

shows::command::put new_show(std::optional<shows::plan> plan = std::nullopt) {
  auto asked = put(std::move(plan));
  asked.title = "Hamlet";
  asked.currency = "EUR";
  return asked;
}

shows::command::put prices(std::map<std::string, std::int64_t> moved) {
  auto asked = put();
  asked.prices = std::move(moved);
  return asked;
}

shows::proposal accepted(const shows::state& directory, const shows::command::put& asked) {
  return std::get<shows::proposal>(shows::decide(directory, asked));
}

bool is_no(const shows::decision& answer, shows::rejection reason) {
  const auto* no = std::get_if<shows::rejection>(&answer);
  return no != nullptr && *no == reason;
}

void happen(shows::state& directory, const shows::command::put& asked) {
  const auto wanted = accepted(directory, asked);
  if (wanted.event)
    shows::apply(directory, *wanted.event);
}

/// A show with an area `floor` of 100 in the stalls and a block `C` of three seats in the circle.
shows::state with_show() {
  shows::state directory;
  happen(directory, new_show(plan_of({area("floor", 100), row_block("C", 3)})));
  return directory;
}

using ids = std::vector<block_id>;

ids changed(const shows::proposal& wanted) {
  ids all;
  for (const auto& one : wanted.changed_blocks)
    all.push_back(one.id);
  return all;
}

std::int64_t price_of(const shows::description& what, const std::string& category) {
  for (const auto& one : what.plan->categories)
    if (one.id == category)
      return one.price_minor;
  return -1;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_new_show_has_a_title_and_a_currency_and_gets_the_next_number) {
  auto directory = with_show();
  auto asked = new_show();
  asked.id = "macbeth";
  BOOST_TEST(accepted(directory, asked).number == 1U);
  BOOST_TEST(accepted(directory, asked).created);
  asked.title.reset();
  BOOST_TEST(is_no(shows::decide(directory, asked), shows::rejection::title_missing));
  asked = new_show();
  asked.id = "macbeth";
  asked.currency.reset();
  BOOST_TEST(is_no(shows::decide(directory, asked), shows::rejection::currency_missing));
}

BOOST_AUTO_TEST_CASE(every_block_of_a_new_show_is_told_sorted_by_id) {
  const auto wanted =
      accepted({}, new_show(plan_of({area("floor", 100), row_block("C", 3), area("A", 1)})));
  BOOST_CHECK((changed(wanted) == ids{"A", "C", "floor"}));
  BOOST_TEST(accepted({}, new_show()).changed_blocks.empty());
}

BOOST_AUTO_TEST_CASE(the_same_description_again_changes_nothing) {
  const auto directory = with_show();
  const auto wanted =
      accepted(directory, new_show(plan_of({area("floor", 100), row_block("C", 3)})));
  BOOST_TEST(!wanted.event.has_value());
  BOOST_TEST(!wanted.created);
  BOOST_TEST(wanted.changed_blocks.empty());
}

BOOST_AUTO_TEST_CASE(the_currency_of_a_show_is_fixed) {
  auto asked = put();
  asked.currency = "USD";
  BOOST_TEST(is_no(shows::decide(with_show(), asked), shows::rejection::currency_fixed));
  asked.currency = "EUR";
  BOOST_TEST(!accepted(with_show(), asked).event.has_value());
}

BOOST_AUTO_TEST_CASE(moved_prices_change_the_description_and_no_block) {
  auto directory = with_show();
  const auto wanted = accepted(directory, prices({{"stalls", 40'000}}));
  BOOST_REQUIRE(wanted.event.has_value());
  BOOST_TEST(wanted.changed_blocks.empty());
  BOOST_TEST(price_of(wanted.what, "stalls") == 40'000);
  BOOST_TEST(price_of(wanted.what, "circle") == 500, "what is not named stays");
  shows::apply(directory, *wanted.event);
  BOOST_CHECK(directory.shows.at("hamlet").what == wanted.what);
  BOOST_TEST(!accepted(directory, prices({{"stalls", 40'000}})).event.has_value(), "again");
}

BOOST_AUTO_TEST_CASE(prices_of_unknown_categories_are_refused_and_nothing_is_moved) {
  const auto directory = with_show();
  for (const auto& moved : std::vector<std::map<std::string, std::int64_t>>{
           {{"gallery", 1}}, {{"gallery", 1}, {"stalls", 2}}, {{"Stalls", 1}}, {{"", 1}}})
    BOOST_TEST(is_no(shows::decide(directory, prices(moved)), shows::rejection::unknown_category));
  shows::state planless;
  happen(planless, new_show());
  BOOST_TEST(
      is_no(shows::decide(planless, prices({{"stalls", 1}})), shows::rejection::unknown_category));
}

BOOST_AUTO_TEST_CASE(prices_beside_a_plan_are_of_the_new_plan) {
  auto asked = prices({{"gallery", 7}});
  asked.plan = shows::plan{std::nullopt, {{"gallery", "", 5}}, {{"G", "gallery", {}, 10}}};
  const auto wanted = accepted(with_show(), asked);
  BOOST_TEST(price_of(wanted.what, "gallery") == 7);
  BOOST_CHECK((changed(wanted) == ids{"C", "G", "floor"}));
}

BOOST_AUTO_TEST_CASE(only_blocks_whose_seats_changed_are_told) {
  const auto directory = with_show();
  const auto changed_by = [&](std::vector<shows::block> blocks) {
    return changed(accepted(directory, put(plan_of(std::move(blocks)))));
  };
  BOOST_CHECK((changed_by({area("floor", 101), row_block("C", 3)}) == ids{"floor"}));
  BOOST_CHECK((changed_by({area("floor", 99), row_block("C", 3)}) == ids{"floor"}));
  BOOST_CHECK((changed_by({area("floor", 100), row_block("C", 2)}) == ids{"C"}));
  BOOST_CHECK((changed_by({row_block("C", 3), area("floor", 100)}) == ids{}));
  BOOST_CHECK((changed_by({area("floor", 100), row_block("C", 3), area("A", 1)}) == ids{"A"}));

  auto dearer = area("floor", 100);
  dearer.category = "circle";
  BOOST_CHECK((changed_by({dearer, row_block("C", 3)}) == ids{}));
  auto two_rows = row_block("C", 3); // the same seats in the same order
  two_rows.rows.push_back({"2", {two_rows.rows[0].seats[2]}});
  two_rows.rows[0].seats.pop_back();
  BOOST_CHECK((changed_by({area("floor", 100), two_rows}) == ids{}));
  auto turned = row_block("C", 3);
  std::swap(turned.rows[0].seats[0], turned.rows[0].seats[2]);
  BOOST_CHECK((changed_by({area("floor", 100), turned}) == ids{"C"}));
}

BOOST_AUTO_TEST_CASE(a_grown_area_keeps_the_names_of_its_places) {
  const auto wanted = accepted(with_show(), put(plan_of({area("floor", 102), row_block("C", 3)})));
  BOOST_REQUIRE(wanted.changed_blocks.size() == 1U);
  const auto before = shows::seats_of(area("floor", 100));
  const auto after = shows::seats_of(wanted.changed_blocks[0]);
  BOOST_TEST(after.size() == 102U);
  BOOST_TEST(std::equal(before.begin(), before.end(), after.begin()));
  BOOST_TEST(after.back() == "floor:102");
}

BOOST_AUTO_TEST_CASE(a_block_that_vanishes_is_told_with_no_seats) {
  const auto wanted = accepted(with_show(), put(plan_of({row_block("C", 3)})));
  BOOST_CHECK((changed(wanted) == ids{"floor"}));
  BOOST_TEST(shows::seats_of(wanted.changed_blocks[0]).empty());
}

BOOST_AUTO_TEST_CASE(rows_that_become_an_area_are_other_seats) {
  const auto wanted = accepted(with_show(), put(plan_of({area("floor", 100), area("C", 3)})));
  BOOST_CHECK((changed(wanted) == ids{"C"}));
  BOOST_CHECK((shows::seats_of(wanted.changed_blocks[0]) ==
               std::vector<usher::seat_id>{"C:1", "C:2", "C:3"}));
}

BOOST_AUTO_TEST_CASE(what_is_left_out_stays) {
  const auto directory = with_show();
  auto asked = put();
  asked.holds = shows::hold_settings{};
  asked.holds->max_life_ms = 900'000;
  asked.holds->avoid_orphans = false;
  const auto wanted = accepted(directory, asked);
  BOOST_CHECK(wanted.what.plan == directory.shows.at("hamlet").what.plan);
  BOOST_TEST(wanted.what.title == "Hamlet");
  BOOST_TEST(wanted.what.holds.max_life_ms == 900'000);
  BOOST_TEST(!wanted.what.holds.avoid_orphans);
}

BOOST_AUTO_TEST_CASE(the_fold_of_the_events_is_the_directory) {
  auto directory = with_show();
  happen(directory, prices({{"circle", 1}}));
  auto other = new_show();
  other.id = "macbeth";
  happen(directory, other);
  BOOST_CHECK((directory.by_number == std::vector<usher::show_id>{"hamlet", "macbeth"}));
  BOOST_TEST(directory.shows.at("macbeth").number == 1U);
  BOOST_TEST(price_of(directory.shows.at("hamlet").what, "circle") == 1);
}
