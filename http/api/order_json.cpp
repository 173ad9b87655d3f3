#include "http/api/order_json.hpp"

#include "actors/basics/reference.hpp"
#include "http/api/call.hpp"
#include "http/api/entry_ticket_json.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace usher::http {

namespace {

std::string_view outcome_text(orders::payment_outcome outcome) {
  switch (outcome) {
  case orders::payment_outcome::approved:
    return "APPROVED";
  case orders::payment_outcome::declined:
    return "DECLINED";
  case orders::payment_outcome::failed:
    return "FAILED";
  case orders::payment_outcome::not_sent:
    return "NOT_SENT";
  case orders::payment_outcome::voided:
    return "VOIDED";
  }
  return "?";
}

std::string_view refund_text(const orders::refund& what) {
  if (!what.outcome)
    return "PENDING";
  return *what.outcome == orders::refund_outcome::done ? "DONE" : "REFUSED";
}

std::string_view cause_text(orders::refund_cause why) {
  switch (why) {
  case orders::refund_cause::asked:
    return "asked";
  case orders::refund_cause::refund_due:
    return "refund-due";
  case orders::refund_cause::surplus:
    return "surplus";
  }
  return "?";
}

ordered_json skipped_json(const orders::payment& attempt) {
  auto list = ordered_json::array();
  for (const auto& each : attempt.skipped)
    list.push_back({{"gateway", each.gateway}, {"reason", each.why}});
  return list;
}

ordered_json seats_json(const orders::order_view& view) {
  auto seats = ordered_json::array();
  for (const auto& each : view.seats) {
    seats.push_back({{"id", each.id}, {"category", each.category}, {"price", each.price_minor}});
    if (std::ranges::find(view.returned, each.id) != view.returned.end())
      seats.back()["returned"] = true;
    if (view.order.gives_back(each.id))
      seats.back()["refunded"] = true;
  }
  return seats;
}

void describe_attempt(ordered_json& line, const orders::order& order, const orders::step& at) {
  const auto& attempt = order.payments[at.index];
  line["gateway"] = attempt.gateway;
  if (at.what == orders::step_kind::payment_started) {
    line["method"] = attempt.method;
    if (!attempt.skipped.empty())
      line["skipped"] = skipped_json(attempt);
    if (const auto* before = order.find(attempt.follows))
      line["after"] = before->gateway;
    return;
  }
  const auto told = orders::payment_outcome_of(at.note);
  line["outcome"] = told ? outcome_text(*told) : status_text(attempt);
  if (!attempt.reason.empty())
    line["reason"] = attempt.reason;
  if (at.what == orders::step_kind::payment_reported)
    line["amount"] = attempt.amount_minor;
}

void describe_refund(ordered_json& line, const orders::order& order, const orders::step& at) {
  const auto& what = order.refunds[at.index];
  line["gateway"] = what.gateway;
  line["amount"] = what.amount_minor;
  line["cause"] = cause_text(what.cause);
  if (at.what == orders::step_kind::refund_tried)
    line["reason"] = at.note;
  if (at.what == orders::step_kind::refund_settled)
    line["outcome"] = refund_text(what);
}

std::string_view step_text(orders::step_kind what) {
  using enum orders::step_kind;
  switch (what) {
  case placed:
    return "placed";
  case payment_started:
    return "payment-started";
  case payment_settled:
    return "payment-settled";
  case payment_reported:
    return "payment-reported";
  case paid:
    return "paid";
  case refund_due:
    return "refund-due";
  case expired:
    return "expired";
  case cancelled:
    return "cancelled";
  case refund_started:
    return "refund-started";
  case refund_tried:
    return "refund-tried";
  case refund_settled:
    return "refund-settled";
  case seats_returned:
    return "seats-returned";
  case ticket_used:
    return "ticket-used";
  }
  return "?";
}

} // namespace

std::string_view status_text(const orders::payment& attempt) {
  return attempt.outcome ? outcome_text(*attempt.outcome) : "UNKNOWN";
}

