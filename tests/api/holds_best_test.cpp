// The best seats over a real socket: what narrows the choice down, what is refused when nothing
// fits, keys, and many fans at once. Which seats are the best is in tests/rules/best_available*.

#include "tests/api/seats.hpp"

#include <boost/test/unit_test.hpp>

namespace usher::test {

namespace {

/// Three rows of stalls, a dear box, a cheap gallery with two accessible seats, and a floor. It has
/// no coordinates: rows one behind the other.
json theatre() {
  return json::parse(R"({"title": "Theatre", "currency": "BRL",
    "plan": {"categories": [{"id": "stalls", "price": 35000}, {"id": "box", "price": 50000},
                            {"id": "gallery", "price": 20000}],
             "blocks": [{"id": "left", "category": "stalls",
                         "rows": [{"id": "A", "count": 8}, {"id": "B", "count": 8},
                                  {"id": "C", "count": 8}]},
                        {"id": "boxes", "category": "box", "rows": [{"id": "D", "count": 6}]},
                        {"id": "up", "category": "gallery",
                         "rows": [{"id": "E", "seats": [
                           {"id": "E-1", "accessible": true}, {"id": "E-2", "accessible": true},
                           {"id": "E-3"}, {"id": "E-4"}, {"id": "E-5"}, {"id": "E-6"}]}]},
                        {"id": "floor", "category": "stalls", "capacity": 10}]}})");
}

/// Two rows of three.
json two_short_rows() {
  return json::parse(R"({"title": "Short", "currency": "BRL",
    "plan": {"categories": [{"id": "all", "price": 100}],
             "blocks": [{"id": "b", "category": "all",
                         "rows": [{"id": "R", "count": 3}, {"id": "S", "count": 3}]}]}})");
}

/// One row of five, whose middle is the best place and leaves one seat alone.
json row_of_five(bool avoid_orphans) {
  auto made = two_short_rows();
  made["plan"]["blocks"][0]["rows"] = json::parse(R"([{"id": "R", "count": 5}])");
  made["holds"]["avoidOrphans"] = avoid_orphans;
  return made;
}

/// The row's letter and the number of "A-12".
std::pair<std::string, int> parts_of(const std::string& seat) {
  const auto dash = seat.find('-');
  return {seat.substr(0, dash), std::stoi(seat.substr(dash + 1))};
}

/// Each the neighbour of the next.
bool are_in_a_row(const names& seats) {
  for (std::size_t i = 1; i < seats.size(); ++i) {
    const auto before = parts_of(seats[i - 1]);
    if (parts_of(seats[i]) != std::pair{before.first, before.second + 1})
      return false;
  }
  return !seats.empty();
}

bool are_in_rows(const names& seats, const std::string& letters) {
  return std::ranges::all_of(
      seats, [&](const auto& seat) { return letters.find(seat[0]) != std::string::npos; });
}

std::size_t held_in(const show& which) {
  std::size_t held = 0;
  const auto map = server().get(which.path + "/seats").body;
  for (const auto& each : map["blocks"])
    held += each["held"].get<std::size_t>();
  return held;
}

} // namespace

BOOST_AUTO_TEST_SUITE(holds_best)

