#pragma once

#include "tests/storage/event_samples.hpp"

// What the golden files of older schemas say, as events are today.
namespace usher::storage::test {

struct old_sample {
  std::uint32_t schema;
  sample today;
};

inline std::vector<sample> room_samples_of_1() {
  namespace event = waiting_room::event;
  const std::vector<identity> ids{id_of<identity>(1), identity{}, id_of<identity>(200)};
  return samples_of_room({event::room_configured{{.admit_per_second_micro = 12'500'000,
                                                  .max_active = 700,
                                                  .max_per_tick = 25,
                                                  .tick_ms = 500,
                                                  .admission_ttl_ms = 240'000,
                                                  .max_queue = 2'000'000,
                                                  .idle_timeout_ms = std::nullopt,
                                                  .fixed_length = false,
                                                  .opens_at = std::nullopt,
                                                  .prequeue_ms = 0,
                                                  .absent_after_ms = 180'000,
                                                  .claim_ttl_ms = 1'800'000,
                                                  .reentry_grace_ms = std::nullopt,
                                                  .proof_of_work = false,
                                                  .tiers = {},
                                                  .beacon = std::nullopt},
                                                 std::nullopt},
                          event::fan_identified{.slot = 9, .who = id_of<identity>(40)},
                          event::fans_joined{.first = 7,
                                             .nonces = {0x0102030405060708, 0, ~0ULL},
                                             .customers = ids,
                                             .keys = {ids[2], ids[0], ids[1]},
                                             .codes = {},
                                             .tiers = {}},
                          event::fans_admitted{.slots = {0, 23, 70'000, 4'294'967'295},
                                               .until = 1'767'225'600'000,
                                               .credit_left_micro = 250'000,
                                               .who = {}}});
}

inline std::vector<sample> seating_samples_of_1() {
  namespace event = seating::event;
  const auto hold = id_of<hold_id>(16);
  const std::vector<seating::any_event> all{
      event::seats_held{hold, {"A-1", "A-2"}, 1'767'225'600'000, 1},
      event::seats_released{hold, {"A-2"}, 1},
      event::seats_sold{hold, id_of<order_id>(48), {"A-1"}, 1}};
  std::vector<sample> samples;
  for (const auto& event : all)
    samples.push_back(sample_of<seating::any_event>(event, decode_seating));
  return samples;
}

inline std::vector<old_sample> old_orders_samples() {
  auto second = full_hold();
  second.box_office = false;
  auto first = second;
  first.customer = {};
  auto order = full_order();
  order.box_office = false;
  auto payment = full_payment();
  payment.token = {};
  payment.country = {};
  payment.chosen = false;
  payment.follows = {};
  payment.skipped = {};
  payment.until = 0;
  namespace event = orders::event;
  const event::payment_settled settled{
      order.order, payment.payment, orders::payment_outcome::declined, "pi_1", "", false};
  return {
      {1, sample_of<orders::any_event>(first, decode_orders)},
      {2, sample_of<orders::any_event>(second, decode_orders)},
      {1, sample_of<orders::any_event>(order, decode_orders)},
      {1, sample_of<orders::any_event>(payment, decode_orders)},
      {1, sample_of<orders::any_event>(settled, decode_orders)},
      {1, sample_of<orders::any_event>(event::order_cancelled{order.order, {}}, decode_orders)}};
}

inline std::vector<old_sample> old_shows_samples() {
  auto second = full_description();
  second.plan->blocks.pop_back(); // it has a capacity
  second.holds.max_life_ms = 400'000;
  second.holds.avoid_orphans = true;
  auto first = second;
  first.holds.max_seats_per_customer.reset();
  std::vector<old_sample> all;
  const auto add = [&](std::uint32_t schema, shows::description what) {
    all.push_back({schema, sample_of<shows::any_event>(
                               shows::event::show_created{42, "show-42", what}, decode_shows)});
    what.title = "Parsifal";
    all.push_back(
        {schema, sample_of<shows::any_event>(shows::event::show_changed{42, what}, decode_shows)});
  };
  add(1, first);
  add(2, second);
  return all;
}

inline std::vector<old_sample> old_samples() {
  std::vector<old_sample> all;
  for (auto some : {room_samples_of_1(), seating_samples_of_1()})
    for (auto& one : some)
      all.push_back({1, std::move(one)});
  for (auto some : {old_orders_samples(), old_shows_samples()})
    std::move(some.begin(), some.end(), std::back_inserter(all));
  return all;
}

} // namespace usher::storage::test
