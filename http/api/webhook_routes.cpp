#include "http/api/routes.hpp"

#include "actors/basics/reference.hpp"
#include "actors/orders/gateway_calls.hpp"
#include "http/api/paying.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

// What gateways tell of their own accord. Answered 2xx only when it is durable, so that a gateway
// sends again what a crash took from us.
namespace usher::http {

namespace {

/// Whose business a report is: the reference says which show's.
struct addressee {
  orders::actor desk;
  std::optional<order_id> order;
  std::optional<payment_id> payment;
};

std::optional<orders::actor> desk_of(const app& with, show_number number) {
  if (number == cashier_number)
    return with.cashier;
  const auto* show = with.shows->find(number);
  return show == nullptr ? std::nullopt : std::optional{show->desk};
}

std::optional<addressee> addressee_of(const app& with, const payments::report& told) {
  const auto order = read_reference("order", told.order);
  const auto payment = read_reference("payment", told.payment);
  if (!order && !payment) {
    const auto* show = told.hold_ref.empty() ? nullptr : with.shows->find(told.show);
    return show == nullptr ? std::nullopt : std::optional{addressee{show->desk, {}, {}}};
  }
  auto desk = desk_of(with, order ? order->show : payment->show);
  if (!desk)
    return std::nullopt;
  addressee found{std::move(*desk), {}, {}};
  if (order)
    found.order = order_id{order->id};
  if (payment)
    found.payment = payment_id{payment->id};
  return found;
}

response received(bool applied) {
  return json_response(200, {{"received", true}, {"applied", applied}});
}

/// The desk has it, durably, or has a reason not to want it.
response taken(const orders::answer& got) {
  const auto* no = std::get_if<orders::rejection>(&got.result);
  if (no == nullptr)
    return received(true);
  if (*no == orders::rejection::too_many_reports || *no == orders::rejection::too_many_payments ||
      *no == orders::rejection::amount_differs)
    return refusal_of(*no);
  return received(false);
}

/// Hands one report to its desk. Shared by its steps; the answer goes out once.
class delivery : public std::enable_shared_from_this<delivery> {
public:
  delivery(app& with, payments::report told, deferred later)
      : with_{with}, told_{std::move(told)}, later_{std::move(later)} {}

  void go() {
    to_ = addressee_of(with_, told_);
    if (!to_ && told_.what == payments::outcome::approved)
      spdlog::warn("{} tells of money {} that belongs to nothing here", told_.gateway,
                   told_.reference);
    if (!to_ || told_.what == payments::outcome::unknown)
      return later_.send(received(false));
    if (to_->payment)
      return settle();
    keep();
  }

private:
  void settle() {
    orders::command::settle_payment what;
    what.order = to_->order.value_or(order_id{});
    what.payment = *to_->payment;
    what.outcome = orders::recorded(told_.what, false);
    what.reference = told_.reference;
    what.reason = told_.reason;
    what.amount = told_.amount;
    what.gateway = told_.gateway;
    send(std::move(what), [self = shared_from_this()](const orders::answer& got) {
      const auto* no = std::get_if<orders::rejection>(&got.result);
      const bool unknown = no != nullptr && *no == orders::rejection::unknown_order;
      if (unknown && self->to_->order)
        return self->keep();
      self->later_.send(taken(got));
    });
  }

  /// Of an order, or of the seller's own reference: applied if it is there, else kept for it.
  void keep() {
    if (told_.what != payments::outcome::approved || !told_.amount)
      return later_.send(received(false));
    orders::command::keep_report what;
    what.order = to_->order.value_or(order_id{});
    what.hold_ref = to_->order ? std::string{} : told_.hold_ref;
    what.gateway = told_.gateway;
    what.reference = told_.reference;
    what.amount = *told_.amount;
    send(std::move(what),
         [self = shared_from_this()](const orders::answer& got) { self->later_.send(taken(got)); });
  }

  void send(orders::any_command what, std::function<void(const orders::answer&)> done) {
    ask_desk(to_->desk, std::move(what), {"", "gateway:" + told_.gateway}, std::move(done));
  }

  app& with_;
  payments::report told_;
  deferred later_;
  std::optional<addressee> to_;
};

response not_read(const std::string& gateway, const payments::webhook_reading& reading) {
  if (const auto* why = std::get_if<payments::not_believed>(&reading)) {
    spdlog::warn("a webhook of {} is not believed: {}", gateway, why->why);
    return problem_response(400, "signature-invalid",
                            "The signature of this webhook is missing, wrong, or not of now.");
  }
  if (std::holds_alternative<payments::not_now>(reading))
    return problem_response(503, "gateway-unavailable",
                            "Whether this is true could not be found out now. Send it again.",
                            "Retry-After: 20\r\n");
  return received(false);
}

} // namespace

namespace handlers {

void take_webhook(call& at) {
  const auto name = gateway_name(at.path[0]);
  const auto found = at.with.providers.find(name);
  if (found == at.with.providers.end())
    return send_problem(at, 404, "unknown-gateway", "There is no such gateway here.");
  auto* provider = found->second;
  const auto now = at.with.clock->now();
  const auto* line = at.with.gateways->find(name);
  if (provider->asks_about_webhooks() && line != nullptr && !line->board->may_call(now))
    return at.to.send(not_read(name, payments::not_now{}));
  const payments::webhook got{[&](std::string_view field) { return header_field(at.what, field); },
                              at.what.body, now};
  provider->read_webhook(
      got, [&with = at.with, name, later = at.to.defer()](payments::webhook_reading reading) {
        auto* told = std::get_if<payments::report>(&reading);
        if (told == nullptr)
          return later.send(not_read(name, reading));
        told->gateway = name;
        std::make_shared<delivery>(with, std::move(*told), later)->go();
      });
}

} // namespace handlers

} // namespace usher::http
