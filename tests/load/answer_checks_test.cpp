// Every check of an answer: what is right passes, and each way to be wrong is found and named. A
// right answer is changed in one member at a time. Made to fail once: with each of the checks that
// a line names left out.

#include "bench/load/answer_checks.hpp"
#include "bench/load/places.hpp"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <ostream>

using namespace usher::load;
using nlohmann::json;

namespace {

/// An answer whose body lives as long as it does.
struct told_answer {
  told_answer(int status, json what, int retry_after_s = -1)
      : body{what.dump()}, got{.status = status, .retry_after_s = retry_after_s, .body = body} {}
  told_answer(const told_answer&) = delete;
  told_answer& operator=(const told_answer&) = delete;

  std::string body;
  answer got;
};

json with(json what, const std::string& name, json value) {
  if (value.is_discarded())
    what.erase(name);
  else
    what[name] = std::move(value);
  return what;
}
const json none(json::value_t::discarded);

void is_fine(const verdict& what) {
  BOOST_TEST((what.what == outcome::fine), what.why);
}
void is_refused(const verdict& what, const std::string& why) {
  BOOST_TEST((what.what == outcome::refused));
  BOOST_TEST(what.why == why);
}
void is_wrong(const verdict& what, const std::string& why) {
  BOOST_TEST((what.what == outcome::wrong), "not wrong: " << why);
  BOOST_TEST(what.why.starts_with(why), what.why << ", not " << why);
}

const json waiting{{"ticketId", "t-1"},     {"showId", "gala"},   {"status", "WAITING"},
                   {"position", 7},         {"ahead", 6},         {"etaSeconds", nullptr},
                   {"pollAfterSeconds", 3}, {"roomState", "OPEN"}};
const json admitted{
    {"ticketId", "t-1"}, {"showId", "gala"}, {"status", "ADMITTED"}, {"expiresInSeconds", 300}};
const json held{{"holdId", "h-1"},
                {"status", "HELD"},
                {"seats", {{{"id", "r1-1"}}, {{"id", "r1-2"}}}},
                {"total", {{"amount", 2 * seat_price_minor}, {"currency", "EUR"}}},
                {"expiresInSeconds", 300}};
const json ordered{{"id", "o-1"},
                   {"status", "PENDING"},
                   {"holdId", "h-1"},
                   {"seats", held["seats"]},
                   {"total", held["total"]}};
const std::vector<seat_number> two_seats{0, 1};

verdict join(int status, const json& body, int retry_after_s = -1) {
  const told_answer given{status, body, retry_after_s};
  ticket_told told;
  return check_join(given.got, "gala", told);
}

verdict poll(const fan& who, int status, const json& body, moment latest_admitted = 0) {
  const told_answer given{status, body};
  ticket_told told;
  return check_poll(given.got, who, "t-1", latest_admitted, told);
}

fan who_waits() {
  fan who;
  who.position = 7;
  who.join_sent = 100;
  who.join_answered = 200;
  who.stage = stage::waiting;
  return who;
}

verdict hold(int status, const json& body, std::span<const seat_number> asked,
             std::size_t quantity = 2) {
  const told_answer given{status, body};
  hold_told told;
  return check_hold(given.got, asked, quantity, told);
}

verdict order(int status, const json& body) {
  const told_answer given{status, body};
  const hold_told of{.hold = "h-1", .seats = two_seats, .total_minor = 2 * seat_price_minor};
  std::string_view id;
  return check_order(given.got, of, id);
}

verdict pay(int status, const json& body) {
  const told_answer given{status, body};
  bool pending = false;
  const auto what = check_pay(given.got, "o-1", two_seats, pending);
  BOOST_TEST(pending == (status == 202 && what.what == outcome::fine));
  return what;
}

} // namespace

BOOST_AUTO_TEST_CASE(being_turned_away_for_now_is_no_error_if_it_says_until_when) {
  const json busy{{"code", "overloaded"}};
  BOOST_TEST((join(503, busy, 2).what == outcome::shed));
  BOOST_TEST((join(503, json::object(), 0).what == outcome::shed));
  is_wrong(join(503, busy), "503 without Retry-After");
  for (const auto* code : {"no-gateway", "outcome-unknown", "disk-full"})
    is_wrong(join(503, {{"code", code}}, 2), "status 503 " + std::string{code});
}

