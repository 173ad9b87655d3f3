#include "tests/storage/audit_cases.hpp"
#include "tests/storage/audit_room_script.hpp"

namespace usher::storage::test {

using audit::fault;
using waiting_room::stock;

namespace {

line stock_is(time_ms later, stock left) {
  return queue(later, room_event::stock_changed{left});
}

std::vector<fault_case> wrong_states() {
  const script off{{directory(0, created(0, "s")), queue(0, configured(settings()))}};
  return {
      {fault::room_state_wrong, "opened twice",
       beginning() + script{{bad(queue(2000, room_event::room_opened{}))}}},
      {fault::room_state_wrong, "closed twice",
       beginning() + script{{queue(2000, room_event::room_closed{})},
                            {bad(queue(2000, room_event::room_closed{}))}}},
      {fault::room_state_wrong, "scheduled while open",
       beginning() + script{{bad(queue(2000, room_event::room_scheduled{}))}}},
      {fault::room_state_wrong, "scheduled without a time",
       off + script{{bad(queue(0, room_event::room_scheduled{}))}}},
      {fault::room_state_wrong, "unscheduled while open",
       beginning() + script{{bad(queue(2000, room_event::room_unscheduled{}))}}},
      {fault::room_state_wrong, "unscheduled, the time stays",
       scheduled() + script{{bad(queue(10, room_event::room_unscheduled{}))}}},
      {fault::room_state_wrong, "a prequeue of an open room",
       beginning() + script{{bad(queue(2000, room_event::prequeue_opened{}))}}},
      {fault::room_state_wrong, "on standby while paused",
       beginning() + script{{queue(2000, room_event::room_paused{})},
                            {bad(queue(2000, room_event::room_put_on_standby{}))}}},
      {fault::room_state_wrong, "paused while off",
       off + script{{bad(queue(2000, room_event::room_paused{}))}}},
      {fault::room_state_wrong, "paused while on standby",
       off + script{{queue(2000, room_event::room_put_on_standby{})},
                    {bad(queue(2000, room_event::room_paused{}))}}},
      {fault::room_state_wrong, "paused twice",
       beginning() + script{{queue(2000, room_event::room_paused{})},
                            {bad(queue(2000, room_event::room_paused{}))}}},
      {fault::room_state_wrong, "paused after the end",
       beginning() + script{{stock_is(2000, stock::sold_out)},
                            {bad(queue(2000, room_event::room_paused{}))}}},
      {fault::room_state_wrong, "resumed, not paused",
       beginning() + script{{bad(queue(2000, room_event::room_resumed{}))}}},
      {fault::room_state_wrong, "resumed, paused by itself",
       beginning() + script{{stock_is(2000, stock::all_taken)},
                            {bad(queue(2000, room_event::room_resumed{}))}}},
      {fault::room_state_wrong, "stock of a room that is off",
       off + script{{bad(stock_is(2000, stock::all_taken))}}},
      {fault::room_state_wrong, "stock as it was",
       beginning() + script{{bad(stock_is(2000, stock::on_sale))}}},
  };
}

std::vector<fault_case> settings_cases() {
  auto other_tiers = draw_settings();
  other_tiers.tiers = {"members", "vip"};
  auto no_time = draw_settings();
  no_time.opens_at.reset();
  auto timed = settings();
  timed.opens_at = start_ms + 900'000;
  auto no_vip = draw_settings();
  no_vip.tiers = {"members"};
  auto said = settings();
  said.max_queue += 1;
  return {
      {fault::settings_fixed, "tiers in the prequeue",
       in_prequeue() + script{{bad(queue(60'000, configured(other_tiers)))}}},
      {fault::settings_fixed, "the beacon in the prequeue",
       in_prequeue() + script{{bad(queue(60'000, configured(with_beacon(draw_settings()))))}}},
      {fault::settings_fixed, "no time in the prequeue",
       in_prequeue() + script{{bad(queue(60'000, configured(no_time)))}}},
      {fault::settings_fixed, "a time while open",
       beginning() + script{{bad(queue(2000, configured(timed)))}}},
      {fault::settings_fixed, "a tier that codes are for",
       scheduled() + script{codes(), {bad(queue(20, configured(no_vip)))}}},
      {fault::settings_differ, "one fan more",
       beginning() + script{{bad(queue(2000, room_event::room_configured{settings(), said}))}}},
  };
}

std::vector<fault_case> opening_cases() {
  return {
      {fault::opened_early, "the prequeue, by a millisecond",
       scheduled() + script{{bad(prequeue_opened(49'999))}}},
      {fault::opened_early, "by itself, by a millisecond",
       in_prequeue() +
           script{{places_drawn(drawn({0, 1, 2, 3, 4, 5}), "", 99'999), bad(opened(99'999))}}},
      {fault::opened_without_draw, "from the prequeue", in_prequeue() + script{{bad(opened())}}},
      {fault::opened_without_draw, "from the schedule", scheduled() + script{{bad(opened())}}},
      {fault::draw_without_opening, "and nothing more",
       in_prequeue() + script{{bad(places_drawn(drawn({0, 1, 2, 3, 4, 5})))},
                              {queue(100'000, room_event::message_set{})}}},
  };
}

} // namespace

std::vector<fault_case> state_cases() {
  std::vector<fault_case> all;
  for (const auto& some : {wrong_states(), settings_cases(), opening_cases()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

} // namespace usher::storage::test
