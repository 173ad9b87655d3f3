// Wishes over a real socket: preparing a purchase while waiting, the best seats held on admission,
// and what is said when there are none.

#include "tests/api/room.hpp"

#include <boost/test/unit_test.hpp>

#include <set>

namespace usher::test {

namespace {

/// Admits nobody before let_in.
show waiting_show() {
  show one{hall_where({{"admitPerSecond", 0}})};
  one.open();
  return one;
}
void let_in(const show& which) {
  BOOST_TEST(set(which, {{"admitPerSecond", 1000}}).status == 200);
}

std::string wish_path(const show& which, const std::string& ticket) {
  return which.room("tickets/" + ticket + "/wish");
}
said put_wish(const show& which, const std::string& ticket, const json& wanted) {
  return server().put(wish_path(which, ticket), wanted, {});
}
said get_wish(const show& which, const std::string& ticket) {
  return server().get(wish_path(which, ticket));
}

/// What became of the wish, once it is known.
json outcome_of(const show& which, const std::string& ticket) {
  json outcome;
  BOOST_TEST(eventually([&] {
    const auto got = which.ticket(ticket);
    if (got.text("status") == "ADMITTED" && got.body.contains("wish"))
      outcome = got.body["wish"];
    return outcome.is_object() && outcome["status"] != "PENDING";
  }));
  return outcome;
}

} // namespace

BOOST_AUTO_TEST_SUITE(waiting_room_wish)

BOOST_AUTO_TEST_CASE(a_wish_is_put_read_changed_and_taken_back) {
  const auto one = waiting_show();
  const auto ticket = ticket_of(one);
  BOOST_TEST(get_wish(one, ticket).brief() == "404 no-wish");
  const auto all = json::parse(R"({"quantity": 2, "accessible": 0, "category": "stalls",
                                   "block": "left", "maxPrice": 40000})");
  const auto put = put_wish(one, ticket, all);
  BOOST_TEST(put.status == 200, put);
  BOOST_TEST(put.body == all);
  BOOST_TEST(get_wish(one, ticket).body == all);
  BOOST_TEST(put_wish(one, ticket, {{"quantity", 1}, {"colour", "red"}}).status == 200);
  BOOST_TEST(get_wish(one, ticket).body == json::parse(R"({"quantity": 1, "accessible": 0})"));
  BOOST_TEST(server().del(wish_path(one, ticket)).status == 204);
  BOOST_TEST(get_wish(one, ticket).status == 404);
  BOOST_TEST(server().del(wish_path(one, ticket)).status == 204); // again is no error
  let_in(one);
  BOOST_TEST(is_let_in(one, ticket));
  BOOST_TEST(!one.ticket(ticket).body.contains("wish"));
}

BOOST_AUTO_TEST_CASE(on_admission_the_best_seats_are_held_and_can_be_bought) {
  const auto one = waiting_show();
  const auto ticket = ticket_of(one);
  BOOST_TEST(put_wish(one, ticket, {{"quantity", 3}, {"category", "box"}}).status == 200);
  let_in(one);
  const auto outcome = outcome_of(one, ticket);
  BOOST_TEST(outcome["status"] == "HELD");
  const auto hold = one.hold_of(outcome["holdId"].get<std::string>());
  BOOST_TEST(hold.brief() == "200 HELD", hold);
  BOOST_TEST(hold.body["total"] == json::parse(R"({"amount": 150000, "currency": "BRL"})"));
  BOOST_TEST(hold.body["seats"].size() == 3U);
  for (const auto& seat : hold.body["seats"]) {
    const auto id = seat["id"].get<std::string>();
    BOOST_TEST(id.starts_with("B-"));
    BOOST_TEST(one.seat(id) == "HELD");
  }
  const auto order = server().post("/v1/orders", order_for(outcome["holdId"]),
                                   {.ticket = ticket, .idempotency = fresh_key()});
  BOOST_TEST(order.brief() == "201 PENDING", order);
  // Nobody else can, and the fan may not hold more than four seats in all.
  BOOST_TEST(one.hold({"A-1", "A-2"}, {.ticket = ticket}).brief() == "409 too-many-seats");
}

BOOST_AUTO_TEST_CASE(many_wishes_at_once_hold_different_seats) {
  const auto one = waiting_show();
  std::vector<std::string> tickets;
  for (int i = 0; i < 6; ++i) {
    tickets.push_back(ticket_of(one));
    BOOST_TEST(put_wish(one, tickets.back(), {{"quantity", 4}}).status == 200);
  }
  let_in(one);
  // Twenty seats are five wishes. The last comes too late, or waits in front of a room that paused.
  std::set<std::string> seats;
  for (std::size_t i = 0; i < 5; ++i) {
    const auto outcome = outcome_of(one, tickets[i]);
    BOOST_TEST_REQUIRE(outcome["status"] == "HELD", outcome);
    const auto hold = one.hold_of(outcome["holdId"].get<std::string>());
    BOOST_TEST(hold.body["seats"].size() == 4U);
    for (const auto& seat : hold.body["seats"])
      BOOST_TEST(seats.insert(seat["id"].get<std::string>()).second, seat);
  }
  BOOST_TEST(seats.size() == 20U);
  BOOST_TEST(becomes(one, "PAUSED"));
  BOOST_TEST(eventually([&] {
    const auto got = one.ticket(tickets[5]);
    return got.text("status") == "WAITING" ||
           (got.body.contains("wish") && got.body["wish"]["status"] == "UNAVAILABLE");
  }));
}

