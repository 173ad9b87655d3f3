#pragma once

#include "tests/storage/audit_cases.hpp"
#include "tests/storage/audit_desk_script.hpp"

// Of the cases of desk_cases() those about the seats, and about what desk and blocks have to say in
// one batch.
namespace usher::storage::test {

/// What a block does with its seats.
inline std::vector<fault_case> seat_cases() {
  using audit::fault;
  const auto planned_twice =
      seat_event::block_planned{{"A-1", "A-1", "A-2", "A-3", "A-4", "A-5", "A-6"}};
  // Hold 1 has A-1 by its time; then hold 2.
  const auto taken_over = beginning() + script{{kept(1500, 0, 900'000), kept(1500, 1, 900'000)},
                                               holding(1, 0, {"A-1"}, 2000),
                                               {desk(3000, ordered(1, 0, 1, 1, 3000))},
                                               {desk(4000, started(1, 1))},
                                               holding(2, 1, {"A-1"}, 302'000)};
  const auto extended =
      beginning() + script{holding(1, 0, {"A-1"}, 2000), extending(1, 2, {"A-1"}, 3000, 303'000)};
  return {
      {fault::seat_not_in_plan, "held",
       beginning() + script{{desk(2000, placed(1, 0, {"Z-9"}, 2000)),
                             bad(block(2000, held(1, {"Z-9"}, 2000)))}}},
      {fault::seat_held_twice, "a millisecond before the first is over",
       beginning() + script{holding(1, 0, {"A-1"}, 2000),
                            {kept(2000, 1, 900'000)},
                            {desk(301'999, placed(2, 1, {"A-1"}, 301'999)),
                             bad(block(301'999, held(2, {"A-1"}, 301'999)))}}},
      {fault::seat_sold_twice, "held after it was sold",
       sold() + script{{desk(6000, placed(2, 1, {"A-1"}, 6000)),
                        bad(block(6000, held(2, {"A-1"}, 6000)))}}},
      {fault::seat_sold_twice, "sold to another",
       taken_over + script{{desk(303'000, ordered(2, 1, 2, 1, 303'000))},
                           {desk(304'000, paid(2)), block(304'000, sold_to(2, 2, {"A-1"}))},
                           {desk(305'000, paid(1)), bad(block(305'000, sold_to(1, 1, {"A-1"})))}}},
      {fault::sold_while_held, "by another, in time",
       taken_over + script{{desk(305'000, paid(1)), bad(block(305'000, sold_to(1, 1, {"A-1"})))}}},
      {fault::seat_released_by_other, "a seat that is free",
       beginning() + script{holding(1, 0, {"A-2"}, 2000),
                            {desk(3000, hold_over(1, hold_end::released)),
                             bad(block(3000, given_back(1, 1, {"A-1"})))}}},
      {fault::generation_too_old, "gives back what an extension has",
       extended + script{{desk(4000, hold_over(1, hold_end::released)),
                          bad(block(4000, given_back(1, 1, {"A-1"})))}}},
      {fault::generation_too_old, "sells what was added since",
       beginning() +
           script{holding(1, 0, {"A-1"}, 2000),
                  adding(1, 2, {"A-2"}, 3000, 302'000),
                  {desk(4000, ordered(1, 0, 1, 2, 4000))},
                  {desk(5000, paid(1)), bad(block(5000, sold_to(1, 1, {"A-1", "A-2"})))}}},
      {fault::seat_not_on_sale, "held while BLOCKED",
       beginning() + script{{blocking({"A-1"}, 1500)},
                            {desk(2000, placed(1, 0, {"A-1"}, 2000)),
                             bad(block(2000, held(1, {"A-1"}, 2000)))}}},
      {fault::seat_not_on_sale, "sold while BLOCKED",
       beginning() +
           script{{blocking({"A-1"}, 1500)},
                  all_by_operator({desk(2000, placed_there(1, {"A-1"}, 2000)),
                                   desk(2000, ordered_there(1, 1, 1, 2000)), desk(2000, paid(1)),
                                   bad(block(2000, sold_to(1, 1, {"A-1"})))})}},
      {fault::blocked_wrongly, "sold", sold() + script{{bad(blocking({"A-1"}, 6000))}}},
      {fault::blocked_wrongly, "a millisecond before its hold is over",
       beginning() + script{holding(1, 0, {"A-1"}, 2000), {bad(blocking({"A-1"}, 301'999))}}},
      {fault::blocked_wrongly, "BLOCKED already",
       beginning() + script{{blocking({"A-1"}, 1500)}, {bad(blocking({"A-1"}, 1600))}}},
      {fault::unblocked_wrongly, "free", beginning() + script{{bad(unblocking({"A-1"}, 1500))}}},
      {fault::unblocked_wrongly, "sold", sold() + script{{bad(unblocking({"A-1"}, 6000))}}},
      {fault::seat_returned_wrongly, "sold to another",
       sold() + script{counter_sale(2, 2, {"A-3"}, 6000),
                       {bad(by_operator(block(7000, back_from(2, {"A-1"}))))}}},
      {fault::seat_returned_wrongly, "held",
       beginning() + script{holding(1, 0, {"A-1"}, 2000),
                            {bad(by_operator(block(3000, back_from(1, {"A-1"}))))}}},
      {fault::plan_drops_seat, "a sold one",
       sold() + script{{bad(block(6000, seat_event::block_planned{{"A-2", "A-3"}}))}}},
      {fault::plan_drops_seat, "a held one",
       beginning() + script{holding(1, 0, {"A-1"}, 2000),
                            {bad(block(3000, seat_event::block_planned{{"A-2"}}))}}},
      {fault::seats_not_conserved, "one seat, twice in the plan",
       beginning() + script{{bad(block(2000, planned_twice))}, holding(1, 0, {"A-1"}, 3000)}},
  };
}

/// Holds, and what their blocks do with it.
inline std::vector<fault_case> hold_batch_cases() {
  using audit::fault;
  const auto two = beginning() + script{holding(1, 0, {"A-1", "A-2"}, 2000)};
  const auto three = beginning() + script{holding(1, 0, {"A-1", "A-2", "A-3"}, 2000)};
  const auto extended = changed(1, 2, hold_change::extended, 303'000);
  const auto loses_two = reduced(1, 2, hold_change::withdrawn, {"A-1", "A-2"}, 302'000);
  const auto gives_two = given_back(1, 1, {"A-1", "A-2"});
  return {
      {fault::hold_seats_differ, "one less in the block",
       beginning() + script{{bad(desk(2000, placed(1, 0, {"A-1", "A-2"}, 2000))),
                             block(2000, held(1, {"A-1"}, 2000))}}},
      {fault::hold_seats_differ, "in the next batch",
       beginning() + script{{bad(desk(2000, placed(1, 0, {"A-1"}, 2000)))}}},
      {fault::hold_seats_differ, "an extension forgets a seat",
       two + script{{bad(desk(3000, extended)), block(3000, held_as(1, 2, {"A-1"}, 303'000))}}},
      {fault::hold_seats_differ, "added and not held",
       two + script{{bad(desk(3000, added(1, 2, {"A-3"}, 302'000)))}}},
      {fault::hold_seats_differ, "sold at once by a fan",
       beginning() + script{{bad(desk(2000, placed(1, 0, {"A-1"}, 2000))),
                             desk(2000, ordered(1, 0, 1, 1, 2000)), desk(2000, paid(1)),
                             block(2000, sold_to(1, 1, {"A-1"}))}}},
      {fault::held_until_differs, "a millisecond longer than the hold",
       beginning() + script{{desk(2000, placed(1, 0, {"A-1"}, 2000)),
                             bad(block(2000, held(1, {"A-1"}, 2001)))}}},
      {fault::held_until_differs, "extended at the desk alone",
       two + script{{desk(3000, extended),
                     bad(block(3000, held_as(1, 2, {"A-1", "A-2"}, 302'000)))}}},
      {fault::held_without_hold, "no hold",
       beginning() + script{{bad(block(2000, held(1, {"A-1"}, 2000)))}}},
      {fault::held_without_hold, "with the end of the hold",
       two + script{{desk(3000, hold_over(1, hold_end::released)), block(3000, gives_two),
                     bad(block(3000, held_as(1, 1, {"A-1"}, 302'000)))}}},
      {fault::generation_wrong, "one is left out",
       two + script{{bad(desk(3000, changed(1, 3, hold_change::extended, 303'000))),
                     block(3000, held_as(1, 3, {"A-1", "A-2"}, 303'000))}}},
      {fault::generation_wrong, "the same again",
       two + script{{bad(desk(3000, changed(1, 1, hold_change::extended, 303'000))),
                     block(3000, held_as(1, 1, {"A-1", "A-2"}, 303'000))}}},
      {fault::generation_wrong, "held for the one before",
       two + script{{desk(3000, extended),
                     bad(block(3000, held_as(1, 1, {"A-1", "A-2"}, 303'000)))}}},
      {fault::generation_wrong, "given back by one to come",
       two + script{{desk(3000, hold_over(1, hold_end::released)),
                     bad(block(3000, given_back(1, 2, {"A-1", "A-2"})))}}},
      {fault::generation_wrong, "sold by one to come",
       paying() +
           script{{desk(5000, paid(1)), bad(block(5000, sold_to(1, 1, {"A-1", "A-2"}, 2)))}}},
      {fault::released_without_end, "the hold goes on",
       two + script{{bad(block(3000, given_back(1, 1, {"A-1"})))}}},
      {fault::released_without_end, "with its extension",
       two + script{{desk(3000, extended), block(3000, held_as(1, 2, {"A-1", "A-2"}, 303'000)),
                     bad(block(3000, given_back(1, 2, {"A-1"})))}}},
      {fault::released_seats_differ, "none",
       two + script{{bad(desk(3000, reduced(1, 2, hold_change::released, {"A-1"}, 302'000)))}}},
      {fault::released_seats_differ, "another",
       two + script{{bad(desk(3000, reduced(1, 2, hold_change::released, {"A-1"}, 302'000))),
                     block(3000, given_back(1, 1, {"A-2"}))}}},
      {fault::withdrawn_without_block, "one of two stays on sale",
       three + script{{bad(by_operator(desk(3000, loses_two))), block(3000, gives_two),
                       blocking({"A-1", "A-4"}, 3000)}}},
      {fault::withdrawn_without_block, "the whole hold, and another seat is taken off sale",
       two + script{{bad(by_operator(desk(3000, hold_over(1, hold_end::withdrawn)))),
                     block(3000, gives_two), blocking({"A-4"}, 3000)}}},
  };
}

/// Orders, and what the blocks do with it.
inline std::vector<fault_case> order_batch_cases() {
  using audit::fault;
  using orders::payment_outcome;
  return {
      {fault::paid_seats_differ, "one less",
       paying() + script{{desk(5000, settled(1, 1, payment_outcome::approved)),
                          bad(desk(5000, paid(1))), block(5000, sold_to(1, 1, {"A-1"}))}}},
      {fault::paid_seats_differ, "none", paying() + script{{bad(desk(5000, paid(1)))}}},
      {fault::paid_seats_differ, "over the counter, one less",
       beginning() + script{all_by_operator({desk(2000, placed_there(1, {"A-1", "A-2"}, 2000)),
                                             desk(2000, ordered_there(1, 1, 2, 2000)),
                                             bad(desk(2000, paid(1))),
                                             block(2000, sold_to(1, 1, {"A-1"}))})}},
      {fault::sold_without_paid, "the order is not paid",
       paying() + script{{bad(block(5000, sold_to(1, 1, {"A-1", "A-2"})))}}},
      {fault::returned_seats_differ, "one less in the block",
       sold() + script{all_by_operator({bad(desk(6000, returned(1, {"A-1", "A-2"}))),
                                        block(6000, back_from(1, {"A-1"}))})}},
      {fault::returned_seats_differ, "the desk knows nothing",
       sold() + script{{bad(by_operator(block(6000, back_from(1, {"A-1"}))))}}},
      {fault::money_without_outcome, "approved and nothing else",
       paying() + script{{bad(desk(5000, settled(1, 1, payment_outcome::approved)))}}},
  };
}

} // namespace usher::storage::test
