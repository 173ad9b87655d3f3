// One log with everything that the rules allow, up to their very edges: the audit finds nothing
// wrong with it, and sees the world that it makes. Many of its lines are a fault one millisecond,
// seat or fan further; audit_rules_test.cpp has those.

#include "storage/audit/summary.hpp"
#include "tests/storage/audit_script.hpp"

#include <nlohmann/json.hpp>

#include <sstream>

using namespace usher;
using namespace usher::storage;
using namespace usher::storage::test;
using orders::hold_end;
using orders::payment_outcome;
using waiting_room::end_reason;

namespace {

line kept(time_ms later, slot_t slot, time_ms busy_until, bool spent = false) {
  return queue(later, room_event::admission_kept{slot, start_ms + busy_until, spent});
}

/// Fan 0 is declined once, then buys.
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

nlohmann::json state_of(const script& what) {
  memory_log log;
  write(log, what);
  audit::auditor auditor;
  audit_all(log, auditor);
  std::ostringstream out;
  audit::write_state(out, auditor.seen(), auditor.seen().at, true);
  return nlohmann::json::parse(out.str());
}

std::string violations_of(const script& what) {
  memory_log log;
  write(log, what);
  audit::auditor auditor;
  audit_all(log, auditor);
  std::string all;
  for (const auto& one : auditor.found().listed())
    all += std::to_string(one.position) + " " + std::string{audit::to_string(one.what)} + ": " +
           one.sentence + "\n";
  return all;
}

} // namespace

BOOST_AUTO_TEST_CASE(what_the_rules_allow_is_clean) {
  BOOST_TEST(violations_of(everything()) == "");
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
  const auto block_a = nlohmann::json{{"id", "A"}, {"available", 1}, {"held", 1}, {"sold", 3}};
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