BOOST_AUTO_TEST_CASE(when_nothing_matches_the_answer_says_why_and_the_fan_may_choose) {
  const auto one = waiting_show();
  struct attempt {
    json wanted;
    std::string ticket;
  };
  std::vector<attempt> attempts{{{{"quantity", 1}, {"maxPrice", 34999}}, ""},
                                {{{"quantity", 1}, {"accessible", 1}}, ""},
                                {{{"quantity", 1}, {"category", "box"}, {"block", "left"}}, ""},
                                {{{"quantity", 1}, {"category", "box"}, {"maxPrice", 40000}}, ""}};
  for (auto& each : attempts) {
    each.ticket = ticket_of(one);
    BOOST_TEST(put_wish(one, each.ticket, each.wanted).status == 200, each.wanted);
  }
  let_in(one);
  for (const auto& each : attempts) {
    BOOST_TEST_INFO(each.wanted);
    BOOST_TEST(outcome_of(one, each.ticket) ==
               json::parse(R"({"status": "UNAVAILABLE", "reason": "no-seats-match"})"));
  }
  BOOST_TEST(one.hold({"A-1"}, {.ticket = attempts[0].ticket}).status == 201);
}

BOOST_AUTO_TEST_CASE(a_price_limit_holds_what_is_within_it) {
  const auto one = waiting_show();
  const auto ticket = ticket_of(one);
  BOOST_TEST(put_wish(one, ticket, {{"quantity", 2}, {"maxPrice", 35000}}).status == 200);
  let_in(one);
  const auto hold = one.hold_of(outcome_of(one, ticket)["holdId"].get<std::string>());
  BOOST_TEST(hold.body["total"]["amount"] == 70000);
}

BOOST_AUTO_TEST_CASE(a_wish_is_prepared_in_the_prequeue_too) {
  const show one{hall_where({{"opensAt", in(1h)}, {"prequeue", "2h"}})};
  const auto ticket = ticket_of(one);
  BOOST_TEST(put_wish(one, ticket, {{"quantity", 1}, {"block", "right"}}).status == 200);
  BOOST_TEST(operate(one, "open").status == 204);
  BOOST_TEST(outcome_of(one, ticket)["status"] == "HELD");
}

BOOST_AUTO_TEST_CASE(a_bad_wish_is_refused_with_its_fields_and_changes_nothing) {
  const auto one = waiting_show();
  const auto ticket = ticket_of(one);
  BOOST_TEST(put_wish(one, ticket, {{"quantity", 2}}).status == 200);
  struct attempt {
    json wanted;
    std::string fields;
  };
  for (const auto& each :
       {attempt{json::object(), "quantity"}, attempt{{{"quantity", 0}}, "quantity"},
        attempt{{{"quantity", 5}}, "quantity"}, attempt{{{"quantity", -1}}, "quantity"},
        attempt{{{"quantity", 1.5}}, "quantity"}, attempt{{{"quantity", "2"}}, "quantity"},
        attempt{{{"quantity", 2}, {"accessible", 3}}, "accessible"},
        attempt{{{"quantity", 2}, {"accessible", -1}}, "accessible"},
        attempt{{{"quantity", 2}, {"maxPrice", -1}}, "maxPrice"},
        attempt{{{"quantity", 2}, {"maxPrice", "cheap"}}, "maxPrice"},
        attempt{{{"quantity", 2}, {"category", "gold"}}, "category"},
        attempt{{{"quantity", 2}, {"category", 1}}, "category"},
        attempt{{{"quantity", 2}, {"block", "stage"}}, "block"}}) {
    const auto got = put_wish(one, ticket, each.wanted);
    BOOST_TEST(got.brief() == "400 invalid-request", each.wanted << ": " << got);
    BOOST_TEST(got.fields() == each.fields, each.wanted << ": " << got);
  }
  BOOST_TEST(server().ask("PUT", wish_path(one, ticket), "{").status == 400);
  BOOST_TEST(get_wish(one, ticket).body["quantity"] == 2);
}

BOOST_AUTO_TEST_CASE(only_who_waits_for_a_show_with_seats_may_wish) {
  const auto one = waiting_show();
  const auto other = waiting_show();
  const auto ticket = ticket_of(one);
  const json wanted{{"quantity", 1}};
  for (const auto& name : {std::string{"nonsense"}, ticket})
    BOOST_TEST(put_wish(other, name, wanted).brief() == "404 UNKNOWN", name);
  let_in(one);
  BOOST_TEST(is_let_in(one, ticket));
  BOOST_TEST(put_wish(one, ticket, wanted).brief() == "409 not-waiting");
  BOOST_TEST(leave(one, ticket).status == 204);
  BOOST_TEST(put_wish(one, ticket, wanted).brief() == "410 LEFT");
  BOOST_TEST(get_wish(one, ticket).brief() == "410 LEFT");

  const show without{plain()};
  without.open();
  BOOST_TEST(put_wish(without, ticket_of(without), wanted).brief() == "409 no-plan");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace usher::test
