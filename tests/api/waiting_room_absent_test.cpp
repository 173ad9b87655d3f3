// Who is there and who is not, over a real socket: fans passed over and back, admissions that end
// by silence or do not, coming back after one expired, and tickets that an operator takes away. The
// clock is moved; nobody waits for it.

#include "tests/api/room.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>

namespace usher::test {

namespace {

said rejoin(const show& which, const std::string& ticket) {
  return which.join({.ticket = ticket});
}
said revoke(const show& which, const std::string& ticket, const json& body) {
  return operate(which, "tickets/" + ticket + "/revoke", body);
}
said heartbeat(const show& which, const std::string& ticket) {
  return server().post(which.room("tickets/" + ticket + "/heartbeat"));
}

std::string why(const show& which, const std::string& ticket) {
  return which.ticket(ticket).text("reason");
}

/// A room for one: its fan is in, the one behind was not heard of and was passed over for the last.
struct passed_over {
  explicit passed_over(const json& more = json::object())
      : room{[&] {
          auto made =
              hall_where({{"maxActive", 1}, {"absentAfter", "10m"}, {"admissionTtl", "10h"}});
          made["waitingRoom"].update(more);
          return made;
        }()} {
    room.open();
    first = room.admitted();
    silent = ticket_of(room);
    last = ticket_of(room);
    server().clock.advance(11min);
    BOOST_TEST(room.ticket(last).brief() == "200 WAITING");
    BOOST_TEST(leave(room, first).status == 204);
    BOOST_TEST(is_let_in(room, last));
    BOOST_TEST(count_of(room, "absent") == 1);
    BOOST_TEST(count_of(room, "waiting") == 0);
  }

