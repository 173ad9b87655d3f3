// Changing a hold over a real socket: longer, more seats, fewer. Whose it is, what a refusal leaves
// as it was, keys, and the moment at which it is over.

#include "tests/api/seats.hpp"

#include <boost/test/unit_test.hpp>

namespace usher::test {

namespace {

/// Holds of ten seconds that can be extended to 25.
json short_life() {
  return hall_with(R"({"holds": {"ttl": "10s", "maxLife": "25s"}})");
}

const json a3{{"seats", {"A-3"}}};

/// A server whose clock stands until it is moved on.
struct standing_server : own_server {
  standing_server() { server().clock.stand_at(start); }
  static void at(duration_ms after_start) { server().clock.stand_at(start + after_start); }
  const static inline time_ms start = 4'000'000'000'000;
};

/// When it ends, in milliseconds after the start.
duration_ms end_of(const said& hold) {
  return time_of(hold, "expiresAt") - standing_server::start;
}

/// An open room with two who are in, of whom Ana holds A-1 and A-2.
struct two_fans {
  explicit two_fans(const json& what = hall()) : at{what} {
    at.open();
    ana = at.admitted();
    bob = at.admitted();
    made = at.hold({"A-1", "A-2"}, {.ticket = ana});
    hold = made.text("holdId");
  }
  [[nodiscard]] bool is_as_placed() const {
    const auto now = at.hold_of(hold);
    return now.brief() == "200 HELD" && now.body["seats"] == made.body["seats"] &&
           now.text("expiresAt") == made.text("expiresAt");
  }

