#include "tests/storage/audit_cases.hpp"
#include "tests/storage/audit_payment_script.hpp"

// Money that goes back, and the seats that come back with it.
namespace usher::storage::test {

namespace {

using audit::fault;

std::vector<fault_case> start_cases() {
  const script owed_of_old =
      paying() +
      script{{kept(5000, 1, 900'000)}, holding(2, 1, {"A-1"}, 302'000), {desk(303'000, due(1))}};
  const auto due_cause = refund_cause::refund_due;
  const auto surplus = refund_cause::surplus;
  const auto all = desk(6000, asked_back(1, both_minor, {"A-1", "A-2"}));
  return {
      {fault::refund_started_wrongly, "money that never came",
       sold_now() + script{{bad(desk(6000, going_back(1, 1, "other", 1, refund_cause::asked)))}}},
      {fault::refund_started_wrongly, "another attempt's money",
       sold_now() + script{{bad(desk(6000, going_back(1, 2, "ref", 1, refund_cause::asked)))}}},
      {fault::refund_started_wrongly, "under an id that is taken",
       sold_now() + script{{desk(6000, asked_back(1, 1))}, {bad(desk(7000, asked_back(1, 2)))}}},
      {fault::refund_started_wrongly, "nothing",
       sold_now() + script{{bad(desk(6000, asked_back(1, 0)))}}},
      {fault::refund_started_wrongly, "less than nothing",
       sold_now() + script{{bad(desk(6000, asked_back(1, -1, {"A-1"})))}}},
      {fault::refund_started_wrongly, "as asked, and it sold nothing",
       owed_of_old +
           script{{bad(desk(304'000, going_back(1, 0, "ref", both_minor, refund_cause::asked)))}}},
      {fault::refund_started_wrongly, "as due, and the order is PAID",
       sold_now() + script{{bad(desk(6000, going_back(1, 1, "ref", both_minor, due_cause)))}}},
      {fault::refund_started_wrongly, "as surplus, and the order is PAID with it",
       sold_now() + script{{bad(desk(6000, going_back(1, 1, "ref", both_minor, surplus)))}}},
      {fault::refund_started_wrongly, "asked for when all has gone back",
       sold_now() + script{{all, desk(6000, went_back(1))}, {bad(desk(7000, asked_back(2, 1)))}}},
      {fault::refund_too_large, "of money that has all gone back, without seats",
       sold_now() + script{{desk(6000, asked_back(1, both_minor)), desk(6000, went_back(1))},
                           {bad(desk(7000, asked_back(2, 1)))}}},
      {fault::refund_too_large, "one more, while the first is under way",
       sold_now() + script{{desk(6000, asked_back(1, price_minor))},
                           {bad(desk(7000, asked_back(2, price_minor + 1)))}}},
      {fault::refund_too_large, "one more, after the first",
       sold_now() + script{{desk(6000, asked_back(1, price_minor)), desk(6000, went_back(1))},
                           {bad(desk(7000, asked_back(2, price_minor + 1)))}}},
      {fault::refund_seats_wrong, "another's seat",
       sold_now() + script{{bad(desk(6000, asked_back(1, 1, {"A-3"})))}}},
      {fault::refund_seats_wrong, "the same twice",
       sold_now() + script{{bad(desk(6000, asked_back(1, 1, {"A-1", "A-1"})))}}},
      {fault::refund_seats_wrong, "one that is being given back",
       sold_now() + script{{desk(6000, asked_back(1, 1, {"A-1"}))},
                           {bad(desk(7000, asked_back(2, 1, {"A-1"})))}}},
      {fault::order_unknown, "a refund", beginning() + script{{bad(desk(6000, asked_back(1, 1)))}}},
  };
}

std::vector<fault_case> end_cases() {
  const auto running = sold_now() + script{{desk(6000, asked_back(1, price_minor, {"A-1"}))}};
  const auto kept_off_sale = [] {
    auto e = asked_back(1, price_minor, {"A-1"});
    e.resell = false;
    return sold_now() + script{{desk(6000, e)}};
  }();
  const auto back = desk(7000, returned(1, {"A-1"}));
  const auto blocks_back = block(7000, back_from(1, {"A-1"}));
  const auto surplus =
      sold_now() + script{{desk(6000, reported(1, "x")),
                           desk(6000, going_back(1, 0, "x", both_minor, refund_cause::surplus))}};
  return {
      {fault::refund_unknown, "tried", sold_now() + script{{bad(desk(6000, tried(9)))}}},
      {fault::refund_unknown, "done", sold_now() + script{{bad(desk(6000, went_back(9)))}}},
      {fault::refund_settled_twice, "done twice",
       running + script{{desk(7000, went_back(1))}, {bad(desk(8000, went_back(1)))}}},
      {fault::refund_settled_twice, "tried after it was refused",
       running + script{{desk(7000, went_back(1, refund_outcome::refused))},
                        {bad(desk(8000, tried(1)))}}},
      {fault::refund_refused_wrongly, "of a second payment",
       surplus + script{{bad(desk(7000, went_back(1, refund_outcome::refused)))}}},
      {fault::return_not_allowed, "before the money went back",
       running + script{{bad(back), blocks_back}}},
      {fault::return_not_allowed, "a batch after the money went back",
       running + script{{desk(6500, went_back(1))}, {bad(back), blocks_back}}},
      {fault::return_not_allowed, "the refund was refused",
       running +
           script{{desk(7000, went_back(1, refund_outcome::refused)), bad(back), blocks_back}}},
      {fault::return_not_allowed, "that was to stay off sale",
       kept_off_sale + script{{desk(7000, went_back(1)), bad(back), blocks_back}}},
      {fault::return_not_allowed, "another seat than the refund is for",
       running + script{{desk(7000, went_back(1)), bad(desk(7000, returned(1, {"A-2"}))),
                         block(7000, back_from(1, {"A-2"}))}}},
  };
}

} // namespace

std::vector<fault_case> refund_cases() {
  auto all = start_cases();
  for (const auto& one : end_cases())
    all.push_back(one);
  return all;
}

} // namespace usher::storage::test
