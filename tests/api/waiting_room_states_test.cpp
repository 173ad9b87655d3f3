// The states of a room over a real socket: what a join gets in each, how one follows on another by
// an operator, by the clock and by the seats, and which calls mean nothing in which state.

#include "tests/api/room.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace usher::test {

namespace {

json opening_in(std::chrono::milliseconds ahead, const std::string& prequeue) {
  return hall_where({{"opensAt", in(ahead)}, {"prequeue", prequeue}});
}

/// A room in which twenty seats can be held at once, and one fan may be in.
json one_at_a_time() {
  auto made = hall_where({{"maxActive", 1}});
  made["holds"] = {{"maxSeats", 20}};
  return made;
}

std::vector<std::string> all_seats() {
  std::vector<std::string> seats;
  for (const std::string row : {"A-", "B-"})
    for (int n = 1; n <= 10; ++n)
      seats.push_back(row + std::to_string(n));
  return seats;
}

said pay_from_outside(const said& hold, const std::string& ticket) {
  const auto order = server().post("/v1/orders", order_for(hold.text("holdId")),
                                   {.ticket = ticket, .idempotency = fresh_key()});
  return server().post("/v1/orders/" + order.text("id") + "/confirm", nullptr,
                       {.key = "service-key", .idempotency = fresh_key()});
}

} // namespace

BOOST_AUTO_TEST_SUITE(waiting_room_states)

BOOST_AUTO_TEST_CASE(a_scheduled_room_takes_nobody_and_says_from_when_on) {
  const auto what = opening_in(2h, "1h");
  const show one{what};
  BOOST_TEST(state_of(one) == "SCHEDULED");
  const auto got = one.join();
  BOOST_TEST(got.brief() == "409 not-yet", got);
  BOOST_TEST(got.text("opensAt") == what["waitingRoom"]["opensAt"].get<std::string>());
  BOOST_TEST(got.text("joinFrom") < got.text("opensAt"));
  BOOST_TEST(got.body["opensInSeconds"].get<int>() > 7000);
  BOOST_TEST(got.body["opensInSeconds"].get<int>() <= 7200);
  BOOST_TEST(std::stoi(got.header("retry-after")) > 3400);
  BOOST_TEST(std::stoi(got.header("retry-after")) <= 3600);
  BOOST_TEST(count_of(one, "waiting") == 0);
  BOOST_TEST(one.hold({"A-1"}).brief() == "403 not-admitted"); // the gate is there already
}

BOOST_AUTO_TEST_CASE(in_the_prequeue_fans_come_in_see_the_countdown_and_are_not_admitted) {
  const auto what = opening_in(1h, "2h");
  const show one{what};
  BOOST_TEST(becomes(one, "PREQUEUE"));
  const auto got = one.join({.idempotency = "tab"});
  BOOST_TEST(got.brief() == "202 PREQUEUE", got);
  BOOST_TEST(got.text("opensAt") == what["waitingRoom"]["opensAt"].get<std::string>());
  BOOST_TEST(got.text("serverTime") < got.text("opensAt"));
  BOOST_TEST(got.body["opensInSeconds"].get<int>() > 3500);
  BOOST_TEST(got.body["opensInSeconds"].get<int>() <= 3600);
  BOOST_TEST(got.body["waiting"] == 1);
  BOOST_TEST(!got.body.contains("position")); // the draw will give one
  const auto again = got.body["pollAfterSeconds"].get<int>();
  BOOST_TEST(again >= 40);
  BOOST_TEST(again <= 50);
  BOOST_TEST(got.header("retry-after") == std::to_string(again));

  const auto ticket = got.text("ticketId");
  BOOST_TEST(one.join({.idempotency = "tab"}).brief() == "200 PREQUEUE");
  BOOST_TEST(one.ticket(ticket).brief() == "200 PREQUEUE");
  BOOST_TEST(one.hold({"A-1"}, {.ticket = ticket}).brief() == "403 not-admitted");
  BOOST_TEST(count_of(one, "waiting") == 1);
  BOOST_TEST(count_of(one, "active") == 0);
}

