#include "tests/simulation/gateway.hpp"

#include <algorithm>

namespace usher::simulation {

using payments::outcome;
using payments::result;

namespace {

std::string text(const id128& id) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string made;
  for (const auto byte : id.bytes) {
    made += digits[byte >> 4];
    made += digits[byte & 15];
  }
  return made;
}

result unknown(std::string why) {
  return {.what = outcome::unknown, .reason = std::move(why)};
}

} // namespace

void gateway::take(const payment_id& payment, charge_entry& entry) {
  entry.is = state::charged;
  if (!draw(drawn_->webhook))
    return;
  for (auto times = 1 + random_->below(2); times > 0; --times)
    webhook_(name_, payment, entry, static_cast<duration_ms>(random_->below(20)) * 500);
}

result gateway::settle(const payment_id& payment, charge_entry& entry) {
  switch (entry.is) {
  case state::declined:
  case state::voided:
    return {.what = outcome::declined, .reason = "declined"};
  case state::charged:
    return {.what = outcome::approved, .reference = entry.reference};
  case state::nothing:
    break;
  }
  if (draw(drawn_->gateway_declines)) {
    entry.is = state::declined;
    return {.what = outcome::declined, .reason = "no funds"};
  }
  take(payment, entry);
  return {.what = outcome::approved, .reference = entry.reference};
}

void gateway::charge(const payments::charge_request& asked, payments::on_result done) {
  if (!accepts(asked.order, asked.payment))
    return;
  const auto call = "charge " + text(asked.payment);
  if (draw(drawn_->gateway_fault) && random_->one_in(4))
    return answer(call, std::move(done), {.what = outcome::not_sent, .reason = "no connection"});
  auto& entry = ledger_[asked.payment];
  entry.order = asked.order;
  entry.show = asked.show;
  entry.amount = asked.amount;
  entry.reference = name_ + "-" + text(asked.payment);
  if (!draw(drawn_->gateway_fault))
    return answer(call, std::move(done), settle(asked.payment, entry));
  switch (random_->below(4)) {
  case 0: // it could not, and says so
    return answer(call, std::move(done),
                  entry.is == state::nothing ? result{.what = outcome::failed, .reason = "500"}
                                             : unknown("500"));
  case 1:
    return answer(call, std::move(done), unknown("timeout before"));
  case 2: // the fan has to go on at the gateway, and does so later
    if (entry.is == state::nothing)
      wire_->send("the fan goes on at " + name_, 1'000, [this, payment = asked.payment] {
        if (auto& its = ledger_[payment]; its.is == state::nothing)
          take(payment, its);
      });
    return answer(call, std::move(done),
                  {.what = outcome::unknown,
                   .reference = entry.reference,
                   .reason = "pending",
                   .action_url = "https://fan.example/go"});
  default:
    settle(asked.payment, entry);
    return answer(call, std::move(done), unknown("timeout after"));
  }
}

void gateway::void_charge(const payments::charge_request& asked, payments::on_result done) {
  if (!accepts(asked.order, asked.payment))
    return;
  const auto call = "void " + text(asked.payment);
  if (draw(drawn_->gateway_fault) && random_->one_in(3))
    return answer(call, std::move(done), {.what = outcome::not_sent, .reason = "no connection"});
  auto& entry = ledger_[asked.payment];
  if (entry.order.is_none()) {
    entry.order = asked.order;
    entry.reference = name_ + "-" + text(asked.payment);
  }
  if (draw(drawn_->gateway_fault) && random_->one_in(2))
    return answer(call, std::move(done), unknown("timeout before"));
  if (entry.is == state::nothing)
    entry.is = state::voided;
  auto told = entry.is == state::charged
                  ? result{.what = outcome::approved, .reference = entry.reference}
                  : result{.what = outcome::failed, .reason = "voided"};
  answer(call, std::move(done),
         draw(drawn_->gateway_fault) ? unknown("timeout after") : std::move(told));
}

result gateway::give_back(charge_entry& entry, const payments::refund_request& asked) {
  const std::pair attempt{asked.refund, asked.attempt};
  const auto known = entry.refunds.find(attempt);
  bool does = known != entry.refunds.end() && known->second;
  if (known == entry.refunds.end()) {
    does = !draw(drawn_->gateway_declines);
    if (does && entry.given_back_minor + asked.amount.amount_minor > entry.amount.amount_minor) {
      asked_too_much_ = true;
      does = false;
    }
    entry.refunds.emplace(attempt, does);
    entry.given_back_minor += does ? asked.amount.amount_minor : 0;
  }
  return does ? result{.what = outcome::approved, .reference = "back-" + text(asked.refund)}
              : result{.what = outcome::declined, .reason = "not now"};
}

void gateway::refund(const payments::refund_request& asked, payments::on_result done) {
  if (!accepts(asked.order, asked.refund))
    return;
  const auto call = "refund " + text(asked.refund) + " of '" + asked.payment_reference +
                    "', attempt " + std::to_string(asked.attempt);
  const auto found = std::ranges::find_if(
      ledger_, [&](const auto& one) { return one.second.reference == asked.payment_reference; });
  if (found == ledger_.end() || found->second.is != state::charged) {
    asked_too_much_ = true;
    return answer(call, std::move(done), {.what = outcome::declined, .reason = "no such payment"});
  }
  if (!draw(drawn_->gateway_fault))
    return answer(call, std::move(done), give_back(found->second, asked));
  switch (random_->below(4)) {
  case 0:
    return answer(call, std::move(done), {.what = outcome::not_sent, .reason = "no connection"});
  case 1:
    return answer(call, std::move(done), {.what = outcome::failed, .reason = "500"});
  case 2:
    return answer(call, std::move(done), unknown("timeout before"));
  default:
    static_cast<void>(give_back(found->second, asked));
    return answer(call, std::move(done), unknown("timeout after"));
  }
}

void gateway::answer(const std::string& call, payments::on_result done, result what) {
  const auto told =
      name_ + ": " + call + ": " + std::string{to_string(what.what)} + " " + what.reason;
  if (!draw(drawn_->gateway_slow)) {
    say(told);
    return done(std::move(what));
  }
  if (random_->one_in(4))
    return say(told + " (never told)"); // the lease of the call is there for that
  say(told + " (later)");
  wire_->send(told, static_cast<duration_ms>(random_->below(24)) * 500,
              [done = std::move(done), what = std::move(what)] { done(what); });
}

bool gateway::has_taken(const std::string& reference, std::int64_t amount_minor) const {
  return std::ranges::any_of(ledger_, [&](const auto& one) {
    return one.second.is == state::charged && one.second.reference == reference &&
           one.second.amount.amount_minor == amount_minor;
  });
}

std::int64_t gateway::kept_minor(const order_id& order) const {
  std::int64_t sum = 0;
  for (const auto& [payment, entry] : ledger_)
    if (entry.order == order && entry.is == state::charged)
      sum += entry.amount.amount_minor - entry.given_back_minor;
  return sum;
}

} // namespace usher::simulation
