// Our own JSON: what it becomes, that writing and reading it gives the same plan, and every fault
// of broken files at its place.

#include "http/json/depth.hpp"
#include "http/plans/plan_json.hpp"
#include "tests/plans/support.hpp"

using namespace usher;
using namespace usher::plans;
using namespace usher::plans::test;

BOOST_AUTO_TEST_SUITE(own)

BOOST_AUTO_TEST_CASE(the_sample_is_read_whole) {
  const auto made = read_good(sample("own.json"));
  BOOST_TEST((made.as == format::usher));
  const auto& plan = made.plan;
  BOOST_TEST((plan.focal_point == shows::point{225, 33.2}));
  BOOST_TEST_REQUIRE(plan.categories.size() == 2U);
  BOOST_TEST((plan.categories[0] == shows::category{"stalls", "Stalls", 35000}));
  BOOST_TEST((plan.categories[1] == shows::category{"standing", "standing", 12000}));
  BOOST_TEST_REQUIRE(plan.blocks.size() == 2U);
  BOOST_TEST_REQUIRE(plan.blocks[0].rows.size() == 2U);
  BOOST_TEST(plan.blocks[0].rows[0].seats.size() == 20U);
  BOOST_TEST(plan.blocks[0].rows[0].seats[19].id == "A-20");
  const auto& seats = plan.blocks[0].rows[1].seats;
  BOOST_TEST((seats[0] == shows::planned_seat{"B-1", shows::point{10, 20.5}, true}));
  BOOST_TEST((seats[2] == shows::planned_seat{"B-3", std::nullopt, false}));
  BOOST_TEST((plan.blocks[1] == shows::block{"floor", "standing", {}, 500}));
}