BOOST_AUTO_TEST_CASE(at_its_time_the_room_opens_with_one_draw_and_admits) {
  own_server apart;
  const show one{opening_in(1h, "2h")};
  BOOST_TEST(becomes(one, "PREQUEUE"));
  const auto ticket = ticket_of(one);
  BOOST_TEST(opens_by_itself(one));
  BOOST_TEST(is_let_in(one, ticket));
  const auto drawn = server().get(one.room("draw")).body;
  BOOST_TEST(drawn["status"] == "DRAWN");
  // Neither an operator's open nor a pause draws again.
  BOOST_TEST(operate(one, "open").status == 204);
  BOOST_TEST(operate(one, "pause").status == 204);
  BOOST_TEST(operate(one, "open").status == 204);
  BOOST_TEST(state_of(one) == "OPEN");
  BOOST_TEST(server().get(one.room("draw")).body == drawn);

  const auto records = apart.end(one);
  for (const std::string type : {"prequeue_opened", "places_drawn", "room_opened"}) {
    const auto is_it = [&](const auto& each) { return each.type == type; };
    BOOST_TEST(std::count_if(records.begin(), records.end(), is_it) == 1, type);
    BOOST_TEST(std::find_if(records.begin(), records.end(), is_it)->cause.who == "usher", type);
  }
}

BOOST_AUTO_TEST_CASE(without_a_prequeue_it_opens_at_its_time_all_the_same) {
  const show one{opening_in(1h, "0s")};
  BOOST_TEST(state_of(one) == "SCHEDULED");
  BOOST_TEST(opens_by_itself(one));
  BOOST_TEST(is_let_in(one, ticket_of(one)));
  BOOST_TEST(server().get(one.room("draw")).body["tiers"][0]["count"] == 0);
}

// The clock is moved and nothing wakes the room: whoever comes finds it as the time says.
BOOST_AUTO_TEST_CASE(whoever_comes_at_the_time_finds_the_room_so_before_any_alarm) {
  const show one{opening_in(2h, "1h")};
  server().clock.advance(59min);
  BOOST_TEST(one.join().brief() == "409 not-yet");
  server().clock.advance(1min);
  const auto early = one.join();
  BOOST_TEST(early.brief() == "202 PREQUEUE", early);
  server().clock.advance(1h);
  const auto late = one.join();
  BOOST_TEST(late.brief() == "202 WAITING", late);
  BOOST_TEST(late.text("roomState") == "OPEN");
  BOOST_TEST(late.body["position"] == 2);
  BOOST_TEST(one.ticket(early.text("ticketId")).body["drawnPlace"] == 1);
}

BOOST_AUTO_TEST_CASE(an_operator_may_open_before_the_time) {
  const show one{opening_in(1h, "2h")};
  const auto ticket = ticket_of(one);
  BOOST_TEST(operate(one, "open").status == 204);
  BOOST_TEST(state_of(one) == "OPEN");
  BOOST_TEST(is_let_in(one, ticket));
}

BOOST_AUTO_TEST_CASE(a_pause_keeps_every_place_and_promises_nothing) {
  const show one{hall_where({{"admitPerSecond", 0.001}, {"tick", "60s"}})};
  one.open();
  std::vector<std::string> tickets;
  for (int i = 0; i < 5; ++i)
    tickets.push_back(ticket_of(one));
  BOOST_TEST(one.ticket(tickets[0]).body["etaSeconds"] == 1000);
  BOOST_TEST(operate(one, "pause").status == 204);
  BOOST_TEST(state_of(one) == "PAUSED");
  for (int i = 0; i < 5; ++i) {
    const auto got = one.ticket(tickets[static_cast<std::size_t>(i)]);
    BOOST_TEST(got.brief() == "200 WAITING");
    BOOST_TEST(got.text("roomState") == "PAUSED");
    BOOST_TEST(got.body["position"] == i + 1);
    BOOST_TEST(got.body["etaSeconds"].is_null());
    BOOST_TEST(!got.body.contains("etaRange"));
    BOOST_TEST(got.body["admitsPerMinute"] == 0);
  }
  BOOST_TEST(one.join().body["position"] == 6); // still takes fans
  BOOST_TEST(operate(one, "resume").status == 204);
  BOOST_TEST(state_of(one) == "OPEN");
  const auto got = one.ticket(tickets[4]);
  BOOST_TEST(got.text("roomState") == "OPEN");
  BOOST_TEST(got.body["position"] == 5);
  BOOST_TEST(got.body["etaSeconds"] == 5000);
}

