// The waiting room with all it can do, up to the very edges: the audit finds nothing wrong, and
// sees the room that the events make. Most lines are a fault one millisecond or fan further; the
// audit_cases_*.cpp have those.

#include "storage/audit/summary.hpp"
#include "tests/storage/audit_room_script.hpp"
#include "tests/storage/audit_violations.hpp"

#include <nlohmann/json.hpp>

#include <sstream>

using namespace usher;
using namespace usher::storage;
using namespace usher::storage::test;
using waiting_room::end_reason;
using waiting_room::stock;

namespace {

nlohmann::json room_of(const script& what) {
  memory_log log;
  write(log, what);
  audit::auditor auditor;
  audit_all(log, auditor);
  std::ostringstream out;
  audit::write_state(out, auditor.seen(), auditor.seen().at, true);
  return nlohmann::json::parse(out.str())["shows"][0]["room"];
}

waiting_room::settings everything_set() {
  auto set = with_beacon(draw_settings());
  set.idle_timeout_ms = 60'000;
  set.absent_after_ms = 20'000;
  set.claim_ttl_ms = 100'000;
  set.reentry_grace_ms = 30'000;
  set.max_queue = 9;
  return set;
}

line configure(time_ms later, waiting_room::settings to) {
  return queue(later, configured(std::move(to)));
}
line wish(time_ms later, slot_t slot, bool wanted = true) {
  return queue(later, room_event::wish_set{slot, wanted ? std::optional{waiting_room::wish{}}
                                                        : std::nullopt});
}
line promoted(time_ms later, slot_t slot, std::uint8_t tier, std::uint8_t code) {
  return queue(later, room_event::fan_promoted{slot, tier, who(code)});
}

/// Called off once and scheduled anew. Fans 0 to 7; 1 is vip, 4 becomes it, 3 becomes a member,
/// 5 leaves.
script before_the_opening() {
  auto called_off = everything_set();
  called_off.opens_at.reset();
  room_event::fans_joined six{2, std::vector<std::uint64_t>(6, 7), {}, {}, {}, {}};
  six.customers.resize(6);
  six.keys.resize(6);
  six.customers[4] = who(66); // fan 6
  six.keys[4] = who(67);
  six.keys[5] = who(77); // fan 7
  return scheduled(everything_set()) +
         script{
             {configure(1, called_off), queue(1, room_event::room_unscheduled{})},
             {configure(2, everything_set()), queue(2, room_event::room_scheduled{commitment()})},
             {queue(3, room_event::room_scheduled{commitment()})},
             codes(),
             {prequeue_opened()},
             {queue(50'001, joined(0, 1))},
             {queue(50'002, joined_with(1, 1, 0)), queue(50'002, six)},
             {queue(50'003, room_event::beacon_given{"abc"})},
             {queue(50'003, room_event::message_set{{{"en", "Soon."}}})},
             {wish(50'004, 3), wish(50'004, 0), wish(50'005, 0, false)},
             {promoted(55'000, 3, 1, 3), promoted(59'999, 4, 0, 2)},
             {ended(60'000, end_reason::left, {5})}};
}

/// The order is 1, 4 (vip), 3 (members), 7, 0, 2, 6. Fan 3 is away, comes back, is let in before
/// those behind; 7 stays away until the claim is over; 2 is passed over, and a promotion fetches
/// it; then 0 is first in the general tier.
script the_opening() {
  auto admits_6 = admitted({0, 6}, 221'000);
  admits_6.who = {identity{}, who(66)};
  return {{places_drawn({1, 4, 3, 7, 0, 2, 6}, "abc"), opened()},
          {queue(101'000, admitted({1, 4}, 101'000))},
          {passed_over(120'000, {3, 7}, -1)}, // the prequeue counts for nobody
          {returned(219'999, {3}, 120'000), queue(219'999, admitted({3}, 219'999)),
           queue(219'999, room_event::wish_answered{3, {}, "sold-out"})},
          {ended(220'000, end_reason::absent, {7})},
          {ended(220'000, end_reason::left, {1}), ended(220'000, end_reason::used, {4})},
          {passed_over(220'500, {0}, 200'500)},
          {returned(221'000, {0}, 220'500), passed_over(221'000, {2}, 201'000),
           queue(221'000, admits_6)},
          {queue(221'001, room_event::codes_added{"c", "members", true, {}, {}, {who(4)}})},
          {promoted(221'002, 2, 1, 4)},
          {queue(222'000, admitted({2}, 222'000))}};
}

/// Admitted are 3 (219 999), 0 and 6 (221 000), 2 (222 000).
script the_hours_after() {
  return {
      {queue(230'000, room_event::stock_changed{stock::all_taken})},
      {queue(231'000, room_event::stock_changed{stock::sold_out})},
      {queue(232'000, room_event::stock_changed{stock::on_sale})},
      {queue(233'000, room_event::room_paused{})},
      {queue(234'000, room_event::room_resumed{})},
      {queue(235'000, room_event::admission_kept{0, start_ms + 281'000, false})},
      {ended(279'999, end_reason::idle, {3})},
      {ended(281'000, end_reason::idle, {0})},
      {queue(282'000, joined(8, 2))},
      {queue(309'998, room_event::fan_reentered{3}), queue(310'998, room_event::fan_reentered{0})},
      // By tier: 3 is a member, 0 stood before 8 and 9.
      {queue(311'000, admitted({3, 0}, 311'000))},
      {queue(311'500, room_event::ticket_revoked{8, "a robot"})},
      {ended(521'000, end_reason::expired, {6})},
      {queue(550'999, room_event::fan_reentered{6})},
      {ended(551'000, end_reason::expired, {2})},
      {queue(552'000, room_event::room_closed{})}};
}

script everything() {
  return before_the_opening() + the_opening() + the_hours_after();
}

script on_standby(waiting_room::settings set) {
  return {{directory(0, created(0, "s")), queue(0, configured(std::move(set)))},
          {queue(0, room_event::room_put_on_standby{})}};
}

} // namespace

BOOST_AUTO_TEST_CASE(a_drawn_opening_with_all_that_can_happen_is_clean) {
  BOOST_TEST(violations_of(everything()) == "");
}

BOOST_AUTO_TEST_CASE(the_state_tells_who_waits_where) {
  const auto before = room_of(before_the_opening());
  BOOST_TEST(before["state"] == "PREQUEUE");
  BOOST_TEST(before["waiting"] == 7);
  BOOST_TEST(before["tiers"].dump() ==
             R"([{"tier":"vip","waiting":2},{"tier":"members","waiting":1},)"
             R"({"tier":null,"waiting":4}])");
  BOOST_TEST(before["codes"].dump() == R"({"added":3,"used":2})");
  BOOST_TEST(before["settings"]["opensAt"] == "2026-05-28T20:28:20.000Z");

  auto opening = the_opening();
  opening.resize(3);
  const auto open = room_of(before_the_opening() + opening);
  BOOST_TEST(open["state"] == "OPEN");
  BOOST_TEST(open["waiting"] == 3);
  BOOST_TEST(open["passedOver"] == 2);
  BOOST_TEST(open["active"] == 2);

  const auto closed = room_of(everything());
  BOOST_TEST(closed["state"] == "OFF");
  BOOST_TEST(closed["joined"] == 10);
  BOOST_TEST(closed["settings"]["opensAt"].is_null());
}

BOOST_AUTO_TEST_CASE(an_operator_may_open_before_the_time) {
  const auto by_hand = queue(60'000, room_event::room_opened{});
  BOOST_TEST(
      violations_of(in_prequeue() +
                    script{{places_drawn(drawn({0, 1, 2, 3, 4, 5}), "", 60'000), by_hand}}) == "");
  BOOST_TEST(violations_of(scheduled() + script{{places_drawn({}, "", 10),
                                                 queue(10, room_event::room_opened{})}}) == "");
}

BOOST_AUTO_TEST_CASE(on_standby_nobody_waits_for_the_tick) {
  auto set = settings();
  set.max_active.reset();
  set.tiers = {"vip"};
  const auto vip = room_event::fans_joined{4, {7, 7}, {}, {}, {identity{}, who(1)}, {1, 0}};
  const auto clean = on_standby(set) +
                     script{{queue(1, room_event::codes_added{"a", "vip", true, {}, {}, {who(1)}})},
                            {queue(10, joined(0, 2)), queue(10, admitted({0, 1}, 10))},
                            // One is the third of this tick; whoever comes with it waits.
                            {queue(999, joined(2, 2)), queue(999, admitted({2}, 999))},
                            {queue(1000, admitted({3}, 1000))},
                            // The first is in before the vip behind has come.
                            {queue(1001, vip), queue(1001, admitted({4}, 1001))},
                            {queue(1002, admitted({5}, 1002))},
                            {queue(1003, room_event::room_opened{})},
                            {queue(1004, room_event::room_put_on_standby{})}};
  BOOST_TEST(violations_of(clean) == "");
}

BOOST_AUTO_TEST_CASE(a_full_queue_takes_whom_others_make_room_for) {
  auto set = settings();
  set.max_queue = 2;
  set.max_active.reset();
  const auto clean =
      on_standby(set) + script{{queue(10, joined(0, 5)), queue(10, admitted({0, 1, 2}, 10))},
                               // 3 and 4 wait; 3's place turns out to be somebody's who has one.
                               {queue(20, joined(5, 1)), ended(20, end_reason::merged, {3})},
                               {queue(1000, admitted({4}, 1000))},
                               {queue(1001, joined(6, 1))}};
  BOOST_TEST(violations_of(clean) == "");
}

BOOST_AUTO_TEST_CASE(a_code_whose_fan_was_never_admitted_is_good_again) {
  const auto clean = in_prequeue() + script{codes(50'002),
                                            {queue(50'003, joined_with(6, 1, 0))},
                                            {queue(50'004, joined_with(7, 2, 0))},
                                            {ended(50'005, end_reason::left, {7})},
                                            {queue(50'006, room_event::room_closed{})},
                                            {queue(50'007, room_event::room_opened{})},
                                            {queue(50'008, joined_with(8, 1, 0))},
                                            {queue(50'009, joined_with(9, 2, 0))}};
  BOOST_TEST(violations_of(clean) == "");
}

BOOST_AUTO_TEST_CASE(a_sale_of_fixed_length_ends_with_its_time) {
  auto set = settings();
  set.fixed_length = true;
  const auto clean = beginning() + script{{queue(1500, configured(set))},
                                          {ended(301'000, end_reason::used, {0})},
                                          {ended(301'000, end_reason::expired, {1})}};
  BOOST_TEST(violations_of(clean) == "");
}

/// As the first schema wrote them: nobody says who was admitted.
BOOST_AUTO_TEST_CASE(a_log_of_the_first_schema_is_clean) {
  auto known = joined(0, 1);
  known.customers = {who(1)};
  auto old_admission = queue(1000, admitted({0}, 1000));
  old_admission.what.schema = 1;
  const script old{{directory(0, created(0, "s")), queue(0, configured(settings()))},
                   {queue(0, room_event::room_opened{})},
                   {queue(0, known)},
                   {old_admission}};
  BOOST_TEST(violations_of(old) == "");
}