BOOST_AUTO_TEST_CASE(what_is_written_reads_the_same) {
  for (const auto* name : {"own.json", "pretix.json", "seatsio.json", "hall.csv"}) {
    BOOST_TEST_CONTEXT(name) {
      const price_list prices =
          name == std::string_view{"own.json"} ? price_list{}
          : name == std::string_view{"pretix.json"}
              ? price_list{{"Parkett", 1}, {"Galerie (Süd)", 2}}
          : name == std::string_view{"hall.csv"}
              ? price_list{{"Stalls", 1}, {"Box, \"royal\"", 2}}
              : price_list{{"Goal Stands", 1}, {"Wheelchairs", 2}, {"Standing", 3}};
      const auto first = read_good(sample(name), prices).plan;
      const auto written = plan_json(first).dump(1);
      const auto second = read_good(written).plan;
      BOOST_TEST((second == first));
      BOOST_TEST(plan_json(second).dump(1) == written);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_row_that_only_counts_is_written_as_a_count) {
  const auto made = read_good(sample("own.json"));
  const auto written = plan_json(made.plan);
  BOOST_TEST(written["blocks"][0]["rows"][0].dump() == R"({"id":"A","count":20})");
  BOOST_TEST(written["blocks"][0]["rows"][1]["seats"][2].dump() == R"({"id":"B-3"})");
  BOOST_TEST(written["blocks"][1].dump() ==
             R"({"id":"floor","category":"standing","capacity":500})");
}

BOOST_AUTO_TEST_CASE(a_price_that_is_given_counts_over_that_of_the_file) {
  const auto made = read_good(sample("own.json"), {{"Stalls", 1}, {"standing", 2}});
  BOOST_TEST(made.plan.categories[0].price_minor == 1);
  BOOST_TEST(made.plan.categories[1].price_minor == 2);
}

BOOST_AUTO_TEST_CASE(brackets_in_texts_do_not_nest) {
  const struct {
    std::string text;
    int depth;
  } cases[] = {
      {"", 0},
      {"7", 0},
      {"[]", 1},
      {"[[],{},[{}]]", 3},
      {R"({"[[[": "]]]{{{"})", 1},
      {R"(["\"[[[", "\\", [1]])", 2},
      {"\"[[[", 0},
      {"]]][[", 0}, // no JSON at all, which is for the parser to say
  };
  for (const auto& one : cases) {
    BOOST_TEST(!http::nests_deeper_than(one.depth, one.text), one.text);
    if (one.depth > 0)
      BOOST_TEST(http::nests_deeper_than(one.depth - 1, one.text), one.text);
  }
}

BOOST_AUTO_TEST_CASE(every_fault_is_told_with_its_place) {
  const std::string good_row = R"([{"id": "A", "count": 1}])";
  const auto with_categories = [](const std::string& blocks) {
    return R"({"categories": [{"id": "a", "price": 1}], "blocks": )" + blocks + "}";
  };
  const broken cases[] = {
      {"no JSON",
       "{\"blocks\": [",
       {"is not JSON: parse error at line 1, column 13: syntax error while parsing value - "
        "unexpected end of input; expected '[', '{', or a literal"}},
      {"no object", "[1]", {"expected a JSON object"}},
      {"an infinite number",
       R"({"blocks": [{"x": 1e999}]})",
       {"is not JSON: number overflow parsing '1e999'"}},
      {"too deep",
       "{\"blocks\":" + std::string(100, '[') + std::string(100, ']') + "}",
       {"nests deeper than 64 levels"}},
      {"nothing that is known",
       R"({"rows": []})",
       {"is not a plan that is known: expected a member blocks (usher), zones (pretix) or subChart "
        "(seats.io)"}},
      {"faults of form",
       R"({"focalPoint": {"x": 1}, "stage": 1,
           "categories": [{"id": "a"}, 5, {"id": "b", "price": 1.5, "colour": ""}],
           "blocks": [{"category": "a", "rows": [{"id": "A"}, {"id": "B", "count": 1, "seats": []},
                       {"id": "C", "seats": [{"id": 7, "x": 1}, {"x": 1e7, "y": 0, "accessible": 1}]}]},
                      {"id": "f", "category": "a", "rows": [], "capacity": 0}, []]})",
       {"stage: is not a known field", "focalPoint.y: is missing: x and y go together",
        "categories[0].price: is missing", "categories[1]: expected an object",
        "categories[2].colour: is not a known field",
        "categories[2].price: expected a whole number from 0 to 1000000000000",
        "blocks[0].id: is missing", "blocks[0].rows[0].count: expected either count or seats",
        "blocks[0].rows[1].count: expected either count or seats",
        "blocks[0].rows[2].seats[0].id: expected a text of at most 256 bytes",
        "blocks[0].rows[2].seats[0].y: is missing: x and y go together",
        "blocks[0].rows[2].seats[1].id: is missing",
        "blocks[0].rows[2].seats[1].x: expected a number from -1000000.0 to 1000000.0",
        "blocks[0].rows[2].seats[1].accessible: expected true or false",
        "blocks[1].capacity: expected either rows or capacity",
        "blocks[1].capacity: expected a whole number from 1 to 20000",
        "blocks[2]: expected an object"}},
      {"rules",
       with_categories(R"([{"id": "f f", "category": "b", "capacity": 1},
                           {"id": "g", "category": "a", "rows": [{"id": "A", "seats": []}]},
                           {"id": "g", "category": "a", "rows": [
                              {"id": "A", "seats": [{"id": "1"}, {"id": "1"}, {"id": ""}]}]}])"),
       {"blocks[0].id: expected 1 to 64 letters, digits, '-', '_' or '.', not starting with '.'",
        "blocks[0].category: 'b' is not among plan.categories",
        "blocks[1].rows[0]: expected at least one seat", "blocks[2].id: 'g' stands twice",
        "blocks[2].rows[0].seats[1].id: '1' stands twice",
        "blocks[2].rows[0].seats[2].id: expected 1 to 64 letters, digits, '-', '_' or '.', not "
        "starting with '.'"}},
      {"a row whose seats cannot be named",
       with_categories(R"([{"id": "f", "category": "a", "rows": [{"id": ")" + std::string(62, 'r') +
                       R"(", "count": 10}]}])"),
       {"blocks[0].rows[0].id: is too long for the ids of its seats, such as '" +
        std::string(62, 'r') + "-10'"}},
      {"no blocks", with_categories("[]"), {"blocks: expected at least one block"}},
      {"neither rows nor places",
       with_categories(R"([{"id": "f", "category": "a"}])"),
       {"blocks[0].rows: expected at least one row, or a capacity"}},
      {"a price for nobody",
       with_categories(R"([{"id": "f", "category": "a", "rows": )" + good_row + "}]"),
       {"--price b=5: there is no such category; the file has 'a'"},
       {{"b", 5}}},
  };
  for (const auto& one : cases)
    check(one);
}

BOOST_AUTO_TEST_SUITE_END()
