// The draw over a real socket: what is published before and after it, the beacon, and that anybody
// can recompute it: the cases do, with OpenSSL and what GET …/draw says alone.

#include "tests/api/room.hpp"

#include <boost/test/unit_test.hpp>
#include <openssl/hmac.h>
#include <openssl/sha.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace usher::test {

namespace {

json prequeue(const json& more = json::object()) {
  auto made = hall_where({{"opensAt", in(1h)}, {"prequeue", "2h"}, {"admitPerSecond", 0}});
  made["waitingRoom"].update(more);
  return made;
}

said draw_of(const show& which) {
  return server().get(which.room("draw"));
}
said give_beacon(const show& which, const std::string& value) {
  return operate(which, "draw/beacon", {{"value", value}});
}

std::string from_hex(const std::string& hex) {
  std::string bytes;
  for (std::size_t at = 0; at + 1 < hex.size(); at += 2)
    bytes.push_back(static_cast<char>(std::stoi(hex.substr(at, 2), nullptr, 16)));
  return bytes;
}

std::string sha256_hex(const std::string& bytes) {
  std::array<std::uint8_t, SHA256_DIGEST_LENGTH> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data());
  return http::to_hex(digest);
}

/// Ticket number -> place, from 1, as a stranger computes it.
std::map<std::uint32_t, std::uint32_t> recomputed(const json& draw) {
  auto key = from_hex(draw["seed"]);
  if (draw["beacon"].is_object() && draw["beacon"]["value"].is_string())
    key += draw["beacon"]["value"].get<std::string>();
  std::map<std::uint32_t, std::uint32_t> places;
  std::uint32_t next = 0;
  for (const auto& tier : draw["tiers"]) {
    std::vector<std::pair<std::string, std::uint32_t>> lots;
    for (const auto& range : tier["tickets"])
      for (auto number = range[0].get<std::uint32_t>(); number <= range[1]; ++number) {
        std::string text;
        for (const unsigned shift : {24U, 16U, 8U, 0U})
          text.push_back(static_cast<char>(number >> shift));
        lots.emplace_back(seller_key::hmac(key, text), number);
      }
    std::sort(lots.begin(), lots.end(), [](const auto& a, const auto& b) {
      return std::lexicographical_compare(
          a.first.begin(), a.first.end(), b.first.begin(), b.first.end(), [](char x, char y) {
            return static_cast<unsigned char>(x) < static_cast<unsigned char>(y);
          });
    });
    for (const auto& [hash, number] : lots)
      places[number] = ++next;
  }
  return places;
}

} // namespace

BOOST_AUTO_TEST_SUITE(waiting_room_draw)

BOOST_AUTO_TEST_CASE(without_an_opening_ahead_there_is_no_draw) {
  const show one;
  BOOST_TEST(draw_of(one).brief() == "404 no-draw");
  one.open();
  BOOST_TEST(draw_of(one).brief() == "404 no-draw");
  BOOST_TEST(!one.join().body.contains("draw"));
  BOOST_TEST(server().get("/v1/shows/none/waiting-room/draw").brief() == "404 unknown-show");
}

BOOST_AUTO_TEST_CASE(before_the_draw_only_the_commitment_is_published_and_no_answer_has_the_seed) {
  const auto what = prequeue();
  const show one{what};
  std::vector<std::string> answers;
  const auto before = draw_of(one);
  BOOST_TEST(before.status == 200);
  BOOST_TEST(before.header("cache-control") == "public, max-age=1");
  BOOST_TEST(before.body["status"] == "COMMITTED");
  BOOST_TEST(before.text("showId") == one.id);
  BOOST_TEST(before.text("opensAt") == what["waitingRoom"]["opensAt"].get<std::string>());
  BOOST_TEST(before.text("commitment").size() == 64U);
  BOOST_TEST(before.body["beacon"].is_null());
  for (const std::string no : {"seed", "tiers", "drawnAt"})
    BOOST_TEST(!before.body.contains(no), no);
  const auto joined = one.join();
  const auto ticket = joined.text("ticketId");
  for (const auto& got :
       {before, joined, one.ticket(ticket), server().get(one.path), server().get("/v1/shows"),
        server().get(one.room("tickets/" + ticket + "/history")), server().put(one.path, what)})
    answers.push_back(got.raw.body);

  BOOST_TEST(operate(one, "open").status == 204);
  const auto after = draw_of(one);
  BOOST_TEST(after.body["status"] == "DRAWN");
  const auto seed = after.text("seed");
  BOOST_TEST(seed.size() == 64U);
  BOOST_TEST(sha256_hex(from_hex(seed)) == before.text("commitment"));
  BOOST_TEST(after.text("commitment") == before.text("commitment"));
  for (const auto& each : answers)
    BOOST_TEST(each.find(seed) == std::string::npos, each);
}