BOOST_AUTO_TEST_CASE(a_paused_room_admits_nobody_until_it_is_resumed) {
  auto what = one_at_a_time();
  what["waitingRoom"]["maxActive"] = 2;
  const show one{what};
  one.open();
  const auto leaves = one.admitted();
  const auto stays = one.admitted();
  const auto waits = ticket_of(one);
  BOOST_TEST(eventually([&] { return one.ticket(waits).text("availability") == "plenty"; }));
  BOOST_TEST(operate(one, "pause").status == 204);
  BOOST_TEST(leave(one, leaves).status == 204);
  // The room counts the seats at its ticks: one after the leaving has passed when it shows this.
  auto most = all_seats();
  most.resize(11);
  BOOST_TEST(one.hold(most, {.ticket = stays}).status == 201); // who is in goes on
  BOOST_TEST(eventually([&] { return one.ticket(waits).text("availability") == "good"; }));
  BOOST_TEST(one.ticket(waits).brief() == "200 WAITING");
  BOOST_TEST(count_of(one, "active") == 1);
  BOOST_TEST(operate(one, "resume").status == 204);
  BOOST_TEST(is_let_in(one, waits));
}

BOOST_AUTO_TEST_CASE(on_standby_fans_come_in_at_once_while_there_is_room) {
  const show one{hall_where({{"maxActive", 2}})};
  BOOST_TEST(operate(one, "standby").status == 204);
  BOOST_TEST(state_of(one) == "STANDBY");
  const auto first = one.join();
  BOOST_TEST(first.brief() == "202 ADMITTED", first);
  BOOST_TEST(first.body["expiresInSeconds"].get<int>() > 200);
  BOOST_TEST(one.join({.idempotency = "k"}).brief() == "202 ADMITTED");
  BOOST_TEST(one.join({.idempotency = "k"}).brief() == "200 ADMITTED");
  const auto third = one.join();
  BOOST_TEST(third.brief() == "202 WAITING", third);
  BOOST_TEST(third.body["position"] == 1);
  BOOST_TEST(third.text("roomState") == "STANDBY");
  BOOST_TEST(one.join().body["position"] == 2);
  BOOST_TEST(one.hold({"A-1"}).brief() == "403 not-admitted");
  BOOST_TEST(one.hold({"A-1"}, {.ticket = first.text("ticketId")}).status == 201);
  BOOST_TEST(leave(one, first.text("ticketId")).status == 204);
  BOOST_TEST(is_let_in(one, third.text("ticketId")));
  // There and back: who waits stays.
  BOOST_TEST(operate(one, "open").status == 204);
  BOOST_TEST(state_of(one) == "OPEN");
  BOOST_TEST(operate(one, "standby").status == 204);
  BOOST_TEST(count_of(one, "waiting") == 1);
  BOOST_TEST(count_of(one, "active") == 2);
}

BOOST_AUTO_TEST_CASE(when_all_seats_are_held_the_room_pauses_and_released_seats_resume_it) {
  const show one{one_at_a_time()};
  one.open();
  const auto ticket = one.admitted();
  const auto waits = ticket_of(one);
  const auto hold = one.hold(all_seats(), {.ticket = ticket});
  BOOST_TEST(hold.status == 201, hold);
  BOOST_TEST(becomes(one, "PAUSED"));
  const auto got = one.ticket(waits);
  BOOST_TEST(got.text("roomState") == "PAUSED");
  BOOST_TEST(got.body["etaSeconds"].is_null());
  BOOST_TEST(got.text("availability") == "none");
  BOOST_TEST(got.body["chanceOfSeats"] == 0);
  BOOST_TEST(one.join().brief() == "202 WAITING");
  // An operator's resume makes no seats.
  BOOST_TEST(operate(one, "resume").status == 204);
  BOOST_TEST(state_of(one) == "PAUSED");

  BOOST_TEST(server().del(one.path + "/holds/" + hold.text("holdId"), {.ticket = ticket}).status ==
             204);
  BOOST_TEST(becomes(one, "OPEN"));
  BOOST_TEST(position_of(one, waits) == 1);
}

