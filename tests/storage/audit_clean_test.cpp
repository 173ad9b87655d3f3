// One log with everything that the rules allow, up to their very edges: the audit finds nothing
// wrong with it, and sees the world that it makes. Many of its lines are a fault one millisecond,
// seat or fan further; audit_rules_test.cpp has those.

#include "storage/audit/summary.hpp"
#include "tests/storage/audit_desk_script.hpp"
#include "tests/storage/audit_violations.hpp"

#include <nlohmann/json.hpp>

#include <sstream>

using namespace usher;
using namespace usher::storage;
using namespace usher::storage::test;
using orders::payment_outcome;
using waiting_room::end_reason;

namespace {

/// Fan 0 is declined once, then buys A-1 and A-2.
script a_sale() {
  return {holding(1, 0, {"A-1", "A-2"}, 2000) + batch_lines{kept(2000, 0, 302'000)},
          {desk(3000, ordered(1, 0, 1, 2, 3000)), kept(3000, 0, 243'000)},
          {desk(4000, started(1, 1))},
          {desk(5000, settled(1, 1, payment_outcome::declined))},
          {desk(242'999, started(1, 2))}, // the last moment
          {desk(244'000, settled(1, 2, payment_outcome::approved)), desk(244'000, paid(1)),
           block(244'000, seat_event::seats_sold{hold_no(1), order_no(1), {"A-1", "A-2"}}),
           queue(244'000, room_event::tickets_ended{end_reason::used, {0}})}};
}

/// Fan 1's hold of A-3 is over while the payment runs; fan 2 takes it at that very moment; the
/// money comes late. Fan 2 holds as much as is allowed and lets go.
script a_refund() {
  return {{kept(246'000, 1, 900'000)},
          holding(2, 1, {"A-3"}, 247'000),
          {desk(248'000, ordered(2, 1, 2, 1, 248'000))},
          {desk(249'000, started(2, 4))},
          {queue(250'000, admitted({2, 3}, 250'000))},
          {kept(251'000, 2, 900'000)},
          holding(3, 2, {"A-3", "A-4", "A-5", "A-6"}, 547'000),
          {desk(548'000, settled(2, 4, payment_outcome::approved)),
           desk(548'000, desk_event::order_refund_due{order_no(2), "SANDBOX", "ref"}),
           desk(548'000, desk_event::hold_ended{hold_no(2), hold_end::expired})},
          {desk(549'000, desk_event::hold_ended{hold_no(3), hold_end::released}),
           block(549'000, seat_event::seats_released{hold_no(3), {"A-3", "A-4", "A-5", "A-6"}})}};
}

/// Fan 3's order is expired at its very deadline; the money comes later and finds the seat free.
/// Then a cancelled one, a changed plan, a changed limit that a hold on its way did not know, a
/// close, and a seat that is taken at the moment it is free.
script late_money_and_the_rest() {
  show_event::show_changed fewer{0, {}};
  fewer.what.title = "Hamlet";
  fewer.what.currency = "BRL";
  fewer.what.holds.max_seats = 1;
  return {{kept(549'500, 3, 2'000'000)},
          holding(4, 3, {"A-3"}, 550'000),
          {desk(551'000, ordered(4, 3, 4, 1, 551'000))},
          {desk(791'000, desk_event::order_expired{order_no(4)}),
           desk(791'000, desk_event::hold_ended{hold_no(4), hold_end::order_expired}),
           block(791'000, seat_event::seats_released{hold_no(4), {"A-3"}})},
          {desk(792'000, paid(4)),
           block(792'000, seat_event::seats_sold{hold_no(4), order_no(4), {"A-3"}})},
          holding(5, 3, {"A-4"}, 800'000),
          {desk(801'000, ordered(5, 3, 5, 1, 801'000))},
          {desk(802'000, desk_event::order_cancelled{order_no(5)}),
           desk(802'000, desk_event::hold_ended{hold_no(5), hold_end::cancelled}),
           block(802'000, seat_event::seats_released{hold_no(5), {"A-4"}})},
          {directory(810'000, fewer),
           block(810'000, seat_event::block_planned{{"A-1", "A-2", "A-3", "A-4", "A-5"}})},
          holding(6, 3, {"A-4", "A-5"}, 810'001),
          {queue(900'000, room_event::tickets_ended{end_reason::expired, {2}})},
          {queue(910'000, room_event::room_closed{})},
          // The room is off: it asks nobody for an admission.
          holding(7, {}, {"A-5"}, 1'110'001)};
}

script references() {
  const auto due = desk_event::order_refund_due{order_no(21), "SANDBOX", "late"};
  return {{desk(1'000'000, ordered_ref(21, "x", 1'000'000), "r")},
          {desk(1'240'000, desk_event::order_expired{order_no(21)}, "r")},
          {desk(1'241'000, ordered_ref(22, "x", 1'241'000), "r")},
          {desk(1'242'000, due, "r")}, // the other order has the reference
          {desk(1'243'000, paid(22), "r"), desk(1'183'000, ordered_ref(23, "y", 1'183'000), "r")}};
}

script everything() {
  return beginning() + a_sale() + a_refund() + late_money_and_the_rest() + references();
}

/// Fan 0 asks for more time at the last moment, up to the longest life, then for seats up to the
/// limit; gives one back, takes it again, and gives back one that fan 1 was given just before,
/// whose time was later. A hold that is over needs no force to be taken off sale.
script changes_of_a_hold() {
  const auto until = 602'000;
  return {
      {kept(1500, 0, 900'000), kept(1500, 1, 900'000)},
      holding(1, 0, {"A-1", "A-2"}, 2000),
      extending(1, 2, {"A-1", "A-2"}, 301'999, until),
      adding(1, 3, {"A-3", "A-4"}, 310'000, until),
      releasing(1, 4, {"A-2"}, 311'000, until),
      adding(1, 5, {"A-2"}, 312'000, until) + releasing(1, 6, {"A-4"}, 312'001, until),
      holding(2, 1, {"A-3"}, 602'000),
      {desk(601'999, reduced(1, 7, hold_change::released, {"A-3"}, until))},
      {blocking({"A-1"}, 602'000)},
      {desk(603'000, hold_over(1, hold_end::expired)), block(603'000, given_back(1, 7, {"A-2"}))},
      {desk(604'000, hold_over(2, hold_end::released)), block(604'000, given_back(2, 1, {"A-3"})),
       unblocking({"A-1"}, 604'001)}};
}

/// One blow takes seats from four holds: the first keeps one, the second had no other, and the last
/// two have orders, which are cancelled with their whole holds. Their money comes all the same: one
/// seat is still off sale, the other was a minute ago. The plan may drop a seat that is off sale.
script withdrawn_by_force() {
  const auto blow = batch_lines{desk(5000, reduced(1, 2, hold_change::withdrawn, {"A-1"}, 302'000)),
                                desk(5000, hold_over(2, hold_end::withdrawn)),
                                desk(5000, desk_event::order_cancelled{order_no(3)}),
                                desk(5000, hold_over(3, hold_end::withdrawn)),
                                desk(5000, desk_event::order_cancelled{order_no(4)}),
                                desk(5000, hold_over(4, hold_end::withdrawn)),
                                block(5000, given_back(1, 1, {"A-1"})),
                                block(5000, given_back(2, 1, {"A-3"})),
                                block(5000, given_back(3, 1, {"A-4", "A-5"})),
                                block(5000, given_back(4, 1, {"A-6"})),
                                blocking({"A-1", "A-3", "A-4", "A-6"}, 5000),
                                kept(5000, 0, 302'000)};
  return {holding(1, 0, {"A-1", "A-2"}, 2000) + holding(2, 1, {"A-3"}, 2000) +
              holding(3, 1, {"A-4", "A-5"}, 2000) + holding(4, 1, {"A-6"}, 2000),
          {desk(3000, ordered(3, 1, 3, 2, 3000)), desk(3000, ordered(4, 1, 4, 1, 3000))},
          all_by_operator(blow),
          {unblocking({"A-3", "A-4"}, 6000)},
          {desk(66'000, desk_event::order_refund_due{order_no(3), "SANDBOX", "late"})},
          {desk(500'000, desk_event::order_refund_due{order_no(4), "SANDBOX", "late"})},
          {block(501'000, seat_event::block_planned{{"A-1", "A-2", "A-3", "A-4", "A-5"}})}};
}

/// Six seats at once without any admission; longer; ordered, paid, and some returned. What came
/// back is sold over the counter, returned, and held by a fan, for whom returned seats do not
/// count.
script at_the_box_office() {
  const std::vector<seat_id> six{"A-1", "A-2", "A-3", "A-4", "A-5", "A-6"};
  return {
      all_by_operator({desk(2000, placed_there(1, six, 2000)), block(2000, held(1, six, 2000))}),
      all_by_operator(extending(1, 2, six, 3000, 602'000)),
      all_by_operator({desk(4000, ordered_there(1, 1, 6, 4000))}),
      all_by_operator({desk(5000, paid(1)), block(5000, sold_to(1, 1, six, 2))}),
      returning(1, {"A-1", "A-2", "A-3", "A-4"}, 6000),
      counter_sale(2, 2, {"A-1", "A-2"}, 7000) + returning(2, {"A-1"}, 7001) +
          returning(2, {"A-2"}, 7002),
      holding(3, 0, {"A-1", "A-2", "A-3"}, 8000),
      {desk(9000, ordered(3, 0, 3, 3, 9000))},
      {desk(10'000, paid(3)), block(10'000, sold_to(3, 3, {"A-1", "A-2", "A-3"}))},
      returning(3, {"A-2", "A-3"}, 11'000),
      holding(4, 0, {"A-2", "A-3", "A-4"}, 12'000)};
}

/// A limit that was lowered less than a minute ago still counts. A hold that was placed while the
/// room was off belongs to nobody: whoever extends it is not named.
script with_other_limits() {
  show_event::show_changed shorter{0, created(0, "s").what};
  shorter.what.holds.max_life_ms = 400'000;
  shorter.what.holds.ttl_ms = 300'000;
  return {{directory(0, created(0, "s")),
           block(0, seat_event::block_planned{{"A-1", "A-2", "A-3"}}),
           queue(0, configured(settings()))},
          holding(1, {}, {"A-1"}, 1000),
          {directory(290'000, shorter), queue(290'000, room_event::room_opened{})},
          extending(1, 2, {"A-1"}, 300'999, 600'999),
          extending(1, 3, {"A-1"}, 349'999, 601'000)};
}

/// The places of an area are seats with names that no plan gives.
script an_area() {
  const auto floor = [](time_ms later, const seating::any_event& what) {
    return in("block/s/floor", later, encode(what));
  };
  const std::vector<seat_id> two{"floor:1", "floor:2"};
  auto place = placed(1, 0, two, 2000);
  for (auto& seat : place.seats)
    seat.block = "floor";
  return {{floor(1500, seat_event::block_planned{{"floor:1", "floor:2", "floor:3"}})},
          {desk(2000, place), floor(2000, held(1, two, 2000))},
          {desk(3000, ordered(1, 0, 1, 2, 3000))},
          {desk(4000, paid(1)), floor(4000, sold_to(1, 1, two))}};
}

nlohmann::json state_of(const script& what) {
  memory_log log;
  write(log, what);
  audit::auditor auditor;
  audit_all(log, auditor);
  std::ostringstream out;
  audit::write_state(out, auditor.seen(), auditor.seen().at, true);
  return nlohmann::json::parse(out.str());
}

} // namespace

BOOST_AUTO_TEST_CASE(what_the_rules_allow_is_clean) {
  BOOST_TEST(violations_of(everything()) == "");
}

BOOST_AUTO_TEST_CASE(what_may_become_of_holds_and_seats_is_clean) {
  BOOST_TEST(violations_of(beginning() + changes_of_a_hold()) == "");
  BOOST_TEST(violations_of(beginning() + withdrawn_by_force()) == "");
  BOOST_TEST(violations_of(beginning() + at_the_box_office()) == "");
  BOOST_TEST(violations_of(with_other_limits()) == "");
  BOOST_TEST(violations_of(beginning() + an_area()) == "");
}

BOOST_AUTO_TEST_CASE(admissions_as_fast_as_the_rate_allows_are_clean) {
  auto set = settings();
  set.admit_per_second_micro = 2'500'000;
  set.max_active.reset();
  set.max_per_tick.reset();
  script all = {{directory(0, created(0, "s")), queue(0, configured(set)),
                 queue(0, room_event::room_opened{}), queue(0, joined(0, 100))}};
  // 2.5 a second with ticks of one second: three at once, then one every 400 ms.
  all.push_back({queue(0, admitted({0, 1, 2}, 0))});
  for (slot_t slot = 3; slot < 100; ++slot) {
    const auto later = (static_cast<time_ms>(slot) - 2) * 400;
    all.push_back({queue(later, admitted({slot}, later))});
  }
  BOOST_TEST(violations_of(all) == "");
}

BOOST_AUTO_TEST_CASE(several_decisions_in_one_batch_are_told_apart) {
  script all = beginning();
  all.push_back(holding(1, 0, {"A-1"}, 2000) + holding(2, 1, {"A-2"}, 2000) +
                batch_lines{desk(2001, ordered(1, 0, 1, 1, 2001)), desk(2002, started(1, 1)),
                            desk(2003, settled(1, 1, payment_outcome::approved)),
                            desk(2003, paid(1)),
                            block(2003, seat_event::seats_sold{hold_no(1), order_no(1), {"A-1"}})});
  BOOST_TEST(violations_of(all) == "");
}

BOOST_AUTO_TEST_CASE(the_state_is_what_the_events_say) {
  const auto all = state_of(everything());
  const auto& seen = all["shows"][0];
  BOOST_TEST(seen["id"] == "s");
  BOOST_TEST(seen["room"]["state"] == "OFF");
  BOOST_TEST(seen["room"]["joined"] == 10);
  BOOST_TEST(seen["room"]["waiting"] == 0);
  const auto block_a =
      nlohmann::json{{"id", "A"}, {"available", 1}, {"held", 1}, {"sold", 3}, {"blocked", 0}};
  BOOST_TEST(seen["blocks"][0] == block_a);
  BOOST_TEST(seen["orders"]["PAID"] == 2);
  BOOST_TEST(seen["orders"]["REFUND_DUE"] == 1);
  BOOST_TEST(seen["orders"]["CANCELLED"] == 1);
  BOOST_TEST(seen["money"][0]["takenMinor"] == 3 * price_minor);
  BOOST_TEST(seen["money"][0]["refundDueMinor"] == price_minor);

  const auto early = state_of(beginning() + script{holding(1, 0, {"A-1", "A-2"}, 2000)});
  BOOST_TEST(early["shows"][0]["room"]["active"] == 2);
  BOOST_TEST(early["shows"][0]["room"]["waiting"] == 8);
  BOOST_TEST(early["shows"][0]["blocks"][0]["held"] == 2);
  BOOST_TEST(early["shows"][0]["holds"]["live"] == 1);
  BOOST_TEST(early["shows"][0]["holds"]["seats"] == 2);
}

BOOST_AUTO_TEST_CASE(the_state_tells_what_is_off_sale_and_what_came_back) {
  const auto block_of = [](const nlohmann::json& all, std::size_t which) {
    return all["shows"][0]["blocks"][which].dump();
  };
  auto blow = withdrawn_by_force();
  blow.resize(3);
  const auto hit = state_of(beginning() + blow);
  BOOST_TEST(block_of(hit, 0) == R"({"available":1,"blocked":4,"held":1,"id":"A","sold":0})");
  BOOST_TEST(hit["shows"][0]["holds"]["seats"] == 1);
  BOOST_TEST(hit["shows"][0]["orders"]["CANCELLED"] == 2);

  const auto sold_there = state_of(beginning() + at_the_box_office());
  BOOST_TEST(block_of(sold_there, 0) ==
             R"({"available":0,"blocked":0,"held":3,"id":"A","sold":3})");
  BOOST_TEST(sold_there["shows"][0]["money"][0]["takenMinor"] == 11 * price_minor);
  BOOST_TEST(sold_there["shows"][0]["money"][0]["returnedMinor"] == 8 * price_minor);

  const auto floor = state_of(beginning() + an_area());
  BOOST_TEST(block_of(floor, 1) == R"({"available":1,"blocked":0,"held":0,"id":"floor","sold":2})");
}
