// Limits: what is just within is taken, what is just beyond is refused with the number, in each
// format; and so many faults that nobody wants to read them all.

#include "http/plans/plan_json.hpp"
#include "tests/plans/support.hpp"

#include <algorithm>

using namespace usher;
using namespace usher::plans;
using namespace usher::plans::test;

namespace {

const std::string block_limit = "expected at most 20000 seats, got 20001";
const std::string show_limit = "expected at most 200000 seats, got 200001 in all";

/// A file with so many seats in each block, one row a block.
std::string as_csv(const std::vector<std::size_t>& blocks) {
  std::string text = "block,row,seat,category\n";
  for (std::size_t b = 0; b < blocks.size(); ++b)
    for (std::size_t s = 0; s < blocks[b]; ++s)
      text += "B" + std::to_string(b) + ",1," + std::to_string(s) + ",c\n";
  return text;
}

std::string as_pretix(const std::vector<std::size_t>& blocks) {
  std::string text = R"({"categories":[{"name":"c"}],"zones":[)";
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    text += (b == 0 ? "" : ",") + std::string{R"({"name":"B)"} + std::to_string(b) +
            R"(","position":{"x":0,"y":0},"rows":[{"row_number":"1","seats":[)";
    for (std::size_t s = 0; s < blocks[b]; ++s)
      text += (s == 0 ? "" : ",") + std::string{R"({"seat_guid":")"} + std::to_string(b) + "-" +
              std::to_string(s) + R"(","position":{"x":0,"y":0},"category":"c"})";
    text += "]}]}";
  }
  return text + "]}";
}

std::string as_seatsio(const std::vector<std::size_t>& blocks) {
  std::string text = R"({"categories":{"list":[{"key":"c"}]},"subChart":{"sections":[)";
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    text += (b == 0 ? "" : ",") + std::string{R"({"label":"B)"} + std::to_string(b) +
            R"(","categoryKey":"c","subChart":{"rows":[{"label":"1","seats":[)";
    for (std::size_t s = 0; s < blocks[b]; ++s)
      text += (s == 0 ? "" : ",") + std::string{R"({"x":0,"y":0,"label":")"} + std::to_string(s) +
              R"("})";
    text += "]}]}}";
  }
  return text + "]}}";
}

std::string as_own(const std::vector<std::size_t>& blocks) {
  json made{{"categories", {{{"id", "c"}, {"price", 1}}}}, {"blocks", json::array()}};
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    json rows = json::array();
    for (std::size_t left = blocks[b]; left > 0;) {
      const auto count = std::min<std::size_t>(left, 15'000);
      rows.push_back(
          {{"id", std::to_string(b) + "-" + std::to_string(rows.size())}, {"count", count}});
      left -= count;
    }
    made["blocks"].push_back({{"id", "B" + std::to_string(b)}, {"category", "c"}, {"rows", rows}});
  }
  return made.dump();
}

struct file_format {
  const char* name;
  std::string (*write)(const std::vector<std::size_t>&);
  std::string first_block; ///< its place
  price_list prices{{"c", 1}};

  [[nodiscard]] lines faults(const std::vector<std::size_t>& blocks) const {
    return told(read(write(blocks), prices).faults);
  }
};

const file_format own{"own", as_own, "blocks[0]: ", {}};
const file_format foreign[] = {
    {"csv", as_csv, "line 2: "},
    {"pretix", as_pretix, "zones[0]: "},
    {"seatsio", as_seatsio, "subChart.sections[0]: "},
};

} // namespace

BOOST_AUTO_TEST_SUITE(limits)

BOOST_AUTO_TEST_CASE(a_block_has_at_most_20000_seats) {
  for (const auto& each : foreign) {
    BOOST_TEST_CONTEXT(each.name) {
      BOOST_TEST(each.faults({20'000, 1}) == lines{}, boost::test_tools::per_element());
      BOOST_TEST(each.faults({20'001, 1}) ==
                     lines{each.first_block + block_limit + " in block 'B0'"},
                 boost::test_tools::per_element());
    }
  }
  BOOST_TEST(own.faults({20'000, 1}) == lines{}, boost::test_tools::per_element());
  BOOST_TEST(own.faults({20'001, 1}) == lines{own.first_block + block_limit},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_show_has_at_most_200000_seats) {
  std::vector<std::size_t> blocks(10, 20'000);
  const auto& csv = foreign[0];
  const auto full = read(csv.write(blocks), csv.prices);
  BOOST_TEST(told(full.faults) == lines{}, boost::test_tools::per_element());
  BOOST_TEST(counts_of(full.plan) == "10 blocks, 10 rows, 200000 seats");
  BOOST_TEST(own.faults(blocks) == lines{}, boost::test_tools::per_element());
  blocks.push_back(1);
  for (const auto& each : foreign)
    BOOST_TEST(each.faults(blocks) == lines{show_limit}, boost::test_tools::per_element());
  BOOST_TEST(own.faults(blocks) == lines{"blocks: expected at most 200000 seats in all"},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_places_of_areas_count) {
  const auto chart = [](std::size_t capacity, std::size_t areas) {
    std::string text =
        R"({"categories":{"list":[{"key":"c"}]},"subChart":{"generalAdmissionAreas":[)";
    for (std::size_t i = 0; i < areas; ++i)
      text += (i == 0 ? "" : ",") + std::string{R"({"categoryKey":"c","label":"A)"} +
              std::to_string(i) + R"(","capacity":)" + std::to_string(capacity) + "}";
    return text + "]}}";
  };
  const price_list price{{"c", 1}};
  BOOST_TEST(counts_of(read_good(chart(20'000, 10), price).plan) ==
             "0 blocks, 0 rows, 0 seats, 10 areas with 200000 places");
  BOOST_TEST(told(read(chart(20'001, 1), price).faults) ==
             lines{"subChart.generalAdmissionAreas[0]: " + block_limit + " in block 'A0'"});
  BOOST_TEST(told(read(chart(20'000, 11), price).faults) ==
             lines{"expected at most 200000 seats, got 220000 in all"});
}

BOOST_AUTO_TEST_CASE(a_file_of_far_too_many_seats_costs_little_more_than_its_bytes) {
  std::string text = "block,row,seat,category\n";
  while (text.size() < file_bytes_max / 4)
    text += "a,b,c,d\n";
  const auto made = read(text, {{"d", 1}});
  BOOST_TEST_REQUIRE(made.faults.size() >= 1U);
  BOOST_TEST(made.faults.size() <= faults_kept_max);
  BOOST_TEST(told(made.faults).front().starts_with("expected at most 200000 seats, got 1048"),
             told(made.faults).front());
}

BOOST_AUTO_TEST_CASE(more_than_a_thousand_categories_are_too_many) {
  std::string text = "block,row,seat,category\n";
  price_list prices;
  for (int i = 0; i < 1001; ++i) {
    text += "a,b," + std::to_string(i) + ",c" + std::to_string(i) + "\n";
    prices["c" + std::to_string(i)] = 1;
  }
  BOOST_TEST(told(read(text, prices).faults) ==
             lines{"expected at most 1000 categories, got 1001"});
}

BOOST_AUTO_TEST_SUITE_END()