ordered_json payments_json(const orders::order& order, show_number number) {
  auto list = ordered_json::array();
  for (const auto& each : order.payments) {
    list.push_back(
        {{"gateway", each.gateway}, {"status", status_text(each)}, {"at", time_text(each.at)}});
    auto& line = list.back();
    if (!each.id.is_none())
      line["id"] = write_reference("payment", number, each.id);
    if (!each.reference.empty())
      line["paymentId"] = each.reference;
    if (!each.reason.empty())
      line["reason"] = each.reason;
    if (each.known)
      line["sameAsReported"] = true;
  }
  return list;
}

ordered_json refunds_json(const orders::order& order, show_number number) {
  auto list = ordered_json::array();
  for (const auto& each : order.refunds) {
    list.push_back({{"id", write_reference("refund", number, each.id)},
                    {"gateway", each.gateway},
                    {"status", refund_text(each)},
                    {"amount", each.amount_minor},
                    {"cause", cause_text(each.cause)},
                    {"at", time_text(each.at)}});
    auto& line = list.back();
    if (!each.seats.empty())
      line["seats"] = each.seats;
    if (!each.reference.empty())
      line["reference"] = each.reference;
    if (!each.reason.empty())
      line["reason"] = each.reason;
    if (each.tries > 0)
      line["tries"] = each.tries;
  }
  return list;
}

ordered_json history_json(const orders::order& order) {
  auto list = ordered_json::array();
  for (const auto& each : order.history) {
    list.push_back({{"at", time_text(each.at)}, {"what", step_text(each.what)}});
    auto& line = list.back();
    using enum orders::step_kind;
    if (each.what == payment_started || each.what == payment_settled ||
        each.what == payment_reported)
      describe_attempt(line, order, each);
    else if (each.what == refund_started || each.what == refund_tried ||
             each.what == refund_settled)
      describe_refund(line, order, each);
    else if (each.what == ticket_used)
      line["seat"] = order.used[each.index].seat;
  }
  return list;
}

ordered_json order_json(const app& with, const shows::show_entry& show,
                        const orders::order_view& view, bool drop_in) {
  const auto& order = view.order;
  ordered_json body{
      {"id", write_reference("order", show.number, view.id)},
      {"status", orders::to_string(order.status)},
      {"showId", show.id},
      {"holdId",
       order.hold.is_none() ? order.hold_ref : write_reference("hold", show.number, order.hold)},
      {"seats", seats_json(view)},
      {"total", {{"amount", order.total.amount_minor}, {"currency", order.total.currency}}}};
  if (drop_in) // as those clients wrote it; a decimal text of ours is a JSON number to the letter
    body["amount"] = json::parse(decimal_of(order.total));
  if (view.withdrawn && order.status == orders::order_status::cancelled)
    body["reason"] = "seats-withdrawn";
  body["expiresAt"] = time_text(order.until);
  add_tickets(body, with.entry_tickets, show, view);
  body["payments"] = payments_json(order, show.number);
  if (!order.refunds.empty())
    body["refunds"] = refunds_json(order, show.number);
  if (!view.action_url.empty())
    body["nextAction"] = {{"redirectUrl", view.action_url}};
  body["history"] = history_json(order);
  return body;
}

void add_customer(ordered_json& body, const storage::personal_data& opens,
                  const orders::order_view& view) {
  body["customerEmail"] = nullptr;
  if (view.order.customer.empty())
    return;
  const std::string_view bound{reinterpret_cast<const char*>(view.id.bytes.data()),
                               view.id.bytes.size()};
  const auto got = opens.open(view.order.customer, bound);
  if (const auto* data = std::get_if<storage::opened_data>(&got)) {
    const auto customer = json::parse(data->plain, nullptr, false);
    if (customer.is_object() && customer.contains("email"))
      body["customerEmail"] = customer["email"];
  } else if (const auto* why = std::get_if<storage::unreadable_data>(&got)) {
    body["customerUnreadable"] = why->why;
  } else {
    body["customerErased"] = true;
  }
}

} // namespace usher::http
