#include "tests/storage/audit_cases.hpp"
#include "tests/storage/audit_room_script.hpp"

namespace usher::storage::test {

using audit::fault;
using waiting_room::end_reason;
using waiting_room::stock;

namespace {

line kept(time_ms later, slot_t slot, time_ms busy_until) {
  return queue(later, room_event::admission_kept{slot, start_ms + busy_until, false});
}

std::vector<fault_case> moment_cases() {
  return {
      {fault::admitted_while_off,
       "a room that was never opened",
       {{directory(0, created(0, "s"))}, {bad(queue(0, admitted({}, 0)))}}},
      {fault::admitted_before_opening, "in the prequeue",
       in_prequeue() + script{{bad(queue(60'000, admitted({0}, 60'000)))}}},
      {fault::admitted_while_paused, "by an operator",
       beginning() + script{{queue(2000, room_event::room_paused{})},
                            {bad(queue(3000, admitted({2}, 3000)))}}},
      {fault::admitted_while_none_left, "all taken",
       beginning() + script{{queue(2000, room_event::stock_changed{stock::all_taken})},
                            {bad(queue(3000, admitted({2}, 3000)))}}},
      {fault::admitted_while_none_left, "on standby",
       beginning() + script{{queue(2000, room_event::room_put_on_standby{})},
                            {queue(2000, room_event::stock_changed{stock::sold_out})},
                            {bad(queue(3000, admitted({2}, 3000)))}}},
  };
}

std::vector<fault_case> turn_cases() {
  auto set = settings();
  set.reentry_grace_ms = 30'000;
  const auto as = [](const std::vector<identity>& column) {
    auto one = admitted({2, 3, 4}, 301'000);
    one.who = column;
    return one;
  };
  auto early_bird = beginning();
  early_bird[3] = {queue(
      10, room_event::fans_joined{0,
                                  std::vector<std::uint64_t>(10, 7),
                                  {},
                                  {identity{}, identity{}, who(1), identity{}, who(3), identity{},
                                   identity{}, identity{}, identity{}, identity{}},
                                  {},
                                  {}})};
  early_bird.push_back({ended(301'000, end_reason::expired, {0, 1})});
  const auto standby = [](std::size_t waiting) {
    return script{{directory(0, created(0, "s")), queue(0, configured(settings()))},
                  {queue(0, room_event::room_opened{})},
                  {queue(0, joined(0, waiting))},
                  {queue(0, room_event::room_put_on_standby{})}};
  };
  return {
      {fault::admitted_twice, "an admitted one",
       beginning() + script{{bad(queue(2000, admitted({0}, 2000)))}}},
      {fault::admitted_twice, "one who left",
       beginning() +
           script{{ended(2000, end_reason::left, {2})}, {bad(queue(2000, admitted({2}, 2000)))}}},
      {fault::admitted_twice, "one who was passed over",
       beginning() + script{{passed_over(181'000, {2}, 1000)},
                            {bad(queue(182'000, admitted({2}, 182'000)))}}},
      {fault::admitted_out_of_turn, "3 before 2",
       beginning() + script{{bad(queue(2000, admitted({3}, 2000)))}}},
      {fault::admitted_out_of_turn, "as they came, after a draw",
       in_prequeue() + script{{places_drawn(drawn({0, 1, 2, 3, 4, 5})), opened()},
                              {bad(queue(101'000, admitted({0}, 101'000)))}}},
      {fault::admitted_out_of_turn, "the general tier before members",
       in_prequeue() + script{codes(50'002),
                              {queue(55'000, room_event::fan_promoted{5, 1, who(3)})},
                              {places_drawn(std::vector<slot_t>{5, 3, 1, 0, 4, 2}), opened()},
                              {bad(queue(101'000, admitted({3}, 101'000)))}}},
      {fault::admitted_out_of_turn, "before one who returned",
       beginning() +
           script{{passed_over(181'000, {2}, 1000)},
                  {returned(182'000, {2}, 181'500), bad(queue(182'000, admitted({3}, 182'000)))}}},
      {fault::admitted_out_of_turn, "before one who re-entered",
       beginning() + script{{queue(1500, configured(set))},
                            {ended(301'000, end_reason::expired, {0})},
                            {queue(302'000, room_event::fan_reentered{0})},
                            {bad(queue(303'000, admitted({2}, 303'000)))}}},
      {fault::admitted_out_of_turn, "at once, and somebody waits",
       standby(1) + script{{queue(1000, joined(1, 1)), bad(queue(1000, admitted({1}, 1000)))}}},
      {fault::admitted_out_of_turn, "at once, but the second one first",
       standby(0) + script{{queue(1000, joined(0, 2)), bad(queue(1000, admitted({1}, 1000)))}}},
      {fault::admitted_as_another, "another customer",
       early_bird + script{{bad(queue(301'000, as({who(2), identity{}, who(3)})))}}},
      {fault::admitted_as_another, "somebody whom nobody knows",
       early_bird + script{{bad(queue(301'000, as({who(1), who(2), who(3)})))}}},
  };
}

std::vector<fault_case> limit_cases() {
  auto slow = settings();
  slow.admit_per_second_micro = 1'000'000;
  auto three = settings();
  three.max_active.reset();
  return {
      {fault::over_capacity, "five of four",
       beginning() + script{{bad(queue(2000, admitted({2, 3, 4}, 2000)))}}},
      {fault::over_rate, "three at once, two are allowed",
       beginning() + script{{queue(1500, configured(slow))},
                            {ended(1600, end_reason::left, {0})},
                            {bad(queue(2000, admitted({2, 3, 4}, 2000)))}}},
      {fault::over_rate, "two, and a third a millisecond before its second is over",
       beginning() + script{{queue(1500, configured(slow))},
                            {ended(1600, end_reason::left, {0})},
                            {queue(2000, admitted({2, 3}, 2000))},
                            {bad(queue(2999, admitted({4}, 2999)))}}},
      {fault::over_rate, "at once on standby",
       script{{directory(0, created(0, "s")), queue(0, configured(slow))},
              {queue(0, room_event::room_put_on_standby{})},
              {queue(10, joined(0, 2)), queue(10, admitted({0, 1}, 10))},
              {queue(1000, joined(2, 1)), bad(queue(1000, admitted({2}, 1000)))}}},
      {fault::over_max_per_tick, "four of three",
       beginning() + script{{ended(1600, end_reason::left, {0})},
                            {ended(1600, end_reason::left, {1})},
                            {bad(queue(2000, admitted({2, 3, 4, 5}, 2000)))}}},
      {fault::over_max_per_tick, "four in one tick of the clock, on standby",
       script{{directory(0, created(0, "s")), queue(0, configured(three))},
              {queue(0, room_event::room_put_on_standby{})},
              {queue(0, joined(0, 2)), queue(0, admitted({0, 1}, 0))},
              {queue(500, joined(2, 1)), queue(500, admitted({2}, 500))},
              {queue(999, joined(3, 1)), bad(queue(999, admitted({3}, 999)))}}},
      {fault::deadline_wrong, "a millisecond more",
       beginning() + script{{bad(queue(2000, admitted({2}, 2001)))}}},
      {fault::admission_not_live, "kept while waiting",
       beginning() + script{{bad(queue(2000, room_event::admission_kept{5, 0, false}))}}},
  };
}

std::vector<fault_case> end_cases() {
  auto idle = settings();
  idle.idle_timeout_ms = 60'000;
  auto fixed = idle;
  fixed.fixed_length = true;
  const auto set = [](const waiting_room::settings& to) {
    return beginning() + script{{queue(1500, configured(to))}};
  };
  return {
      {fault::ticket_ended_twice, "left twice",
       beginning() +
           script{{ended(2000, end_reason::left, {5})}, {bad(ended(2000, end_reason::left, {5}))}}},
      {fault::ticket_ended_twice, "closed, then left",
       beginning() + script{{queue(2000, room_event::room_closed{})},
                            {bad(ended(2000, end_reason::left, {5}))}}},
      {fault::ticket_ended_twice, "left, then revoked",
       beginning() + script{{ended(2000, end_reason::left, {5})},
                            {bad(queue(2000, room_event::ticket_revoked{5, "a robot"}))}}},
      {fault::expired_early, "a millisecond before the deadline",
       beginning() + script{{bad(ended(300'999, end_reason::expired, {0}))}}},
      {fault::expired_early, "while something keeps it",
       beginning() +
           script{{kept(2000, 0, 400'000)}, {bad(ended(399'999, end_reason::expired, {0}))}}},
      {fault::expired_early, "one who waits",
       beginning() + script{{bad(ended(900'000, end_reason::expired, {5}))}}},
      {fault::used_early, "one who waits",
       beginning() + script{{bad(ended(2000, end_reason::used, {5}))}}},
      {fault::used_early, "of fixed length, by a millisecond",
       set(fixed) + script{{bad(ended(300'999, end_reason::used, {0}))}}},
      {fault::idle_early, "by a millisecond",
       set(idle) + script{{bad(ended(60'999, end_reason::idle, {0}))}}},
      {fault::idle_early, "while something keeps it",
       set(idle) + script{{kept(2000, 0, 100'000)}, {bad(ended(99'999, end_reason::idle, {0}))}}},
      {fault::idle_early, "of fixed length",
       set(fixed) + script{{bad(ended(200'000, end_reason::idle, {0}))}}},
      {fault::idle_early, "the settings know no such end",
       beginning() + script{{bad(ended(200'000, end_reason::idle, {0}))}}},
      {fault::idle_early, "one who waits",
       set(idle) + script{{bad(ended(200'000, end_reason::idle, {5}))}}},
  };
}

} // namespace

std::vector<fault_case> admission_cases() {
  std::vector<fault_case> all;
  for (const auto& some : {moment_cases(), turn_cases(), limit_cases(), end_cases()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

} // namespace usher::storage::test
