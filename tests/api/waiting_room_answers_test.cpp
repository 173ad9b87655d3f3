// What a waiting fan is told, over a real socket: when to ask again, how the seats stand, and the
// operator's message in several languages.

#include "tests/api/room.hpp"

#include <boost/test/unit_test.hpp>

namespace usher::test {

namespace {

const json shut{{"admitPerSecond", 0}};

said put_message(const show& which, const json& texts) {
  return server().put(which.room("message"), texts);
}

} // namespace

BOOST_AUTO_TEST_SUITE(waiting_room_answers)

BOOST_AUTO_TEST_CASE(who_is_near_asks_often_and_who_is_far_seldom) {
  const show one{hall_where(shut)};
  one.open();
  const auto tickets = join_many(one, 1'100);
  struct expected {
    std::size_t position;
    int least;
    int most;
  };
  for (const auto& each :
       {expected{1, 2, 4}, expected{20, 2, 4}, expected{21, 8, 12}, expected{1'000, 8, 12},
        expected{1'001, 40, 50}, expected{1'100, 40, 50}})
    for (int i = 0; i < 20; ++i) {
      const auto got = one.ticket(tickets[each.position - 1]);
      BOOST_TEST(got.body["position"] == each.position);
      const auto again = got.body["pollAfterSeconds"].get<int>();
      BOOST_TEST(again >= each.least, each.position);
      BOOST_TEST(again <= each.most, each.position);
      BOOST_TEST(got.header("retry-after") == std::to_string(again));
    }
}

BOOST_AUTO_TEST_CASE(who_is_let_in_within_seconds_asks_often_however_many_are_ahead) {
  const show one{hall_where({{"admitPerSecond", 1000}, {"maxActive", 0}})};
  one.open();
  const auto tickets = join_many(one, 5'000);
  const auto got = one.ticket(tickets.back()); // five seconds
  BOOST_TEST(got.body["etaSeconds"] == 5);
  BOOST_TEST(got.body["pollAfterSeconds"].get<int>() <= 4);
}

BOOST_AUTO_TEST_CASE(asking_early_and_often_costs_no_place) {
  const show one{hall_where({{"admitPerSecond", 0}, {"maxActive", 1}})};
  one.open();
  const auto tickets = join_many(one, 3);
  for (int i = 0; i < 100; ++i) {
    const auto got = one.ticket(tickets[0]);
    BOOST_TEST(got.status == 200);
    BOOST_TEST(got.body["position"] == 1);
    BOOST_TEST(got.body["behind"] == 2);
  }
  BOOST_TEST(set(one, {{"admitPerSecond", 1000}}).status == 200);
  BOOST_TEST(is_let_in(one, tickets[0]));
  BOOST_TEST(one.ticket(tickets[1]).body["position"] == 1);
}

BOOST_AUTO_TEST_CASE(an_answer_tells_how_the_seats_stand_and_the_chance_at_this_position) {
  const show one{hall_where({{"maxActive", 0}})};
  one.open();
  const auto tickets = join_many(one, 200);
  BOOST_TEST(eventually([&] { return one.ticket(tickets[0]).body.contains("availability"); }));
  double before = 1;
  for (const std::size_t position : {1U, 5U, 15U, 30U, 200U}) {
    const auto got = one.ticket(tickets[position - 1]);
    BOOST_TEST(got.text("availability") == "plenty");
    const auto chance = got.body["chanceOfSeats"].get<double>();
    BOOST_TEST(chance >= 0);
    BOOST_TEST(chance <= before, position);
    before = chance;
  }
  BOOST_TEST(one.ticket(tickets[0]).body["chanceOfSeats"] == 1); // twenty seats, nobody ahead
  BOOST_TEST(before < 0.01);                                     // and 199 of them
}

BOOST_AUTO_TEST_CASE(a_show_whose_seats_are_kept_elsewhere_says_nothing_of_them) {
  auto what = plain();
  what["waitingRoom"] = {{"admitPerSecond", 1000}, {"tick", "10ms"}, {"maxActive", 1}};
  const show one{what};
  one.open();
  BOOST_TEST(!one.admitted().empty());
  const auto got = one.join();
  BOOST_TEST(got.brief() == "202 WAITING");
  BOOST_TEST(!got.body.contains("availability"));
  BOOST_TEST(!got.body.contains("chanceOfSeats"));
}

BOOST_AUTO_TEST_CASE(a_message_reaches_all_who_wait_in_every_language_and_goes_away) {
  const show one{hall_where(shut)};
  one.open();
  const auto ticket = ticket_of(one);
  const json texts{{"en", "The artist is late: \"30 minutes\".\n<b>Sorry</b>"},
                   {"pt-BR", "O artista est\xc3\xa1 atrasado \xf0\x9f\x95\x92"},
                   {"zh-Hant-TW", std::string(500, 'x')}};
  BOOST_TEST(!one.ticket(ticket).body.contains("message"));
  BOOST_TEST(put_message(one, texts).status == 204);
  BOOST_TEST(one.ticket(ticket).body["message"] == texts);
  BOOST_TEST(one.join().body["message"] == texts);
  BOOST_TEST(room_of(one)["message"] == texts);
  // A new one takes the place of the whole.
  BOOST_TEST(put_message(one, {{"en", "Soon."}}).status == 204);
  BOOST_TEST(one.ticket(ticket).body["message"] == json::parse(R"({"en": "Soon."})"));
  BOOST_TEST(server().del(one.room("message"), {.key = "operator-key"}).status == 204);
  BOOST_TEST(!one.ticket(ticket).body.contains("message"));
  BOOST_TEST(!room_of(one).contains("message"));
}

BOOST_AUTO_TEST_CASE(a_message_is_told_before_the_opening_too) {
  const show one{hall_where({{"opensAt", in(1h)}, {"prequeue", "2h"}})};
  BOOST_TEST(put_message(one, {{"en", "Welcome."}}).status == 204);
  BOOST_TEST(one.join().body["message"]["en"] == "Welcome.");
}

BOOST_AUTO_TEST_CASE(a_bad_message_is_refused_with_its_language_and_changes_nothing) {
  const show one{hall_where(shut)};
  one.open();
  BOOST_TEST(put_message(one, {{"en", "Hello."}}).status == 204);
  auto too_many = json::object();
  for (int i = 0; i < 17; ++i)
    too_many["x" + std::to_string(10 + i)] = "text";
  struct attempt {
    json texts;
    std::string field;
  };
  for (const auto& each :
       {attempt{json::object(), ""}, attempt{too_many, ""}, attempt{{{"e", "x"}}, "e"},
        attempt{{{"en_US", "x"}}, "en_US"}, attempt{{{"e n", "x"}}, "e n"},
        attempt{{{"", "x"}}, ""}, attempt{{{std::string(36, 'a'), "x"}}, std::string(36, 'a')},
        attempt{{{"en", 7}}, "en"}, attempt{{{"en", nullptr}}, "en"},
        attempt{{{"en", std::string(501, 'x')}}, "en"}, attempt{{{"en", "x"}, {"?", "y"}}, "?"}}) {
    const auto got = put_message(one, each.texts);
    BOOST_TEST(got.brief() == "400 invalid-request", each.texts);
    BOOST_TEST(got.fields() == each.field, each.texts);
  }
  BOOST_TEST(server().put(one.room("message"), {{"en", "x"}}, {}).status == 401);
  BOOST_TEST(server().put(one.room("message"), {{"en", "x"}}, {.key = "service-key"}).status ==
             403);
  BOOST_TEST(room_of(one)["message"] == json::parse(R"({"en": "Hello."})"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace usher::test
