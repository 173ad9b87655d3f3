#include "actors/orders/gateway_calls.hpp"

#include "actors/basics/overloaded.hpp"
#include "actors/runtime/random_id.hpp"

#include <caf/send.hpp>

#include <algorithm>
#include <utility>

namespace usher::orders {

namespace {

constexpr std::string_view no_such_gateway = "gateway not configured";

duration_ms backoff(duration_ms first, duration_ms most, unsigned times) {
  constexpr unsigned doublings_max = 20;
  return std::min(most, first << std::min(times, doublings_max));
}

bool was_made(const payments::result& got) {
  return got.reason != payments::breaker_open_reason &&
         got.reason != payments::too_many_calls_reason;
}

bool is_wanted(const order& it, const payment& attempt, time_ms now) {
  return it.status == order_status::paying && (attempt.until == 0 || now < attempt.until);
}

} // namespace

payment_outcome recorded(payments::outcome what, bool voiding) {
  switch (what) {
  case payments::outcome::approved:
    return payment_outcome::approved;
  case payments::outcome::declined:
    return voiding ? payment_outcome::voided : payment_outcome::declined;
  case payments::outcome::not_sent:
    return payment_outcome::not_sent;
  case payments::outcome::failed:
  case payments::outcome::unknown:
    break;
  }
  return voiding ? payment_outcome::voided : payment_outcome::failed;
}

gateway_work for_gateways(const std::vector<any_event>& events) {
  gateway_work work;
  auto& orders = work.orders;
  for (const auto& happened : events)
    std::visit(overloaded{
                   [&](const event::payment_started& e) {
                     orders.push_back(e.order);
                     work.begun.push_back(e.payment);
                   },
                   [&](const event::refund_started& e) {
                     orders.push_back(e.order);
                     work.begun.push_back(e.refund);
                   },
                   [&](const event::order_expired& e) { orders.push_back(e.order); },
                   [&](const event::order_cancelled& e) { orders.push_back(e.order); },
                   [&](const event::order_paid& e) { orders.push_back(e.order); },
                   [&](const event::refund_settled& e) { orders.push_back(e.order); },
                   [](const auto&) {},
               },
               happened);
  return work;
}

std::optional<payment_id> attempt_to_wait_for(const any_command& what, const answer& outcome) {
  if (const auto* pay = std::get_if<command::start_payment>(&what))
    return pay->payment;
  if (const auto* pay = std::get_if<command::take_payment>(&what))
    return pay->payment;
  const auto* settled = std::get_if<command::settle_payment>(&what);
  const auto* view = std::get_if<order_view>(&outcome.result);
  if (settled == nullptr || view == nullptr || !settled->next)
    return std::nullopt;
  const auto* next = view->order.find(settled->next->payment);
  return next != nullptr ? std::optional{next->id} : std::nullopt;
}

template <class Command>
void gateway_calls::route(Command& pay, const money& amount, time_ms now) const {
  pay.give_up_ms = limit_ms_;
  auto way = way_for({.amount = amount,
                      .method = pay.method,
                      .country = pay.country,
                      .only = pay.chosen ? pay.gateway : std::string{},
                      .draw = id_hash{}(pay.payment)},
                     now);
  pay.gateway = way.gateway.value_or("");
  pay.skipped = std::move(way.skipped);
}

void gateway_calls::complete(any_command& what, time_ms now) const {
  std::visit(
      [&](auto& c) {
        c.now = now;
        if constexpr (requires { c.refund.bytes; })
          if (c.refund.is_none())
            c.refund = runtime::random_id<refund_id>();
      },
      what);
  if (auto* pay = std::get_if<command::start_payment>(&what)) {
    const auto found = desk_->orders.find(pay->order);
    if (found != desk_->orders.end())
      route(*pay, found->second.total, now);
  } else if (auto* alone = std::get_if<command::take_payment>(&what)) {
    route(*alone, alone->amount, now);
  }
}

std::optional<command::next_attempt> gateway_calls::next_after(const command::settle_payment& what,
                                                               time_ms now) const {
  if (what.outcome != payment_outcome::failed && what.outcome != payment_outcome::not_sent)
    return std::nullopt;
  const auto found = desk_->orders.find(what.order);
  const auto* attempt = found == desk_->orders.end() ? nullptr : found->second.find(what.payment);
  if (attempt == nullptr || attempt->chosen)
    return std::nullopt;
  payments::route_question asked{
      .amount = found->second.total, .method = attempt->method, .country = attempt->country};
  for (const auto* each = attempt; each != nullptr; each = found->second.find(each->follows))
    asked.tried.push_back(each->gateway);
  const auto id = runtime::random_id<payment_id>();
  asked.draw = id_hash{}(id);
  auto way = way_for(asked, now);
  if (!way.gateway)
    return std::nullopt;
  return command::next_attempt{id, std::move(*way.gateway), std::move(way.skipped)};
}

void gateway_calls::may_ask_about(const std::vector<id128>& begun) {
  for (const auto& what : begun)
    under_way_[what].durable = true;
}

void gateway_calls::go_on(const order_id& id, time_ms now, bool hurry) {
  const auto found = desk_->orders.find(id);
  if (found == desk_->orders.end())
    return;
  const auto& it = found->second;
  const auto may_ask = [&](const id128& what) {
    const auto& how_far = under_way_[what];
    return how_far.durable && !how_far.in_flight && (hurry || !how_far.waiting);
  };
  for (const auto& attempt : it.payments)
    if (!attempt.outcome && may_ask(attempt.id))
      ask(id, it, attempt, now);
  // One refund of a payment at a time, so that the gateway never sees more asked back than was
  // paid.
  for (auto next = it.refunds.begin(); next != it.refunds.end(); ++next) {
    const bool waits = std::any_of(it.refunds.begin(), next, [&](const refund& before) {
      return !before.outcome && before.gateway == next->gateway &&
             before.payment_reference == next->payment_reference;
    });
    if (!next->outcome && !waits && may_ask(next->id))
      ask(id, it, *next);
  }
}

void gateway_calls::resume(time_ms now) {
  for (const auto& id : desk_->unsettled) {
    const auto& it = desk_->orders.at(id);
    for (const auto& attempt : it.payments)
      if (!attempt.outcome) {
        under_way_[attempt.id].durable = true;
        under_way_[attempt.id].uncertain = true;
      }
    for (const auto& back : it.refunds)
      if (!back.outcome)
        under_way_[back.id].durable = true;
    go_on(id, now);
  }
}

void gateway_calls::ask(const order_id& id, const order& it, const payment& attempt, time_ms now) {
  auto& how_far = under_way_[attempt.id];
  const bool voiding = !is_wanted(it, attempt, now);
  const auto answered = [here = self_, id, payment = attempt.id, voiding](payments::result got) {
    caf::anon_send(here, charged{id, payment, voiding, std::move(got)});
  };
  how_far.in_flight = true;
  if (it.total.amount_minor == 0) // nothing to pay: no gateway takes that
    return answered(
        voiding
            ? payments::result{payments::outcome::failed, {}, "free", {}}
            : payments::result{payments::outcome::approved, std::string{free_reference}, {}, {}});
  const auto* line = lines_ ? lines_->find(attempt.gateway) : nullptr;
  if (line == nullptr) // of a time when there was one, and perhaps it charged
    return answered({payments::outcome::unknown, {}, std::string{no_such_gateway}, {}});
  auto call = std::make_shared<payments::call>();
  call->kind = voiding ? payments::call_kind::void_charge : payments::call_kind::charge;
  call->charge = {.payment = attempt.id,
                  .order = id,
                  .show = show_,
                  .amount = it.total,
                  .method = attempt.method,
                  .token = attempt.token,
                  .customer = it.customer,
                  .reference = how_far.reference};
  call->done = answered;
  caf::anon_send(line->actor, std::move(call));
}

void gateway_calls::ask(const order_id& id, const order& it, const refund& what) {
  const auto* line = lines_ ? lines_->find(what.gateway) : nullptr;
  if (line == nullptr) // paid elsewhere: somebody has to say that it went back
    return;
  under_way_[what.id].in_flight = true;
  auto call = std::make_shared<payments::call>();
  call->kind = payments::call_kind::refund;
  call->refund = {.refund = what.id,
                  .attempt = what.attempt,
                  .payment = what.payment,
                  .order = id,
                  .show = show_,
                  .amount = {what.amount_minor, it.total.currency},
                  .payment_reference = what.payment_reference,
                  .refund_reference = what.reference};
  call->done = [here = self_, id, refund = what.id](payments::result got) {
    caf::anon_send(here, refunded{id, refund, std::move(got)});
  };
  caf::anon_send(line->actor, std::move(call));
}

payments::result gateway_calls::learn(const charged& got) {
  using payments::outcome;
  auto& how_far = under_way_[got.payment];
  auto told = got.result;
  how_far.refused = !was_made(told);
  const bool only_not_reached =
      told.what == outcome::not_sent || (told.what == outcome::failed && !got.voiding);
  if (only_not_reached && (how_far.uncertain || got.voiding))
    told.what = outcome::unknown;
  if (told.what == outcome::unknown) {
    how_far.in_flight = false;
    how_far.uncertain = true;
    if (!told.reference.empty())
      how_far.reference = told.reference;
    how_far.action_url = told.action_url;
  }
  return told;
}

void gateway_calls::learn(const refunded& got) {
  under_way_[got.refund].in_flight = false;
}

void gateway_calls::wait(const charged& got) {
  auto& how_far = under_way_[got.payment];
  if (std::exchange(how_far.waiting, true))
    return;
  auto after = backoff(ask_again_first_ms, ask_again_most_ms, how_far.asked);
  if (how_far.refused && after >= ask_refused_most_ms)
    after = ask_refused_most_ms; // and what was not asked makes nobody wait longer
  else
    ++how_far.asked;
  later_(after, ask_again{got.order, got.payment});
}

void gateway_calls::recorded(const order_id& id, const refund_id& refund, time_ms now) {
  const auto* what = desk_->orders.at(id).find(refund);
  if (what->outcome)
    forget(refund);
  else if (auto& how_far = under_way_[refund]; !std::exchange(how_far.waiting, true))
    later_(backoff(refund_again_first_ms, refund_again_most_ms, what->tries - 1),
           ask_again{id, refund});
  go_on(id, now);
}

void gateway_calls::ring(const ask_again& what, time_ms now) {
  const auto found = under_way_.find(what.what);
  if (found == under_way_.end())
    return;
  found->second.waiting = false;
  go_on(what.order, now);
}

std::string gateway_calls::action_url(const order& it) const {
  for (const auto& attempt : it.payments)
    if (const auto found = under_way_.find(attempt.id);
        !attempt.outcome && found != under_way_.end())
      return found->second.action_url;
  return {};
}

void gateway_calls::count(desk_board& into) const {
  std::uint32_t unknown = 0;
  std::uint32_t open = 0;
  std::uint32_t stuck = 0;
  for (const auto& id : desk_->unsettled) {
    const auto& it = desk_->orders.at(id);
    for (const auto& attempt : it.payments)
      unknown += attempt.outcome ? 0 : 1;
    for (const auto& what : it.refunds)
      if (!what.outcome) {
        ++open;
        const bool nobody = lines_ == nullptr || lines_->find(what.gateway) == nullptr;
        stuck += nobody || what.tries >= refund_stuck_tries ? 1 : 0;
      }
  }
  into.payments_unknown = unknown;
  into.refunds_open = open;
  into.refunds_stuck = stuck;
}

} // namespace usher::orders
