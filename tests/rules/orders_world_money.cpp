#include "tests/rules/orders_world.hpp"

namespace usher::test {

namespace {

namespace command = orders::command;
using orders::payment_outcome;
using payments::outcome;

/// The gateway's id of attempt `n`.
std::string its_money(const payment_id& id) {
  return "mine" + std::to_string(id.bytes[0]);
}

void add_reports(std::vector<action>& all, const order_id& id, const orders::order& it) {
  const auto tell = [&](const char* name, const std::string& gateway, const std::string& reference,
                        std::int64_t minor) {
    all.push_back({name, [=](world& w, const sabotage& how) {
                     command::confirm what{id, gateway, reference, w.now};
                     what.amount = money{minor, "EUR"};
                     what.refund = numbered<refund_id>(++w.refunds);
                     ask(w, what, how);
                   }});
  };
  const auto total = it.total.amount_minor;
  tell("second money", "OUTSIDE", "ref2", total);
  tell("odd money", "OUTSIDE", "odd", total - 1);
  tell("nameless money", "EXTERNAL", "", total);
  for (const auto& attempt : it.payments)
    if (!attempt.id.is_none())
      tell("tell of an attempt", "G", its_money(attempt.id), total);
}

/// What else a gateway may say of an attempt, in time or much later.
void add_outcomes(std::vector<action>& all, const order_id& id, const orders::order& it) {
  const auto settle = [&](const char* name, const orders::payment& attempt, payment_outcome what,
                          std::int64_t more, bool goes_on) {
    all.push_back(
        {name, [=, payment = attempt.id, total = it.total](world& w, const sabotage& how) {
           command::settle_payment told{id, payment, what, its_money(payment), w.now};
           told.amount = money{total.amount_minor + more, total.currency};
           told.refund = numbered<refund_id>(++w.refunds);
           if (goes_on)
             told.next = command::next_attempt{numbered<payment_id>(++w.payments), "H", {}};
           ask(w, told, how);
         }});
  };
  for (const auto& attempt : it.payments) {
    if (attempt.id.is_none())
      continue;
    settle("approve late", attempt, payment_outcome::approved, 0, false);
    settle("refuse late", attempt, payment_outcome::declined, 0, false);
    if (attempt.outcome)
      continue;
    settle("fail", attempt, payment_outcome::failed, 0, true);
    settle("void", attempt, payment_outcome::voided, 0, false);
    settle("approve too much", attempt, payment_outcome::approved, 5, false);
  }
}

void add_refunds(std::vector<action>& all, const order_id& id, const orders::order& it) {
  using amount = std::optional<std::int64_t>;
  const auto give_back = [&](const char* name, const std::vector<seat_id>& seats, amount minor,
                             bool outside, bool resell) {
    all.push_back({name, [=](world& w, const sabotage& how) {
                     command::refund what;
                     what.order = id;
                     what.refund = numbered<refund_id>(++w.refunds);
                     what.seats = seats;
                     what.amount_minor = minor;
                     what.resell = resell;
                     if (outside)
                       what.done_outside = "cash";
                     what.now = w.now;
                     ask(w, what, how);
                   }});
  };
  give_back("refund", {}, {}, false, true);
  give_back("refund some", {}, 3, false, true);
  give_back("refund outside", {}, {}, true, true);
  for (const auto& seat : {"a1", "b1"}) {
    give_back("refund a seat", {seat}, {}, false, true);
    give_back("refund a seat", {seat}, 8, false, false);
  }
  for (const auto& one : it.refunds)
    all.push_back({"refund outside", [=, refund = one.id](world& w, const sabotage& how) {
                     command::refund what;
                     what.order = id;
                     what.refund = numbered<refund_id>(++w.refunds);
                     what.done_outside = "cash";
                     what.settles = refund;
                     what.now = w.now;
                     ask(w, what, how);
                   }});
  for (const auto& one : it.refunds)
    for (const auto what :
         {outcome::approved, outcome::declined, outcome::unknown, outcome::not_sent})
      all.push_back({what == outcome::approved ? "refund is done" : "refund is not done",
                     [=, refund = one.id](world& w, const sabotage& how) {
                       ask(w, command::settle_refund{id, refund, what, "re", "no", w.now}, how);
                     }});
}

} // namespace

void add_money(std::vector<action>& all, const order_id& id, const orders::order& it) {
  add_reports(all, id, it);
  add_outcomes(all, id, it);
  add_refunds(all, id, it);
  for (const auto& seat : {"a1", "b1"})
    all.push_back({"show a ticket", [=](world& w, const sabotage& how) {
                     ask(w, command::use_ticket{id, seat, "", true, w.now}, how);
                   }});
}

namespace {

void take_reports(world& w, const sabotage& how) {
  for (auto& due : orders::due_reports(w.desk)) {
    due.now = w.now;
    due.refund = numbered<refund_id>(++w.refunds);
    ask(w, due, how);
  }
}

} // namespace

void add_early_money(std::vector<action>& all) {
  for (const auto minor : {20, 10})
    all.push_back({"early money", [minor](world& w, const sabotage& how) {
                     command::keep_report what;
                     what.order = numbered<order_id>(static_cast<std::uint8_t>(w.orders + 1));
                     what.gateway = "OUTSIDE";
                     what.reference = "early" + std::to_string(w.orders + 1);
                     what.amount = {minor, "EUR"};
                     what.now = w.now;
                     what.refund = numbered<refund_id>(++w.refunds);
                     ask(w, what, how);
                   }});
  all.push_back({"take reports", take_reports});
}

void settle_everything(world& here, const sabotage& how) {
  take_reports(here, how);
  for (std::uint8_t n = 1; n <= here.orders; ++n) {
    const auto id = numbered<order_id>(n);
    const auto found = here.desk.orders.find(id);
    if (found == here.desk.orders.end())
      continue;
    for (const auto& attempt : std::vector{found->second.payments})
      if (!attempt.outcome)
        ask(here, command::settle_payment{id, attempt.id, payment_outcome::voided, "", here.now},
            how);
    for (const auto& refund : std::vector{here.desk.orders.at(id).refunds})
      if (!refund.outcome)
        ask(here, command::settle_refund{id, refund.id, outcome::approved, "re", "", here.now},
            how);
  }
}

} // namespace usher::test