BOOST_AUTO_TEST_CASE(what_narrows_the_choice_down) {
  const show one{theatre()};
  struct attempt {
    std::string ask;
    std::size_t quantity;
    std::string rows; ///< the seats may be in
  };
  const attempt attempts[]{
      {R"({"quantity": 1})", 1, "A"},
      {R"({"quantity": 4})", 4, "A"},
      {R"({"quantity": 2, "category": "box"})", 2, "D"},
      {R"({"quantity": 2, "categories": ["gallery"]})", 2, "E"},
      {R"({"quantity": 2, "categories": ["gallery", "box"]})", 2, "D"}, // the nearer one
      {R"({"quantity": 2, "categories": []})", 2, "A"},
      {R"({"quantity": 3, "block": "boxes"})", 3, "D"},
      {R"({"quantity": 3, "block": "up"})", 3, "E"},
      {R"({"quantity": 2, "rowFrom": "B"})", 2, "B"},
      {R"({"quantity": 2, "rowFrom": "C", "rowTo": "C"})", 2, "C"},
      {R"({"quantity": 2, "rowTo": "D"})", 2, "D"}, // the blocks that have such a row
      {R"({"quantity": 2, "maxPrice": 20000})", 2, "E"},
      {R"({"quantity": 2, "maxPrice": 49999, "rowFrom": "B"})", 2, "B"},
      {R"({"quantity": 2, "block": "left", "category": "stalls", "rowFrom": "B", "rowTo": "B",
           "maxPrice": 35000, "accessible": 0, "split": false})",
       2, "B"},
      {R"({"quantity": 1, "colour": "red"})", 1, "A"}, // what is not known is ignored
  };
  for (const auto& each : attempts) {
    const auto got = one.best(json::parse(each.ask));
    BOOST_TEST_INFO(each.ask << ": " << got);
    BOOST_TEST(got.brief() == "201 HELD");
    const auto seats = seats_of(got);
    BOOST_TEST(seats.size() == each.quantity);
    BOOST_TEST(are_in_a_row(seats));
    BOOST_TEST(are_in_rows(seats, each.rows));
    for (const auto& seat : seats)
      BOOST_TEST(one.seat(seat) == "HELD");
    BOOST_TEST(one.release(got.text("holdId")).status == 204);
  }
  BOOST_TEST(held_in(one) == 0U);
}

