// Access codes over a real socket: uploading them, what a join with one gets, and in which order
// the tiers are admitted.

#include "tests/api/room.hpp"

#include <boost/test/unit_test.hpp>

namespace usher::test {

namespace {

/// A room with two tiers that admits nobody by itself.
json tiered(const json& more = json::object()) {
  auto made = hall_where({{"admitPerSecond", 0}, {"tiers", {"members", "presale"}}});
  made["waitingRoom"].update(more);
  return made;
}

said upload(const show& which, const json& batch) {
  return operate(which, "access-codes", batch);
}
/// A batch of the tier with these codes and no more said.
said upload(const show& which, const std::string& tier, const std::vector<std::string>& codes) {
  return upload(which, {{"tier", tier}, {"codes", codes}});
}
said join_with(const show& which, const std::string& code, const extra& with = {}) {
  return join_as(which, {{"accessCode", code}}, with);
}

} // namespace

BOOST_AUTO_TEST_SUITE(waiting_room_codes)

BOOST_AUTO_TEST_CASE(an_upload_says_what_was_taken_and_not_the_codes) {
  const show one{tiered()};
  const auto got = upload(one, {{"batch", "fan club"},
                                {"tier", "members"},
                                {"codes", {"one", "two", "three"}},
                                {"singleUse", false},
                                {"validFrom", in(-1h)},
                                {"validUntil", in(1h)}});
  BOOST_TEST(got.status == 201, got);
  BOOST_TEST(got.body == json::parse(R"({"batch": "fan club", "tier": "members",
                                         "singleUse": false, "codes": 3})"));
  const auto plainly = upload(one, "presale", {"x"});
  BOOST_TEST(plainly.body ==
             json::parse(R"({"batch": "", "tier": "presale", "singleUse": true, "codes": 1})"));
}

BOOST_AUTO_TEST_CASE(a_bad_upload_is_refused_with_its_fields_and_adds_nothing) {
  const show one{tiered()};
  one.open();
  const json codes{"good"};
  struct attempt {
    json body;
    std::string fields;
  };
  const attempt attempts[]{
      {{{"codes", codes}}, "tier"},
      {{{"tier", "gold"}, {"codes", codes}}, "tier"},
      {{{"tier", ""}, {"codes", codes}}, "tier"},
      {{{"tier", "members"}}, "codes"},
      {{{"tier", "members"}, {"codes", json::array()}}, "codes"},
      {{{"tier", "members"}, {"codes", "good"}}, "codes"},
      {{{"tier", "members"}, {"codes", {"good", ""}}}, "codes"},
      {{{"tier", "members"}, {"codes", {"good", 7}}}, "codes"},
      {{{"tier", "members"}, {"codes", {"good", std::string(129, 'a')}}}, "codes"},
      {{{"tier", "members"}, {"codes", codes}, {"singleUse", "no"}}, "singleUse"},
      {{{"tier", "members"}, {"codes", codes}, {"validFrom", "soon"}}, "validFrom"},
      {{{"tier", "members"}, {"codes", codes}, {"validUntil", 1}}, "validUntil"},
      {{{"tier", "members"},
        {"codes", codes},
        {"validFrom", in(1h)},
        {"validUntil", in(1h - 1min)}},
       "validUntil"},
      {{{"tier", "members"}, {"codes", codes}, {"uses", 2}}, "uses"},
      {{{"tier", "members"}, {"codes", codes}, {"batch", 5}}, "batch"},
  };
  for (const auto& each : attempts) {
    const auto got = upload(one, each.body);
    BOOST_TEST(got.brief() == "400 invalid-request", each.body << ": " << got);
    BOOST_TEST(got.fields() == each.fields, each.body << ": " << got);
  }
  BOOST_TEST(join_with(one, "good").code() == "access-code-unknown");
  for (const std::string key : {"", "service-key", "viewer-key"})
    BOOST_TEST(
        server()
            .post(one.room("access-codes"), {{"tier", "members"}, {"codes", codes}}, {.key = key})
            .status == (key.empty() ? 401 : 403));
  BOOST_TEST(join_with(one, "good").code() == "access-code-unknown");
  BOOST_TEST(upload(show{}, "members", {"good"}).fields() == "tier"); // a room without tiers
}

BOOST_AUTO_TEST_CASE(one_call_takes_fifty_thousand_codes_and_no_more) {
  const show one{tiered()};
  one.open();
  json codes = json::array();
  for (int i = 0; i < 50'001; ++i)
    codes.push_back("code-" + std::to_string(i));
  BOOST_TEST(upload(one, {{"tier", "members"}, {"codes", codes}}).fields() == "codes");
  codes.erase(codes.size() - 1);
  BOOST_TEST(upload(one, {{"tier", "members"}, {"codes", codes}}).status == 201);
  BOOST_TEST(join_with(one, "code-49999").status == 202);
  BOOST_TEST(join_with(one, "code-50000").code() == "access-code-unknown");
}

BOOST_AUTO_TEST_CASE(a_bad_code_is_refused_at_the_join_and_nothing_is_recorded) {
  const show one{tiered()};
  one.open();
  BOOST_TEST(upload(one, "members", {"used", "fresh"}).status == 201);
  BOOST_TEST(
      upload(one, {{"tier", "members"}, {"codes", {"early"}}, {"validFrom", in(1h)}}).status ==
      201);
  BOOST_TEST(
      upload(one, {{"tier", "members"}, {"codes", {"late"}}, {"validUntil", in(-1h)}}).status ==
      201);
  BOOST_TEST(join_with(one, "used").status == 202);
  struct attempt {
    std::string code;
    std::string refusal;
  };
  for (const auto& each :
       {attempt{"wrong", "access-code-unknown"}, attempt{"USED", "access-code-unknown"},
        attempt{"used", "access-code-used"}, attempt{"early", "access-code-not-yet"},
        attempt{"late", "access-code-expired"}}) {
    const auto got = join_with(one, each.code, {.idempotency = "k"});
    BOOST_TEST(got.brief() == "403 " + each.refusal, got);
    BOOST_TEST(!got.body.contains("ticketId"));
    BOOST_TEST(count_of(one, "waiting") == 1, each.code);
  }
  for (const auto& body : {json{{"accessCode", ""}}, json{{"accessCode", 7}},
                           json{{"accessCode", std::string(129, 'a')}}})
    BOOST_TEST(join_as(one, body).fields() == "accessCode", body);
  // Nor does a fan who waits lose the place by it.
  const auto ticket = one.join({.idempotency = "k"}).text("ticketId");
  BOOST_TEST(join_with(one, "wrong", {.idempotency = "k"}).status == 403);
  BOOST_TEST(position_of(one, ticket) == 2);
  // A code of another show is none here.
  const show other{tiered()};
  other.open();
  BOOST_TEST(join_with(other, "fresh").code() == "access-code-unknown");
}

BOOST_AUTO_TEST_CASE(a_code_counts_from_and_until_its_times) {
  const show one{tiered()};
  one.open();
  const auto batch = json{{"tier", "members"},
                          {"codes", {"c"}},
                          {"singleUse", false},
                          {"validFrom", in(1h)},
                          {"validUntil", in(2h)}};
  BOOST_TEST(upload(one, batch).status == 201);
  BOOST_TEST(join_with(one, "c").code() == "access-code-not-yet");
  server().clock.advance(1h);
  BOOST_TEST(join_with(one, "c").status == 202);
  server().clock.advance(1h);
  BOOST_TEST(join_with(one, "c").code() == "access-code-expired");
  BOOST_TEST(count_of(one, "waiting") == 1);
}

BOOST_AUTO_TEST_CASE(a_code_for_one_fan_lets_that_fan_reload_and_nobody_else_in) {
  const show one{tiered()};
  one.open();
  BOOST_TEST(upload(one, "members", {"single"}).status == 201);
  BOOST_TEST(
      upload(one, {{"tier", "members"}, {"codes", {"shared"}}, {"singleUse", false}}).status ==
      201);
  const auto first = join_with(one, "single", {.idempotency = "tab"});
  BOOST_TEST(first.status == 202);
  BOOST_TEST(first.text("tier") == "members");
  const auto again = join_with(one, "single", {.idempotency = "tab"});
  BOOST_TEST(again.status == 200, again);
  BOOST_TEST(again.text("ticketId") == first.text("ticketId"));
  BOOST_TEST(join_with(one, "single").code() == "access-code-used");
  BOOST_TEST(join_with(one, "shared").status == 202);
  BOOST_TEST(join_with(one, "shared").status == 202);
  BOOST_TEST(count_of(one, "waiting") == 3);
  // Closing gives back what no admission has spent.
  BOOST_TEST(operate(one, "close").status == 204);
  one.open();
  BOOST_TEST(join_with(one, "single").status == 202);
}

BOOST_AUTO_TEST_CASE(tiers_are_admitted_one_after_the_other_and_each_by_arrival) {
  const show one{tiered({{"maxActive", 1}})};
  one.open();
  BOOST_TEST(upload(one, {{"tier", "members"}, {"codes", {"m"}}, {"singleUse", false}}).status ==
             201);
  BOOST_TEST(upload(one, {{"tier", "presale"}, {"codes", {"p"}}, {"singleUse", false}}).status ==
             201);
  const auto general_1 = one.join();
  const auto presale_1 = join_with(one, "p");
  const auto member_1 = join_with(one, "m");
  const auto general_2 = one.join();
  const auto presale_2 = join_with(one, "p");
  const auto member_2 = join_with(one, "m");
  BOOST_TEST(!general_1.body.contains("tier"));
  BOOST_TEST(presale_1.text("tier") == "presale");
  BOOST_TEST(member_1.text("tier") == "members");
  std::vector<std::string> order;
  for (const auto* each : {&member_1, &member_2, &presale_1, &presale_2, &general_1, &general_2}) {
    order.push_back(each->text("ticketId"));
    const auto got = one.ticket(order.back());
    BOOST_TEST(got.body["position"] == order.size());
    BOOST_TEST(got.body["ahead"] == order.size() - 1);
    BOOST_TEST(got.body["behind"] == 6 - order.size());
  }
  // One may be in at once: whoever is let in is the only one.
  BOOST_TEST(set(one, {{"admitPerSecond", 1000}}).status == 200);
  for (const auto& ticket : order) {
    BOOST_TEST(is_let_in(one, ticket));
    BOOST_TEST(count_of(one, "active") == 1);
    BOOST_TEST(leave(one, ticket).status == 204);
  }
}

BOOST_AUTO_TEST_CASE(a_waiting_fan_who_finds_a_code_moves_up_with_the_same_ticket) {
  const show one{tiered()};
  one.open();
  BOOST_TEST(upload(one, "members", {"m1", "m2"}).status == 201);
  BOOST_TEST(upload(one, "presale", {"p"}).status == 201);
  const auto first = ticket_of(one);
  const auto second = one.join({.idempotency = "k"}).text("ticketId");
  const auto member = join_with(one, "m1").text("ticketId");
  const auto got = join_with(one, "p", {.idempotency = "k"});
  BOOST_TEST(got.brief() == "200 WAITING", got);
  BOOST_TEST(got.text("ticketId") == second);
  BOOST_TEST(got.text("tier") == "presale");
  BOOST_TEST(got.body["position"] == 2);
  BOOST_TEST(position_of(one, member) == 1);
  BOOST_TEST(position_of(one, first) == 3);
  // A worse code moves nobody down, and is not spent by it.
  BOOST_TEST(join_with(one, "m2", {.ticket = second}).body["position"] == 2); // behind the member
  BOOST_TEST(one.ticket(second).text("tier") == "members");
  BOOST_TEST(upload(one, "presale", {"p2"}).status == 201);
  BOOST_TEST(join_with(one, "p2", {.ticket = second}).text("tier") == "members");
  BOOST_TEST(join_with(one, "p2").status == 202);
}

BOOST_AUTO_TEST_CASE(a_tier_with_codes_does_not_vanish) {
  const show one{tiered()};
  BOOST_TEST(upload(one, "presale", {"p"}).status == 201);
  const auto before = one.description();
  BOOST_TEST(set(one, {{"tiers", {"members"}}}).brief() == "409 tier-in-use");
  BOOST_TEST(set(one, {{"tiers", json::array()}}).brief() == "409 tier-in-use");
  BOOST_TEST(one.description() == before);
  BOOST_TEST(set(one, {{"tiers", {"vip", "presale"}}}).status == 200);
  one.open();
  BOOST_TEST(join_with(one, "p").text("tier") == "presale");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace usher::test
