// Money that comes: attempts, reports, and what an order becomes by it.

#include "storage/audit/desk_judge.hpp"
#include "storage/audit/names.hpp"
#include "storage/audit/seats_audit.hpp"

#include <algorithm>
#include <utility>

namespace usher::storage::audit {

namespace event = orders::event;
using orders::payment_outcome;

namespace {

/// How long a report of money waits for its order.
constexpr duration_ms report_life_ms = 7LL * 24 * 60 * 60 * 1000;

/// The latest that the gateway calls so; null if there is none.
money_in* latest_of(order& it, const std::string& gateway, const std::string& reference) {
  const auto found = std::ranges::find_if(it.came.rbegin(), it.came.rend(), [&](const money_in& m) {
    return m.gateway == gateway && m.reference == reference;
  });
  return found == it.came.rend() ? nullptr : &*found;
}

/// Reports from outside that name no gateway have this one.
constexpr std::string_view no_gateway = "EXTERNAL";

/// Money that was reported without a reference, and may be what an attempt at the gateway took.
money_in* nameless(order& it, const std::string& gateway) {
  const auto found = std::ranges::find_if(it.came, [&](const money_in& m) {
    return m.payment.is_none() && m.reference.empty() &&
           (m.gateway == gateway || m.gateway == no_gateway);
  });
  return found == it.came.end() ? nullptr : &*found;
}

/// Is this very money on record already? Without a reference nobody can tell.
bool is_on_record(order& it, const std::string& gateway, const std::string& reference) {
  return !reference.empty() && latest_of(it, gateway, reference) != nullptr;
}

bool could_not_charge(const attempt& which) {
  return which.outcome == payment_outcome::failed || which.outcome == payment_outcome::not_sent;
}

} // namespace

// ---- attempts

void desk_judge::take(const event::payment_started& e) {
  auto* it = find(e.order);
  if (it == nullptr)
    return;
  judge_start(e, *it);
  if (!e.follows.is_none())
    judge_follow(e, *it);
  const auto* its_hold = hold_of(*it);
  if (e.follows.is_none() && e.until != 0 && its_hold != nullptr)
    expect(duty::seats_kept, e.order, fault::payment_without_seats,
           named(e.payment) + " started, and " + named(it->hold) +
               " was not kept for it with that.");
  it->attempts.try_emplace(
      e.payment,
      attempt{.gateway = e.gateway, .chosen = e.chosen, .until = e.until, .outcome = std::nullopt});
  if (it->is == order_state::pending) {
    it->is = order_state::paying;
    it->paying_until = e.until;
  }
}

void desk_judge::judge_start(const event::payment_started& e, const order& it) {
  // One that follows may begin as long as the first one might have gone on.
  const bool is_late = e.follows.is_none() ? at() >= it.until : false;
  const bool is_over = e.until != 0 && at() >= e.until;
  if (it.is != order_state::pending || is_late || is_over || it.attempts.contains(e.payment))
    report(fault::payment_not_allowed, "A payment of " + named(e.order) + " started, which is " +
                                           std::string{to_string(it.is)} + " until " +
                                           time_text(it.until) + ".");
}

void desk_judge::judge_follow(const event::payment_started& e, order& it) {
  together_.fulfil(duty::seats_back, id_, e.order); // it is still being paid
  const auto first = it.attempts.find(e.follows);
  const auto wrong = [&](const std::string& why) {
    report(fault::payment_followed_wrongly,
           named(e.payment) + " comes after " + named(e.follows) + ", " + why + ".");
  };
  if (first == it.attempts.end())
    return wrong("which " + named(e.order) + " does not have");
  auto& before = first->second;
  if (!could_not_charge(before) || before.settled_in != here_.batch())
    wrong("which was not settled as failed or not_sent with that");
  else if (before.chosen || e.chosen)
    wrong("and the fan chose the gateway");
  else if (before.was_followed)
    wrong("which another one came after");
  else if (e.until != before.until)
    wrong("to be given up at another time");
  before.was_followed = true;
}

void desk_judge::take(const event::payment_settled& e) {
  auto* it = find(e.order);
  if (it == nullptr)
    return;
  const auto found = it->attempts.find(e.payment);
  if (found == it->attempts.end()) {
    report(fault::payment_unknown,
           "A payment of " + named(e.order) + " is settled that never started.");
    return;
  }
  auto& which = found->second;
  if (which.outcome)
    report(fault::payment_settled_twice,
           "A payment of " + named(e.order) + " is settled that was settled before.");
  which.outcome = e.outcome;
  which.settled_in = here_.batch();
  if (e.outcome == payment_outcome::approved)
    settle_with_money(e, *it, which);
  else if (it->is == order_state::paying)
    settle_without_money(e.order, *it);
}

void desk_judge::settle_without_money(const order_id& which, order& it) {
  it.is = order_state::pending;
  it.paying_until = 0;
  const auto* its_hold = hold_of(it);
  if (its_hold != nullptr && its_hold->until_unpaid != 0)
    expect(duty::seats_back, which, fault::seats_kept_too_long,
           "A payment of " + named(which) + " took no money, and " + named(it.hold) +
               " was kept longer all the same.");
}

void desk_judge::settle_with_money(const event::payment_settled& e, order& it,
                                   const attempt& which) {
  const bool on_record = is_on_record(it, which.gateway, e.reference);
  auto* named_now = e.known && !on_record ? nameless(it, which.gateway) : nullptr;
  note_money(which.gateway, e.reference);
  if (e.known && !on_record && named_now == nullptr)
    report(fault::payment_known_wrongly, named(e.payment) + " of " + named(e.order) +
                                             " is said to be money that was reported before, and "
                                             "it was not.");
  if (!e.known && on_record && !which.is_of_older_log())
    report(fault::money_reported_twice, "Money of " + named(e.order) + " with reference " +
                                            e.reference + " is taken in, and was before.");
  if (named_now != nullptr) {
    named_now->gateway = which.gateway;
    named_now->reference = e.reference;
  }
  if (e.known || on_record)
    return;
  money_came(e.order, it,
             {.payment = e.payment,
              .gateway = which.gateway,
              .reference = e.reference,
              .amount_minor = e.amount_minor.value_or(it.total.amount_minor)},
             !which.is_of_older_log());
}

/// `goes_back_by_itself`: what is not sold is refunded with it. Older logs waited for an operator.
void desk_judge::money_came(const order_id& which, order& it, money_in what,
                            bool goes_back_by_itself) {
  what.may_stay = !goes_back_by_itself;
  it.came.push_back(std::move(what));
  together_.money_moved(id_, which, it, here_);
  if (!it.has_money())
    expect(duty::outcome, which, fault::money_without_outcome,
           named(which) + " got money and is neither PAID nor REFUND_DUE.");
  else if (goes_back_by_itself)
    expect(duty::surplus, which, fault::surplus_not_refunded,
           named(which) + " had its money and got more, which does not go back.");
}

// ---- reports from outside

void desk_judge::note_money(const std::string& gateway, const std::string& reference) {
  if (reference.empty())
    return;
  show_.money_on_record.emplace(gateway, reference);
  show_.kept_reports.erase({gateway, reference});
}

void desk_judge::take(const event::payment_reported& e) {
  auto* it = find(e.order);
  if (it == nullptr)
    return;
  judge_report(e, *it);
  note_money(e.gateway, e.reference);
  const bool says_nothing = e.payment.is_none() && e.reference.empty() && it->has_money();
  if (says_nothing || is_on_record(*it, e.gateway, e.reference)) {
    report(fault::money_reported_twice, "Money of " + named(e.order) + " with reference " +
                                            e.reference + " is taken in, and was before.");
    return;
  }
  money_came(e.order, *it,
             {.payment = e.payment,
              .gateway = e.gateway,
              .reference = e.reference,
              .amount_minor = e.amount_minor},
             true);
}

void desk_judge::judge_report(const event::payment_reported& e, order& it) {
  if (e.payment.is_none())
    return;
  const auto found = it.attempts.find(e.payment);
  if (found == it.attempts.end()) {
    report(fault::payment_unknown,
           "Money is reported for a payment of " + named(e.order) + " that never started.");
    return;
  }
  auto& which = found->second;
  if (!which.outcome || which.outcome == payment_outcome::approved)
    report(fault::payment_reported_wrongly, "Money is reported for " + named(e.payment) +
                                                ", which was not settled before, or with money.");
  else if (which.gateway != e.gateway)
    report(fault::payment_reported_wrongly, "Money is reported for " + named(e.payment) + " by " +
                                                e.gateway + ", and " + which.gateway +
                                                " was asked for it.");
  which.outcome = payment_outcome::approved;
}

void desk_judge::take(const event::report_kept& e) {
  const auto wrong = [&](const std::string& why) {
    report(fault::report_kept_wrongly, "Money of " + e.gateway + " with reference " + e.reference +
                                           " is kept for an order, " + why + ".");
  };
  if (e.order.is_none() == e.hold_ref.empty())
    wrong("and it names none, or in two ways");
  else if (show_.orders.contains(e.order) || show_.orders_of_ref.contains(e.hold_ref))
    wrong("which is there");
  else if (show_.money_on_record.contains({e.gateway, e.reference}))
    wrong("and is on record for one");
  const auto [kept, is_new] = show_.kept_reports.try_emplace({e.gateway, e.reference}, at());
  if (!is_new && at() < kept->second + report_life_ms)
    wrong("and is kept already");
  kept->second = at();
}

// ---- what the order becomes

void desk_judge::judge_first_money(const order_id& which, const order& it) const {
  if (it.has_money())
    report(fault::order_paid_twice, named(which) + " has money and is paid again.");
}

money_in& desk_judge::keep(order& it, const std::string& gateway, const std::string& reference) {
  note_money(gateway, reference);
  auto* money = latest_of(it, gateway, reference);
  if (money == nullptr) // a sale over the counter, or an older log
    money = &it.came.emplace_back(money_in{.payment = {},
                                           .gateway = gateway,
                                           .reference = reference,
                                           .amount_minor = it.total.amount_minor,
                                           .may_stay = true});
  money->is_kept = true;
  return *money;
}

void desk_judge::take(const event::order_paid& e) {
  auto* it = find(e.order);
  if (it == nullptr)
    return;
  judge_first_money(e.order, *it);
  const auto& money = keep(*it, e.gateway, e.reference);
  if (money.amount_minor != it->total.amount_minor)
    report(fault::paid_wrong_amount,
           named(e.order) + " costs " + std::to_string(it->total.amount_minor) +
               " and is PAID with " + std::to_string(money.amount_minor) + " (minor units).");
  if (it->is == order_state::cancelled && !money.payment.is_none())
    report(fault::sold_though_cancelled,
           named(e.order) + " was CANCELLED and is PAID by an attempt of its own.");
  it->is = order_state::paid;
  if (const auto its = show_.holds.find(it->hold); its != show_.holds.end()) {
    its->second.sold = true;
    if (!money.may_stay)
      expect(duty::tickets, e.order, fault::tickets_missing,
             named(e.order) + " is PAID and has no tickets with that.");
  }
  together_.fulfil(duty::outcome, id_, e.order);
  together_.order_paid(id_, e.order, *it, hold_of(*it), here_);
}

void desk_judge::take(const event::order_refund_due& e) {
  auto* it = find(e.order);
  if (it == nullptr)
    return;
  judge_first_money(e.order, *it);
  const auto& money = keep(*it, e.gateway, e.reference);
  judge_due(e, *it, money);
  it->is = order_state::refund_due;
  together_.fulfil(duty::outcome, id_, e.order);
  if (!money.may_stay)
    expect(duty::refund, e.order, fault::refund_not_started,
           named(e.order) + " is REFUND_DUE, and its money does not go back with that.");
}

void desk_judge::judge_due(const event::order_refund_due& e, const order& it,
                           const money_in& money) const {
  const bool was_given_up = it.is == order_state::cancelled && !money.payment.is_none();
  if (!was_given_up && money.amount_minor == it.total.amount_minor && !is_lost(e.order, it))
    report(fault::refund_not_due,
           named(e.order) + " is REFUND_DUE, but everything it was for could be had.");
}

/// A seat of the hold was not free, or another order has the seller's reference.
bool desk_judge::is_lost(const order_id& which, const order& it) const {
  if (it.hold.is_none()) {
    const auto& rivals = show_.orders_of_ref.at(it.hold_ref);
    return std::ranges::any_of(rivals, [&](const order_id& rival) {
      const auto& other = show_.orders.at(rival);
      const bool stands = other.has_money() && other.is != order_state::refunded;
      return rival != which && (stands || other.is_open(at()));
    });
  }
  const auto* its = hold_of(it);
  if (its == nullptr)
    return true; // reported when the order was placed
  return std::ranges::any_of(its->seats, [&](const promised_seat& seat) {
    const auto found = show_.blocks.find(seat.where.first);
    return found == show_.blocks.end() ||
           is_in_the_way(found->second, seat.where.second, it.hold, at());
  });
}

} // namespace usher::storage::audit