  show at;
  std::string ana;
  std::string bob;
  said made;
  std::string hold;
};

} // namespace

BOOST_AUTO_TEST_SUITE(holds_change)

BOOST_AUTO_TEST_CASE(a_hold_is_extended_to_its_longest_life_and_not_beyond) {
  const standing_server alone;
  const show one{short_life()};
  BOOST_TEST(one.description()["holds"]["maxLife"] == "25s");
  const auto made = one.hold({"A-1", "B-1"});
  const auto hold = made.text("holdId");
  BOOST_TEST(end_of(made) == 10'000);
  BOOST_TEST(time_of(made, "maxExpiresAt") == standing_server::start + 25'000);
  struct step {
    duration_ms at;
    duration_ms end;
  };
  const step steps[]{{0, 10'000},      {5'000, 15'000},  {14'999, 24'999},
                     {20'000, 25'000}, {20'000, 25'000}, {24'999, 25'000}};
  for (const auto& each : steps) {
    standing_server::at(each.at);
    const auto got = one.extend(hold);
    BOOST_TEST_INFO("at " << each.at << ": " << got);
    BOOST_TEST(got.brief() == "200 HELD");
    BOOST_TEST(end_of(got) == each.end);
    BOOST_TEST(time_of(got, "maxExpiresAt") == standing_server::start + 25'000);
    BOOST_TEST(seats_of(got) == seats_of(made), boost::test_tools::per_element());
    BOOST_TEST(obstacles_of(one.hold({"A-1", "B-1"})).size() == 2U);
  }
  standing_server::at(25'000);
  BOOST_TEST(one.extend(hold).brief() == "409 hold-expired");
  BOOST_TEST(one.hold({"A-1", "B-1"}).status == 201);
}

BOOST_AUTO_TEST_CASE(unless_it_is_set_a_hold_lives_twice_as_long_at_most) {
  const standing_server alone;
  const show usual;
  BOOST_TEST(usual.description()["holds"]["maxLife"] == "10m");
  const show other{hall_with(R"({"holds": {"ttl": "30s"}})")};
  BOOST_TEST(other.description()["holds"]["maxLife"] == "1m");
  BOOST_TEST(time_of(other.hold({"A-1"}), "maxExpiresAt") == standing_server::start + 60'000);
  const show never{hall_with(R"({"holds": {"ttl": "30s", "maxLife": "30s"}})")};
  const auto hold = never.hold({"A-1"}).text("holdId");
  standing_server::at(20'000);
  BOOST_TEST(end_of(never.extend(hold)) == 30'000);
}

BOOST_AUTO_TEST_CASE(an_extension_keeps_the_admission_and_what_was_added_later) {
  const standing_server alone;
  const show one{hall_with(R"({"waitingRoom": {"admissionTtl": "12s"},
                               "holds": {"ttl": "10s", "maxLife": "40s"}})")};
  one.open();
  const auto join = one.join().text("ticketId");
  duration_ms passed = 0;
  BOOST_TEST(eventually([&] { // its tick is told by the clock
    standing_server::at(passed += 10);
    return one.ticket(join).text("status") == "ADMITTED";
  }));
  const extra ana{.ticket = join};
  const auto hold = one.hold({"A-1"}, ana).text("holdId");
  standing_server::at(passed + 5'000);
  BOOST_TEST(end_of(one.add(hold, {{"seats", {"B-1"}}}, ana)) == passed + 10'000);
  standing_server::at(passed + 9'000);
  BOOST_TEST(end_of(one.extend(hold, ana)) == passed + 19'000);
  standing_server::at(passed + 18'999);
  BOOST_TEST(one.ticket(join).text("status") == "ADMITTED");
  BOOST_TEST(obstacles_of(one.hold({"A-1", "B-1"}, {.key = "operator-key"})) ==
                 (names{"A-1 HELD", "B-1 HELD"}),
             boost::test_tools::per_element());
  BOOST_TEST(order_hold(hold, ana).status == 201);
}

BOOST_AUTO_TEST_CASE(only_whoever_has_it_changes_a_hold) {
  const two_fans it;
  struct attempt {
    std::string who;
    extra with;
    std::string gated; ///< extend and add
    std::string open;  ///< give back
  };
  const attempt attempts[]{
      {"another admission", {.ticket = it.bob}, "403 not-the-owner", "403 not-the-owner"},
      {"nobody", {}, "403 not-admitted", "403 not-the-owner"},
      {"nonsense", {.ticket = "nonsense"}, "403 not-admitted", "403 not-the-owner"},
      {"the box office", {.key = "operator-key"}, "403 not-the-owner", "403 not-the-owner"},
      {"a service", {.key = "service-key"}, "403 not-admitted", "403 not-the-owner"},
  };
  for (const auto& each : attempts) {
    BOOST_TEST_INFO(each.who);
    BOOST_TEST(it.at.extend(it.hold, each.with).brief() == each.gated);
    BOOST_TEST(it.at.add(it.hold, a3, each.with).brief() == each.gated);
    BOOST_TEST(it.at.give_back(it.hold, "A-1", each.with).brief() == each.open);
    BOOST_TEST(it.at.release(it.hold, each.with).brief() == each.open);
    BOOST_TEST(it.is_as_placed());
  }
  BOOST_TEST(it.at.seat("A-3") == "AVAILABLE");
  // The ticket counts wherever it stands.
  BOOST_TEST(it.at.extend(it.hold, {.key = it.ana}).status == 200);
  BOOST_TEST(it.at.add(it.hold, a3, {.headers = "X-Queue-Token: " + it.ana + "\r\n"}).status ==
             200);
  BOOST_TEST(it.at.give_back(it.hold, "A-1", {.ticket = it.ana}).status == 200);
}

BOOST_AUTO_TEST_CASE(a_hold_is_changed_in_its_show_by_its_name) {
  const show one;
  const show other;
  const auto hold = one.hold({"A-1"}).text("holdId");
  auto changed = hold;
  changed.back() = changed.back() == '0' ? '1' : '0';
  for (const auto& none : {std::string{"nonsense"}, changed, "order" + hold.substr(4)}) {
    BOOST_TEST(one.extend(none).brief() == "404 unknown-hold", none);
    BOOST_TEST(one.add(none, a3).brief() == "404 unknown-hold", none);
    BOOST_TEST(one.give_back(none, "A-1").brief() == "404 unknown-hold", none);
  }
  BOOST_TEST(other.extend(hold).brief() == "404 unknown-hold");
  BOOST_TEST(other.add(hold, a3).brief() == "404 unknown-hold");
  BOOST_TEST(other.give_back(hold, "A-1").brief() == "404 unknown-hold");
  BOOST_TEST(one.hold_of(hold).brief() == "200 HELD");
}

BOOST_AUTO_TEST_CASE(seats_are_added_by_name_or_as_the_best_and_have_the_holds_time) {
  const standing_server alone;
  const show one{short_life()};
  const auto hold = one.hold({"A-1"}).text("holdId");
  standing_server::at(5'000);
  const auto named = one.add(hold, {{"seats", {"B-2", "A-1"}}}); // one it has already
  BOOST_TEST(named.brief() == "200 HELD", named);
  BOOST_TEST((seats_of(named) == names{"A-1", "B-2"}));
  BOOST_TEST(end_of(named) == 10'000);
  BOOST_TEST(named.body["total"]["amount"] == 85'000);
  const auto best = one.add(hold, {{"best", {{"quantity", 2}, {"category", "box"}}}});
  BOOST_TEST(seats_of(best).size() == 4U, best);
  BOOST_TEST(best.body["total"]["amount"] == 185'000);
  BOOST_TEST(one.hold_of(hold).body["seats"] == best.body["seats"]);
  // What it has already is no change.
  BOOST_TEST(one.add(hold, {{"seats", {"A-1"}}}).body["seats"] == best.body["seats"]);
  // Old and new end together.
  standing_server::at(9'999);
  BOOST_TEST(obstacles_of(one.hold({"A-1", "B-2"})).size() == 2U);
  standing_server::at(10'000);
  BOOST_TEST(one.hold({"A-1", "B-2"}).status == 201);
}

BOOST_AUTO_TEST_CASE(an_addition_that_is_refused_leaves_all_as_it_was) {
  const two_fans it;
  const extra ana{.ticket = it.ana};
  BOOST_TEST(it.at.hold({"A-5"}, {.ticket = it.bob}).status == 201);
  struct attempt {
    json body;
    std::string answer;
    names obstacles;
  };
  const attempt attempts[]{
      {{{"seats", {"A-3", "A-4", "B-1"}}}, "409 too-many-seats", {}},
      {{{"seats", {"A-4", "A-5"}}}, "409 seat-unavailable", {"A-5 HELD"}},
      {{{"seats", {"Z-1", "A-4"}}}, "409 seat-unavailable", {"Z-1 UNKNOWN"}},
      {{{"best", {{"quantity", 3}}}}, "409 too-many-seats", {}},
      {{{"best", {{"quantity", 1}, {"maxPrice", 1}}}}, "409 seat-unavailable", {}},
  };
  for (const auto& each : attempts) {
    const auto got = it.at.add(it.hold, each.body, ana);
    BOOST_TEST(got.brief() == each.answer, each.body << ": " << got);
    BOOST_TEST(obstacles_of(got) == each.obstacles, boost::test_tools::per_element());
    BOOST_TEST(it.is_as_placed(), each.body);
  }
  BOOST_TEST(block_of(it.at, "left")["held"] == 3);
  BOOST_TEST(block_of(it.at, "right")["held"] == 0);
  // The limit counts all holds of the admission, and what is given back counts no more.
  BOOST_TEST(it.at.hold({"B-1"}, ana).status == 201);
  BOOST_TEST(it.at.add(it.hold, {{"seats", {"B-2", "B-3"}}}, ana).brief() == "409 too-many-seats");
  BOOST_TEST(it.at.give_back(it.hold, "A-1", ana).status == 200);
  BOOST_TEST(it.at.add(it.hold, {{"seats", {"B-2", "B-3"}}}, ana).status == 200);
}

BOOST_AUTO_TEST_CASE(seats_are_given_back_one_by_one_until_the_hold_is_over) {
  const two_fans it;
  const extra ana{.ticket = it.ana};
  BOOST_TEST(it.at.add(it.hold, a3, ana).status == 200);
  const auto got = it.at.give_back(it.hold, "A-2", ana);
  BOOST_TEST(got.brief() == "200 HELD", got);
  BOOST_TEST((seats_of(got) == names{"A-1", "A-3"}));
  BOOST_TEST(got.text("expiresAt") == it.made.text("expiresAt"));
  BOOST_TEST(got.body["total"]["amount"] == 70'000);
  for (const std::string none : {"A-2", "B-1", "Z-9", "floor:1"})
    BOOST_TEST(it.at.give_back(it.hold, none, ana).brief() == "404 seat-not-in-hold", none);
  BOOST_TEST(it.at.hold({"A-2"}, {.ticket = it.bob}).status == 201);
  BOOST_TEST(it.at.give_back(it.hold, "A-1", ana).status == 200);
  const auto last = it.at.give_back(it.hold, "A-3", ana);
  BOOST_TEST(last.brief() == "200 RELEASED", last);
  BOOST_TEST(it.at.hold_of(it.hold).brief() == "410 RELEASED");
  BOOST_TEST(block_of(it.at, "left")["held"] == 1);
  BOOST_TEST(it.at.give_back(it.hold, "A-3", ana).brief() == "409 hold-ended");
  BOOST_TEST(it.at.extend(it.hold, ana).brief() == "409 hold-ended");
  BOOST_TEST(it.at.add(it.hold, a3, ana).brief() == "409 hold-ended");
  BOOST_TEST(order_hold(it.hold, ana).brief() == "409 hold-ended");
}

BOOST_AUTO_TEST_CASE(a_hold_that_is_ordered_or_sold_is_as_it_is) {
  const show one;
  const auto hold = one.hold({"A-1", "A-2"}).text("holdId");
  const auto all_say = [&](const std::string& answer) {
    BOOST_TEST(one.extend(hold).brief() == answer);
    BOOST_TEST(one.add(hold, a3).brief() == answer);
    BOOST_TEST(one.give_back(hold, "A-1").brief() == answer);
  };
  const auto order = order_hold(hold).text("id");
  all_say("409 hold-has-order");
  BOOST_TEST(pay(order).brief() == "200 PAID");
  all_say("409 hold-ended");
  BOOST_TEST((seats_of(order_now(order)) == names{"A-1", "A-2"}));
  BOOST_TEST(one.seat("A-3") == "AVAILABLE");
}

BOOST_AUTO_TEST_CASE(the_same_key_changes_a_hold_once) {
  const standing_server alone;
  const show one{short_life()};
  const auto hold = one.hold({"A-1"}, {.idempotency = "k"}).text("holdId");
  standing_server::at(4'000);
  // The same text is another key for another kind of call.
  BOOST_TEST(end_of(one.extend(hold, {.idempotency = "k"})) == 14'000);
  const auto added = one.add(hold, {{"best", {{"quantity", 2}}}}, {.idempotency = "k"});
  BOOST_TEST(added.status == 200, added);
  BOOST_TEST(!added.replayed());
  standing_server::at(8'000);
  const auto extended = one.extend(hold, {.idempotency = "k"});
  BOOST_TEST(extended.status == 200, extended);
  BOOST_TEST(extended.replayed());
  BOOST_TEST(end_of(extended) == 14'000);
  const auto again = one.add(hold, {{"best", {{"quantity", 2}}}}, {.idempotency = "k"});
  BOOST_TEST(again.status == 200, again);
  BOOST_TEST(again.replayed());
  BOOST_TEST(again.body["seats"] == added.body["seats"]);
  BOOST_TEST(one.add(hold, a3, {.idempotency = "k"}).brief() == "422 idempotency-key-reused");
  BOOST_TEST(end_of(one.extend(hold, {.idempotency = "l"})) == 18'000);
  // A refusal is not kept.
  BOOST_TEST(one.add(hold, {{"seats", {"B-1", "B-2"}}}, {.idempotency = "m"}).brief() ==
             "409 too-many-seats");
  BOOST_TEST(one.give_back(hold, "A-1").status == 200);
  BOOST_TEST(one.add(hold, {{"seats", {"B-1", "B-2"}}}, {.idempotency = "m"}).status == 200);
}

BOOST_AUTO_TEST_CASE(the_same_key_at_the_same_moment_adds_once) {
  const show one;
  const auto hold = one.hold({"A-1"}).text("holdId");
  const auto got = all_at_once(20, [&](std::size_t) {
    return one.add(hold, {{"best", {{"quantity", 1}}}}, {.idempotency = "burst"});
  });
  int fresh = 0;
  for (const auto& each : got) {
    BOOST_TEST((each.status == 200 || each.brief() == "409 idempotency-key-in-use"), each);
    fresh += each.status == 200 && !each.replayed() ? 1 : 0;
  }
  BOOST_TEST(fresh == 1);
  BOOST_TEST(seats_of(one.hold_of(hold)).size() == 2U);
}

BOOST_AUTO_TEST_CASE(at_the_moment_it_ends_nothing_can_be_done_with_it) {
  const standing_server alone;
  const show one{short_life()};
  const auto hold = one.hold({"A-1", "A-2"}).text("holdId");
  standing_server::at(9'999);
  BOOST_TEST(one.hold_of(hold).brief() == "200 HELD");
  BOOST_TEST(one.hold({"A-1"}).status == 409);
  const auto end = log_end();
  standing_server::at(10'000);
  BOOST_TEST(one.hold_of(hold).brief() == "410 EXPIRED");
  BOOST_TEST(one.extend(hold).brief() == "409 hold-expired");
  BOOST_TEST(one.add(hold, a3).brief() == "409 hold-expired");
  BOOST_TEST(one.give_back(hold, "A-1").brief() == "409 hold-expired");
  BOOST_TEST(order_hold(hold).brief() == "409 hold-expired");
  BOOST_TEST(log_end() == end);
  BOOST_TEST(one.hold({"A-1", "A-3"}).status == 201);
}

BOOST_AUTO_TEST_CASE(who_gives_back_too_late_takes_nothing_from_the_next_one) {
  const standing_server alone;
  const show one{short_life()};
  const auto old = one.hold({"A-1", "A-2"}).text("holdId");
  standing_server::at(10'000);
  const auto next = one.hold({"A-1", "B-1"}).text("holdId");
  const auto is_held = [&] {
    return obstacles_of(one.hold({"A-1", "B-1"})) == names{"A-1 HELD", "B-1 HELD"};
  };
  BOOST_TEST(one.give_back(old, "A-1").brief() == "409 hold-expired");
  BOOST_TEST(is_held());
  BOOST_TEST(one.release(old).status == 204);
  BOOST_TEST(is_held());
  BOOST_TEST(one.hold_of(old).brief() == "410 EXPIRED");
  BOOST_TEST(one.hold({"A-2"}).status == 201);
  BOOST_TEST(order_now(buy(next)).brief() == "200 PAID");
  BOOST_TEST(one.seat("A-1") == "SOLD");
}

BOOST_AUTO_TEST_CASE(what_is_wrong_with_a_change_is_said_and_nothing_is_recorded) {
  const own_server alone;
  const show one;
  const auto hold = one.hold({"A-1"}).text("holdId");
  const auto path = one.path + "/holds/" + hold;
  const wrong_body attempts[]{
      {"", "seats"},
      {"{}", "seats"},
      {R"({"seats": []})", "seats"},
      {R"({"seats": "A-3"})", "seats"},
      {R"({"seats": ["A-3", "A-3"]})", "seats"},
      {R"({"seats": [3]})", "seats"},
      {R"({"seats": ["A-3", "A-4", "A-5", "A-6", "A-7"]})", "seats"},
      {R"({"seats": ["A-3"], "area": "left", "quantity": 1})", "seats area"},
      {R"({"best": {"quantity": 5}})", "best.quantity"},
      {"[]", ""},
      {"A-3", ""},
  };
  const auto end = log_end();
  for (const auto& each : attempts) {
    const auto got = server().ask("POST", path + "/seats", each.body);
    BOOST_TEST(got.brief() == "400 invalid-request", each.body << ": " << got);
    BOOST_TEST(got.fields() == each.fields, each.body << ": " << got);
  }
  for (const std::string body : {"[]", "5m"})
    BOOST_TEST(server().ask("POST", path + "/extend", body).brief() == "400 invalid-request");
  const auto bad_key = std::string(256, 'k');
  BOOST_TEST(one.extend(hold, {.idempotency = bad_key}).brief() == "400 invalid-request");
  BOOST_TEST(one.add(hold, a3, {.idempotency = bad_key}).brief() == "400 invalid-request");
  BOOST_TEST(server().ask("POST", path + "/extend", "{}", {.type = "text/plain"}).status == 415);
  BOOST_TEST(log_end() == end);
  BOOST_TEST(show{plain()}.add(hold, a3).status == 404);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace usher::test
