// docs/load.md against the program: the table has every scenario with its options and defaults.
// Made to fail once: with a default changed, with an option added, and with a row left out.

#include "bench/load/scenario.hpp"
#include "tests/docs/reading.hpp"

#include <boost/test/unit_test.hpp>

using namespace usher;
using load::knob;

namespace {

/// In the order of the table's columns.
std::vector<std::string> row_of(const load::scenario& of) {
  const auto& with = of.defaults;
  const auto cell = [&](knob which, double value) {
    const bool has = std::find(of.knobs.begin(), of.knobs.end(), which) != of.knobs.end();
    return has ? std::to_string(value) : std::string{"–"};
  };
  return {cell(knob::fans, with.fans),
          cell(knob::arrivals, with.arrivals_per_second),
          cell(knob::admits, with.admits_per_second),
          cell(knob::seats, with.seats),
          cell(knob::seconds, with.seconds),
          cell(knob::polls, with.polls_per_second),
          cell(knob::watching, with.watching),
          std::to_string(static_cast<double>(with.connections))};
}

std::map<std::string, std::vector<std::string>> rows_of_page() {
  std::map<std::string, std::vector<std::string>> rows;
  for (const auto& line : test::lines_of(test::text_of("docs/load.md")))
    if (auto cells = test::cells_of(line); line.starts_with("| `") && cells.size() == 9) {
      for (auto& each : cells)
        if (!each.empty() && each.find_first_not_of("0123456789.") == std::string::npos)
          each = std::to_string(std::stod(each));
      rows[cells[0]] = {cells.begin() + 1, cells.end()};
    }
  return rows;
}

} // namespace

BOOST_AUTO_TEST_CASE(the_page_has_every_scenario_with_its_defaults) {
  auto rows = rows_of_page();
  for (const auto& each : load::scenarios()) {
    const std::string name{each.name};
    BOOST_TEST_INFO(name);
    BOOST_TEST(rows[name] == row_of(each), boost::test_tools::per_element());
    rows.erase(name);
  }
  BOOST_TEST(rows.empty());
}

BOOST_AUTO_TEST_CASE(each_has_a_sentence_for_those_who_ask_for_help) {
  for (const auto& each : load::scenarios())
    BOOST_TEST((each.what.size() > 20 && each.what.ends_with('.')), each.name);
}
