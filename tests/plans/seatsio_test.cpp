// seats.io charts: sections and loose rows as blocks, areas, categories that are inherited, and
// every fault of broken files at its place.

#include "tests/plans/support.hpp"

using namespace usher;
using namespace usher::plans;
using namespace usher::plans::test;

namespace {

const price_list prices{{"Goal Stands", 9000}, {"2", 8000}, {"Standing", 3000}};

std::string chart(const std::string& inside, const std::string& more = "") {
  return R"({"categories": {"list": [{"key": 1, "label": "One"}]}, "subChart": {)" + inside + "}" +
         more + "}";
}

} // namespace

BOOST_AUTO_TEST_SUITE(seatsio)

BOOST_AUTO_TEST_CASE(the_sample_is_read_whole) {
  const auto made = read_good(sample("seatsio.json"), prices);
  BOOST_TEST((made.as == format::seatsio));
  const auto& plan = made.plan;
  BOOST_TEST((plan.focal_point == shows::point{150, 10.5}));
  BOOST_TEST_REQUIRE(plan.categories.size() == 3U);
  BOOST_TEST((plan.categories[0] == shows::category{"Goal-Stands", "Goal Stands", 9000}));
  BOOST_TEST((plan.categories[1] == shows::category{"Wheelchairs", "Wheelchairs", 8000}));

  lines blocks;
  for (const auto& each : plan.blocks)
    blocks.push_back(each.id + " " + each.category + " " + std::to_string(each.capacity));
  BOOST_TEST(blocks == (lines{"main Goal-Stands 0", "Side Goal-Stands 0", "Floor Standing 100",
                              "Goal-Stand-4-Goal-Stands Goal-Stands 0",
                              "Goal-Stand-4-Wheelchairs Wheelchairs 0",
                              "Goal-Stand-4-Terrace Goal-Stands 30", "Lawn-GA Standing 40"}),
             boost::test_tools::per_element());

  // Outside of sections a seat is ROW-SEAT, with a section label SECTION-ROW-SEAT.
  BOOST_TEST((plan.blocks[0].rows[0].seats ==
              std::vector<shows::planned_seat>{{"A-1", shows::point{1, 200}, false},
                                               {"A-2", shows::point{2, 200}, true}}));
  BOOST_TEST(ids_of(plan.blocks[1].rows[0]) == lines{"Side-B-1"}); // the row's category

  // In a section: its origin is added, its category inherited.
  const auto& section = plan.blocks[3];
  BOOST_TEST_REQUIRE(section.rows.size() == 2U);
  BOOST_TEST((section.rows[0].seats == std::vector<shows::planned_seat>{
                                           {"Goal-Stand-4-A-1", shows::point{110, 55}, false}}));
  BOOST_TEST(ids_of(section.rows[1]) == lines{"Goal-Stand-4-B-1"});
  BOOST_TEST((plan.blocks[4].rows[0].seats ==
              std::vector<shows::planned_seat>{{"Goal-Stand-4-A-2", shows::point{120, 55}, true}}));
  BOOST_TEST(made.notes == lines{}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(all_seats_of_an_accessible_category_are) {
  const auto made = read_good(
      R"({"categories": {"list": [{"key": 1, "label": "Wheelchairs", "accessible": true}]}, "subChart": {
          "rows": [{"label": "A", "seats": [{"x": 0, "y": 0, "label": "1", "categoryKey": 1}]}]}})",
      {{"Wheelchairs", 1}});
  BOOST_TEST(made.plan.blocks[0].rows[0].seats[0].accessible);
}

