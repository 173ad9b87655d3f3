#include "tests/storage/audit_cases.hpp"
#include "tests/storage/audit_payment_script.hpp"

// Money that comes: attempts, reports, what an order becomes by it, and tickets.
namespace usher::storage::test {

namespace {

using audit::fault;

line cashier(time_ms later, const orders::any_event& what) {
  return in("cashier", later, encode(what));
}

/// What was decided with the start of a payment, and with its end.
std::vector<fault_case> attempt_cases() {
  auto never_begun = attempt(1, 1, 4000);
  never_begun.until = start_ms + 4000;
  const auto declined = desk(5000, settled(1, 1, payment_outcome::declined));
  const std::vector<seat_id> both{"A-1", "A-2"};
  const auto shorter = keeping(1, 2, both, 4000, 603'999);
  const auto longer = no_longer(1, 3, both, 5000, 302'001);
  const auto skipping = keeping(1, 3, both, 4000, 604'000);
  return {
      {fault::payment_not_allowed, "given up before it begins",
       pending() +
           script{batch_lines{bad(desk(4000, never_begun))} + keeping(1, 2, both, 4000, 302'000)}},
      {fault::payment_without_seats, "alone",
       pending() + script{{bad(desk(4000, attempt(1, 1, 4000)))}}},
      {fault::payment_without_seats, "a batch too late for the seats",
       pending() + script{{bad(desk(4000, attempt(1, 1, 4000)))}} +
           script{{desk(5000, settled(1, 1, payment_outcome::declined))}}},
      {fault::hold_changed_wrongly, "kept a millisecond less than the payment lasts",
       pending() + script{{desk(4000, attempt(1, 1, 4000)), bad(shorter[0]), shorter[1]}}},
      {fault::hold_changed_wrongly, "kept for a payment that runs already",
       paying_now() + script{{bad(keeping(1, 3, both, 5000, 604'000)[0]),
                              keeping(1, 3, both, 5000, 604'000)[1]}}},
      {fault::hold_changed_wrongly, "kept and not being paid",
       pending() + script{{bad(keeping(1, 2, both, 4000, 604'000)[0]),
                           keeping(1, 2, both, 4000, 604'000)[1]}}},
      {fault::generation_wrong, "kept, and one is left out",
       pending() + script{{desk(4000, attempt(1, 1, 4000)), bad(skipping[0]), skipping[1]}}},
      {fault::held_until_differs, "kept at the desk alone",
       pending() + script{{desk(4000, attempt(1, 1, 4000)),
                           desk(4000, changed(1, 2, hold_change::kept_for_payment, 604'000)),
                           bad(block(4000, held_as(1, 2, both, 302'000)))}}},
      {fault::seats_kept_too_long, "declined and nothing else",
       paying_now() + script{{bad(declined)}}},
      {fault::hold_changed_wrongly, "a millisecond longer than before it was kept",
       paying_now() + script{{declined, bad(longer[0]), longer[1]}}},
      {fault::hold_changed_wrongly, "the payment goes on",
       paying_now() + script{{bad(no_longer(1, 3, both, 5000, 302'000)[0]),
                              no_longer(1, 3, both, 5000, 302'000)[1]}}},
      {fault::order_expired_early, "a millisecond before its payment is given up",
       paying_now() + script{{bad(expiring(2, 603'999)[0]), expiring(2, 603'999)[1],
                              expiring(2, 603'999)[2]}}},
      {fault::order_ended_wrongly, "cancelled when its money went back",
       sold_now() + script{{desk(6000, asked_back(1, both_minor)), desk(6000, went_back(1))},
                           {bad(desk(7000, desk_event::order_cancelled{order_no(1), {}}))}}},
      {fault::event_misplaced, "a hold at the cashier's",
       beginning() + script{{bad(cashier(2000, placed(1, {}, {"A-1"}, 2000)))}}},
  };
}

/// One attempt after another.
std::vector<fault_case> fallback_cases() {
  const auto failed = desk(5000, settled(1, 1, payment_outcome::failed));
  auto chosen = attempt(1, 1, 4000);
  chosen.chosen = true;
  const auto of_choice = pending() + script{batch_lines{desk(4000, chosen)} +
                                            keeping(1, 2, {"A-1", "A-2"}, 4000, 604'000)};
  auto choosing = next_attempt(1, 2, 1, 604'000);
  choosing.chosen = true;
  return {
      {fault::payment_followed_wrongly, "none that the order has",
       paying_now() + script{{failed, bad(desk(5000, next_attempt(1, 2, 9, 604'000)))}}},
      {fault::payment_followed_wrongly, "one that was declined",
       paying_now() + script{{desk(5000, settled(1, 1, payment_outcome::declined)),
                              bad(desk(5000, next_attempt(1, 2, 1, 604'000)))}}},
      {fault::payment_followed_wrongly, "in the next batch",
       paying_now() + script{settling(1, payment_outcome::failed, 3, 5000),
                             {bad(desk(5000, next_attempt(1, 2, 1, 604'000)))}}},
      {fault::payment_followed_wrongly, "the fan chose the first",
       of_choice + script{{failed, bad(desk(5000, next_attempt(1, 2, 1, 604'000)))}}},
      {fault::payment_followed_wrongly, "the fan chose the second",
       paying_now() + script{{failed, bad(desk(5000, choosing))}}},
      {fault::payment_followed_wrongly, "a millisecond longer than the first",
       paying_now() + script{{failed, bad(desk(5000, next_attempt(1, 2, 1, 604'001)))}}},
      {fault::payment_followed_wrongly, "twice the same",
       paying_now() + script{{failed, desk(5000, next_attempt(1, 2, 1, 604'000)),
                              desk(5000, settled(1, 2, payment_outcome::not_sent)),
                              bad(desk(5000, next_attempt(1, 3, 1, 604'000)))}}},
      {fault::payment_not_allowed, "when the first would have been given up",
       paying_now() + script{{desk(604'000, settled(1, 1, payment_outcome::failed)),
                              bad(desk(604'000, next_attempt(1, 2, 1, 604'000)))}}},
  };
}

/// What came is on record once, and sells, or goes back.
std::vector<fault_case> money_cases() {
  auto known = approved(1, 1);
  known.known = true;
  auto little = approved(1, 1);
  little.amount_minor = both_minor - 1;
  auto by_stripe = reported(1, "late", both_minor, 1);
  by_stripe.gateway = "STRIPE";
  const auto declined = paying_now() + script{settling(1, payment_outcome::declined, 3, 5000)};
  const auto sold_by_report =
      paying_now() + script{batch_lines{desk(5000, reported(1, "ref"))} + selling(2, 5000)};
  const auto sold_as_other = selling(2, 5000, "other");
  const auto sold_6 = selling(3, 6000, "late");
  const auto sold_stripe = selling(3, 6000, "late", "STRIPE");
  const auto sold_5 = selling(2, 5000);
  const auto surplus = refund_cause::surplus;
  return {
      {fault::money_without_outcome, "reported and nothing else",
       pending() + script{{bad(desk(4000, reported(1, "x")))}}},
      {fault::money_does_not_add_up, "PAID by money of another reference",
       paying_now() + script{{bad(desk(5000, approved(1, 1))), sold_as_other[0], sold_as_other[1],
                              sold_as_other[2]}}},
      {fault::money_does_not_add_up, "one less of a second payment goes back",
       sold_now() + script{{desk(6000, reported(1, "x")),
                            bad(desk(6000, going_back(1, 0, "x", both_minor - 1, surplus)))}}},
      {fault::money_does_not_add_up, "one less of what is due goes back",
       cancelled_now() + script{{desk(6000, approved(1, 1)), desk(6000, due(1)),
                                 bad(desk(6000, going_back(1, 1, "ref", both_minor - 1,
                                                           refund_cause::refund_due)))}}},
      {fault::money_does_not_add_up, "one less than it took, which was not what it asked for",
       paying_now() + script{{desk(5000, little), desk(5000, due(1)),
                              bad(desk(5000, going_back(1, 1, "ref", both_minor - 2,
                                                        refund_cause::refund_due)))}}},
      {fault::surplus_not_refunded, "a second payment",
       sold_now() + script{{bad(desk(6000, reported(1, "x")))}}},
      {fault::surplus_not_refunded, "a batch too late",
       sold_now() + script{{bad(desk(6000, reported(1, "x")))},
                           {desk(6000, going_back(1, 0, "x", both_minor, surplus))}}},
      {fault::refund_not_started, "REFUND_DUE and nothing else",
       cancelled_now() + script{{desk(6000, approved(1, 1)), bad(desk(6000, due(1)))}}},
      {fault::refund_not_due, "reported for a cancelled order, whose seats are free",
       cancelled_now() +
           script{{desk(6000, reported(1, "x")), bad(desk(6000, due(1, "x"))),
                   desk(6000, going_back(1, 0, "x", both_minor, refund_cause::refund_due))}}},
      {fault::refund_not_due, "the right amount, in time",
       paying_now() +
           script{{desk(5000, approved(1, 1)), bad(desk(5000, due(1))),
                   desk(5000, going_back(1, 1, "ref", both_minor, refund_cause::refund_due))}}},
      {fault::sold_though_cancelled, "the attempt that it was cancelled during",
       cancelled_now() + script{{desk(6000, approved(1, 1)), bad(selling(2, 6000)[0]),
                                 selling(2, 6000)[1], selling(2, 6000)[2]}}},
      {fault::paid_wrong_amount, "one less is reported",
       pending() + script{{desk(4000, reported(1, "late", both_minor - 1)),
                           bad(selling(1, 4000, "late")[0]), selling(1, 4000, "late")[1],
                           selling(1, 4000, "late")[2]}}},
      {fault::paid_wrong_amount, "one less was taken",
       paying_now() + script{{desk(5000, little), bad(sold_5[0]), sold_5[1], sold_5[2]}}},
      {fault::payment_known_wrongly, "nobody reported it",
       paying_now() + script{{bad(desk(5000, known))}}},
      {fault::money_reported_twice, "by the attempt itself",
       sold_by_report + script{{bad(desk(6000, approved(1, 1)))}}},
      {fault::money_reported_twice, "after the attempt",
       sold_now() + script{{bad(desk(6000, reported(1, "ref")))}}},
      {fault::money_reported_twice, "without a reference",
       sold_now() + script{{bad(desk(6000, reported(1, "")))}}},
      {fault::payment_unknown, "reported for one that never started",
       pending() +
           script{{bad(desk(4000, reported(1, "late", both_minor, 9))), selling(1, 4000, "late")[0],
                   selling(1, 4000, "late")[1], selling(1, 4000, "late")[2]}}},
      {fault::payment_reported_wrongly, "for one that runs",
       paying_now() + script{{bad(desk(5000, reported(1, "ref", both_minor, 1))), sold_5[0],
                              sold_5[1], sold_5[2]}}},
      {fault::payment_reported_wrongly, "by a gateway that was not asked",
       declined +
           script{{bad(desk(6000, by_stripe)), sold_stripe[0], sold_stripe[1], sold_stripe[2]}}},
      {fault::payment_reported_wrongly, "again, under another reference",
       declined +
           script{{desk(6000, reported(1, "late", both_minor, 1)), sold_6[0], sold_6[1], sold_6[2]},
                  {bad(desk(7000, reported(1, "x", both_minor, 1))),
                   desk(7000, going_back(1, 1, "x", both_minor, surplus))}}},
  };
}

std::vector<fault_case> report_cases() {
  constexpr time_ms week = 7LL * 24 * 60 * 60 * 1000;
  auto both = report(9, "x");
  both.hold_ref = "seller-1";
  auto none = report(9, "x");
  none.order = {};
  auto by_ref = none;
  by_ref.hold_ref = "seller-1";
  const auto in_r = [](time_ms later, const orders::any_event& what) {
    return desk(later, what, "r");
  };
  const desk_event::order_paid paid_by_x{order_no(1), "SANDBOX", "x"};
  return {
      {fault::report_kept_wrongly, "again, a millisecond less than a week later",
       beginning() +
           script{{in_r(2000, report(9, "x"))}, {bad(in_r(1999 + week, report(9, "x")))}}},
      {fault::report_kept_wrongly, "its order is there",
       beginning() + script{{in_r(2000, ordered_ref(9, "seller-1", 2000))},
                            {bad(in_r(3000, report(9, "x")))}}},
      {fault::report_kept_wrongly, "an order of the reference is there",
       beginning() +
           script{{in_r(2000, ordered_ref(9, "seller-1", 2000))}, {bad(in_r(3000, by_ref))}}},
      {fault::report_kept_wrongly, "of money that another order has",
       beginning() + script{{in_r(2000, ordered_ref(1, "seller-1", 2000))},
                            {in_r(3000, reported(1, "x", price_minor)), in_r(3000, paid_by_x)},
                            {bad(in_r(4000, report(9, "x")))}}},
      {fault::report_kept_wrongly, "for an order in two ways",
       beginning() + script{{bad(in_r(2000, both))}}},
      {fault::report_kept_wrongly, "for none", beginning() + script{{bad(in_r(2000, none))}}},
  };
}

std::vector<fault_case> ticket_cases() {
  const auto sale = selling(2, 5000);
  const auto approval = desk(5000, approved(1, 1));
  const auto refunding = sold_now() + script{{desk(6000, asked_back(1, price_minor, {"A-1"}))}};
  return {
      {fault::tickets_missing, "PAID by an attempt",
       paying_now() + script{{approval, bad(sale[0]), sale[2]}}},
      {fault::tickets_missing, "PAID by a report",
       pending() + script{{desk(4000, reported(1, "late")), bad(selling(1, 4000, "late")[0]),
                           selling(1, 4000, "late")[2]}}},
      {fault::tickets_wrong, "a seat less",
       paying_now() + script{{approval, sale[0], bad(desk(5000, tickets(1, {"A-1"}))), sale[2]}}},
      {fault::tickets_wrong, "a seat twice",
       paying_now() +
           script{{approval, sale[0], bad(desk(5000, tickets(1, {"A-1", "A-1"}))), sale[2]}}},
      {fault::tickets_wrong, "a batch later, of an older log",
       sold() + script{{bad(desk(6000, tickets(1, {"A-1", "A-2"})))}}},
      {fault::tickets_wrong, "again",
       paying_now() + script{{approval, sale[0], sale[1], bad(sale[1]), sale[2]}}},
      {fault::tickets_wrong, "for no seats",
       beginning() + script{{desk(2000, ordered_ref(1, "x", 2000), "r")},
                            {desk(3000, paid(1), "r"), bad(desk(3000, tickets(1, {}), "r"))}}},
      {fault::ticket_used_wrongly, "not paid",
       paying_now() + script{{bad(desk(5000, used(1, "A-1")))}}},
      {fault::ticket_used_wrongly, "another's seat",
       sold_now() + script{{bad(desk(6000, used(1, "A-3")))}}},
      {fault::ticket_used_wrongly, "twice",
       sold_now() + script{{desk(6000, used(1, "A-1"))}, {bad(desk(6001, used(1, "A-1")))}}},
      {fault::ticket_used_wrongly, "the seat is being given back",
       refunding + script{{bad(desk(7000, used(1, "A-1")))}}},
      {fault::ticket_used_wrongly, "the seat is back on sale",
       sold_now() + script{returning(1, {"A-1"}, 6000), {bad(desk(7000, used(1, "A-1")))}}},
      {fault::ticket_used_wrongly, "REFUND_DUE",
       cancelled_now() +
           script{{desk(6000, approved(1, 1)), desk(6000, due(1)),
                   desk(6000, going_back(1, 1, "ref", both_minor, refund_cause::refund_due))},
                  {bad(desk(7000, used(1, "A-1")))}}},
  };
}

} // namespace

std::vector<fault_case> payment_cases() {
  std::vector<fault_case> all;
  for (const auto& some :
       {attempt_cases(), fallback_cases(), money_cases(), report_cases(), ticket_cases()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

} // namespace usher::storage::test
