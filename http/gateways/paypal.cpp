#include "http/gateways/paypal.hpp"

#include "http/gateways/outcomes.hpp"
#include "http/gateways/paypal_amount.hpp"
#include "http/gateways/paypal_answers.hpp"
#include "http/gateways/paypal_webhook.hpp"
#include "http/gateways/requests.hpp"
#include "http/gateways/text.hpp"

namespace usher::gateways {

namespace {

using payments::webhook_reading;

std::string order_target(const std::string& id, std::string_view action = {}) {
  return std::string{"/v2/checkout/orders/"}.append(percent_encoded(id)).append(action);
}

/// With a token: what the fan has with PayPal or the card in its vault. Without: where the fan is
/// sent back to, if that is configured.
json payment_source(const attempt& what, const std::string& return_url) {
  if (!what.token.empty())
    return {{what.method == "card" ? "card" : "paypal", {{"vault_id", what.token}}}};
  if (return_url.empty())
    return nullptr;
  return {{"paypal",
           {{"experience_context", {{"return_url", return_url}, {"cancel_url", return_url}}}}}};
}

client::request create_request(const attempt& what, const std::string& value,
                               const std::string& return_url) {
  json body{{"intent", "CAPTURE"},
            {"purchase_units",
             {{{"reference_id", what.order},
               {"custom_id", what.payment},
               {"invoice_id", what.payment},
               {"amount", {{"currency_code", what.amount.currency}, {"value", value}}}}}}};
  if (auto source = payment_source(what, return_url); !source.is_null())
    body["payment_source"] = std::move(source);
  return with(
      with(post_json("/v2/checkout/orders", written(body)), "PayPal-Request-Id", what.payment),
      "Prefer", "return=representation");
}

/// An order that the fan need not approve, or has approved.
bool can_be_captured(const paypal_answer& order, const attempt& what) {
  return order.status() == "APPROVED" || (order.status() == "CREATED" && !what.token.empty());
}

result judge_order(const paypal_answer& got) {
  const auto read = read_order(got);
  return read ? *read : unknown(got.id(), got.status());
}

charge_step look_once(const std::string& id) {
  return {get(order_target(id)), [id](const client::outcome& outcome) -> charge_step {
            const paypal_answer got{outcome};
            return got.good() ? judge_order(got) : not_told(outcome, id, got.issue());
          }};
}

/// `url`: where the fan approves, as the order said.
charge_step judge_capture(const client::outcome& outcome, const attempt& what,
                          const std::string& id, const std::string& url) {
  const paypal_answer got{outcome};
  if (got.failure != nullptr)
    return not_reached(*got.failure, what.again, id);
  if (got.good())
    return judge_order(got);
  const auto issue = got.issue();
  if (issue == "ORDER_ALREADY_CAPTURED")
    return look_once(id);
  if (issue == "ORDER_NOT_APPROVED" || issue == "PAYER_ACTION_REQUIRED") {
    auto told = got.approval_url();
    return pending(id, "payer action", told.empty() ? url : std::move(told));
  }
  if (got.answer->status == 422 && blames_the_payer(issue))
    return declined(id, issue);
  return by_status(*got.answer, what.again, id, issue);
}

charge_step capture(const attempt& what, const std::string& id, const std::string& url) {
  auto ask = with(post_json(order_target(id, "/capture"), "{}"), "PayPal-Request-Id",
                  what.payment + "-capture");
  return {with(std::move(ask), "Prefer", "return=representation"),
          [what, id, url](const client::outcome& outcome) {
            return judge_capture(outcome, what, id, url);
          }};
}

charge_step look(const attempt& what, const std::string& id) {
  return {get(order_target(id)), [what, id](const client::outcome& outcome) -> charge_step {
            const paypal_answer got{outcome};
            // Orders that nobody approved are gone after some hours.
            if (got.answer != nullptr && got.answer->status == 404)
              return failed(id, status_reason(*got.answer, got.issue()));
            if (!got.good())
              return not_told(outcome, id, got.issue());
            if (can_be_captured(got, what))
              return capture(what, id, got.approval_url());
            return judge_order(got);
          }};
}

/// Making an order charges nothing, unless it comes with something to charge.
result judge_failed_create(const paypal_answer& got, const attempt& what) {
  const bool may_charge = !what.token.empty();
  if (got.failure != nullptr) {
    if (got.failure->kind == client::fault::not_sent)
      return not_reached(*got.failure, what.again);
    return refused(what.again || may_charge, {}, got.failure->why);
  }
  const auto issue = got.issue();
  if (!what.again && got.answer->status == 422 && blames_the_payer(issue))
    return declined({}, issue);
  if (may_charge || got.answer->status == 409)
    return by_status(*got.answer, what.again, {}, issue);
  return refused(what.again, {}, status_reason(*got.answer, issue));
}

/// An order that is not captured never charges, so it is enough to see that it was not.
charge_step void_from(const std::string& id) {
  return {get(order_target(id)), [id](const client::outcome& outcome) -> charge_step {
            const paypal_answer got{outcome};
            if (got.failure != nullptr)
              return not_reached(*got.failure, false, id);
            if (got.answer->status == 404)
              return failed(id, status_reason(*got.answer, got.issue()));
            if (!got.good())
              return not_told(outcome, id, got.issue());
            if (find_at(got.body, "/purchase_units/0/payments/captures/0") != nullptr)
              return judge_order(got);
            if (got.status() == "COMPLETED")
              return unknown(id, "unreadable answer");
            return failed(id, "not captured");
          }};
}

charge_step judge_create_of_void(const paypal_answer& got) {
  if (got.failure != nullptr)
    return not_reached(*got.failure, false);
  if (got.good())
    return void_from(got.id());
  if (got.answer->status == 422 && blames_the_payer(got.issue()))
    return declined({}, got.issue());
  const bool never_made = got.answer->status == 400 || got.answer->status == 422;
  auto reason = status_reason(*got.answer, got.issue());
  return never_made ? failed({}, std::move(reason)) : unknown({}, std::move(reason));
}

/// Which order it is, is known only by making it, if no answer told. First without what could be
/// charged: if none was made before, this one takes the request id, so that none that could charge
/// is made later. If one was made, the very same request is answered with that.
charge_step void_unknown(const attempt& what, const std::string& value,
                         const std::string& return_url) {
  auto bare = what;
  bare.token.clear();
  return {create_request(bare, value, return_url),
          [what, value, return_url](const client::outcome& outcome) -> charge_step {
            const paypal_answer got{outcome};
            if (what.token.empty() || got.issue() != "DUPLICATE_REQUEST_ID")
              return judge_create_of_void(got);
            return {create_request(what, value, return_url),
                    [](const client::outcome& same) -> charge_step {
                      return judge_create_of_void(paypal_answer{same});
                    }};
          }};
}

result judge_refund(const client::outcome& outcome, const refunding& what) {
  const paypal_answer got{outcome};
  const bool again = what.again || !what.refund_reference.empty();
  if (got.failure != nullptr)
    return not_reached(*got.failure, again, what.refund_reference);
  if (got.good())
    if (auto read = read_paypal_refund(got.body))
      return std::move(*read);
  const auto issue = got.issue();
  if (refuses_refund_for_good(issue))
    return declined(what.refund_reference, issue);
  return refund_by_status(*got.answer, again, what.refund_reference, issue);
}

/// With one webhook's id after another, until one fits.
webhook_step verify(const paypal_transmission& what, const std::vector<std::string>& ids,
                    std::size_t at, const std::string& gateway) {
  if (at >= ids.size())
    return webhook_reading{payments::not_believed{"signature wrong"}};
  return {verify_request(what, ids[at]),
          [what, ids, at, gateway](const client::outcome& got) -> webhook_step {
            const auto genuine = read_verification(got);
            if (!genuine)
              return webhook_reading{payments::not_now{}};
            return *genuine ? webhook_step{read_paypal_event(what.body, gateway)}
                            : verify(what, ids, at + 1, gateway);
          }};
}

} // namespace

charge_step paypal::authorised(charge_step inner, bool again) const {
  return with_token<result>(tokens_, std::move(inner), [again](result why) {
    return again ? unknown(std::move(why.reference), std::move(why.reason)) : std::move(why);
  });
}

charge_step paypal::charge(const attempt& what) const {
  auto known = what;
  known.again = what.again || !what.reference.empty();
  if (!what.reference.empty())
    return authorised(look(known, what.reference), true);
  const auto value = paypal_value(what.amount);
  if (!value)
    return declined({}, "amount-not-representable");
  return authorised({create_request(what, *value, return_url_),
                     [what](const client::outcome& outcome) -> charge_step {
                       const paypal_answer got{outcome};
                       if (!got.good())
                         return judge_failed_create(got, what);
                       // A request id that was used is answered as it was then.
                       if (what.again)
                         return look(what, got.id());
                       if (can_be_captured(got, what))
                         return capture(what, got.id(), got.approval_url());
                       return judge_order(got);
                     }},
                    what.again);
}

charge_step paypal::void_charge(const attempt& what) const {
  // Without a token nothing is known of the attempt, whoever's fault that is.
  const auto ended = [](result why) {
    return why.what == payments::outcome::not_sent
               ? std::move(why)
               : unknown(std::move(why.reference), std::move(why.reason));
  };
  if (!what.reference.empty())
    return with_token<result>(tokens_, void_from(what.reference), ended);
  const auto value = paypal_value(what.amount);
  if (!value)
    return failed({}, "amount-not-representable");
  return with_token<result>(tokens_, void_unknown(what, *value, return_url_), ended);
}

charge_step paypal::refund(const refunding& what) const {
  const auto judge = [what](const client::outcome& got) -> charge_step {
    return judge_refund(got, what);
  };
  if (!what.refund_reference.empty())
    return authorised(
        {get("/v2/payments/refunds/" + percent_encoded(what.refund_reference)), judge}, true);
  const auto value = paypal_value(what.amount);
  if (!value)
    return declined({}, "amount-not-representable");
  const json body{{"amount", {{"currency_code", what.amount.currency}, {"value", *value}}},
                  {"custom_id", what.refund}};
  const auto target =
      "/v2/payments/captures/" + percent_encoded(what.payment_reference) + "/refund";
  auto ask = with(post_json(target, written(body)), "PayPal-Request-Id", what.key);
  return authorised({with(std::move(ask), "Prefer", "return=representation"), judge}, what.again);
}

webhook_step paypal::read_webhook(const payments::webhook& got) const {
  auto read = read_transmission(got);
  if (auto* why = std::get_if<payments::not_believed>(&read))
    return webhook_reading{std::move(*why)};
  const auto& what = std::get<paypal_transmission>(read);
  return with_token<webhook_reading>(tokens_, verify(what, webhook_ids_, 0, gateway_),
                                     [](const result&) { return payments::not_now{}; });
}

} // namespace usher::gateways
