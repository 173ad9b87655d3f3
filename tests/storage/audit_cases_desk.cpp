#include "tests/storage/audit_cases_seats.hpp"

namespace usher::storage::test {

using audit::fault;
using orders::payment_outcome;
using waiting_room::end_reason;

namespace {

std::vector<fault_case> hold_cases() {
  return {
      {fault::hold_placed_twice, "the same id",
       beginning() + script{holding(1, 0, {"A-1"}, 2000),
                            {kept(2000, 0, 900'000)},
                            {bad(desk(310'000, placed(1, 0, {"A-1"}, 310'000))),
                             block(310'000, held(1, {"A-1"}, 310'000))}}},
      {fault::hold_without_admission, "one who waits",
       beginning() + script{{bad(desk(2000, placed(1, 5, {"A-1"}, 2000))),
                             block(2000, held(1, {"A-1"}, 2000))}}},
      {fault::hold_without_admission, "nobody, and the room is open",
       beginning() + script{{bad(desk(2000, placed(1, {}, {"A-1"}, 2000))),
                             block(2000, held(1, {"A-1"}, 2000))}}},
      {fault::hold_without_admission, "at the very deadline",
       beginning() + script{{bad(desk(301'000, placed(1, 0, {"A-1"}, 301'000))),
                             block(301'000, held(1, {"A-1"}, 301'000))}}},
      {fault::hold_without_admission, "after leaving",
       beginning() + script{{queue(1500, room_event::tickets_ended{end_reason::left, {0}})},
                            {bad(desk(2000, placed(1, 0, {"A-1"}, 2000))),
                             block(2000, held(1, {"A-1"}, 2000))}}},
      {fault::over_max_seats, "five of four in two holds",
       beginning() + script{holding(1, 0, {"A-1", "A-2", "A-3"}, 2000),
                            {bad(desk(3000, placed(2, 0, {"A-4", "A-5"}, 3000))),
                             block(3000, held(2, {"A-4", "A-5"}, 3000))}}},
      {fault::over_max_seats, "two of them bought",
       sold() + script{{bad(desk(6000, placed(2, 0, {"A-3", "A-4", "A-5"}, 6000))),
                        block(6000, held(2, {"A-3", "A-4", "A-5"}, 6000))}}},
      {fault::hold_unknown, "never placed",
       beginning() + script{{bad(desk(2000, hold_over(9, hold_end::released)))}}},
      {fault::hold_unknown, "ended twice",
       beginning() + script{holding(1, 0, {"A-1"}, 2000),
                            {desk(3000, hold_over(1, hold_end::released)),
                             block(3000, given_back(1, 1, {"A-1"}))},
                            {bad(desk(3000, hold_over(1, hold_end::released)))}}},
      {fault::hold_ended_wrongly, "its order is being paid",
       paying() + script{{bad(desk(5000, hold_over(1, hold_end::released)))}}},
      {fault::hold_ended_wrongly, "sold",
       sold() + script{{bad(desk(6000, hold_over(1, hold_end::released)))}}},
      {fault::hold_expired_early, "a millisecond",
       beginning() + script{holding(1, 0, {"A-1"}, 2000),
                            {bad(desk(301'999, hold_over(1, hold_end::expired))),
                             block(301'999, given_back(1, 1, {"A-1"}))}}},
  };
}

/// Fan 0 has until 302 s; it was placed at 2 s.
script two_held() {
  return beginning() + script{holding(1, 0, {"A-1", "A-2"}, 2000)};
}

std::vector<fault_case> change_cases() {
  const auto both = std::vector<seat_id>{"A-1", "A-2"};
  const auto none_left = reduced(1, 2, hold_change::released, both, 302'000);
  auto longer = reduced(1, 2, hold_change::released, {"A-1"}, 302'001);
  auto both_at_once = added(1, 2, {"A-3"}, 303'000);
  both_at_once.what = hold_change::extended;
  const script off = {{directory(0, created(0, "s")),
                       block(0, seat_event::block_planned{{"A-1", "A-2", "A-3", "A-4", "A-5"}})}};
  return {
      {fault::hold_unknown, "changed and never placed",
       beginning() + script{{bad(desk(3000, changed(9, 2, hold_change::extended, 303'000)))}}},
      {fault::hold_changed_wrongly, "at its very end",
       two_held() + script{{kept(3000, 0, 900'000)},
                           {bad(desk(302'000, changed(1, 2, hold_change::extended, 602'000))),
                            block(302'000, held_as(1, 2, both, 602'000))}}},
      {fault::hold_changed_wrongly, "it has an order",
       pending() + script{{bad(desk(4000, changed(1, 2, hold_change::extended, 304'000))),
                           block(4000, held_as(1, 2, both, 304'000))}}},
      {fault::hold_changed_wrongly, "sold",
       sold() + script{{bad(desk(6000, reduced(1, 2, hold_change::released, {"A-1"}, 302'000)))}}},
      {fault::hold_changed_wrongly, "extended to the same time",
       two_held() + script{{bad(desk(3000, changed(1, 2, hold_change::extended, 302'000))),
                            block(3000, held_as(1, 2, both, 302'000))}}},
      {fault::hold_changed_wrongly, "lasts longer with a seat less",
       two_held() + script{{bad(desk(3000, longer)), block(3000, given_back(1, 1, {"A-1"}))}}},
      {fault::hold_changed_wrongly, "extended with a seat more",
       two_held() +
           script{{bad(desk(3000, both_at_once)), block(3000, held_as(1, 2, both, 303'000))}}},
      {fault::hold_changed_wrongly, "gets a seat that it has",
       two_held() + script{{bad(desk(3000, added(1, 2, {"A-1"}, 302'000))),
                            block(3000, held_as(1, 2, {"A-1"}, 302'000))}}},
      {fault::hold_changed_wrongly, "loses a seat that it has not",
       two_held() +
           script{{bad(desk(3000, reduced(1, 2, hold_change::released, {"A-3"}, 302'000)))}}},
      {fault::hold_changed_wrongly, "gets none",
       two_held() + script{{bad(desk(3000, added(1, 2, {}, 302'000)))}}},
      {fault::hold_changed_wrongly, "loses all",
       two_held() + script{{bad(desk(3000, none_left)), block(3000, given_back(1, 1, both))}}},
      {fault::over_max_life, "a millisecond",
       two_held() + script{{bad(desk(3000, changed(1, 2, hold_change::extended, 602'001))),
                            block(3000, held_as(1, 2, both, 602'001))}}},
      {fault::hold_without_admission, "extended at the admission's very deadline",
       two_held() + script{{bad(desk(301'000, changed(1, 2, hold_change::extended, 601'000))),
                            block(301'000, held_as(1, 2, both, 601'000))}}},
      {fault::hold_without_admission, "a seat more at the admission's very deadline",
       two_held() + script{{bad(desk(301'000, added(1, 2, {"A-3"}, 302'000))),
                            block(301'000, held_as(1, 2, {"A-3"}, 302'000))}}},
      {fault::over_max_seats, "a fifth",
       two_held() + script{holding(2, 0, {"A-3", "A-4"}, 3000),
                           {bad(desk(4000, added(1, 2, {"A-5"}, 302'000))),
                            block(4000, held_as(1, 2, {"A-5"}, 302'000))}}},
      {fault::over_max_seats, "a fifth of nobody's, the room is off",
       off + script{holding(1, {}, {"A-1", "A-2", "A-3", "A-4"}, 2000),
                    {bad(desk(3000, added(1, 2, {"A-5"}, 302'000))),
                     block(3000, held_as(1, 2, {"A-5"}, 302'000))}}},
  };
}

std::vector<fault_case> operator_cases() {
  const script box_hold =
      beginning() + script{all_by_operator({desk(2000, placed_there(1, {"A-1"}, 2000)),
                                            block(2000, held(1, {"A-1"}, 2000))})};
  const desk_event::order_expired expired{order_no(1)};
  return {
      {fault::box_office_by_other, "a fan holds",
       beginning() + script{{bad(desk(2000, placed_there(1, {"A-1"}, 2000))),
                             block(2000, held(1, {"A-1"}, 2000))}}},
      {fault::box_office_by_other, "a fan orders",
       box_hold + script{{bad(desk(3000, ordered_there(1, 1, 1, 3000)))}}},
      {fault::box_office_by_other, "a fan extends",
       box_hold + script{{bad(desk(3000, changed(1, 2, hold_change::extended, 303'000))),
                          block(3000, held_as(1, 2, {"A-1"}, 303'000))}}},
      {fault::box_office_by_other, "a fan adds a seat",
       box_hold + script{{bad(desk(3000, added(1, 2, {"A-2"}, 302'000))),
                          block(3000, held_as(1, 2, {"A-2"}, 302'000))}}},
      {fault::order_without_hold, "the box office's",
       box_hold + script{{bad(desk(3000, ordered(1, 0, 1, 1, 3000)))}}},
      {fault::hold_ended_wrongly, "withdrawn, and its order expired",
       pending() +
           script{all_by_operator(
               {desk(243'000, expired), bad(desk(243'000, hold_over(1, hold_end::withdrawn))),
                block(243'000, given_back(1, 1, {"A-1", "A-2"})), blocking({"A-1"}, 243'000)})}},
      {fault::return_not_allowed, "not paid yet",
       pending() + script{{bad(by_operator(desk(4000, returned(1, {"A-1"}))))}}},
      {fault::return_not_allowed, "returned before",
       sold() + script{returning(1, {"A-1"}, 6000),
                       {bad(by_operator(desk(7000, returned(1, {"A-1"}))))}}},
      {fault::return_not_allowed, "another's seat",
       sold() + script{{bad(by_operator(desk(7000, returned(1, {"A-3"}))))}}},
      {fault::return_not_allowed, "it has no seats",
       beginning() + script{{desk(2000, ordered_ref(1, "x", 2000), "r")},
                            {desk(3000, paid(1), "r")},
                            {bad(by_operator(desk(4000, returned(1, {"A-1"}), "r")))}}},
  };
}

std::vector<fault_case> order_cases() {
  auto cheap = ordered(1, 0, 1, 2, 3000);
  cheap.total.amount_minor -= 1;
  const script held_only = beginning() + script{holding(1, 0, {"A-1", "A-2"}, 2000)};
  const desk_event::order_refund_due refund{order_no(1), "SANDBOX", "ref"};
  const desk_event::order_expired expired{order_no(1)};
  const desk_event::order_cancelled cancelled{order_no(1)};
  const auto give_back = batch_lines{desk(250'000, hold_over(1, hold_end::order_expired)),
                                     block(250'000, given_back(1, 1, {"A-1", "A-2"}))};
  return {
      {fault::order_placed_twice, "the same id",
       beginning() + script{{desk(2000, ordered_ref(1, "x", 2000), "r")},
                            {bad(desk(3000, ordered_ref(1, "x", 3000), "r"))}}},
      {fault::order_without_admission, "nobody, and the room is open",
       beginning() + script{{bad(desk(2000, ordered_ref(1, "x", 2000)))}}},
      {fault::order_without_hold, "never placed",
       beginning() + script{{bad(desk(3000, ordered(1, 0, 1, 2, 3000)))}}},
      {fault::order_without_hold, "over",
       held_only +
           script{{kept(3000, 0, 900'000)}, {bad(desk(302'000, ordered(1, 0, 1, 2, 302'000)))}}},
      {fault::order_without_hold, "another fan's",
       held_only + script{{bad(desk(3000, ordered(1, 1, 1, 2, 3000)))}}},
      {fault::order_without_hold, "ordered already",
       pending() + script{{bad(desk(4000, ordered(2, 0, 1, 2, 4000)))}}},
      {fault::order_total_wrong, "one less", held_only + script{{bad(desk(3000, cheap))}}},
      {fault::order_unknown, "expired", beginning() + script{{bad(desk(3000, expired))}}},
      {fault::order_ended_wrongly, "expired while being paid",
       paying() + script{{bad(desk(250'000, expired))}}},
      {fault::order_ended_wrongly, "cancelled when paid",
       sold() + script{{bad(desk(6000, cancelled))}}},
      {fault::order_expired_early, "a millisecond",
       pending() + script{batch_lines{bad(desk(242'999, expired))} + give_back}},
      {fault::payment_not_allowed, "two at once",
       paying() + script{{bad(desk(5000, started(1, 2)))}}},
      {fault::payment_not_allowed, "at the very deadline",
       pending() + script{{bad(desk(243'000, started(1, 1)))}}},
      {fault::payment_unknown, "never started",
       paying() + script{{bad(desk(5000, settled(1, 2, payment_outcome::declined)))}}},
      {fault::payment_settled_twice, "declined twice",
       paying() + script{{desk(5000, settled(1, 1, payment_outcome::declined))},
                         {bad(desk(5000, settled(1, 1, payment_outcome::declined)))}}},
      {fault::order_paid_twice, "the seller's reference, twice",
       beginning() + script{{desk(2000, ordered_ref(1, "x", 2000), "r")},
                            {desk(3000, paid(1), "r")},
                            {bad(desk(4000, paid(1), "r"))}}},
      {fault::refund_not_due, "the seats are its own",
       paying() + script{{bad(desk(5000, refund))}}},
      {fault::refund_not_due, "nobody else has the reference",
       beginning() + script{{desk(2000, ordered_ref(1, "x", 2000), "r")},
                            {desk(2000, ordered_ref(2, "y", 2000), "r")},
                            {bad(desk(3000, refund, "r"))}}},
  };
}

} // namespace

std::vector<fault_case> desk_cases() {
  std::vector<fault_case> all;
  for (const auto& some : {seat_cases(), hold_batch_cases(), order_batch_cases(), hold_cases(),
                           change_cases(), operator_cases(), order_cases()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

} // namespace usher::storage::test
