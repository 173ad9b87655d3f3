// The receipt of a ticket over a real socket: what happened to the place, when and why, in order.

#include "tests/api/room.hpp"

#include "actors/basics/rfc3339.hpp"

#include <boost/test/unit_test.hpp>

namespace usher::test {

namespace {

said history_of(const show& which, const std::string& ticket) {
  return server().get(which.room("tickets/" + ticket + "/history"));
}

/// The steps as words, and whether their times are times and in order.
std::vector<std::string> steps_of(const show& which, const std::string& ticket) {
  const auto got = history_of(which, ticket);
  BOOST_TEST(got.status == 200, got);
  std::vector<std::string> words;
  time_ms before = 0;
  for (const auto& step : got.body["steps"]) {
    const auto at = read_rfc3339(step["at"].get<std::string>());
    BOOST_TEST(at.has_value(), step);
    BOOST_TEST(at.value_or(0) >= before, step);
    before = at.value_or(0);
    words.push_back(step["what"].get<std::string>());
  }
  return words;
}

json step_of(const show& which, const std::string& ticket, const std::string& what) {
  const auto got = history_of(which, ticket);
  for (const auto& step : got.body["steps"])
    if (step["what"] == what)
      return step;
  return nullptr;
}

using words = std::vector<std::string>;

} // namespace

BOOST_AUTO_TEST_SUITE(waiting_room_history)

BOOST_AUTO_TEST_CASE(a_place_from_joining_to_leaving) {
  const show one{hall_where({{"admitPerSecond", 0}})};
  one.open();
  const auto before = server().clock.now();
  const auto ticket = ticket_of(one);
  BOOST_TEST((steps_of(one, ticket) == words{"joined"}));
  BOOST_TEST(set(one, {{"admitPerSecond", 1000}}).status == 200);
  BOOST_TEST(is_let_in(one, ticket));
  BOOST_TEST(leave(one, ticket).status == 204);
  BOOST_TEST((steps_of(one, ticket) == words{"joined", "admitted", "ended"}));
  const auto got = history_of(one, ticket);
  BOOST_TEST(got.text("ticketId") == ticket);
  BOOST_TEST(got.text("showId") == one.id);
  BOOST_TEST(got.body["ticketNumber"] == 0);
  BOOST_TEST(got.body["complete"] == true);
  BOOST_TEST(got.header("cache-control") == "no-store");
  const auto joined = read_rfc3339(step_of(one, ticket, "joined")["at"].get<std::string>());
  BOOST_TEST(joined.value_or(0) >= before);
  BOOST_TEST(joined.value_or(0) <= server().clock.now());
  BOOST_TEST(step_of(one, ticket, "admitted")["until"].is_string());
  BOOST_TEST(step_of(one, ticket, "ended")["reason"] == "left");
}

BOOST_AUTO_TEST_CASE(being_passed_over_and_coming_back_are_told_with_their_evidence) {
  const show one{hall_where({{"maxActive", 1}, {"absentAfter", "10m"}, {"admissionTtl", "10h"}})};
  one.open();
  const auto first = one.admitted();
  const auto silent = ticket_of(one);
  const auto last = ticket_of(one);
  server().clock.advance(11min);
  BOOST_TEST(one.ticket(last).status == 200);
  BOOST_TEST(leave(one, first).status == 204);
  BOOST_TEST(is_let_in(one, last));
  BOOST_TEST(one.ticket(silent).body["passedOver"] == true);
  BOOST_TEST(counts(one, "absent", 0));
  BOOST_TEST(leave(one, last).status == 204);
  BOOST_TEST(is_let_in(one, silent));
  server().clock.advance(10h);
  BOOST_TEST(counts(one, "active", 0));
  BOOST_TEST(
      (steps_of(one, silent) == words{"joined", "passed-over", "returned", "admitted", "ended"}));
  const auto seen = [&](const std::string& step) {
    const auto reason = step_of(one, silent, step)["reason"].get<std::string>();
    return read_rfc3339(reason.substr(reason.rfind(' ') + 1)).value_or(0);
  };
  BOOST_TEST(seen("returned") - seen("passed-over") > 10 * 60'000);
  BOOST_TEST(step_of(one, silent, "ended")["reason"] == "expired");
}

BOOST_AUTO_TEST_CASE(what_happened_to_the_room_is_told_as_long_as_the_ticket_lives) {
  const show one{hall_where({{"admitPerSecond", 0}})};
  one.open();
  const auto leaves = ticket_of(one);
  const auto stays = ticket_of(one);
  BOOST_TEST(operate(one, "pause").status == 204);
  BOOST_TEST(leave(one, leaves).status == 204);
  BOOST_TEST(operate(one, "resume").status == 204);
  BOOST_TEST(operate(one, "standby").status == 204);
  BOOST_TEST(operate(one, "open").status == 204);
  BOOST_TEST(operate(one, "close").status == 204);
  one.open();
  BOOST_TEST((steps_of(one, leaves) == words{"joined", "room-paused", "ended"}));
  BOOST_TEST((steps_of(one, stays) == words{"joined", "room-paused", "room-resumed",
                                            "room-on-standby", "room-opened", "ended"}));
  BOOST_TEST(step_of(one, stays, "ended")["reason"] == "closed");
}

BOOST_AUTO_TEST_CASE(the_draw_is_told_with_the_place_and_only_to_who_took_part) {
  const show one{hall_where(
      {{"opensAt", in(1h)}, {"prequeue", "2h"}, {"admitPerSecond", 0}, {"tiers", {"members"}}})};
  BOOST_TEST(operate(one, "access-codes", {{"tier", "members"}, {"codes", {"m"}}}).status == 201);
  const auto member = join_as(one, {{"accessCode", "m"}}).text("ticketId");
  const auto tickets = join_many(one, 5);
  const auto left = ticket_of(one);
  BOOST_TEST(leave(one, left).status == 204);
  BOOST_TEST(operate(one, "open").status == 204);
  BOOST_TEST(step_of(one, member, "joined")["tier"] == "members");
  BOOST_TEST(step_of(one, member, "drawn")["place"] == 1);
  for (const auto& ticket : tickets) {
    BOOST_TEST((steps_of(one, ticket) == words{"joined", "drawn", "room-opened"}));
    BOOST_TEST(step_of(one, ticket, "drawn")["place"] == one.ticket(ticket).body["drawnPlace"]);
  }
  BOOST_TEST((steps_of(one, left) == words{"joined", "ended"}));
  BOOST_TEST((steps_of(one, ticket_of(one)) == words{"joined"}));
}

BOOST_AUTO_TEST_CASE(wishes_purchases_and_signing_in_are_told) {
  const show one{hall_where({{"admitPerSecond", 0}})};
  one.open();
  const auto ticket = one.join({.idempotency = "tab"}).text("ticketId");
  BOOST_TEST(customer_joins(one, "ana", {.idempotency = "tab"}).text("ticketId") == ticket);
  BOOST_TEST(server().put(one.room("tickets/" + ticket + "/wish"), {{"quantity", 1}}, {}).status ==
             200);
  BOOST_TEST(set(one, {{"admitPerSecond", 1000}}).status == 200);
  BOOST_TEST(eventually([&] {
    const auto got = one.ticket(ticket);
    return got.body.contains("wish") && got.body["wish"]["status"] == "HELD";
  }));
  const auto hold = one.ticket(ticket).body["wish"]["holdId"].get<std::string>();
  const auto order =
      server().post("/v1/orders", order_for(hold), {.ticket = ticket, .idempotency = fresh_key()});
  BOOST_TEST(server()
                 .post("/v1/orders/" + order.text("id") + "/confirm", nullptr,
                       {.key = "service-key", .idempotency = fresh_key()})
                 .text("status") == "PAID");
  BOOST_TEST(step_of(one, ticket, "wish-answered")["holdId"] == hold);
  BOOST_TEST(step_of(one, ticket, "signed-in").is_object());
  BOOST_TEST(step_of(one, ticket, "wish-prepared").is_object());
  BOOST_TEST(step_of(one, ticket, "admission-kept")["until"].is_string());
  BOOST_TEST(step_of(one, ticket, "ended")["reason"] == "used");
}

BOOST_AUTO_TEST_CASE(a_merged_place_and_a_second_chance_are_told) {
  const show one{hall_where({{"admissionTtl", "1m"}, {"reentryGrace", "10m"}, {"maxActive", 1}})};
  one.open();
  const auto first = one.admitted();
  server().clock.advance(61s);
  BOOST_TEST(counts(one, "active", 0));
  BOOST_TEST(one.join({.ticket = first}).text("ticketId") == first);
  BOOST_TEST(is_let_in(one, first));
  BOOST_TEST(
      (steps_of(one, first) == words{"joined", "admitted", "ended", "re-entered", "admitted"}));
  const auto better = one.join({.idempotency = "tab"}).text("ticketId");
  const auto worse = customer_joins(one, "ana").text("ticketId");
  BOOST_TEST(customer_joins(one, "ana", {.idempotency = "tab"}).text("ticketId") == better);
  BOOST_TEST(step_of(one, worse, "ended")["reason"] == "merged");
}

BOOST_AUTO_TEST_CASE(a_receipt_is_only_for_the_ticket_of_this_show) {
  const show one{hall_where({{"admitPerSecond", 0}})};
  const show other{hall_where({{"admitPerSecond", 0}})};
  one.open();
  other.open();
  const auto ticket = ticket_of(one);
  BOOST_TEST(other.join().status == 202); // the same number exists there
  auto forged = ticket;
  forged[20] = forged[20] == 'x' ? 'y' : 'x';
  for (const auto& name : {ticket, std::string{"nonsense"}, std::string(44, 'A')}) {
    const auto got = history_of(other, name);
    BOOST_TEST(got.brief() == "404 UNKNOWN", got);
    BOOST_TEST(!got.body.contains("steps"));
  }
  BOOST_TEST(history_of(one, forged).status == 404);
  BOOST_TEST(server().get("/v1/shows/none/waiting-room/tickets/x/history").status == 404);
}

BOOST_AUTO_TEST_CASE(a_long_receipt_says_that_it_is_not_complete) {
  const show one{hall_where({{"admitPerSecond", 0}})};
  one.open();
  const auto ticket = ticket_of(one);
  for (int i = 0; i < 260; ++i)
    BOOST_TEST((operate(one, "pause").status == 204 && operate(one, "resume").status == 204));
  const auto got = history_of(one, ticket);
  BOOST_TEST(got.body["complete"] == false);
  BOOST_TEST(got.body["steps"].size() == 500U);
  BOOST_TEST(got.body["steps"][0]["what"] == "joined");
  BOOST_TEST(got.body["steps"].back()["what"] == "room-resumed");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace usher::test
