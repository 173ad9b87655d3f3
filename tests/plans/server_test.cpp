// `usher admin import-plan` against the real program: each format makes or changes a show, and the
// seat map has the seats; what the server refuses is told.

#include "tests/system/api_client.hpp"
#include "tests/system/server_process.hpp"

#include <boost/test/unit_test.hpp>

#include <fstream>

using namespace usher::test;

namespace {

struct admin {
  admin() : server{place.data()}, fan{server.port()} {}

  run_result import_plan(const std::string& file, std::vector<std::string> more,
                         const std::string& key = operator_key) const {
    std::vector<std::string> arguments{"admin", "import-plan", file, "--server",
                                       "http://127.0.0.1:" + std::to_string(server.port())};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_usher({.arguments = arguments, .environment = {{"USHER_OPERATOR_KEY", key}}});
  }
  static std::string sample(const std::string& name) {
    return std::string{USHER_SOURCE_DIR} + "/tests/plans/samples/" + name;
  }
  std::string written(const std::string& text) const {
    const auto path = place.path() / "plan.csv";
    std::ofstream{path} << text;
    return path.string();
  }

  scratch_directory place;
  server_process server;
  api_client fan;
};

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace

BOOST_FIXTURE_TEST_CASE(every_format_makes_a_show_with_its_seats, admin) {
  const struct {
    std::string show;
    std::string file;
    std::vector<std::string> prices;
    std::string seat;
  } cases[] = {
      {"own", "own.json", {}, "A-20"},
      {"pretix", "pretix.json", {"Parkett=4500", "Galerie (Süd)=2000"}, "pl-1-1"},
      {"seatsio", "seatsio.json", {"1=1", "2=2", "Standing=3"}, "Goal-Stand-4-A-1"},
      {"csv", "hall.csv", {"Stalls=100", "Box, \"royal\"=900"}, "Parkett-links-1-3"},
  };
  for (const auto& one : cases) {
    BOOST_TEST_CONTEXT(one.file) {
      std::vector<std::string> more{"--show", one.show, "--title", "A show", "--currency", "EUR"};
      for (const auto& price : one.prices)
        more.insert(more.end(), {"--price", price});
      const auto got = import_plan(sample(one.file), more);
      BOOST_TEST(got.exit_code == 0, got.err);
      BOOST_TEST(says(got.out, "created show " + one.show + ": "), got.out);
      const auto map = fan.get("/v1/shows/" + one.show + "/seats");
      BOOST_TEST(map.status == 200, map);
      BOOST_TEST(says(map.text, '"' + one.seat + '"'), map.text);
      const auto again = import_plan(sample(one.file), more);
      BOOST_TEST(again.exit_code == 0, again.err);
      BOOST_TEST(says(again.out, "changed show " + one.show + ": "), again.out);
    }
  }
  const auto categories = fan.get("/v1/shows/pretix").body.at("categories");
  BOOST_TEST(categories.at(1).at("id") == "Galerie-Sud");
  BOOST_TEST(categories.at(1).at("price") == 2000);
}

BOOST_FIXTURE_TEST_CASE(a_refusal_of_the_server_is_told, admin) {
  const auto own = sample("own.json");
  const auto untitled = import_plan(own, {"--show", "new"});
  BOOST_TEST(untitled.exit_code == 1);
  BOOST_TEST(says(untitled.err, "the server refused: HTTP 400 invalid-request: title: a new show "
                                "needs a title."),
             untitled.err);
  const auto keyless = import_plan(own, {"--show", "new", "--title", "x", "--currency", "EUR"}, "");
  BOOST_TEST(keyless.exit_code == 1);
  BOOST_TEST(says(keyless.err, "HTTP 401"), keyless.err);
  BOOST_TEST(fan.get("/v1/shows/new").status == 404);
}

BOOST_FIXTURE_TEST_CASE(a_file_with_faults_sends_nothing, admin) {
  const auto file = written("block,row,seat,category\nA,1,1,c\nA,1,1,c\n");
  const auto got =
      import_plan(file, {"--show", "new", "--title", "x", "--currency", "EUR", "--price", "c=1"});
  BOOST_TEST(got.exit_code == 1);
  BOOST_TEST(got.err == file +
                            ": line 3, column seat: 'A-1-1' stands twice, first at line 2, column "
                            "seat\n");
  BOOST_TEST(fan.get("/v1/shows/new").status == 404);
}

BOOST_FIXTURE_TEST_CASE(a_plan_at_the_limit_is_taken, admin) {
  std::string text = "block,row,seat,category,x,y\n";
  for (int b = 0; b < 10; ++b)
    for (int s = 0; s < 20'000; ++s)
      text += "Block-" + std::to_string(b) + "," + std::to_string(s / 100) + "," +
              std::to_string(s) + ",c," + std::to_string(s % 100) + ".25," +
              std::to_string(s / 100) + "\n";
  const auto got = import_plan(
      written(text), {"--show", "new", "--title", "x", "--currency", "EUR", "--price", "c=1"});
  BOOST_TEST(got.exit_code == 0, got.err);
  BOOST_TEST(says(got.out, "created show new: 10 blocks, 2000 rows, 200000 seats\n"), got.out);
}