BOOST_AUTO_TEST_CASE(it_is_a_hold_like_any_other) {
  const show one{theatre()};
  const auto got = one.best({{"quantity", 2}, {"category", "box"}});
  BOOST_TEST(got.header("location") == one.path + "/holds/" + got.text("holdId"));
  BOOST_TEST(got.body["total"] == json::parse(R"({"amount": 100000, "currency": "BRL"})"));
  BOOST_TEST(got.body["seats"][0]["category"] == "box");
  BOOST_TEST(one.hold_of(got.text("holdId")).body["seats"] == got.body["seats"]);
  const auto order = buy(got.text("holdId"));
  BOOST_TEST(seats_of(order_now(order)) == seats_of(got), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(accessible_seats_are_for_those_who_ask) {
  const show one{theatre()};
  BOOST_TEST((seats_of(one.best({{"quantity", 4}, {"block", "up"}})) ==
              names{"E-3", "E-4", "E-5", "E-6"}));
  // Two are free, and nobody gets them by chance.
  BOOST_TEST(nothing_matches(one.best({{"quantity", 1}, {"block", "up"}})));
  BOOST_TEST(nothing_matches(one.best({{"quantity", 3}, {"block", "up"}, {"accessible", 3}})));
  const auto asked = one.best({{"quantity", 2}, {"accessible", 1}, {"block", "up"}});
  BOOST_TEST((seats_of(asked) == names{"E-1", "E-2"}), asked);
}

BOOST_AUTO_TEST_CASE(a_party_is_split_unless_it_wants_one_row) {
  const show one{two_short_rows()};
  BOOST_TEST(nothing_matches(one.best({{"quantity", 4}, {"split", false}})));
  BOOST_TEST(held_in(one) == 0U);
  const auto split = one.best({{"quantity", 4}});
  BOOST_TEST(split.status == 201, split);
  std::map<char, int> in_row;
  for (const auto& seat : seats_of(split))
    ++in_row[seat[0]];
  BOOST_TEST(in_row['R'] == 2, split); // nobody sits alone
  BOOST_TEST(in_row['S'] == 2, split);
}

BOOST_AUTO_TEST_CASE(a_show_says_whether_single_seats_may_be_left_behind) {
  const auto has_middle = [](const show& one) {
    const auto seats = seats_of(one.best({{"quantity", 2}}));
    BOOST_TEST(are_in_a_row(seats));
    return std::ranges::find(seats, "R-3") != seats.end();
  };
  const show avoids{row_of_five(true)};
  BOOST_TEST(avoids.description()["holds"]["avoidOrphans"] == true);
  BOOST_TEST(!has_middle(avoids));
  const show does_not{row_of_five(false)};
  BOOST_TEST(does_not.description()["holds"]["avoidOrphans"] == false);
  BOOST_TEST(has_middle(does_not));
  BOOST_TEST(show{two_short_rows()}.description()["holds"]["avoidOrphans"] == true);
}

BOOST_AUTO_TEST_CASE(nothing_that_matches_is_a_conflict_that_names_no_seat) {
  const show one{theatre()};
  for (const std::string ask :
       {R"({"quantity": 2, "maxPrice": 19999})", R"({"quantity": 2, "rowFrom": "Z"})",
        R"({"quantity": 2, "rowFrom": "C", "rowTo": "A"})",
        R"({"quantity": 2, "block": "up", "category": "box"})",
        R"({"quantity": 4, "accessible": 4})"}) {
    const auto got = one.best(json::parse(ask));
    BOOST_TEST(nothing_matches(got), ask << ": " << got);
    BOOST_TEST(got.text("detail").starts_with("No free seats match"), got);
  }
  BOOST_TEST(held_in(one) == 0U);
  BOOST_TEST(show{plain()}.best({{"quantity", 1}}).brief() == "409 no-plan");
}

BOOST_AUTO_TEST_CASE(what_is_wrong_with_an_ask_is_named_and_nothing_is_recorded) {
  const own_server alone;
  const show one{theatre()};
  const wrong_body attempts[]{
      {R"({"best": {}})", "best.quantity"},
      {R"({"best": null})", "best"},
      {R"({"best": 2})", "best"},
      {R"({"best": [{"quantity": 2}]})", "best"},
      {R"({"best": {"quantity": 0}})", "best.quantity"},
      {R"({"best": {"quantity": 5}})", "best.quantity"},
      {R"({"best": {"quantity": -1}})", "best.quantity"},
      {R"({"best": {"quantity": 1.5}})", "best.quantity"},
      {R"({"best": {"quantity": "2"}})", "best.quantity"},
      {R"({"best": {"quantity": 18446744073709551615}})", "best.quantity"},
      {R"({"best": {"quantity": 2, "category": "gold"}})", "best.category"},
      {R"({"best": {"quantity": 2, "category": 7}})", "best.category"},
      {R"({"best": {"quantity": 2, "categories": "box"}})", "best.categories"},
      {R"({"best": {"quantity": 2, "categories": ["box", "gold"]}})", "best.categories"},
      {R"({"best": {"quantity": 2, "categories": [7]}})", "best.categories"},
      {R"({"best": {"quantity": 2, "category": "box", "categories": ["box"]}})", "best.categories"},
      {R"({"best": {"quantity": 2, "block": "nowhere"}})", "best.block"},
      {R"({"best": {"quantity": 2, "block": "floor"}})", "best.block"},
      {R"({"best": {"quantity": 2, "block": []}})", "best.block"},
      {R"({"best": {"quantity": 2, "rowFrom": 1, "rowTo": 2}})", "best.rowFrom best.rowTo"},
      {R"({"best": {"quantity": 2, "rowFrom": ")" + std::string(65, 'A') + "\"}}", "best.rowFrom"},
      {R"({"best": {"quantity": 2, "maxPrice": -1}})", "best.maxPrice"},
      {R"({"best": {"quantity": 2, "maxPrice": "350.00"}})", "best.maxPrice"},
      {R"({"best": {"quantity": 2, "accessible": 3}})", "best.accessible"},
      {R"({"best": {"quantity": 2, "accessible": true}})", "best.accessible"},
      {R"({"best": {"quantity": 2, "split": "no"}})", "best.split"},
      {R"({"best": {"quantity": 2}, "seats": ["A-1"]})", "seats"},
      {R"({"best": {"quantity": 0, "block": "x", "split": 1}})",
       "best.quantity best.block best.split"},
  };
  const auto end = log_end();
  for (const auto& each : attempts) {
    const auto got = server().ask("POST", one.path + "/holds", each.body);
    BOOST_TEST(got.brief() == "400 invalid-request", each.body << ": " << got);
    BOOST_TEST(got.fields() == each.fields, each.body << ": " << got);
  }
  BOOST_TEST(one.best({{"quantity", 2}, {"maxPrice", 1}}).status == 409);
  BOOST_TEST(log_end() == end);
  BOOST_TEST(one.best({{"quantity", 2}}).status == 201);
  BOOST_TEST(log_end() > end);
}

BOOST_AUTO_TEST_CASE(one_admission_has_its_limit_and_needs_to_be_admitted) {
  const show one{theatre()};
  one.open();
  BOOST_TEST(one.best({{"quantity", 2}}).brief() == "403 not-admitted");
  const auto ana = one.admitted();
  BOOST_TEST(one.best({{"quantity", 3}}, {.ticket = ana}).status == 201);
  BOOST_TEST(one.best({{"quantity", 2}}, {.ticket = ana}).brief() == "409 too-many-seats");
  BOOST_TEST(held_in(one) == 3U);
  BOOST_TEST(one.best({{"quantity", 1}}, {.ticket = ana}).status == 201);
}

BOOST_AUTO_TEST_CASE(the_same_key_is_the_same_seats_also_when_none_are_left) {
  const show one{two_short_rows()};
  const json ask{{"quantity", 3}};
  const auto first = one.best(ask, {.idempotency = "b"});
  BOOST_TEST(first.status == 201, first);
  BOOST_TEST(!first.replayed());
  for (const bool sold_out : {false, true}) {
    if (sold_out)
      BOOST_TEST(one.best(ask).status == 201);
    const auto again = one.best(ask, {.idempotency = "b"});
    BOOST_TEST(again.status == 201, again);
    BOOST_TEST(again.replayed());
    BOOST_TEST(again.text("holdId") == first.text("holdId"));
    BOOST_TEST(one.best({{"quantity", 2}}, {.idempotency = "b"}).brief() ==
               "422 idempotency-key-reused");
  }
  BOOST_TEST(nothing_matches(one.best(ask, {.idempotency = "c"})));
  // A refusal is not kept.
  BOOST_TEST(one.release(first.text("holdId")).status == 204);
  BOOST_TEST(one.best(ask, {.idempotency = "c"}).status == 201);
}

BOOST_AUTO_TEST_CASE(of_fifty_at_once_as_many_pairs_are_held_as_there_are) {
  auto what = two_short_rows();
  what["plan"]["blocks"][0]["rows"] = json::parse(
      R"([{"id": "R", "count": 10}, {"id": "S", "count": 10}, {"id": "T", "count": 10}])");
  const show one{what};
  const auto got = all_at_once(50, [&](std::size_t) { return one.best({{"quantity", 2}}); });
  std::size_t held = 0;
  std::set<std::string> seats;
  for (const auto& each : got) {
    if (each.status != 201) {
      BOOST_TEST(nothing_matches(each), each);
      continue;
    }
    ++held;
    for (const auto& seat : seats_of(each))
      BOOST_TEST(seats.insert(seat).second, seat << " is held twice");
  }
  BOOST_TEST(held == 15U);
  BOOST_TEST(seats.size() == 30U);
  BOOST_TEST(block_of(one, "b")["held"] == 30);
}

BOOST_AUTO_TEST_CASE(whoever_takes_what_comes_gets_something_while_others_name_seats) {
  // Twenty seats, ten fans who name one of the nearer ten and ten who take any.
  const show one;
  const auto got = all_at_once(20, [&](std::size_t i) {
    return i % 2 == 0 ? one.best({{"quantity", 1}}) : one.hold({"A-" + std::to_string(i / 2 + 1)});
  });
  std::set<std::string> seats;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (i % 2 == 0)
      BOOST_TEST(got[i].status == 201, got[i]);
    else if (got[i].status != 201)
      BOOST_TEST(obstacles_of(got[i]).size() == 1U, got[i]);
    if (got[i].status == 201)
      BOOST_TEST(seats.insert(seats_of(got[i])[0]).second);
  }
  BOOST_TEST(held_in(one) == seats.size());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace usher::test