BOOST_AUTO_TEST_CASE(floors_follow_one_another_and_the_first_focal_point_counts) {
  const auto floor = [](const std::string& section, const std::string& focal_point) {
    return R"({"focalPoint": )" + focal_point + R"(, "sections": [{"label": ")" + section +
           R"(", "categoryKey": 1, "subChart": {"rows": [{"label": "A", "seats": [
               {"x": 1, "y": 1, "label": "1"}]}]}}]})";
  };
  const auto made =
      read_good(R"({"categories": {"list": [{"key": 1}]}, "subChartFloors": [)" +
                    floor("Lower", "null") + "," + floor("Middle", R"({"x": 1, "y": 2})") + "," +
                    floor("Upper", R"({"x": 3, "y": 4})") + "]}",
                {{"1", 1}});
  BOOST_TEST(made.plan.blocks.size() == 3U);
  BOOST_TEST(made.plan.blocks[2].rows[0].seats[0].id == "Upper-A-1");
  BOOST_TEST((made.plan.focal_point == shows::point{1, 2}));
  BOOST_TEST(made.notes == lines{"subChartFloors[2].focalPoint is a second one: left out"},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_focal_point_of_an_only_zone_is_that_of_the_plan) {
  const std::string row =
      R"("rows": [{"label": "A", "seats": [{"x": 1, "y": 1, "label": "1", "categoryKey": 1}]}])";
  const std::string zone = R"({"focalPoint": {"x": 7, "y": 8}})";
  const auto one = read_good(chart(row, R"(, "zones": {"list": [)" + zone + "]}"), {{"One", 1}});
  BOOST_TEST((one.plan.focal_point == shows::point{7, 8}));
  const auto two = read_good(
      chart(row, R"(, "sectionScaleFactor": 50, "zones": {"list": [)" + zone + "," + zone + "]}"),
      {{"One", 1}});
  BOOST_TEST(!two.plan.focal_point);
  BOOST_TEST(two.notes ==
                 (lines{"each zone has a focal point of its own: none is taken, give --focal-point",
                        "sectionScaleFactor is 50: coordinates within sections are taken as if it "
                        "were 100"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(every_fault_is_told_with_its_place) {
  const price_list one_price{{"One", 100}};
  const broken cases[] = {
      {"nothing in it", R"({"subChart": {}})", {"categories: is missing"}},
      {"what is not supported is named",
       chart(R"("tables": [{"label": "T1", "seats": []}], "booths": [{"label": "B 2"}, {}],
                "generalAdmissionAreas": [{"label": "GA", "categoryKey": 1, "capacity": 5,
                                           "bookAsAWhole": true}])"),
       {"subChart.generalAdmissionAreas[0].bookAsAWhole: an area that is booked as a whole is not "
        "supported",
        "subChart.tables[0].label: table 'T1' is not supported",
        "subChart.booths[0].label: booth 'B 2' is not supported",
        "subChart.booths[1].label: booth '' is not supported"},
       one_price},
      {"seats",
       chart(R"("rows": [{"label": "A", "seats": [
                  {"x": 0, "y": 0, "label": "1", "categoryKey": 1},
                  {"x": 0, "y": 0, "label": "1", "categoryKey": 1},
                  {"x": 0, "y": 0, "label": "?", "categoryKey": 1},
                  {"x": 0, "y": 0, "categoryKey": 1},
                  {"x": 0, "y": 0, "label": "5"},
                  {"x": 0, "y": 0, "label": "6", "categoryKey": 9},
                  {"x": -1000001, "label": "7", "categoryKey": 1, "accessible": "no"}]},
                {"label": null, "seats": [{"x": 0, "y": 0, "label": "1", "categoryKey": 1}]},
                {"label": "C", "categoryKey": "x", "seats": [{"x": 0, "y": 0, "label": "1"},
                                                             {"x": 0, "y": 0, "label": "2"}]},
                {"label": "D", "seats": []}])"),
       {"subChart.rows[0].seats[1].label: 'A-1' stands twice, first at "
        "subChart.rows[0].seats[0].label",
        "subChart.rows[0].seats[2].label: '?' has no Latin letter or digit to make an id of",
        "subChart.rows[0].seats[3].label: expected a text that is not empty",
        "subChart.rows[0].seats[4].categoryKey: expected a category",
        "subChart.rows[0].seats[5].categoryKey: '9' is not among the categories",
        "subChart.rows[0].seats[6].y: is missing",
        "subChart.rows[0].seats[6].x: expected a number from -1000000.0 to 1000000.0",
        "subChart.rows[0].seats[6].accessible: expected true or false",
        "subChart.rows[1].label: expected a text that is not empty",
        "subChart.rows[2].categoryKey: 'x' is not among the categories",
        "subChart.rows[3]: expected at least one seat"},
       one_price},
      {"sections and areas",
       chart(R"("sections": [
                  {"label": "S", "categoryKey": 7, "topLeft": {"x": 0}, "subChart": {"rows": [
                    {"label": "A", "seats": [{"x": 0, "y": 0, "label": "1"}]}]}},
                  {"label": "S", "categoryKey": 1, "subChart": {"rows": []}},
                  {"label": "T"},
                  {"label": "ложа", "categoryKey": 1, "subChart": {"rows": [
                    {"label": "A", "seats": [{"x": 0, "y": 0, "label": "1"}, {"x": 0, "y": 0, "label": "2"}]}]}}],
                "generalAdmissionAreas": [{"label": "G", "capacity": 1}, {"categoryKey": 1, "capacity": 1},
                                          {"label": "H", "categoryKey": 1, "capacity": 0},
                                          {"label": "I", "categoryKey": 1}])"),
       {"subChart.generalAdmissionAreas[0].categoryKey: expected a category",
        "subChart.generalAdmissionAreas[1].label: expected a text that is not empty",
        "subChart.generalAdmissionAreas[2].capacity: expected a whole number from 1 to 1000000000",
        "subChart.generalAdmissionAreas[3].capacity: is missing",
        "subChart.sections[0].topLeft.y: is missing",
        "subChart.sections[0].categoryKey: '7' is not among the categories",
        "subChart.sections[1].label: 'S' stands twice, first at subChart.sections[0].label",
        "subChart.sections[2].subChart: is missing",
        "subChart.sections[3].label: 'ложа' has no Latin letter or digit to make an id of"},
       one_price},
      {"categories",
       R"({"categories": {"list": [{"key": 1, "label": "a"}, {"key": 1, "label": "b"}, {"label": "c"},
                                   {"key": 2, "label": "A"}, {"key": 3, "label": "A"}]},
           "subChart": {"rows": [{"label": "A", "seats": [
             {"x": 0, "y": 0, "label": "1", "categoryKey": 2},
             {"x": 0, "y": 0, "label": "2", "categoryKey": 3}]}]}})",
       {"categories.list[1].key: '1' stands twice, first at categories.list[0].key",
        "categories.list[2].key: expected a text that is not empty",
        "categories.list[4].key: 'A' stands twice, first at categories.list[3].key",
        "subChart.rows[0].label: 'main (A)' stands twice, first at subChart.rows[0].label"},
       {{"2", 1}, {"3", 2}}},
  };
  for (const auto& one : cases)
    check(one);
}

BOOST_AUTO_TEST_SUITE_END()
