// The stream of a ticket over a real socket: which events it has, that it ends with the ticket, and
// that a fan who comes back hears only what is new.

#include "tests/api/listener.hpp"
#include "tests/api/room.hpp"

#include <boost/test/unit_test.hpp>

namespace usher::test {

namespace {

listener listen(const show& which, const std::string& ticket, const std::string& last_id = {}) {
  return listener{which.room("tickets/" + ticket + "/stream"), last_id};
}

} // namespace

BOOST_AUTO_TEST_SUITE(waiting_room_stream)

BOOST_AUTO_TEST_CASE(a_fan_hears_of_everything_up_to_the_end) {
  const show one{hall_where({{"maxActive", 1}})};
  one.open();
  const auto in = one.admitted();
  const auto ahead = ticket_of(one);
  const auto ticket = ticket_of(one);
  auto stream = listen(one, ticket);
  BOOST_TEST(stream.type == "text/event-stream");

  const auto first = stream.next();
  BOOST_TEST(first->event == "waiting");
  BOOST_TEST(!first->id.empty());
  BOOST_TEST(first->data["position"] == 2);
  BOOST_TEST(first->text("ticketId") == ticket);

  BOOST_TEST(leave(one, ahead).status == 204);
  const auto moved = stream.next();
  BOOST_TEST(moved->event == "position");
  BOOST_TEST(moved->data["position"] == 1);
  BOOST_TEST(moved->id != first->id);

  BOOST_TEST(server().put(one.room("message"), {{"en", "Soon."}}).status == 204);
  const auto told = stream.next();
  BOOST_TEST(told->event == "message");
  BOOST_TEST(told->data["message"]["en"] == "Soon.");

  BOOST_TEST(operate(one, "pause").status == 204);
  const auto paused = stream.next();
  BOOST_TEST(paused->event == "room");
  BOOST_TEST(paused->text("roomState") == "PAUSED");
  BOOST_TEST(operate(one, "resume").status == 204);
  BOOST_TEST(stream.next()->text("roomState") == "OPEN");

  BOOST_TEST(leave(one, in).status == 204);
  const auto admitted = stream.next();
  BOOST_TEST(admitted->event == "admitted");
  BOOST_TEST(admitted->text("status") == "ADMITTED");
  BOOST_TEST(admitted->data["expiresInSeconds"].get<int>() > 0);

  BOOST_TEST(operate(one, "close").status == 204);
  const auto ended = stream.next();
  BOOST_TEST(ended->event == "ended");
  BOOST_TEST(ended->text("status") == "EXPIRED");
  BOOST_TEST(ended->text("reason") == "closed");
  BOOST_TEST(!stream.next());
}

BOOST_AUTO_TEST_CASE(an_admission_that_expires_ends_its_stream) {
  const show one;
  one.open();
  const auto ticket = one.admitted();
  auto stream = listen(one, ticket);
  BOOST_TEST(stream.next()->event == "admitted");
  server().clock.advance(5min + 1s);
  const auto ended = stream.next();
  BOOST_TEST(ended->event == "ended");
  BOOST_TEST(ended->text("reason") == "expired");
  BOOST_TEST(!stream.next());
}

BOOST_AUTO_TEST_CASE(the_prequeue_and_its_opening_are_told) {
  const show one{hall_where({{"opensAt", in(1h)}, {"prequeue", "2h"}, {"admitPerSecond", 0}})};
  const auto ticket = ticket_of(one);
  auto stream = listen(one, ticket);
  const auto first = stream.next();
  BOOST_TEST(first->event == "waiting");
  BOOST_TEST(first->text("status") == "PREQUEUE");
  BOOST_TEST(operate(one, "open").status == 204);
  const auto opened = stream.next();
  BOOST_TEST(opened->event == "room");
  BOOST_TEST(opened->text("status") == "WAITING");
  BOOST_TEST(opened->data["drawnPlace"] == 1);
}

BOOST_AUTO_TEST_CASE(who_comes_back_hears_only_what_is_new) {
  const show one{hall_where({{"admitPerSecond", 0}})};
  one.open();
  const auto ahead = ticket_of(one);
  const auto ticket = ticket_of(one);
  const auto id = listen(one, ticket).next()->id;
  {
    auto again = listen(one, ticket, id);
    BOOST_TEST(server().put(one.room("message"), {{"en", "New."}}).status == 204);
    const auto first = again.next();
    BOOST_TEST(first->data["message"]["en"] == "New."); // not once more what was heard
  }
  BOOST_TEST(leave(one, ahead).status == 204);
  const auto missed = listen(one, ticket, id).next(); // something changed meanwhile
  BOOST_TEST(missed->data["position"] == 1);
  BOOST_TEST(missed->id != id);
  BOOST_TEST(listen(one, ticket, "nonsense").next()->id == missed->id);
}

BOOST_AUTO_TEST_CASE(a_wish_is_answered_on_the_stream) {
  const show one{hall_where({{"admitPerSecond", 0}})};
  one.open();
  const auto ticket = ticket_of(one);
  BOOST_TEST(server().put(one.room("tickets/" + ticket + "/wish"), {{"quantity", 2}}, {}).status ==
             200);
  auto stream = listen(one, ticket);
  BOOST_TEST(stream.next()->event == "waiting");
  BOOST_TEST(set(one, {{"admitPerSecond", 1000}}).status == 200);
  auto last = stream.next();
  BOOST_TEST(last->event == "admitted");
  if (last->data["wish"]["status"] == "PENDING") // looked in between
    last = stream.next();
  BOOST_TEST(last->data["wish"]["status"] == "HELD");
}

BOOST_AUTO_TEST_CASE(there_is_no_stream_of_a_ticket_that_is_none_or_has_ended) {
  const show one{hall_where({{"admitPerSecond", 0}})};
  const show other{hall_where({{"admitPerSecond", 0}})};
  one.open();
  other.open();
  const auto ticket = ticket_of(one);
  const auto stream_of = [](const show& which, const std::string& name) {
    return server().get(which.room("tickets/" + name + "/stream"));
  };
  BOOST_TEST(stream_of(one, "nonsense").brief() == "404 UNKNOWN");
  BOOST_TEST(stream_of(other, ticket).brief() == "404 UNKNOWN");
  BOOST_TEST(server().get("/v1/shows/none/waiting-room/tickets/x/stream").status == 404);
  BOOST_TEST(leave(one, ticket).status == 204);
  BOOST_TEST(stream_of(one, ticket).brief() == "410 LEFT");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace usher::test
