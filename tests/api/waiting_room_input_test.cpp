// The settings of a room over a real socket: which values are refused, with their fields, and which
// may not change any more once fans may be in. What is refused changes nothing.

#include "tests/api/room.hpp"

#include <boost/test/unit_test.hpp>

namespace usher::test {

namespace {

json nine_tiers() {
  json tiers = json::array();
  for (int i = 0; i < 9; ++i)
    tiers.push_back("tier-" + std::to_string(i));
  return tiers;
}

} // namespace

BOOST_AUTO_TEST_SUITE(waiting_room_input)

BOOST_AUTO_TEST_CASE(every_setting_is_read_back_as_it_was_set) {
  const auto all = json::parse(R"({"admitPerSecond": 0.25, "maxActive": 7, "maxPerTick": 3,
    "tick": "250ms", "admissionTtl": "10m", "idleTimeout": "2m", "fixedLength": true,
    "maxQueue": 1000, "opensAt": null, "prequeue": "90m", "absentAfter": "45s", "claimTtl": "1h",
    "reentryGrace": "3m", "proofOfWork": true, "tiers": ["members", "presale"],
    "beacon": {"source": "drand quicknet", "round": "12345"}})");
  auto what = hall();
  what["waitingRoom"] = all;
  const show one{what};
  auto expected = all;
  expected.update(json::parse(R"({"state": "OFF", "waiting": 0, "absent": 0, "active": 0})"));
  BOOST_TEST(room_of(one) == expected);
  // Whatever can be off is switched off by null.
  const auto off = json::parse(R"({"maxActive": null, "maxPerTick": null, "idleTimeout": null,
                                   "reentryGrace": null, "beacon": null})");
  BOOST_TEST(set(one, off).status == 200);
  expected.update(off);
  BOOST_TEST(room_of(one) == expected);
}

BOOST_AUTO_TEST_CASE(opens_at_is_any_time_of_rfc_3339_and_is_told_in_utc) {
  const show one;
  BOOST_TEST(set(one, {{"opensAt", "2099-11-30T10:00:00-03:00"}}).status == 200);
  BOOST_TEST(room_of(one)["opensAt"] == "2099-11-30T13:00:00.000Z");
  BOOST_TEST(state_of(one) == "SCHEDULED");
  BOOST_TEST(set(one, {{"opensAt", nullptr}}).status == 200);
  BOOST_TEST(state_of(one) == "OFF");
  BOOST_TEST(server().get(one.room("draw")).brief() == "404 no-draw");
}