BOOST_AUTO_TEST_CASE(any_other_status_is_an_error_with_its_code) {
  is_wrong(join(500, json::object()), "status 500");
  is_wrong(join(409, {{"code", "room-off"}}), "status 409 room-off");
  is_wrong(join(200, waiting), "status 200"); // a ticket that somebody else has
  is_wrong(hold(403, {{"code", "not-admitted"}}, two_seats), "status 403 not-admitted");
  is_wrong(order(200, ordered), "status 200");
  is_wrong(pay(402, {{"code", "payment-declined"}}), "status 402 payment-declined");
  is_wrong(poll(who_waits(), 404, {{"status", "UNKNOWN"}}), "status 404");
}

BOOST_AUTO_TEST_CASE(a_page_is_that_of_the_show) {
  const auto page = [](int status, const json& body) {
    const told_answer given{status, body};
    return check_page(given.got, "gala");
  };
  const json good{{"id", "gala"}, {"title", "x"}, {"waitingRoom", {{"state", "OPEN"}}}};
  is_fine(page(200, good));
  is_wrong(page(200, with(good, "id", "hamlet")), "not the page of the show");
  is_wrong(page(200, with(good, "waitingRoom", none)), "not the page of the show");
  is_wrong(page(404, good), "status 404");
}

BOOST_AUTO_TEST_CASE(a_join_gives_a_place_of_this_show) {
  is_fine(join(202, waiting));
  is_fine(join(202, admitted));
  is_refused(join(410, {{"code", "sold-out"}}), "sold-out");
  is_wrong(join(410, {{"code", "gone"}}), "status 410 gone");
  is_wrong(join(202, with(waiting, "ticketId", none)), "no ticketId");
  is_wrong(join(202, with(waiting, "ticketId", std::string(300, 'x'))), "no ticketId");
  is_wrong(join(202, with(waiting, "showId", "hamlet")), "a ticket of another show");
  is_wrong(join(202, with(waiting, "status", "LEFT")), "neither WAITING nor ADMITTED");
  is_wrong(join(202, with(waiting, "position", 0)), "no position of 1 or more");
  is_wrong(join(202, with(waiting, "position", -3)), "no position of 1 or more");
  is_wrong(join(202, with(waiting, "pollAfterSeconds", none)), "no pollAfterSeconds");
}

BOOST_AUTO_TEST_CASE(what_a_join_tells_is_read) {
  const told_answer given{202, with(waiting, "etaSeconds", 40)};
  ticket_told told;
  is_fine(check_join(given.got, "gala", told));
  BOOST_TEST(told.ticket == "t-1");
  BOOST_TEST(told.position == 7U);
  BOOST_TEST(told.ask_after_s == 3);
  BOOST_TEST((told.eta_s == 40));
  BOOST_TEST(!told.admitted);
  BOOST_TEST(!told.sold_out);
  const told_answer other{202, with(admitted, "roomState", "ENDED")};
  is_fine(check_join(other.got, "gala", told));
  BOOST_TEST(told.admitted);
  BOOST_TEST(told.sold_out);
}

BOOST_AUTO_TEST_CASE(a_place_never_gets_worse) {
  const auto who = who_waits();
  is_fine(poll(who, 200, waiting));
  is_fine(poll(who, 200, with(waiting, "position", 6)));
  is_fine(poll(who, 200, admitted));
  is_wrong(poll(who, 200, with(waiting, "position", 8)), "the position grew");
  is_wrong(poll(who, 200, with(waiting, "ticketId", "t-2")), "the ticket of another fan");
  is_wrong(poll(who, 200, with(waiting, "status", "USED")), "neither WAITING nor ADMITTED");
  is_wrong(poll(who, 410, {{"ticketId", "t-1"}, {"status", "EXPIRED"}, {"reason", "absent"}}),
           "a live ticket ended: absent");
}

BOOST_AUTO_TEST_CASE(who_is_in_stays_in_until_the_ticket_is_used) {
  auto who = who_waits();
  who.stage = stage::admitted;
  is_fine(poll(who, 200, admitted));
  is_wrong(poll(who, 200, waiting), "waiting again after being admitted");
  who.stage = stage::bought;
  is_refused(poll(who, 410, {{"ticketId", "t-1"}, {"status", "USED"}, {"reason", "used"}}), "used");
}

BOOST_AUTO_TEST_CASE(nobody_overtakes) {
  const auto who = who_waits();          // joined from 100 to 200
  is_fine(poll(who, 200, waiting, 150)); // under way at the same time: any order will do
  is_fine(poll(who, 200, waiting, 200));
  is_wrong(poll(who, 200, waiting, 201), "somebody who joined later was let in before");
  is_fine(poll(who, 200, admitted, 201));
}