  show room;
  std::string first;
  std::string silent;
  std::string last;
};

} // namespace

BOOST_AUTO_TEST_SUITE(waiting_room_absent)

BOOST_AUTO_TEST_CASE(an_absent_fan_is_passed_over_and_on_return_stands_before_those_behind) {
  const passed_over done;
  const auto& one = done.room;
  const auto behind = ticket_of(one);
  BOOST_TEST(position_of(one, behind) == 1);
  const auto back = one.ticket(done.silent); // to ask is to be back
  BOOST_TEST(back.brief() == "200 WAITING");
  BOOST_TEST(back.body["passedOver"] == true);
  BOOST_TEST(counts(one, "absent", 0));
  BOOST_TEST(position_of(one, behind) == 2);
  const auto then = one.ticket(done.silent);
  BOOST_TEST(then.body["position"] == 1);
  BOOST_TEST(!then.body.contains("passedOver"));
  BOOST_TEST(leave(one, done.last).status == 204);
  BOOST_TEST(is_let_in(one, done.silent));
  BOOST_TEST(one.ticket(behind).body["position"] == 1);
}

BOOST_AUTO_TEST_CASE(a_claim_that_nobody_comes_back_for_ends_with_the_reason_absent) {
  const passed_over done{{{"claimTtl", "30m"}}};
  const auto& one = done.room;
  server().clock.advance(31min);
  BOOST_TEST(counts(one, "absent", 0));
  const auto got = one.ticket(done.silent);
  BOOST_TEST(got.brief() == "410 EXPIRED", got);
  BOOST_TEST(got.text("reason") == "absent");
  BOOST_TEST(count_of(one, "waiting") == 0);
}

BOOST_AUTO_TEST_CASE(a_fan_who_was_passed_over_may_leave) {
  const passed_over done;
  BOOST_TEST(leave(done.room, done.silent).status == 204);
  BOOST_TEST(done.room.ticket(done.silent).brief() == "410 LEFT");
  BOOST_TEST(count_of(done.room, "absent") == 0);
}

BOOST_AUTO_TEST_CASE(any_call_with_the_ticket_keeps_its_fan_present) {
  const show one{hall_where({{"admitPerSecond", 0}, {"absentAfter", "10m"}})};
  one.open();
  const auto path = [&](const std::string& ticket) { return one.room("tickets/" + ticket); };
  using call = std::function<int(const std::string&)>;
  const std::vector<std::pair<call, int>> calls{
      {[&](const auto& t) { return server().get(path(t)).status; }, 200},
      {[&](const auto& t) { return heartbeat(one, t).status; }, 204},
      {[&](const auto& t) { return server().get(path(t) + "/history").status; }, 200},
      {[&](const auto& t) { return server().get(path(t) + "/wish").status; }, 404},
      {[&](const auto& t) {
         return server().put(path(t) + "/wish", {{"quantity", 1}}, {}).status;
       },
       200},
      {[&](const auto& t) { return rejoin(one, t).status; }, 200},
      {[&](const auto& t) {
         return join_as(one, {{"x", 1}}, {.ticket = t}).status;
       },
       200},
      {[&](const auto& t) { return one.hold({"A-1"}, {.ticket = t}).status; }, 403},
  };
  std::vector<std::string> tickets;
  for (std::size_t i = 0; i < calls.size(); ++i)
    tickets.push_back(ticket_of(one));
  const auto silent = ticket_of(one);
  server().clock.advance(11min);
  for (std::size_t i = 0; i < calls.size(); ++i)
    BOOST_TEST(calls[i].first(tickets[i]) == calls[i].second, i);
  BOOST_TEST(set(one, {{"admitPerSecond", 1000}}).status == 200);
  BOOST_TEST(counts(one, "active", static_cast<int>(calls.size())));
  for (const auto& ticket : tickets)
    BOOST_TEST(one.ticket(ticket).text("status") == "ADMITTED");
  // The silent one stands last: until somebody may be next, nobody looks.
  const auto present = ticket_of(one);
  BOOST_TEST(is_let_in(one, present));
  BOOST_TEST(count_of(one, "absent") == 1);
  BOOST_TEST(one.ticket(silent).body["passedOver"] == true);
}

BOOST_AUTO_TEST_CASE(an_open_stream_keeps_its_fan_present) {
  const show one{hall_where({{"admitPerSecond", 0}, {"absentAfter", "10m"}})};
  one.open();
  const auto listens = ticket_of(one);
  const auto silent = ticket_of(one);
  auto line = server().connect();
  line.send("GET " + one.room("tickets/" + listens + "/stream") + " HTTP/1.1\r\nHost: a\r\n\r\n");
  BOOST_TEST(line.read(true)->status == 200);
  BOOST_TEST(!line.read_chunk().empty());
  server().clock.advance(11min);
  BOOST_TEST(server().put(one.room("message"), {{"en", "Soon."}}).status == 204);
  BOOST_TEST(line.read_chunk().find("Soon.") != std::string::npos); // looked since
  BOOST_TEST(set(one, {{"admitPerSecond", 1000}}).status == 200);
  BOOST_TEST(counts(one, "absent", 1));
  BOOST_TEST(count_of(one, "active") == 1);
  BOOST_TEST(one.ticket(silent).body["passedOver"] == true);
}

BOOST_AUTO_TEST_CASE(an_admission_that_is_silent_ends_as_idle) {
  const show one{hall_where({{"idleTimeout", "10m"}, {"admissionTtl", "10h"}})};
  one.open();
  const auto silent = one.admitted();
  const auto beats = one.admitted();
  const auto holds = one.admitted();
  server().clock.advance(6min);
  BOOST_TEST(heartbeat(one, beats).status == 204);
  BOOST_TEST(one.hold({"A-1"}, {.ticket = holds}).status == 201); // for five minutes
  BOOST_TEST(count_of(one, "active") == 3);
  server().clock.advance(4min + 2s); // ten for the silent one, four for the others
  BOOST_TEST(counts(one, "active", 2));
  const auto got = one.ticket(silent);
  BOOST_TEST(got.brief() == "410 EXPIRED");
  BOOST_TEST(got.text("reason") == "idle");
  BOOST_TEST(one.hold({"A-2"}, {.ticket = silent}).brief() == "403 not-admitted");
  for (const auto& ticket : {beats, holds})
    BOOST_TEST(one.ticket(ticket).text("status") == "ADMITTED");
}

BOOST_AUTO_TEST_CASE(a_live_hold_keeps_a_silent_admission) {
  auto what = hall_where({{"idleTimeout", "10m"}, {"admissionTtl", "10h"}});
  what["holds"] = {{"ttl", "1h"}};
  const show one{what};
  one.open();
  const auto silent = one.admitted();
  const auto holds = one.admitted();
  BOOST_TEST(one.hold({"A-1"}, {.ticket = holds}).status == 201);
  server().clock.advance(30min);
  BOOST_TEST(counts(one, "active", 1));
  BOOST_TEST(one.ticket(holds).text("status") == "ADMITTED");
  BOOST_TEST(why(one, silent) == "idle");
}

BOOST_AUTO_TEST_CASE(without_an_idle_timeout_silence_ends_nothing) {
  const show one{hall_where({{"admissionTtl", "10h"}})};
  one.open();
  const auto silent = one.admitted();
  server().clock.advance(2h);
  BOOST_TEST(!one.admitted().empty()); // by a tick that has looked at everybody
  BOOST_TEST(count_of(one, "active") == 2);
  BOOST_TEST(one.ticket(silent).text("status") == "ADMITTED");
}

BOOST_AUTO_TEST_CASE(an_admission_of_fixed_length_outlives_silence_and_a_purchase) {
  const show one{
      hall_where({{"fixedLength", true}, {"idleTimeout", "1m"}, {"admissionTtl", "1h"}})};
  one.open();
  const auto silent = one.admitted();
  const auto buys = one.admitted();
  const auto hold = one.hold({"A-1"}, {.ticket = buys}).text("holdId");
  const auto order =
      server().post("/v1/orders", order_for(hold), {.ticket = buys, .idempotency = fresh_key()});
  BOOST_TEST(server()
                 .post("/v1/orders/" + order.text("id") + "/confirm", nullptr,
                       {.key = "service-key", .idempotency = fresh_key()})
                 .text("status") == "PAID");
  server().clock.advance(30min);
  BOOST_TEST(one.hold({"A-2"}, {.ticket = buys}).status == 201); // goes on choosing
  BOOST_TEST(!one.admitted().empty()); // by a tick that has looked at everybody
  BOOST_TEST(count_of(one, "active") == 3);
  server().clock.advance(31min);
  BOOST_TEST(counts(one, "active", 1));
  BOOST_TEST(one.ticket(buys).brief() == "410 USED");
  BOOST_TEST(why(one, silent) == "expired");
}

BOOST_AUTO_TEST_CASE(without_it_the_purchase_ends_the_admission) {
  const show one;
  one.open();
  const auto buys = one.admitted();
  const auto hold = one.hold({"A-1"}, {.ticket = buys}).text("holdId");
  const auto order =
      server().post("/v1/orders", order_for(hold), {.ticket = buys, .idempotency = fresh_key()});
  BOOST_TEST(server()
                 .post("/v1/orders/" + order.text("id") + "/confirm", nullptr,
                       {.key = "service-key", .idempotency = fresh_key()})
                 .text("status") == "PAID");
  BOOST_TEST(one.ticket(buys).brief() == "410 USED");
  BOOST_TEST(one.hold({"A-2"}, {.ticket = buys}).brief() == "403 not-admitted");
}

BOOST_AUTO_TEST_CASE(an_expired_admission_comes_back_near_the_front_with_its_ticket_once) {
  const show one{hall_where({{"maxActive", 1}, {"admissionTtl", "1m"}, {"reentryGrace", "10m"}})};
  one.open();
  const auto first = one.admitted();
  const auto second = ticket_of(one);
  server().clock.advance(61s);
  BOOST_TEST(is_let_in(one, second));
  BOOST_TEST(one.ticket(first).brief() == "410 EXPIRED");
  const auto behind = ticket_of(one);
  const auto back = rejoin(one, first);
  BOOST_TEST(back.brief() == "200 WAITING", back);
  BOOST_TEST(back.text("ticketId") == first);
  BOOST_TEST(back.body["position"] == 1);
  BOOST_TEST(position_of(one, behind) == 2);
  BOOST_TEST(leave(one, second).status == 204);
  BOOST_TEST(is_let_in(one, first));
  BOOST_TEST(position_of(one, behind) == 1);
  // The second time it is over.
  server().clock.advance(61s);
  BOOST_TEST(is_let_in(one, behind));
  const auto again = rejoin(one, first);
  BOOST_TEST(again.brief() == "202 WAITING", again);
  BOOST_TEST(again.text("ticketId") != first);
}

BOOST_AUTO_TEST_CASE(an_admission_that_went_idle_comes_back_too) {
  const show one{hall_where(
      {{"maxActive", 1}, {"admissionTtl", "10h"}, {"idleTimeout", "1m"}, {"reentryGrace", "10m"}})};
  one.open();
  const auto first = one.join({.idempotency = "tab"}).text("ticketId");
  BOOST_TEST(is_let_in(one, first));
  server().clock.advance(62s);
  BOOST_TEST(counts(one, "active", 0));
  // By the key as well as by the ticket.
  const auto back = one.join({.idempotency = "tab"});
  BOOST_TEST(back.status == 200, back);
  BOOST_TEST(back.text("ticketId") == first);
  BOOST_TEST(is_let_in(one, first));
}

BOOST_AUTO_TEST_CASE(nobody_comes_back_after_the_grace_or_where_there_is_none_or_after_leaving) {
  for (const auto& grace : {json("1m"), json(nullptr)}) {
    const show one{hall_where({{"admissionTtl", "1m"}, {"reentryGrace", grace}})};
    one.open();
    const auto first = one.admitted();
    server().clock.advance(61s);
    BOOST_TEST(counts(one, "active", 0));
    server().clock.advance(grace.is_null() ? 0s : 61s);
    const auto again = rejoin(one, first);
    BOOST_TEST(again.status == 202, again);
    BOOST_TEST(again.text("ticketId") != first);
  }
  const show one{hall_where({{"reentryGrace", "10m"}})};
  one.open();
  const auto left = one.admitted();
  BOOST_TEST(leave(one, left).status == 204);
  BOOST_TEST(rejoin(one, left).text("ticketId") != left);
}

BOOST_AUTO_TEST_CASE(an_operator_takes_a_ticket_away_and_the_fan_reads_why) {
  const show one{hall_where({{"maxActive", 1}, {"reentryGrace", "10m"}})};
  one.open();
  const auto in = one.admitted();
  const auto waits = ticket_of(one);
  const auto next = ticket_of(one);
  BOOST_TEST(one.hold({"A-1"}, {.ticket = in}).status == 201);
  for (const auto& ticket : {waits, in}) {
    BOOST_TEST(revoke(one, ticket, {{"reason", "sold on"}}).status == 204);
    const auto got = one.ticket(ticket);
    BOOST_TEST(got.brief() == "410 EXPIRED");
    BOOST_TEST(got.text("reason") == "revoked");
    const auto last = server().get(one.room("tickets/" + ticket + "/history")).body["steps"].back();
    BOOST_TEST(last["what"] == "ended");
    BOOST_TEST(last["reason"] == "revoked");
    BOOST_TEST(last["note"] == "sold on");
  }
  BOOST_TEST(one.seat("A-1") == "AVAILABLE");
  BOOST_TEST(is_let_in(one, next));
  BOOST_TEST(rejoin(one, in).text("ticketId") != in); // no second chance
}

BOOST_AUTO_TEST_CASE(a_bad_revocation_is_refused_and_takes_nothing_away) {
  const show one{hall_where({{"admitPerSecond", 0}})};
  one.open();
  const auto ticket = ticket_of(one);
  struct attempt {
    json body;
    std::string field;
  };
  for (const auto& each :
       {attempt{json::object(), "reason"}, attempt{{{"reason", ""}}, "reason"},
        attempt{{{"reason", 1}}, "reason"}, attempt{{{"reason", std::string(501, 'a')}}, "reason"},
        attempt{{{"reason", "r"}, {"ban", true}}, "ban"}}) {
    const auto got = revoke(one, ticket, each.body);
    BOOST_TEST(got.status == 400, each.body);
    BOOST_TEST(got.fields() == each.field, each.body);
  }
  const auto path = one.room("tickets/" + ticket + "/revoke");
  BOOST_TEST(server().post(path, {{"reason", "r"}}).status == 401);
  BOOST_TEST(server().post(path, {{"reason", "r"}}, {.key = "service-key"}).status == 403);
  BOOST_TEST(position_of(one, ticket) == 1);
  BOOST_TEST(revoke(one, std::string(44, 'A'), {{"reason", "r"}}).brief() == "404 UNKNOWN");
  BOOST_TEST(leave(one, ticket).status == 204);
  BOOST_TEST(revoke(one, ticket, {{"reason", "r"}}).brief() == "410 LEFT");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace usher::test
