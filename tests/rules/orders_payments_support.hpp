#pragma once

#include "tests/rules/orders_support.hpp"

#include <string>
#include <vector>

// One order of two seats, in every situation that money can bring it into, for the tests of
// payments, refunds and tickets. The situations are made by the rules themselves.
namespace usher::test {

inline constexpr time_ms now = 1100; ///< of the commands, unless they say another
inline constexpr time_ms order_until = 1200;
inline constexpr time_ms hold_until = 1300;
inline constexpr time_ms paying_until = 1700;
inline constexpr std::int64_t total_minor = 2500; ///< b 1500, a 1000

inline event::hold_placed hold_of_two(std::optional<slot_t> owner = fan) {
  return {hold(1), owner,      {seat("B", "b", 1500), seat("A", "a", 1000)},
          "EUR",   hold_until, std::nullopt};
}

inline event::order_placed ordered(std::optional<slot_t> owner = fan) {
  return {order(1),    owner,    hold(1),      "",   {total_minor, "EUR"},
          order_until, "sealed", std::nullopt, false};
}

inline command::start_payment pay(std::uint8_t n, time_ms when = now) {
  command::start_payment what;
  what.order = order(1);
  what.payment = payment(n);
  what.gateway = "SANDBOX";
  what.method = "card";
  what.asked = asked(n);
  what.now = when;
  what.token = "sealed token";
  what.give_up_ms = paying_until - now;
  return what;
}

/// What the gateway says of attempt `n`. Its money would go back as refund 100 + n.
inline command::settle_payment settle(std::uint8_t n, payment_outcome outcome,
                                      const std::string& reference = "mine", time_ms when = now) {
  command::settle_payment what;
  what.order = order(1);
  what.payment = payment(n);
  what.outcome = outcome;
  what.reference = reference;
  what.now = when;
  what.refund = refund(static_cast<std::uint8_t>(100 + n));
  return what;
}

inline command::settle_payment and_then(command::settle_payment what, std::uint8_t next) {
  what.next = command::next_attempt{payment(next), "PAYPAL", {}};
  return what;
}

/// Money that a service tells of. It would go back as refund `back`.
inline command::confirm report(const std::string& reference, std::uint8_t back = 50,
                               const std::string& gateway = "STRIPE", time_ms when = now) {
  command::confirm what;
  what.order = order(1);
  what.gateway = gateway;
  what.reference = reference;
  what.now = when;
  what.refund = refund(back);
  return what;
}

inline command::refund give_back(std::uint8_t n, std::vector<seat_id> seats = {},
                                 std::optional<std::int64_t> amount_minor = {}) {
  command::refund what;
  what.order = order(1);
  what.refund = refund(n);
  what.seats = std::move(seats);
  what.amount_minor = amount_minor;
  what.now = now;
  return what;
}

inline command::settle_refund gone_back(std::uint8_t n, payments::outcome outcome,
                                        const std::string& reference = "re",
                                        const std::string& reason = "") {
  return {order(1), refund(n), outcome, reference, reason, now};
}

inline const command::cancel cancel_it{order(1), now, std::nullopt};

/// Ends what time has ended at `when`.
inline void sweep(desk& here, time_ms when) {
  for (const auto& wanted : orders::expire(here.state, when, 100))
    for (const auto& happened : wanted.events)
      here.at(when).after(happened);
}

inline const orders::order& the_order(const desk& here) {
  return here.state.orders.at(order(1));
}
inline order_status status_of(const desk& here) {
  return the_order(here).status;
}
inline const orders::hold& the_hold(const desk& here) {
  return here.state.holds.at(hold(1));
}

/// What an answer is, in short: a rejection's name, "same", "nothing", or the state of the order
/// after it and what goes back of which it says so for the first time: "PAID, 2500 go back".
inline std::string short_of(const desk& here, const orders::decision& answer) {
  if (const auto* no = std::get_if<orders::rejection>(&answer))
    return std::string{orders::to_string(*no)};
  if (std::holds_alternative<orders::repeated>(answer))
    return "same";
  const auto& happening = std::get<orders::proposal>(answer).events;
  if (happening.empty())
    return "nothing";
  auto after = here;
  std::string back;
  for (const auto& happened : happening) {
    after.after(happened);
    if (const auto* started = std::get_if<event::refund_started>(&happened))
      back += ", " + std::to_string(started->amount_minor) + " go back";
  }
  return std::string{orders::to_string(status_of(after))} + back;
}

struct situation {
  std::string name;
  desk here;
};

/// PENDING and PAYING are in time at `now`.
std::vector<situation> every_situation();

/// The one of this name.
desk in(const std::string& name);

} // namespace usher::test
