#undef BOOST_TEST_MODULE // the test's own file has it

#include "tests/storage/audit_cases.hpp"

namespace usher::storage::test {

using audit::fault;
using orders::hold_end;
using orders::payment_outcome;
using waiting_room::end_reason;

namespace {

batch_lines selling(std::uint8_t order, std::uint8_t hold, std::vector<seat_id> seats,
                    time_ms later) {
  return {desk(later, paid(order)),
          block(later, seat_event::seats_sold{hold_no(hold), order_no(order), std::move(seats)})};
}

/// Fan 0 holds, orders them, and a payment runs.
script paying() {
  return beginning() + script{holding(1, 0, {"A-1", "A-2"}, 2000),
                              {desk(3000, ordered(1, 0, 1, 2, 3000))},
                              {desk(4000, started(1, 1))}};
}
script pending() {
  auto all = paying();
  all.pop_back();
  return all;
}
script sold() {
  return paying() + script{batch_lines{desk(5000, settled(1, 1, payment_outcome::approved))} +
                           selling(1, 1, {"A-1", "A-2"}, 5000)};
}

std::vector<fault_case> seat_cases() {
  const seat_event::seats_released released{hold_no(1), {"A-1"}};
  const desk_event::hold_ended ended{hold_no(1), hold_end::released};
  return {
      {fault::seat_not_in_plan, "held",
       beginning() + script{{desk(2000, placed(1, 0, {"Z-9"}, 2000)),
                             bad(block(2000, held(1, {"Z-9"}, 2000)))}}},
      {fault::seat_held_twice, "a millisecond before the first is over",
       beginning() + script{holding(1, 0, {"A-1"}, 2000),
                            {queue(2000, room_event::admission_kept{1, start_ms + 900'000, false})},
                            {desk(301'999, placed(2, 1, {"A-1"}, 301'999)),
                             bad(block(301'999, held(2, {"A-1"}, 301'999)))}}},
      {fault::seat_sold_twice, "held after it was sold",
       sold() + script{{desk(6000, placed(2, 1, {"A-1"}, 6000)),
                        bad(block(6000, held(2, {"A-1"}, 6000)))}}},
      {fault::seat_sold_twice, "sold to another",
       // Hold 2 has A-1 by its time; then hold 1's order is paid, and hold 2's as well.
       beginning() +
           script{{queue(1500, room_event::admission_kept{0, start_ms + 900'000, false}),
                   queue(1500, room_event::admission_kept{1, start_ms + 900'000, false})},
                  holding(1, 0, {"A-1"}, 2000),
                  {desk(3000, ordered(1, 0, 1, 1, 3000))},
                  {desk(4000, started(1, 1))},
                  holding(2, 1, {"A-1"}, 302'000),
                  {desk(303'000, ordered(2, 1, 2, 1, 303'000))},
                  selling(2, 2, {"A-1"}, 304'000),
                  {desk(305'000, paid(1)),
                   bad(block(305'000, seat_event::seats_sold{hold_no(1), order_no(1), {"A-1"}}))}}},
      {fault::sold_while_held, "by another, in time",
       beginning() +
           script{{queue(1500, room_event::admission_kept{0, start_ms + 900'000, false}),
                   queue(1500, room_event::admission_kept{1, start_ms + 900'000, false})},
                  holding(1, 0, {"A-1"}, 2000),
                  {desk(3000, ordered(1, 0, 1, 1, 3000))},
                  {desk(4000, started(1, 1))},
                  holding(2, 1, {"A-1"}, 302'000),
                  {desk(305'000, paid(1)),
                   bad(block(305'000, seat_event::seats_sold{hold_no(1), order_no(1), {"A-1"}}))}}},
      {fault::seat_released_by_other, "a seat that is free",
       beginning() +
           script{{desk(2000, placed(1, 0, {"A-2"}, 2000)), block(2000, held(1, {"A-2"}, 2000))},
                  {desk(3000, ended), bad(block(3000, released))}}},
      {fault::plan_drops_seat, "a sold one",
       sold() + script{{bad(block(6000, seat_event::block_planned{{"A-2", "A-3"}}))}}},
      {fault::plan_drops_seat, "a held one",
       beginning() + script{holding(1, 0, {"A-1"}, 2000),
                            {bad(block(3000, seat_event::block_planned{{"A-2"}}))}}},
      {fault::hold_seats_differ, "one less in the block",
       beginning() + script{{bad(desk(2000, placed(1, 0, {"A-1", "A-2"}, 2000))),
                             block(2000, held(1, {"A-1"}, 2000))}}},
      {fault::hold_seats_differ, "in the next batch",
       beginning() + script{{bad(desk(2000, placed(1, 0, {"A-1"}, 2000)))}}},
      {fault::held_without_hold, "no hold",
       beginning() + script{{bad(block(2000, held(1, {"A-1"}, 2000)))}}},
      {fault::paid_seats_differ, "one less",
       paying() +
           script{{desk(5000, settled(1, 1, payment_outcome::approved)), bad(desk(5000, paid(1))),
                   block(5000, seat_event::seats_sold{hold_no(1), order_no(1), {"A-1"}})}}},
      {fault::paid_seats_differ, "none", paying() + script{{bad(desk(5000, paid(1)))}}},
      {fault::sold_without_paid, "the order is not paid",
       paying() + script{{bad(block(
                      5000, seat_event::seats_sold{hold_no(1), order_no(1), {"A-1", "A-2"}}))}}},
      {fault::released_without_end, "the hold goes on",
       beginning() + script{holding(1, 0, {"A-1"}, 2000), {bad(block(3000, released))}}},
      {fault::money_without_outcome, "approved and nothing else",
       paying() + script{{bad(desk(5000, settled(1, 1, payment_outcome::approved)))}}},
  };
}

std::vector<fault_case> hold_cases() {
  return {
      {fault::hold_placed_twice, "the same id",
       beginning() + script{holding(1, 0, {"A-1"}, 2000),
                            {queue(2000, room_event::admission_kept{0, start_ms + 900'000, false})},
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
       beginning() +
           script{{bad(desk(2000, desk_event::hold_ended{hold_no(9), hold_end::released}))}}},
      {fault::hold_unknown, "ended twice",
       beginning() +
           script{holding(1, 0, {"A-1"}, 2000),
                  {desk(3000, desk_event::hold_ended{hold_no(1), hold_end::released}),
                   block(3000, seat_event::seats_released{hold_no(1), {"A-1"}})},
                  {bad(desk(3000, desk_event::hold_ended{hold_no(1), hold_end::released}))}}},
      {fault::hold_ended_wrongly, "its order is being paid",
       paying() +
           script{{bad(desk(5000, desk_event::hold_ended{hold_no(1), hold_end::released}))}}},
      {fault::hold_ended_wrongly, "sold",
       sold() + script{{bad(desk(6000, desk_event::hold_ended{hold_no(1), hold_end::released}))}}},
      {fault::hold_expired_early, "a millisecond",
       beginning() +
           script{holding(1, 0, {"A-1"}, 2000),
                  {bad(desk(301'999, desk_event::hold_ended{hold_no(1), hold_end::expired})),
                   block(301'999, seat_event::seats_released{hold_no(1), {"A-1"}})}}},
  };
}

std::vector<fault_case> order_cases() {
  auto cheap = ordered(1, 0, 1, 2, 3000);
  cheap.total.amount_minor -= 1;
  const script held_only = beginning() + script{holding(1, 0, {"A-1", "A-2"}, 2000)};
  const desk_event::order_refund_due refund{order_no(1), "SANDBOX", "ref"};
  const desk_event::order_expired expired{order_no(1)};
  const desk_event::order_cancelled cancelled{order_no(1)};
  const auto give_back =
      batch_lines{desk(250'000, desk_event::hold_ended{hold_no(1), hold_end::order_expired}),
                  block(250'000, seat_event::seats_released{hold_no(1), {"A-1", "A-2"}})};
  return {
      {fault::order_placed_twice, "the same id",
       beginning() + script{{desk(2000, ordered_ref(1, "x", 2000), "r")},
                            {bad(desk(3000, ordered_ref(1, "x", 3000), "r"))}}},
      {fault::order_without_admission, "nobody, and the room is open",
       beginning() + script{{bad(desk(2000, ordered_ref(1, "x", 2000)))}}},
      {fault::order_without_hold, "never placed",
       beginning() + script{{bad(desk(3000, ordered(1, 0, 1, 2, 3000)))}}},
      {fault::order_without_hold, "over",
       held_only + script{{queue(3000, room_event::admission_kept{0, start_ms + 900'000, false})},
                          {bad(desk(302'000, ordered(1, 0, 1, 2, 302'000)))}}},
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
  for (const auto& some : {seat_cases(), hold_cases(), order_cases()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

} // namespace usher::storage::test
