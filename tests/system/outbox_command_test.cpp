// `usher admin outbox` against the real program with a sink that is a file: what it shows, that a
// reset makes the file's lines come again, and what is refused. (What it says to a server, word for
// word: tests/config/outbox_command_test.cpp.) Made to fail once: with resets that say yes and do
// nothing.

#include "tests/system/box_office.hpp"
#include "tests/system/server_process.hpp"

#include <boost/test/unit_test.hpp>

#include <fstream>
#include <map>

using namespace usher::test;

namespace {

struct world {
  world() {
    std::ofstream{place.path() / "usher.json"} << json{
        {"sinks", json::array({{{"name", "archive"}, {"kind", "file"}, {"path", file.string()}}})}};
    auto how = server_process::with_operator_key();
    how.arguments = {"--config", (place.path() / "usher.json").string()};
    server = std::make_unique<server_process>(place.data(), how);
    api_client staff{server->port(), {{"Authorization", "Bearer " + operator_key}}};
    put_show(staff, "hamlet", {{"waitingRoom", still_room()}});
    BOOST_REQUIRE(eventually([&] { return said_by_list().find(", behind by 0 events") != none; }));
  }

  [[nodiscard]] run_result outbox(std::vector<std::string> more,
                                  const std::string& key = operator_key) const {
    more.insert(more.begin(), {"admin", "outbox"});
    more.insert(more.end(), {"--server", "http://127.0.0.1:" + std::to_string(server->port())});
    return run_usher({.arguments = more, .environment = {{"USHER_OPERATOR_KEY", key}}});
  }
  [[nodiscard]] std::string said_by_list() const { return outbox({"list"}).out; }

  /// How often each event stands in the file.
  [[nodiscard]] std::map<std::string, int> times() const {
    std::map<std::string, int> made;
    std::ifstream lines{file};
    for (std::string line; std::getline(lines, line);)
      if (const auto event = json::parse(line, nullptr, false); event.is_object())
        ++made[event.at("id").get<std::string>()];
    return made;
  }
  [[nodiscard]] bool all_came(int how_often) const {
    const auto all = times();
    return !all.empty() &&
           std::ranges::all_of(all, [&](const auto& each) { return each.second == how_often; });
  }

  static constexpr auto none = std::string::npos;
  scratch_directory place;
  std::filesystem::path file = place.path() / "events.ndjson";
  std::unique_ptr<server_process> server;
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_reset_makes_everything_come_again, world) {
  const auto list = said_by_list();
  BOOST_TEST(list.starts_with("archive  file  RUNNING  position "), list);
  BOOST_TEST(all_came(1));
  const auto reset = outbox({"reset", "archive", "--position", "0"});
  BOOST_TEST(reset.exit_code == 0, reset.err);
  BOOST_TEST(reset.out.starts_with("archive  file  RUNNING  position 0, behind by "), reset.out);
  BOOST_TEST(eventually([&] { return all_came(2); }));
  const auto of_nobody =
      outbox({"reset", "archive", "--show", "/system", "--position", "0", "--json"});
  BOOST_TEST(of_nobody.exit_code == 0, of_nobody.err);
  BOOST_TEST(json::parse(of_nobody.out).at("show").at("position") == 0);
  BOOST_TEST(eventually([&] { return times().at("0/1") == 3; })); // the first is of no show
  BOOST_TEST(json::parse(outbox({"list", "--json"}).out).at("sinks").size() == 1U);
  BOOST_TEST(outbox({"resume", "archive"}).exit_code == 0);
}

BOOST_FIXTURE_TEST_CASE(what_is_refused_is_told_and_changes_nothing, world) {
  const struct {
    std::vector<std::string> arguments;
    std::string said;
  } cases[] = {
      {{"reset", "shop", "--position", "0"},
       "the server refused: HTTP 404 unknown-sink: There is no sink 'shop'.\n"},
      {{"resume", "a/b"}, "the server refused: HTTP 404 unknown-sink: There is no sink 'a/b'.\n"},
      {{"reset", "archive", "--show", "othello", "--position", "0"},
       "the server refused: HTTP 404 unknown-show: There is no show 'othello'.\n"}};
  for (const auto& one : cases) {
    const auto got = outbox(one.arguments);
    BOOST_TEST(got.exit_code == 1, got.out);
    BOOST_TEST(got.err == one.said);
  }
  const auto beyond = outbox({"reset", "archive", "--position", "1000000"});
  BOOST_TEST(beyond.exit_code == 1);
  BOOST_TEST(beyond.err.find("HTTP 409 cursor-not-moved: expected at most ") != none, beyond.err);
  const auto stranger = outbox({"list"}, "no-key-at-all");
  BOOST_TEST(stranger.exit_code == 1);
  BOOST_TEST(stranger.err.find("HTTP 401 ") != none, stranger.err);
  BOOST_TEST(all_came(1));
  const auto port = server->port();
  BOOST_TEST(server->term() == 0);
  const auto alone = run_usher({.arguments = {"admin", "outbox", "list", "--server",
                                              "http://127.0.0.1:" + std::to_string(port)}});
  BOOST_TEST(alone.exit_code == 2);
  BOOST_TEST(alone.err.find("no answer from http://127.0.0.1:" + std::to_string(port)) != none,
             alone.err);
}