BOOST_AUTO_TEST_CASE(a_value_that_cannot_be_is_refused_with_its_field) {
  struct attempt {
    json settings;
    std::string fields;
  };
  const attempt attempts[]{
      {{{"admitPerSecond", -1}}, "admitPerSecond"},
      {{{"admitPerSecond", "NaN"}}, "admitPerSecond"},
      {{{"admitPerSecond", 1'000'001}}, "admitPerSecond"},
      {{{"admitPerSecond", nullptr}}, "admitPerSecond"},
      {{{"maxActive", -1}}, "maxActive"},
      {{{"maxActive", 1.5}}, "maxActive"},
      {{{"maxActive", 2'147'483'648}}, "maxActive"},
      {{{"maxPerTick", "40"}}, "maxPerTick"},
      {{{"maxQueue", 16'777'217}}, "maxQueue"},
      {{{"maxQueue", -1}}, "maxQueue"},
      {{{"tick", "9ms"}}, "tick"},
      {{{"tick", "61s"}}, "tick"},
      {{{"admissionTtl", "999ms"}}, "admissionTtl"},
      {{{"admissionTtl", "366d"}}, "admissionTtl"},
      {{{"admissionTtl", 300}}, "admissionTtl"},
      {{{"idleTimeout", "0s"}}, "idleTimeout"},
      {{{"idleTimeout", "13h"}}, "idleTimeout"},
      {{{"idleTimeout", false}}, "idleTimeout"},
      {{{"fixedLength", 1}}, "fixedLength"},
      {{{"absentAfter", "0s"}}, "absentAfter"},
      {{{"absentAfter", "13h"}}, "absentAfter"},
      {{{"claimTtl", "366d"}}, "claimTtl"},
      {{{"claimTtl", "-1s"}}, "claimTtl"},
      {{{"reentryGrace", "25h"}}, "reentryGrace"},
      {{{"prequeue", "241m"}}, "prequeue"},
      {{{"prequeue", nullptr}}, "prequeue"},
      {{{"proofOfWork", "yes"}}, "proofOfWork"},
      {{{"opensAt", "tomorrow"}}, "opensAt"},
      {{{"opensAt", 1'900'000'000}}, "opensAt"},
      {{{"opensAt", "2099-11-30T10:00:00"}}, "opensAt"},
      {{{"opensAt", "2099-02-30T10:00:00Z"}}, "opensAt"},
      {{{"tiers", "members"}}, "tiers"},
      {{{"tiers", {"a", "a"}}}, "tiers"},
      {{{"tiers", {"a", ""}}}, "tiers"},
      {{{"tiers", {"a", 1}}}, "tiers"},
      {{{"tiers", {"a b"}}}, "tiers"},
      {{{"tiers", nine_tiers()}}, "tiers"},
      {{{"beacon", "drand"}}, "beacon"},
      {{{"beacon", {{"source", "drand"}}}}, "beacon.round"},
      {{{"beacon", {{"source", "s"}, {"round", 7}}}}, "beacon.round"},
      {{{"beacon", {{"source", std::string(129, 's')}, {"round", "7"}}}}, "beacon.source"},
      {{{"beacon", {{"source", "s"}, {"round", "7"}, {"value", "v"}}}}, "beacon.value"},
      {{{"openAt", nullptr}}, "openAt"},
      {{{"state", "OPEN"}}, "state"},
      {{{"tick", "1 s"}, {"maxActive", 5}, {"claimTtl", "x"}}, "tick claimTtl"},
  };
  const show one;
  const auto before = one.description();
  for (const auto& each : attempts) {
    const auto got = set(one, each.settings);
    BOOST_TEST(got.brief() == "400 invalid-request", each.settings << ": " << got);
    BOOST_TEST(got.fields() == each.fields, each.settings << ": " << got);
    const auto put = server().put(one.path, {{"waitingRoom", each.settings}});
    BOOST_TEST(put.status == 400, each.settings << ": " << put);
    BOOST_TEST(put.fields().starts_with("waitingRoom."), each.settings << ": " << put);
  }
  // What JSON cannot say is no JSON.
  for (const std::string body : {R"({"admitPerSecond": NaN})", R"({"admitPerSecond": Infinity})"})
    BOOST_TEST(
        server().ask("PATCH", one.path + "/waiting-room", body, {.key = "operator-key"}).status ==
        400);
  BOOST_TEST(one.description() == before);
}

BOOST_AUTO_TEST_CASE(limits_that_can_be_are_taken) {
  const show one;
  for (const auto& each :
       {json{{"admitPerSecond", 1'000'000}}, json{{"admitPerSecond", 0}}, json{{"maxActive", 0}},
        json{{"maxQueue", 16'777'216}}, json{{"maxQueue", 0}}, json{{"tick", "10ms"}},
        json{{"tick", "60s"}}, json{{"admissionTtl", "1s"}}, json{{"admissionTtl", "365d"}},
        json{{"idleTimeout", "12h"}}, json{{"prequeue", "4h"}}, json{{"absentAfter", "12h"}},
        json{{"claimTtl", "0s"}}, json{{"claimTtl", "365d"}}, json{{"reentryGrace", "24h"}}})
    BOOST_TEST(set(one, each).status == 200, each);
}

BOOST_AUTO_TEST_CASE(an_opening_in_the_past_is_refused_only_where_it_is_new) {
  auto what = hall_where({{"opensAt", in(-1h)}});
  const auto made = server().put("/v1/shows/too-late", what);
  BOOST_TEST(made.brief() == "400 invalid-request", made);
  BOOST_TEST(made.fields() == "waitingRoom.opensAt");
  BOOST_TEST(server().get("/v1/shows/too-late").status == 404);

  const show one;
  const auto before = one.description();
  const auto patched = set(one, {{"opensAt", in(-1s)}, {"admitPerSecond", 5}});
  BOOST_TEST(patched.brief() == "400 invalid-request");
  BOOST_TEST(patched.fields() == "opensAt");
  BOOST_TEST(server().put(one.path, what).fields() == "waitingRoom.opensAt");
  BOOST_TEST(one.description() == before);

  // The operator's file still has the time at which the room opened.
  what = hall_where({{"opensAt", in(1h)}, {"prequeue", "2h"}});
  const show opened{what};
  BOOST_TEST(opens_by_itself(opened));
  what["waitingRoom"]["opensAt"] = room_of(opened)["opensAt"];
  what["waitingRoom"]["admitPerSecond"] = 500;
  const auto again = server().put(opened.path, what);
  BOOST_TEST(again.status == 200, again);
  BOOST_TEST(room_of(opened)["admitPerSecond"] == 500);
  BOOST_TEST(state_of(opened) == "OPEN");
}

BOOST_AUTO_TEST_CASE(a_prequeue_may_be_moved_and_nothing_else_of_the_draw_changed) {
  const show one{hall_where({{"opensAt", in(1h)},
                             {"prequeue", "3h"},
                             {"tiers", {"members"}},
                             {"beacon", {{"source", "s"}, {"round", "1"}}}})};
  BOOST_TEST(becomes(one, "PREQUEUE"));
  const auto ticket = ticket_of(one);
  const auto before = one.description();
  for (const auto& each :
       {json{{"opensAt", nullptr}}, json{{"tiers", {"others"}}}, json{{"tiers", json::array()}},
        json{{"beacon", nullptr}}, json{{"beacon", {{"source", "s"}, {"round", "2"}}}},
        json{{"opensAt", in(2h)}, {"tiers", {"others"}}}})
    BOOST_TEST(set(one, each).brief() == "409 room-running", each);
  BOOST_TEST(one.description() == before);
  const auto later = in(2h);
  BOOST_TEST(set(one, {{"opensAt", later}, {"admitPerSecond", 7}}).status == 200);
  BOOST_TEST(room_of(one)["opensAt"] == later);
  BOOST_TEST(one.ticket(ticket).brief() == "200 PREQUEUE");
  BOOST_TEST(one.ticket(ticket).text("opensAt") == later);
}

BOOST_AUTO_TEST_CASE(an_open_room_has_no_opening_ahead_and_keeps_its_tiers_and_beacon) {
  for (const std::string state : {"open", "standby"}) {
    const show one{hall_where({{"tiers", {"members"}}})};
    BOOST_TEST(operate(one, state).status == 204);
    const auto before = one.description();
    for (const auto& each : {json{{"opensAt", in(1h)}}, json{{"tiers", {"others"}}},
                             json{{"beacon", {{"source", "s"}, {"round", "2"}}}}})
      BOOST_TEST(set(one, each).brief() == "409 room-running", each);
    BOOST_TEST(server().put(one.path, hall_where({{"opensAt", in(1h)}})).brief() ==
               "409 room-running");
    BOOST_TEST(one.description() == before);
    BOOST_TEST(set(one, {{"maxActive", 1}, {"absentAfter", "1m"}}).status == 200);
    BOOST_TEST(operate(one, "close").status == 204);
    BOOST_TEST(set(one, {{"tiers", {"others"}}, {"opensAt", in(1h)}}).status == 200);
    BOOST_TEST(state_of(one) == "SCHEDULED");
  }
}

BOOST_AUTO_TEST_CASE(a_beacon_may_change_before_the_prequeue_and_makes_another_draw) {
  const show one{hall_where({{"opensAt", in(3h)}, {"prequeue", "1h"}})};
  const auto before = server().get(one.room("draw")).text("commitment");
  BOOST_TEST(set(one, {{"beacon", {{"source", "s"}, {"round", "2"}}}}).status == 200);
  const auto draw = server().get(one.room("draw"));
  BOOST_TEST(draw.body["beacon"]["round"] == "2");
  BOOST_TEST(draw.text("commitment") != before);
  BOOST_TEST(set(one, {{"prequeue", "2h"}}).status == 200);
  BOOST_TEST(server().get(one.room("draw")).text("commitment") == draw.text("commitment"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace usher::test