BOOST_AUTO_TEST_CASE(an_etag_stands_for_one_state_of_the_draw) {
  const show one{prequeue({{"beacon", {{"source", "s"}, {"round", "1"}}}})};
  std::string etag;
  const auto has_changed = [&] {
    const extra known{.headers = "If-None-Match: " + etag + "\r\n"};
    const bool changed = server().get(one.room("draw"), known).status == 200;
    etag = draw_of(one).header("etag");
    return changed &&
           server().get(one.room("draw"), {.headers = "If-None-Match: " + etag + "\r\n"}).status ==
               304;
  };
  BOOST_TEST(has_changed());
  BOOST_TEST(set(one, {{"opensAt", in(90min)}}).status == 200);
  BOOST_TEST(has_changed());
  BOOST_TEST(draw_of(one).text("opensAt") == room_of(one)["opensAt"].get<std::string>());
  BOOST_TEST(give_beacon(one, "ab").status == 204);
  BOOST_TEST(has_changed());
  BOOST_TEST(operate(one, "open").status == 204);
  BOOST_TEST(has_changed());
  BOOST_TEST(one.join().status == 202);
  BOOST_TEST(!has_changed()); // who comes later is in no draw
}

BOOST_AUTO_TEST_CASE(a_new_schedule_has_a_new_seed) {
  const show one{prequeue()};
  const auto first = draw_of(one).text("commitment");
  BOOST_TEST(operate(one, "open").status == 204);
  const auto seed = draw_of(one).text("seed");
  BOOST_TEST(operate(one, "close").status == 204);
  BOOST_TEST(draw_of(one).text("seed") == seed); // a draw that was stays to be checked
  BOOST_TEST(set(one, {{"opensAt", in(1h)}}).status == 200);
  const auto again = draw_of(one);
  BOOST_TEST(again.body["status"] == "COMMITTED");
  BOOST_TEST(again.text("commitment") != first);
  BOOST_TEST(!again.body.contains("seed"));
}

BOOST_AUTO_TEST_CASE(the_beacon_is_committed_by_source_and_round_and_its_value_given_once) {
  const show one{prequeue({{"beacon", {{"source", "drand quicknet"}, {"round", "42"}}}})};
  BOOST_TEST(draw_of(one).body["beacon"] ==
             json::parse(R"({"source": "drand quicknet", "round": "42", "value": null})"));
  BOOST_TEST(give_beacon(one, "ab12").status == 204);
  BOOST_TEST(draw_of(one).body["beacon"]["value"] == "ab12");
  BOOST_TEST(give_beacon(one, "ab12").status == 204); // the same again is no error
  BOOST_TEST(give_beacon(one, "cd34").brief() == "409 beacon-fixed");
  BOOST_TEST(draw_of(one).body["beacon"]["value"] == "ab12");
  BOOST_TEST(operate(one, "open").status == 204);
  const auto drawn = draw_of(one);
  BOOST_TEST(drawn.body["beacon"] ==
             json::parse(R"({"source": "drand quicknet", "round": "42", "value": "ab12"})"));
  for (const std::string value : {"ab12", "cd34"})
    BOOST_TEST(give_beacon(one, value).brief() == "409 no-draw", value);
  BOOST_TEST(draw_of(one).body == drawn.body);
}

BOOST_AUTO_TEST_CASE(a_beacon_that_the_settings_do_not_name_or_a_bad_one_is_refused) {
  const show without{prequeue()};
  BOOST_TEST(give_beacon(without, "ab12").brief() == "409 no-draw");
  BOOST_TEST(give_beacon(show{}, "ab12").brief() == "409 no-draw");

  const show one{prequeue({{"beacon", {{"source", "s"}, {"round", "1"}}}})};
  const auto before = draw_of(one).body;
  struct attempt {
    json body;
    std::string field;
  };
  for (const auto& each :
       {attempt{json::object(), "value"}, attempt{{{"value", ""}}, "value"},
        attempt{{{"value", 7}}, "value"}, attempt{{{"value", std::string(257, 'a')}}, "value"},
        attempt{{{"value", "a"}, {"round", "2"}}, "round"}}) {
    const auto got = operate(one, "draw/beacon", each.body);
    BOOST_TEST(got.brief() == "400 invalid-request", each.body);
    BOOST_TEST(got.fields() == each.field, each.body);
  }
  BOOST_TEST(server().post(one.room("draw/beacon"), {{"value", "a"}}).status == 401);
  BOOST_TEST(draw_of(one).body == before);
}

