#include "tests/storage/audit_cases.hpp"
#include "tests/storage/audit_room_script.hpp"

namespace usher::storage::test {

using audit::fault;
using waiting_room::end_reason;
using waiting_room::stock;

namespace {

std::vector<fault_case> join_cases() {
  auto two_places = settings();
  two_places.max_queue = 8;
  const auto full = beginning() + script{{queue(1500, configured(two_places))}};
  const auto one_out = full + script{{passed_over(181'000, {2}, 1000)}};
  return {
      {fault::join_while_off, "after closing",
       beginning() +
           script{{queue(2000, room_event::room_closed{})}, {bad(queue(2000, joined(10, 1)))}}},
      {fault::join_while_scheduled, "before the prequeue",
       scheduled() + script{{bad(queue(2000, joined(0, 1)))}}},
      {fault::join_while_ended, "sold out",
       beginning() + script{{queue(2000, room_event::stock_changed{stock::sold_out})},
                            {bad(queue(2000, joined(10, 1)))}}},
      {fault::over_max_queue, "one more", full + script{{bad(queue(2000, joined(10, 1)))}}},
      {fault::over_max_queue, "with one who was passed over",
       one_out + script{{bad(queue(182'000, joined(10, 1)))}}},
      {fault::over_max_queue, "three, and two of them took the places of others",
       full + script{{bad(queue(2000, joined(10, 3))), ended(2000, end_reason::merged, {4}),
                      ended(2000, end_reason::merged, {5})}}},
      {fault::over_max_queue, "one, and a place is free a batch later",
       full + script{{bad(queue(2000, joined(10, 1)))}, {ended(2000, end_reason::merged, {4})}}},
      {fault::slots_out_of_order, "a slot left out",
       beginning() + script{{bad(queue(2000, joined(11, 1)))}}},
  };
}

std::vector<fault_case> unknown_cases() {
  const auto about = [](const std::string& how, const waiting_room::any_event& what) {
    return fault_case{fault::ticket_unknown, how, beginning() + script{{bad(queue(2000, what))}}};
  };
  return {
      about("admitted", admitted({99}, 2000)),
      about("ended", room_event::tickets_ended{end_reason::left, {10}}),
      about("identified", room_event::fan_identified{10, identity{}}),
      about("promoted", room_event::fan_promoted{10, 0, who(1)}),
      about("passed over", room_event::fans_passed_over{{10}, {0}}),
      about("returned", room_event::fans_returned{{10}, {0}}),
      about("re-entered", room_event::fan_reentered{10}),
      about("revoked", room_event::ticket_revoked{10, ""}),
      about("with a wish", room_event::wish_set{10, {}}),
      about("with an answer", room_event::wish_answered{10, {}, "none"}),
  };
}

std::vector<fault_case> code_cases() {
  const auto with_codes = in_prequeue() + script{codes(50'002)};
  const auto spent = with_codes + script{{queue(50'003, joined_with(6, 1, 0))}};
  const auto again = [](time_ms later) {
    return queue(later, room_event::codes_added{"c", "vip", true, {}, {}, {who(2), who(9)}});
  };
  return {
      {fault::codes_added_wrongly, "no such tier",
       in_prequeue() +
           script{
               {bad(queue(50'002, room_event::codes_added{"a", "crew", true, {}, {}, {who(1)}}))}}},
      {fault::codes_added_wrongly, "known ones", with_codes + script{{bad(again(50'003))}}},
      {fault::code_unknown, "joined",
       with_codes + script{{bad(queue(50'003, joined_with(6, 9, 0)))}}},
      {fault::code_unknown, "promoted",
       with_codes + script{{bad(queue(50'003, room_event::fan_promoted{3, 0, who(9)}))}}},
      {fault::code_not_valid, "a millisecond before its time",
       with_codes + script{{bad(queue(54'999, joined_with(6, 3, 1)))}}},
      {fault::code_not_valid, "when its time is over",
       with_codes + script{{bad(queue(60'000, room_event::fan_promoted{3, 1, who(3)}))}}},
      {fault::code_used_twice, "two joined",
       spent + script{{bad(queue(50'004, joined_with(7, 1, 0)))}}},
      {fault::code_used_twice, "in one join",
       with_codes +
           script{{bad(queue(
               50'003, room_event::fans_joined{6, {7, 7}, {}, {}, {who(1), who(1)}, {0, 0}}))}}},
      {fault::code_used_twice, "another was promoted",
       spent + script{{bad(queue(50'004, room_event::fan_promoted{3, 0, who(1)}))}}},
      {fault::code_used_twice, "by one who was admitted, before the room was closed",
       spent + script{{places_drawn({6, 3, 1, 0, 5, 4, 2}), opened()},
                      {queue(101'000, admitted({6}, 101'000))},
                      {queue(102'000, room_event::room_closed{})},
                      {queue(103'000, room_event::room_opened{})},
                      {bad(queue(104'000, joined_with(7, 1, 0)))}}},
      {fault::tier_wrong, "no code",
       with_codes + script{{bad(queue(50'003, room_event::fans_joined{6, {7}, {}, {}, {}, {0}}))}}},
      {fault::tier_wrong, "another tier's code",
       with_codes + script{{bad(queue(55'000, joined_with(6, 3, 0)))}}},
      {fault::tier_wrong, "none for a code",
       with_codes + script{{bad(queue(55'000, joined_with(6, 1, 2)))}}},
      {fault::tier_wrong, "no such tier",
       with_codes + script{{bad(queue(55'000, joined_with(6, 1, 7)))}}},
      {fault::promoted_wrongly, "to where it stood",
       spent + script{{bad(queue(50'004, room_event::fan_promoted{6, 0, who(2)}))}}},
      {fault::promoted_wrongly, "to a worse tier",
       spent + script{{bad(queue(55'000, room_event::fan_promoted{6, 1, who(3)}))}}},
      {fault::promoted_wrongly, "one who left",
       with_codes + script{{ended(50'003, end_reason::left, {3})},
                           {bad(queue(50'004, room_event::fan_promoted{3, 0, who(1)}))}}},
  };
}

std::vector<fault_case> absence_cases() {
  const auto away = beginning() + script{{passed_over(181'000, {2}, 1000)}};
  const time_ms over = 181'000 + 1'800'000;
  return {
      {fault::passed_over_early, "heard of, by a millisecond",
       beginning() + script{{bad(passed_over(181'000, {2}, 1001))}}},
      {fault::passed_over_early, "opened, by a millisecond",
       beginning() + script{{bad(passed_over(179'999, {2}, -900'000))}}},
      {fault::passed_over_wrongly, "admitted",
       beginning() + script{{bad(passed_over(181'000, {1}, 0))}}},
      {fault::passed_over_wrongly, "twice", away + script{{bad(passed_over(182'000, {2}, 0))}}},
      {fault::passed_over_out_of_turn, "2 stays",
       beginning() + script{{bad(passed_over(181'000, {3}, 0))}}},
      {fault::passed_over_out_of_turn, "2 is admitted, 3 stays",
       beginning() +
           script{{bad(passed_over(181'000, {4}, 0)), queue(181'000, admitted({2}, 181'000))}}},
      {fault::passed_over_out_of_turn, "2 is admitted in the next batch",
       beginning() +
           script{{bad(passed_over(181'000, {3}, 0))}, {queue(181'000, admitted({2}, 181'000))}}},
      {fault::passed_over_out_of_turn, "nobody's turn",
       beginning() +
           script{{queue(2000, room_event::room_paused{})}, {bad(passed_over(181'000, {2}, 0))}}},
      {fault::returned_wrongly, "was not away",
       beginning() + script{{bad(returned(181'000, {2}, 181'000))}}},
      {fault::returned_wrongly, "not heard of since",
       away + script{{bad(returned(182'000, {2}, 180'999))}}},
      {fault::returned_late, "when the time is over",
       away + script{{bad(returned(over, {2}, over))}}},
      {fault::absent_early, "a millisecond",
       away + script{{bad(ended(over - 1, end_reason::absent, {2}))}}},
      {fault::absent_early, "was not away",
       beginning() + script{{bad(ended(over, end_reason::absent, {2}))}}},
  };
}

std::vector<fault_case> reentry_cases() {
  auto set = settings();
  set.reentry_grace_ms = 30'000;
  const auto back = [](time_ms later) { return queue(later, room_event::fan_reentered{0}); };
  const auto granted = beginning() + script{{queue(1500, configured(set))}};
  const auto gone = script{{ended(301'000, end_reason::expired, {0})}};
  const auto once = granted + gone +
                    script{{back(302'000)},
                           {queue(303'000, admitted({0}, 303'000))},
                           {ended(603'000, end_reason::expired, {0})}};
  return {
      {fault::reentered_late, "when the time is over",
       granted + gone + script{{bad(back(331'000))}}},
      {fault::reentered_twice, "once is enough", once + script{{bad(back(604'000))}}},
      {fault::reentered_wrongly, "the settings know no grace",
       beginning() + gone + script{{bad(back(302'000))}}},
      {fault::reentered_wrongly, "left",
       granted + script{{ended(2000, end_reason::left, {0})}, {bad(back(3000))}}},
      {fault::reentered_wrongly, "still admitted", granted + script{{bad(back(2000))}}},
      {fault::reentered_wrongly, "of another opening",
       granted + gone +
           script{{queue(302'000, room_event::room_closed{})},
                  {queue(302'000, room_event::room_opened{})},
                  {bad(back(303'000))}}},
      {fault::join_while_ended, "re-entered",
       granted + gone +
           script{{queue(302'000, room_event::stock_changed{stock::sold_out})},
                  {bad(back(303'000))}}},
  };
}

std::vector<fault_case> wish_cases() {
  const auto wishes = [](time_ms later, slot_t slot) {
    return queue(later, room_event::wish_set{slot, waiting_room::wish{}});
  };
  const auto answered = [](time_ms later, slot_t slot) {
    return queue(later, room_event::wish_answered{slot, hold_no(1), ""});
  };
  return {
      {fault::wish_set_wrongly, "admitted", beginning() + script{{bad(wishes(2000, 0))}}},
      {fault::wish_set_wrongly, "left",
       beginning() + script{{ended(2000, end_reason::left, {2})}, {bad(wishes(2000, 2))}}},
      {fault::wish_answered_wrongly, "waits still",
       beginning() + script{{wishes(2000, 2)}, {bad(answered(3000, 2))}}},
      {fault::wish_answered_wrongly, "wished nothing",
       beginning() + script{{bad(answered(3000, 0))}}},
      {fault::wish_answered_wrongly, "twice",
       beginning() + script{{wishes(2000, 2)},
                            {queue(3000, admitted({2}, 3000))},
                            {answered(3000, 2)},
                            {bad(answered(3001, 2))}}},
  };
}

} // namespace

std::vector<fault_case> queue_cases() {
  std::vector<fault_case> all;
  for (const auto& some : {join_cases(), unknown_cases(), code_cases(), absence_cases(),
                           reentry_cases(), wish_cases()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

} // namespace usher::storage::test
