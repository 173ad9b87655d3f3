// pretix seating plans: positions that add up, zones as blocks of one category each, and every
// fault of broken files at its place.

#include "tests/plans/support.hpp"

using namespace usher;
using namespace usher::plans;
using namespace usher::plans::test;

namespace {

const price_list prices{{"Parkett", 4500}, {"Galerie (Süd)", 2000}};

/// A plan of one category and one zone with these rows.
std::string with_rows(const std::string& rows) {
  return R"({"name": "x", "categories": [{"name": "a"}],
             "zones": [{"name": "Z", "position": {"x": 0, "y": 0}, "rows": )" +
         rows + "}]}";
}

} // namespace

BOOST_AUTO_TEST_SUITE(pretix)

BOOST_AUTO_TEST_CASE(the_sample_is_read_whole) {
  const auto made = read_good(sample("pretix.json"), prices);
  BOOST_TEST((made.as == format::pretix));
  const auto& plan = made.plan;
  BOOST_TEST_REQUIRE(plan.categories.size() == 2U);
  BOOST_TEST((plan.categories[0] == shows::category{"Parkett", "Parkett", 4500}));
  BOOST_TEST((plan.categories[1] == shows::category{"Galerie-Sud", "Galerie (Süd)", 2000}));
  BOOST_TEST(!plan.focal_point);

  BOOST_TEST_REQUIRE(plan.blocks.size() == 3U);
  const auto& left = plan.blocks[0];
  BOOST_TEST(left.id == "Parkett-links");
  BOOST_TEST(left.category == "Parkett");
  BOOST_TEST_REQUIRE(left.rows.size() == 2U);
  BOOST_TEST(left.rows[1].id == "2");
  BOOST_TEST((left.rows[0].seats ==
              std::vector<shows::planned_seat>{{"pl-1-1", shows::point{110, 50.5}, false},
                                               {"pl-1-2", shows::point{135, 50}, false}}));
  BOOST_TEST((left.rows[1].seats[0].at == shows::point{110, 80}));

  // One zone with seats of two categories: a block for each.
  BOOST_TEST(plan.blocks[1].id == "Seite-Galerie-Sud");
  BOOST_TEST(plan.blocks[1].category == "Galerie-Sud");
  BOOST_TEST(plan.blocks[1].rows[0].id == "Reihe-A");
  BOOST_TEST(ids_of(plan.blocks[1].rows[0]) == lines{"s-a-1"});
  BOOST_TEST(plan.blocks[2].id == "Seite-Parkett");
  BOOST_TEST(ids_of(plan.blocks[2].rows[0]) == lines{"s-a-2"});
  BOOST_TEST((plan.blocks[2].rows[0].seats[0].at == shows::point{-50, 25}));
}

BOOST_AUTO_TEST_CASE(what_is_mapped_and_what_is_left_out_is_told) {
  const auto made = read_good(sample("pretix.json"), prices);
  BOOST_TEST(told(made.mapped) ==
                 (lines{"block Parkett links -> Parkett-links", "row Reihe A -> Reihe-A",
                        "seat s a 1 -> s-a-1", "block Bühne -> Buhne",
                        "category Galerie (Süd) -> Galerie-Sud",
                        "block Seite (Galerie (Süd)) -> Seite-Galerie-Sud",
                        "block Seite (Parkett) -> Seite-Parkett"}),
             boost::test_tools::per_element());
  BOOST_TEST(made.notes == (lines{"2 drawn areas (stages, bars, texts) have no places: left out",
                                  "category 'Unused' has no seats: left out",
                                  "'Bühne' has no rows: left out"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_zone_without_a_name_is_called_by_its_zone_id_or_its_number) {
  const std::string row =
      R"("rows": [{"row_number": 7, "seats": [{"seat_guid": "G", "position": {"x": 1, "y": 2}, "category": "a"}]}]})";
  const auto zone = [&](const std::string& members, const std::string& guid) {
    auto text = "{" + members + row;
    return text.replace(text.find("\"G\""), 3, "\"" + guid + "\"");
  };
  const auto made = read_good(R"({"categories": [{"name": "a"}], "zones": [)" + zone("", "1") +
                                  "," + zone(R"("name": "", "zone_id": "ground",)", "2") + "]}",
                              {{"a", 0}});
  BOOST_TEST(made.plan.blocks[0].id == "zone-1");
  BOOST_TEST(made.plan.blocks[1].id == "ground");
  BOOST_TEST(made.plan.blocks[1].rows[0].id == "7");
}

BOOST_AUTO_TEST_CASE(every_fault_is_told_with_its_place) {
  const price_list one_price{{"a", 100}};
  const broken cases[] = {
      {"nothing in it", R"({"zones": []})", {"categories: is missing"}},
      {"lists that are none",
       R"({"categories": {}, "zones": [{"position": 3, "rows": 4}, 5]})",
       {"categories: expected a list", "zones[0].position: expected an object",
        "zones[0].rows: expected a list", "zones[1]: expected an object"}},
      {"no prices",
       sample("pretix.json"),
       {"categories[0].name: category 'Parkett' has no price: give --price 'Parkett=AMOUNT' in "
        "minor units",
        "categories[1].name: category 'Galerie (Süd)' has no price: give --price 'Galerie "
        "(Süd)=AMOUNT' in minor units"}},
      {"prices of others",
       sample("pretix.json"),
       {"--price Galerie-Sud=3: 'Galerie (Süd)' has a price already",
        "--price Rang=1: there is no such category; the file has 'Parkett', 'Galerie (Süd)', "
        "'Unused'"},
       {{"Parkett", 1}, {"Galerie (Süd)", 2}, {"Galerie-Sud", 3}, {"Rang", 1}, {"Unused", 9}}},
      {"ids",
       with_rows(R"([{"row_number": "1", "seats": [
                       {"seat_guid": "1-1", "position": {"x": 0, "y": 0}, "category": "a"},
                       {"seat_guid": "1-1", "position": {"x": 0, "y": 0}, "category": "a"},
                       {"seat_guid": "1 1", "position": {"x": 0, "y": 0}, "category": "a"},
                       {"seat_guid": "", "position": {"x": 0, "y": 0}, "category": "a"},
                       {"position": {"x": 0, "y": 0}, "category": "a"},
                       {"seat_guid": {}, "position": {"x": 0, "y": 0}, "category": "a"},
                       {"seat_guid": "ряд", "position": {"x": 0, "y": 0}, "category": "a"},
                       {"seat_guid": ".x", "position": {"x": 0, "y": 0}, "category": "a"}]}])"),
       {"zones[0].rows[0].seats[1].seat_guid: '1-1' stands twice, first at "
        "zones[0].rows[0].seats[0].seat_guid",
        "zones[0].rows[0].seats[2].seat_guid: '1 1' becomes the id '1-1', as does '1-1' at "
        "zones[0].rows[0].seats[0].seat_guid",
        "zones[0].rows[0].seats[3].seat_guid: expected a text that is not empty",
        "zones[0].rows[0].seats[4].seat_guid: expected a text that is not empty",
        "zones[0].rows[0].seats[5].seat_guid: expected a text that is not empty",
        "zones[0].rows[0].seats[6].seat_guid: 'ряд' has no Latin letter or digit to make an id of",
        "zones[0].rows[0].seats[7].seat_guid: '.x' makes no id: expected at most 64 letters, "
        "digits, '-', '_' or '.', not starting with '.'"},
       one_price},
      {"categories",
       R"({"categories": [{"name": "a"}, {"name": "a"}, {"name": ""}, {"name": "a b"}, {"name": "a-b"}],
           "zones": [{"name": "Z", "position": {"x": 0, "y": 0}, "rows": [{"row_number": "1", "seats": [
             {"seat_guid": "1", "position": {"x": 0, "y": 0}, "category": "b"},
             {"seat_guid": "2", "position": {"x": 0, "y": 0}},
             {"seat_guid": "3", "position": {"x": 0, "y": 0}, "category": "a b"},
             {"seat_guid": "4", "position": {"x": 0, "y": 0}, "category": "a-b"}]}]}]})",
       {"categories[1].name: 'a' stands twice, first at categories[0].name",
        "categories[2].name: expected a text that is not empty",
        "zones[0].rows[0].seats[0].category: 'b' is not among the categories",
        "zones[0].rows[0].seats[1].category: expected a category",
        "categories[4].name: 'a-b' becomes the id 'a-b', as does 'a b' at categories[3].name",
        "zones[0].name: 'Z (a-b)' becomes the id 'Z-a-b', as does 'Z (a b)' at zones[0].name"},
       {{"a b", 1}, {"a-b", 2}}},
      {"coordinates",
       with_rows(R"([{"row_number": "1", "position": {"x": 999999, "y": 0}, "seats": [
                       {"seat_guid": "1", "position": {"x": 2, "y": 0}, "category": "a"},
                       {"seat_guid": "2", "position": {"x": 0, "y": 1e300}, "category": "a"},
                       {"seat_guid": "3", "position": {"x": "0"}, "category": "a"},
                       {"seat_guid": "4", "category": "a"}]}])"),
       {"zones[0].rows[0].seats[0].position: expected coordinates within ±1,000,000",
        "zones[0].rows[0].seats[1].position.y: expected a number from -1000000.0 to 1000000.0",
        "zones[0].rows[0].seats[2].position.y: is missing",
        "zones[0].rows[0].seats[2].position.x: expected a number from -1000000.0 to 1000000.0",
        "zones[0].rows[0].seats[3].position: is missing"},
       one_price},
      {"rows and zones",
       R"({"categories": [{"name": "a"}], "zones": [
            {"name": "Z 1", "position": {"x": 0, "y": 0}, "rows": [
              {"row_number": "1", "seats": []},
              {"row_number": "", "seats": [{"seat_guid": "1", "position": {"x": 0, "y": 0}, "category": "a"}]},
              {"row_number": "Row 2", "seats": [{"seat_guid": "2", "position": {"x": 0, "y": 0}, "category": "a"}]},
              {"row_number": "Row-2", "seats": [{"seat_guid": "3", "position": {"x": 0, "y": 0}, "category": "a"}]},
              {"row_number": "Row 2", "seats": [{"seat_guid": "4", "position": {"x": 0, "y": 0}, "category": "a"}]}]},
            {"name": "Z 1", "position": {"x": 0, "y": 0}, "rows": []},
            {"name": "Z-1", "position": {"x": 0, "y": 0}, "rows": []}]})",
       {"zones[0].rows[1].row_number: expected a text that is not empty",
        "zones[0].rows[3].row_number: 'Row-2' becomes the id 'Row-2', as does 'Row 2' in the same "
        "block",
        "zones[1].name: 'Z 1' stands twice, first at zones[0].name",
        "zones[2].name: 'Z-1' becomes the id 'Z-1', as does 'Z 1' at zones[0].name",
        "zones[0].rows[0]: expected at least one seat"},
       one_price},
  };
  for (const auto& one : cases)
    check(one);
}

BOOST_AUTO_TEST_SUITE_END()
