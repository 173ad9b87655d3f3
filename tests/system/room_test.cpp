// The whole waiting room on the real program: what operators set and what happened to fans is there
// after SIGKILL, a draw comes once although the server was down when it was due, and the audit
// agrees.
#include "tests/system/killable_server.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <ctime>
#include <set>
#include <thread>

using namespace usher::test;

namespace {

struct audited_server : killable_server {
  /// Stops, and lets the program look over its own log.
  void check_audit() {
    BOOST_TEST(server->term() == 0);
    server.reset();
    const auto verified = run_usher({{"audit", "verify", "--data", place.data().string()}});
    BOOST_TEST(verified.exit_code == 0, verified.out << verified.err);
  }
};

/// So many seconds from now, as RFC 3339 with milliseconds cut off (so up to a second earlier).
std::string seconds_from_now(int seconds) {
  const auto at = std::time(nullptr) + seconds;
  std::tm parts{};
  gmtime_r(&at, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

std::string room_path(const std::string& show, const std::string& what = "") {
  return "/v1/shows/" + show + "/waiting-room" + what;
}

std::string state_of(api_client& fan, const std::string& show) {
  return fan.get("/v1/shows/" + show).body.at("waitingRoom").at("state");
}

} // namespace

BOOST_FIXTURE_TEST_CASE(a_draw_that_was_due_while_the_server_was_down_comes_once, audited_server) {
  expect(201,
         as_operator.put("/v1/shows/drawn", {{"title", "Drawn"},
                                             {"currency", "BRL"},
                                             {"waitingRoom",
                                              {{"opensAt", seconds_from_now(6)},
                                               {"prequeue", "1h"},
                                               {"admitPerSecond", 0},
                                               {"beacon", {{"source", "dice"}, {"round", "7"}}}}}}),
         "put");
  BOOST_REQUIRE(eventually([&] { return state_of(fan, "drawn") == "PREQUEUE"; }));
  std::vector<std::string> tickets;
  for (int i = 0; i < 20; ++i)
    tickets.push_back(join(fan, "drawn"));
  const auto early = fan.get(ticket_path("drawn", tickets[0]));
  BOOST_TEST(early.body.at("status") == "PREQUEUE");
  BOOST_TEST(early.body.at("opensInSeconds") <= 6);
  const auto before = fan.get(room_path("drawn", "/draw"));
  BOOST_TEST(before.body.at("status") == "COMMITTED");
  BOOST_TEST(!before.body.contains("seed"));
  expect(204, as_operator.post(room_path("drawn", "/draw/beacon"), {{"value", "four"}}), "beacon");

  kill();
  std::this_thread::sleep_for(7s);
  start();
  BOOST_REQUIRE(eventually([&] { return state_of(fan, "drawn") == "OPEN"; }));
  const auto after = fan.get(room_path("drawn", "/draw"));
  BOOST_TEST(after.body.at("status") == "DRAWN");
  BOOST_TEST(after.body.at("commitment") == before.body.at("commitment"));
  BOOST_TEST(after.body.at("beacon").at("value") == "four");
  std::set<int> positions;
  std::vector<api_answer> drawn;
  for (const auto& ticket : tickets) {
    drawn.push_back(fan.get(ticket_path("drawn", ticket)));
    positions.insert(drawn.back().body.at("position").get<int>());
  }
  BOOST_TEST(positions.size() == 20U);
  BOOST_TEST(*positions.rbegin() == 20);
  const auto late = join(fan, "drawn");
  BOOST_TEST(fan.get(ticket_path("drawn", late)).body.at("position") == 21);

  crash_and_start(); // and the places are what they were
  for (std::size_t i = 0; i < tickets.size(); ++i)
    BOOST_TEST(fan.get(ticket_path("drawn", tickets[i])).body.at("position") ==
               drawn[i].body.at("position"));
  check_audit();
  const auto audited =
      run_usher({{"audit", "draw", "--data", place.data().string(), "--show", "drawn", "--json"}});
  BOOST_TEST(audited.exit_code == 0, audited.out << audited.err);
}

BOOST_FIXTURE_TEST_CASE(what_operators_set_and_fans_did_survives_a_crash, audited_server) {
  put_show(as_operator, "full",
           {{"plan", small_plan({"A"}, 20)},
            {"waitingRoom",
             {{"admitPerSecond", 1000},
              {"maxActive", 1},
              {"tick", "50ms"},
              {"tiers", {"gold"}},
              {"reentryGrace", "1h"}}}});
  expect(201,
         as_operator.post(room_path("full", "/access-codes"),
                          {{"batch", "fans"}, {"tier", "gold"}, {"codes", {"abc", "def"}}}),
         "codes");
  open_room(as_operator, "full");
  const auto first = join_and_wait(fan, "full");
  const auto plain = join(fan, "full");
  const auto gold =
      expect(202, fan.post(room_path("full", "/join"), {{"accessCode", "abc"}}), "gold")
          .body.at("ticketId")
          .get<std::string>();
  expect(200, fan.put(ticket_path("full", gold) + "/wish", {{"quantity", 2}}), "wish");
  expect(204, as_operator.put(room_path("full", "/message"), {{"en", "Soon"}, {"pt", "Logo"}}),
         "message");
  expect(204, as_operator.post(room_path("full", "/pause")), "pause");

  crash_and_start();
  BOOST_TEST(state_of(fan, "full") == "PAUSED");
  const auto waiting = fan.get(ticket_path("full", plain));
  BOOST_TEST(waiting.body.at("position") == 2); // gold stands before it
  BOOST_TEST(waiting.body.at("message").at("pt") == "Logo");
  BOOST_TEST(waiting.body.at("roomState") == "PAUSED");
  BOOST_TEST(fan.post(room_path("full", "/join"), {{"accessCode", "abc"}}).code() ==
             "access-code-used");
  BOOST_TEST(fan.post(room_path("full", "/join"), {{"accessCode", "xyz"}}).code() ==
             "access-code-unknown");
  BOOST_TEST(fan.get(ticket_path("full", gold) + "/wish").body.at("quantity") == 2);

  expect(204, as_operator.post(room_path("full", "/resume")), "resume");
  expect(204, as_operator.post(ticket_path("full", first) + "/revoke", {{"reason", "a robot"}}),
         "revoke");
  const auto in = wait_until_admitted(fan, "full", gold);
  BOOST_REQUIRE(eventually([&] {
    return fan.get(ticket_path("full", gold)).body.value("/wish/status"_json_pointer, "") == "HELD";
  }));
  crash_and_start();
  const auto gone = fan.get(ticket_path("full", first));
  BOOST_TEST(gone.status == 410);
  BOOST_TEST(gone.body.at("reason") == "revoked");
  const auto history = fan.get(ticket_path("full", first) + "/history");
  BOOST_TEST(history.body.at("steps").back().at("note") == "a robot", history);
  BOOST_TEST(history.body.at("steps").front().at("what") == "joined", history);
  const auto holder = fan.get(ticket_path("full", gold));
  BOOST_TEST(holder.body.at("wish").at("status") == "HELD", holder);
  const std::string hold = holder.body.at("wish").at("holdId");
  BOOST_TEST(fan.get("/v1/shows/full/holds/" + hold).body.at("seats").size() == 2U);
  check_audit();
}

/// An admission that ran out comes back near the front, once, also when the server was killed
/// between.
BOOST_FIXTURE_TEST_CASE(an_expired_admission_comes_back_once_also_over_a_crash, audited_server) {
  put_show(as_operator, "again",
           {{"waitingRoom",
             {{"admitPerSecond", 1000},
              {"maxActive", 1},
              {"tick", "50ms"},
              {"admissionTtl", "1s"},
              {"reentryGrace", "1h"}}}});
  open_room(as_operator, "again");
  const auto ticket = join_and_wait(fan, "again");
  BOOST_REQUIRE(eventually([&] { return fan.get(ticket_path("again", ticket)).status == 410; }));
  crash_and_start();
  const header_map same{{"X-Admission-Ticket", ticket}};
  const auto back = fan.post(room_path("again", "/join"), nullptr, same);
  BOOST_TEST(back.status == 200, back);
  BOOST_TEST(back.body.at("ticketId") == ticket);
  wait_until_admitted(fan, "again", ticket);
  BOOST_REQUIRE(eventually([&] { return fan.get(ticket_path("again", ticket)).status == 410; }));
  const auto other = fan.post(room_path("again", "/join"), nullptr, same);
  BOOST_TEST(other.status == 202, other);
  BOOST_TEST(other.body.at("ticketId") != ticket);
  check_audit();
}