BOOST_AUTO_TEST_CASE(the_latest_of_those_let_in_is_remembered) {
  turnstile gate;
  auto who = who_waits();
  gate.admitted(who);
  who.join_sent = 50;
  gate.admitted(who);
  BOOST_TEST(gate.latest_admitted() == 100U);
}

BOOST_AUTO_TEST_CASE(a_line_has_each_place_once_and_in_the_order_of_arrival) {
  using places = std::vector<place>;
  const auto fault = [](places all) { return fault_in_line(all).value_or("none"); };
  BOOST_TEST(fault({}) == "none");
  BOOST_TEST(fault({{2, 10, 20}, {1, 11, 21}, {3, 30, 40}}) == "none");
  BOOST_TEST(fault({{1, 10, 20}, {2, 11, 21}, {2, 12, 22}}) == "position 2 was given to two fans");
  BOOST_TEST(fault({{1, 10, 20}, {3, 11, 21}}) == "nobody has position 2 of 2");
  BOOST_TEST(fault({{2, 10, 20}, {3, 11, 21}}) == "nobody has position 1 of 2");
  BOOST_TEST(fault({{1, 30, 40}, {2, 31, 41}, {3, 10, 20}}) ==
             "the fan at position 3 had a place before somebody ahead asked for one");
}

BOOST_AUTO_TEST_CASE(a_map_is_whole) {
  const auto map = [](int status, const json& body) {
    const told_answer given{status, body};
    return check_map(given.got);
  };
  const json good{{"full", true}, {"blocks", json::array()}};
  is_fine(map(200, good));
  is_wrong(map(200, with(good, "full", none)), "no whole seat map");
  is_wrong(map(200, with(good, "blocks", none)), "no whole seat map");
  is_wrong(map(304, good), "status 304");
}

BOOST_AUTO_TEST_CASE(a_hold_has_the_seats_that_were_asked_for_and_their_price) {
  is_fine(hold(201, held, two_seats));
  is_fine(hold(201, held, std::array<seat_number, 2>{1, 0}));
  is_fine(hold(201, held, {}, 2)); // any two
  is_refused(hold(409, {{"code", "seat-unavailable"}}, two_seats), "seat-unavailable");
  is_wrong(hold(409, {{"code", "hold-limit"}}, two_seats), "status 409 hold-limit");
  is_wrong(hold(201, held, std::array<seat_number, 2>{0, 2}), "not the seats");
  is_wrong(hold(201, held, std::array<seat_number, 1>{0}), "not the seats");
  is_wrong(hold(201, held, {}, 3), "not the seats");
  is_wrong(hold(201, with(held, "holdId", none), two_seats), "no hold in it");
  is_wrong(hold(201, with(held, "status", "EXPIRED"), two_seats), "no hold in it");
  is_wrong(hold(201, with(held, "seats", {{{"id", "A-1"}}, {{"id", "A-2"}}}), two_seats),
           "seats that the plan does not have");
  is_wrong(hold(201, with(held, "seats", none), two_seats), "seats that the plan does not have");
  is_wrong(hold(201, with(held, "total", {{"amount", seat_price_minor}}), two_seats), "a total");
  is_wrong(hold(201, with(held, "total", none), two_seats), "a total");
}

BOOST_AUTO_TEST_CASE(an_order_is_that_of_its_hold) {
  is_fine(order(201, ordered));
  is_wrong(order(201, with(ordered, "id", none)), "no order that is PENDING");
  is_wrong(order(201, with(ordered, "status", "PAID")), "no order that is PENDING");
  is_wrong(order(201, with(ordered, "holdId", "h-2")), "the order of another hold");
  is_wrong(order(201, with(ordered, "seats", {{{"id", "r1-1"}}, {{"id", "r1-3"}}})),
           "an order of other seats");
  is_wrong(order(201, with(ordered, "total", {{"amount", 1}})), "an order with another total");
}

BOOST_AUTO_TEST_CASE(a_payment_is_for_its_order_and_its_seats) {
  const auto paid = with(ordered, "status", "PAID");
  is_fine(pay(200, paid));
  is_fine(pay(202, with(ordered, "status", "PAYING")));
  is_wrong(pay(200, with(paid, "id", "o-2")), "another order");
  is_wrong(pay(202, with(paid, "id", "o-2")), "another order");
  is_wrong(pay(200, ordered), "paid, and not PAID");
  is_wrong(pay(200, with(paid, "seats", {{{"id", "r1-1"}}})), "paid for other seats");
}
