#include "actors/payments/sandbox.hpp"

#include "actors/basics/reference.hpp"

#include <utility>

namespace usher::payments {

namespace {

std::string reference_of(const id128& id) {
  const auto text = write_reference("sandbox", 0, id);
  return "sandbox-" + text.substr(text.rfind('-') + 1);
}

} // namespace

void sandbox::charge(const charge_request& asked, on_result done) {
  {
    const std::lock_guard lock{mutex_};
    charged_.insert(asked.payment);
  }
  done({outcome::approved, reference_of(asked.payment)});
}

void sandbox::void_charge(const charge_request& asked, on_result done) {
  bool has_charged = false;
  {
    const std::lock_guard lock{mutex_};
    has_charged = charged_.contains(asked.payment);
  }
  done(has_charged ? result{outcome::approved, reference_of(asked.payment)}
                   : result{.what = outcome::failed, .reason = "voided"});
}

void sandbox::refund(const refund_request& asked, on_result done) {
  done({outcome::approved, reference_of(asked.refund)});
}

void sandbox::read_webhook(const webhook&, std::function<void(webhook_reading)> done) {
  done(not_believed{"the sandbox in this process sends no webhooks"});
}

} // namespace usher::payments
