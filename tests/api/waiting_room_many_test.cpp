// Many rooms at once, over a real socket: none disturbs another. And what the log keeps of whoever
// runs a room.

#include "storage/codec.hpp"
#include "tests/api/room.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <ostream>

namespace usher::test {

namespace {

/// One of a hundred shows: of four kinds, with a number of fans and a limit of its own.
struct one_of_many {
  explicit one_of_many(int number)
      : kind{number % 4},
        fans{3 + number % 5},
        limit{1 + number % 3},
        room{hall_where({{"maxActive", limit},
                         {"admitPerSecond", kind == 3 ? 0 : 200 + number},
                         {"tick", std::to_string(10 + number % 40) + "ms"}})} {
    begin(kind == 2 ? "standby" : "open");
    if (kind == 1)
      begin("pause");
  }

  void begin(const std::string& how) const { BOOST_TEST(operate(room, how).status == 204); }

  [[nodiscard]] int let_in() const { return kind == 1 || kind == 3 ? 0 : std::min(fans, limit); }
  [[nodiscard]] std::string state() const {
    return kind == 1 ? "PAUSED" : kind == 2 ? "STANDBY" : "OPEN";
  }

  int kind; ///< 0: open, 1: paused, 2: on standby, 3: open with a rate of 0
  int fans;
  int limit;
  show room;
  std::vector<std::string> tickets{};
};

/// "type by whom"
std::vector<std::string> told(const std::vector<storage::stored_record>& records) {
  std::vector<std::string> lines;
  for (const auto& each : records)
    lines.push_back(each.type + " by " + each.cause.who);
  return lines;
}

template <class Event>
std::vector<Event> events_of(const std::vector<storage::stored_record>& records) {
  std::vector<Event> found;
  for (const auto& each : records) {
    const auto read = storage::decode_waiting_room(each.type, each.schema, each.data);
    if (const auto* one = std::get_if<Event>(&std::get<waiting_room::any_event>(read)))
      found.push_back(*one);
  }
  return found;
}

} // namespace

BOOST_AUTO_TEST_SUITE(waiting_room_many)

BOOST_AUTO_TEST_CASE(a_hundred_shows_at_once_do_not_disturb_each_other) {
  own_server apart;
  std::vector<one_of_many> shows;
  shows.reserve(100);
  for (int i = 0; i < 100; ++i)
    shows.emplace_back(i);
  // Four visitors go round the shows at the same time; each serves its quarter in every round.
  constexpr std::size_t visitors = 4;
  std::vector<std::thread> threads;
  for (std::size_t visitor = 0; visitor < visitors; ++visitor)
    threads.emplace_back([&, visitor] {
      for (int round = 0; round < 7; ++round)
        for (auto at = visitor; at < shows.size(); at += visitors)
          if (round < shows[at].fans)
            shows[at].tickets.push_back(ticket_of(shows[at].room));
    });
  for (auto& thread : threads)
    thread.join();

  const auto check = [](const one_of_many& each) {
    BOOST_TEST_INFO(each.room.id);
    BOOST_TEST(counts(each.room, "active", each.let_in()));
    const auto room = room_of(each.room);
    BOOST_TEST(room["waiting"] == each.fans - each.let_in(), room);
    BOOST_TEST(room["absent"] == 0);
    BOOST_TEST(room["state"] == each.state());
    for (int i = 0; i < each.fans; ++i) {
      const auto got = each.room.ticket(each.tickets[static_cast<std::size_t>(i)]);
      if (i < each.let_in())
        BOOST_TEST(got.text("status") == "ADMITTED", got);
      else
        BOOST_TEST(got.body["position"] == i + 1 - each.let_in(), got);
    }
  };
  for (const auto& each : shows)
    check(each);
  // Closing the open ones, and lifting the pauses, changes those and nothing else.
  for (auto& each : shows)
    if (each.kind == 0)
      each.begin("close");
  for (auto& each : shows)
    if (each.kind == 1) {
      each.begin("resume");
      each.kind = 0;
    } else if (each.kind == 0) {
      BOOST_TEST(state_of(each.room) == "OFF");
      BOOST_TEST(count_of(each.room, "waiting") == 0);
      each.kind = -1;
    }
  for (const auto& each : shows)
    if (each.kind >= 0)
      check(each);
}

BOOST_AUTO_TEST_CASE(whatever_an_operator_does_is_an_event_with_who_did_it) {
  own_server apart;
  const show one{hall_where({{"admitPerSecond", 0}, {"tiers", {"members"}}})};
  BOOST_TEST(operate(one, "access-codes", {{"tier", "members"}, {"codes", {"m"}}}).status == 201);
  BOOST_TEST(
      set(one,
          {{"beacon", {{"source", "s"}, {"round", "1"}}}, {"opensAt", in(1h)}, {"prequeue", "30m"}})
          .status == 200);
  BOOST_TEST(operate(one, "draw/beacon", {{"value", "ab"}}).status == 204);
  BOOST_TEST(server().post(one.room("open"), nullptr, {.key = "admin-key"}).status == 204);
  BOOST_TEST(operate(one, "pause").status == 204);
  BOOST_TEST(operate(one, "pause").status == 204); // changes nothing: no event
  BOOST_TEST(operate(one, "resume").status == 204);
  BOOST_TEST(server().put(one.room("message"), {{"en", "Soon."}}).status == 204);
  const auto revoked = customer_joins(one, "ana").text("ticketId");
  BOOST_TEST(operate(one, "tickets/" + revoked + "/revoke", {{"reason", "fraud"}}).status == 204);
  BOOST_TEST(leave(one, ticket_of(one)).status == 204);
  BOOST_TEST(operate(one, "standby").status == 204);
  BOOST_TEST(operate(one, "close").status == 204);
  BOOST_TEST(operate(one, "pause").status == 409); // refused: no event

  const auto records = apart.end(one);
  const std::vector<std::string> expected{"room_configured by operator:operator",
                                          "codes_added by operator:operator",
                                          "room_configured by operator:operator",
                                          "room_scheduled by operator:operator",
                                          "beacon_given by operator:operator",
                                          "places_drawn by operator:admin",
                                          "room_opened by operator:admin",
                                          "room_paused by operator:operator",
                                          "room_resumed by operator:operator",
                                          "message_set by operator:operator",
                                          "fans_joined by service:service",
                                          "ticket_revoked by operator:operator",
                                          "fans_joined by fan",
                                          "tickets_ended by fan",
                                          "room_put_on_standby by operator:operator",
                                          "room_closed by operator:operator"};
  BOOST_TEST(told(records) == expected, boost::test_tools::per_element());
  for (const auto& each : records)
    BOOST_TEST(each.at > 0);
}

BOOST_AUTO_TEST_CASE(a_change_of_settings_keeps_the_new_and_the_old_values) {
  own_server apart;
  const show one{hall_where({{"admitPerSecond", 5}})};
  BOOST_TEST(set(one, {{"admitPerSecond", 7}}).status == 200);
  BOOST_TEST(set(one, {{"admitPerSecond", 7}}).status == 200); // nothing new: no event
  BOOST_TEST(set(one, {{"admitPerSecond", -7}}).status == 400);
  BOOST_TEST(set(one, {{"maxActive", nullptr}, {"idleTimeout", "2m"}}).status == 200);
  BOOST_TEST(server()
                 .ask("PATCH", one.path + "/waiting-room", R"({"tick": "20ms"})",
                      {.key = "admin-key", .headers = "X-Request-Id: change-42\r\n"})
                 .status == 200);

  const auto records = apart.end(one);
  const auto changes = events_of<waiting_room::event::room_configured>(records);
  BOOST_TEST_REQUIRE(changes.size() == 4U);
  BOOST_TEST(changes[0].to.admit_per_second_micro == 5'000'000U);
  BOOST_TEST(changes[1].to.admit_per_second_micro == 7'000'000U);
  BOOST_TEST(changes[2].to.idle_timeout_ms.value_or(0) == 120'000);
  BOOST_TEST(!changes[2].to.max_active);
  BOOST_TEST(changes[3].to.tick_ms == 20);
  BOOST_TEST((changes[0].was == waiting_room::settings{}));
  for (std::size_t i = 1; i < changes.size(); ++i)
    BOOST_TEST((changes[i].was == changes[i - 1].to), i);
  BOOST_TEST(records.back().cause.who == "operator:admin");
  BOOST_TEST(records.back().cause.request == "change-42");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace usher::test