BOOST_AUTO_TEST_CASE(who_recomputes_the_draw_finds_every_fan_at_the_published_place) {
  const show one{prequeue(
      {{"tiers", {"members", "presale"}}, {"beacon", {{"source", "drand"}, {"round", "7"}}}})};
  BOOST_TEST(
      operate(one, "access-codes", {{"tier", "presale"}, {"codes", {"p"}}, {"singleUse", false}})
          .status == 201);
  BOOST_TEST(
      operate(one, "access-codes", {{"tier", "members"}, {"codes", {"m"}}, {"singleUse", false}})
          .status == 201);
  std::vector<std::string> tickets;
  for (int i = 0; i < 40; ++i) {
    const auto got = i % 5 == 0   ? join_as(one, {{"accessCode", "p"}})
                     : i % 7 == 0 ? join_as(one, {{"accessCode", "m"}})
                                  : one.join();
    BOOST_TEST(got.brief() == "202 PREQUEUE");
    BOOST_TEST(got.body["ticketNumber"] == i);
    BOOST_TEST(!got.body.contains("drawnPlace"));
    tickets.push_back(got.text("ticketId"));
  }
  // Two of the general ones leave, and one comes with a code after all.
  for (const std::size_t gone : {3U, 22U})
    BOOST_TEST(leave(one, tickets[gone]).status == 204);
  BOOST_TEST(join_as(one, {{"accessCode", "m"}}, {.ticket = tickets[1]}).status == 200);
  BOOST_TEST(give_beacon(one, "f00d").status == 204);
  BOOST_TEST(opens_by_itself(one));

  const auto draw = draw_of(one).body;
  BOOST_TEST_REQUIRE(draw["tiers"].size() == 3U);
  BOOST_TEST(draw["tiers"][0]["tier"] == "members");
  BOOST_TEST(draw["tiers"][0]["tickets"] ==
             json::parse("[[1, 1], [7, 7], [14, 14], [21, 21], [28, 28]]"));
  BOOST_TEST(draw["tiers"][1]["count"] == 8);
  BOOST_TEST(draw["tiers"][2]["tier"].is_null());
  BOOST_TEST(draw["tiers"][2]["count"] == 25);
  const auto places = recomputed(draw);
  BOOST_TEST(places.size() == 38U);
  for (const auto& ticket : tickets) {
    const auto got = one.ticket(ticket);
    if (got.status == 410)
      continue;
    const auto number = got.body["ticketNumber"].get<std::uint32_t>();
    BOOST_TEST_INFO("ticket number " << number);
    BOOST_TEST(got.body["drawnPlace"] == places.at(number));
    BOOST_TEST(got.body["position"] == places.at(number));
    BOOST_TEST(got.text("draw") == one.room("draw"));
  }
  const auto late = one.join(); // behind all who were drawn, by arrival
  BOOST_TEST(late.body["position"] == 39);
  BOOST_TEST(!late.body.contains("drawnPlace"));
  BOOST_TEST(join_as(one, {{"accessCode", "m"}}).body["position"] == 6); // behind the drawn members
}

BOOST_AUTO_TEST_CASE(who_is_drawn_first_is_admitted_first) {
  const show one{prequeue({{"maxActive", 1}})};
  std::map<int, std::string> by_place;
  const auto tickets = join_many(one, 12);
  BOOST_TEST(operate(one, "open").status == 204);
  for (const auto& each : tickets)
    by_place[one.ticket(each).body["drawnPlace"].get<int>()] = each;
  BOOST_TEST_REQUIRE(by_place.size() == 12U);
  BOOST_TEST(set(one, {{"admitPerSecond", 1000}}).status == 200);
  for (const auto& [place, ticket] : by_place) {
    BOOST_TEST(is_let_in(one, ticket), place);
    BOOST_TEST(count_of(one, "active") == 1);
    BOOST_TEST(leave(one, ticket).status == 204);
  }
}

// Arrival and drawn place of 5,000 fans are uncorrelated: Spearman's rho has a standard deviation
// of 1/sqrt(4999) = 0.0141 if they are, so one random draw in 2,500 would be beyond 0.05. The test
// server's draw key, the shows' names and the ticket numbers are fixed, so these draws are the same
// in every run and raise no false alarm.
BOOST_AUTO_TEST_CASE(the_place_does_not_depend_on_the_order_of_arrival) {
  constexpr std::size_t fans = 5'000;
  own_server apart;
  for (const std::string name : {"first-draw", "second-draw", "third-draw"}) {
    const show one{prequeue(), name};
    const auto tickets = join_many(one, fans);
    BOOST_TEST(operate(one, "open").status == 204);
    const auto& entry = *server().app.shows->find(one.id);
    double squares = 0;
    std::vector<bool> taken(fans + 1);
    for (std::size_t arrival = 0; arrival < fans; ++arrival) {
      const auto known = server().app.tickets.read(tickets[arrival]);
      const auto position = entry.board->look(known->slot, known->nonce).position;
      BOOST_REQUIRE(position >= 1 && position <= fans && !taken[position]);
      taken[position] = true;
      const auto apart_by = static_cast<double>(position) - static_cast<double>(arrival + 1);
      squares += apart_by * apart_by;
    }
    constexpr double n = fans;
    const auto rho = 1 - 6 * squares / (n * (n * n - 1));
    BOOST_TEST(std::abs(rho) < 0.05, name << ": " << rho);
    BOOST_TEST(one.ticket(tickets[4'321]).body["drawnPlace"] ==
               recomputed(draw_of(one).body).at(4'321));
  }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace usher::test
