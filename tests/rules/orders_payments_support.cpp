#include "tests/rules/orders_payments_support.hpp"

#include <stdexcept>

namespace usher::test {

std::vector<situation> every_situation() {
  using enum payment_outcome;
  constexpr auto done = payments::outcome::approved;
  const auto with = [](desk here, const auto& what, auto... more) {
    here.at(now).does(what, more...);
    return here;
  };
  const auto swept = [](desk here, time_ms when) {
    sweep(here, when);
    return here;
  };
  desk pending;
  pending.at(1000).after(hold_of_two()).after(ordered());
  const auto paying = with(pending, pay(1));
  const auto paid = with(paying, settle(1, approved), false);
  const auto expired = swept(pending, order_until);
  const auto expired_open = swept(paying, paying_until);
  const auto cancelled_open = with(paying, cancel_it);
  const auto due = with(expired, report("outside"), true);
  const auto refunding = with(paid, give_back(60));
  const auto refunding_a = with(paid, give_back(61, {"a"}));
  return {{"pending", pending},
          {"paying", paying},
          {"paid", paid},
          {"paid, attempt open", with(paying, report("outside"), false)},
          {"expired", expired},
          {"expired, attempt open", expired_open},
          {"expired, attempt voided", with(expired_open, settle(1, voided, ""), false)},
          {"cancelled", with(pending, cancel_it)},
          {"cancelled, attempt open", cancelled_open},
          {"cancelled, attempt voided", with(cancelled_open, settle(1, voided, ""), false)},
          {"due", due},
          {"due, attempt open", with(paying, report("outside"), true)},
          {"refunding", refunding},
          {"refunding a", refunding_a},
          {"partly refunded", with(refunding_a, gone_back(61, done), false)},
          {"refunded", with(refunding, gone_back(60, done), false)},
          {"refunded, was due", with(due, gone_back(50, done), false)}};
}

desk in(const std::string& name) {
  for (auto& one : every_situation())
    if (one.name == name)
      return std::move(one.here);
  throw std::out_of_range{"no situation " + name};
}

} // namespace usher::test