BOOST_AUTO_TEST_CASE(when_all_seats_are_sold_the_room_has_ended_and_says_so) {
  const show one{one_at_a_time()};
  one.open();
  const auto ticket = one.admitted();
  const auto waits = ticket_of(one);
  const auto hold = one.hold(all_seats(), {.ticket = ticket});
  BOOST_TEST(pay_from_outside(hold, ticket).status == 200);
  BOOST_TEST(becomes(one, "ENDED"));
  BOOST_TEST(one.ticket(ticket).brief() == "410 USED");
  const auto waiting = one.ticket(waits); // keeps the place, should seats come back
  BOOST_TEST(waiting.brief() == "200 WAITING");
  BOOST_TEST(waiting.text("roomState") == "ENDED");
  BOOST_TEST(one.join().brief() == "410 sold-out");
  BOOST_TEST(one.hold({"A-1"}, {.ticket = waits}).brief() == "403 not-admitted");
  BOOST_TEST(count_of(one, "waiting") == 1);
  BOOST_TEST(operate(one, "close").status == 204);
  BOOST_TEST(state_of(one) == "OFF");
  BOOST_TEST(one.ticket(waits).text("reason") == "closed");
}

BOOST_AUTO_TEST_CASE(closing_a_prequeue_ends_its_tickets_and_forgets_the_opening) {
  const show one{opening_in(1h, "2h")};
  const auto ticket = ticket_of(one);
  BOOST_TEST(operate(one, "close").status == 204);
  BOOST_TEST(state_of(one) == "OFF");
  BOOST_TEST(room_of(one)["opensAt"].is_null());
  const auto got = one.ticket(ticket);
  BOOST_TEST(got.brief() == "410 EXPIRED");
  BOOST_TEST(got.text("reason") == "closed");
  BOOST_TEST(one.join().brief() == "409 room-off");
  BOOST_TEST(server().get(one.room("draw")).brief() == "404 no-draw");
}

BOOST_AUTO_TEST_CASE(closing_ends_everybody_on_standby_and_in_a_pause) {
  for (const std::string state : {"standby", "pause"}) {
    const show one{hall_where({{"maxActive", 1}})};
    if (state == "pause")
      one.open();
    BOOST_TEST(operate(one, state).status == 204);
    const auto first = ticket_of(one);
    const auto second = ticket_of(one);
    BOOST_TEST(operate(one, "close").status == 204);
    for (const auto& ticket : {first, second})
      BOOST_TEST(one.ticket(ticket).text("reason") == "closed", state);
    BOOST_TEST(one.join().brief() == "409 room-off");
    BOOST_TEST(count_of(one, "waiting") == 0);
    BOOST_TEST(count_of(one, "active") == 0);
  }
}

BOOST_AUTO_TEST_CASE(a_call_that_means_nothing_in_a_state_is_refused_and_changes_nothing) {
  const auto refuses = [](const show& one, const std::string& state,
                          const std::vector<std::string>& calls) {
    BOOST_TEST_REQUIRE(becomes(one, state));
    const auto before = one.description();
    for (const auto& each : calls)
      BOOST_TEST(operate(one, each).brief() == "409 not-open", state << ": " << each);
    BOOST_TEST(one.description() == before, state);
  };
  refuses(show{}, "OFF", {"pause", "resume"});
  refuses(show{opening_in(2h, "1h")}, "SCHEDULED", {"pause", "resume", "standby"});
  refuses(show{opening_in(1h, "2h")}, "PREQUEUE", {"pause", "resume", "standby"});

  const show paused;
  paused.open();
  BOOST_TEST(operate(paused, "pause").status == 204);
  refuses(paused, "PAUSED", {"standby"});
  BOOST_TEST(operate(paused, "pause").status == 204); // again is no error

  const show on_standby;
  BOOST_TEST(operate(on_standby, "standby").status == 204);
  refuses(on_standby, "STANDBY", {"pause", "resume"});

  const show sold{one_at_a_time()};
  sold.open();
  const auto ticket = sold.admitted();
  BOOST_TEST(pay_from_outside(sold.hold(all_seats(), {.ticket = ticket}), ticket).status == 200);
  refuses(sold, "ENDED", {"pause", "standby"});
}

BOOST_AUTO_TEST_CASE(only_operators_change_the_state) {
  const show one;
  for (const std::string call : {"open", "close", "pause", "resume", "standby"})
    for (const std::string key : {"", "service-key", "gate-key", "viewer-key"}) {
      const auto got = server().post(one.room(call), nullptr, {.key = key});
      BOOST_TEST(got.status == (key.empty() ? 401 : 403), call << ' ' << key << ": " << got);
    }
  BOOST_TEST(state_of(one) == "OFF");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace usher::test
