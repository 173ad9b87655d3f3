#include "http/api/routes.hpp"

#include "http/api/fields.hpp"
#include "http/api/reference.hpp"
#include "storage/sealing.hpp"

#include <caf/send.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace usher::http {

namespace {

constexpr std::size_t email_bytes_max = 254;
constexpr std::size_t hold_ref_bytes_max = 128;

bool is_email(const std::string& text) {
  const auto at = text.find('@');
  if (at == std::string::npos || at == 0 || at + 1 == text.size() ||
      text.find('@', at + 1) != std::string::npos)
    return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) > ' ' && c != '\x7f'; });
}

struct found_order {
  shows::show_entry* show;
  order_id id;
};

/// The order of the first path parameter, or 404.
std::optional<found_order> order_of(call& at) {
  const auto found = read_reference("order", at.path[0]);
  auto* show = found ? at.with.shows->find(found->show) : nullptr;
  if (show == nullptr) {
    send_problem(at, 404, "unknown-order", "There is no such order.");
    return std::nullopt;
  }
  return found_order{show, order_id{found->id}};
}

std::string_view status_text(const orders::payment& attempt) {
  if (!attempt.outcome)
    return "UNKNOWN";
  switch (*attempt.outcome) {
  case orders::payment_outcome::approved:
    return "APPROVED";
  case orders::payment_outcome::declined:
    return "DECLINED";
  case orders::payment_outcome::failed:
    break;
  }
  return "FAILED";
}

ordered_json payments_json(const orders::order& order) {
  auto list = ordered_json::array();
  for (const auto& each : order.payments)
    list.push_back(
        {{"gateway", each.gateway}, {"status", status_text(each)}, {"at", time_text(each.at)}});
  return list;
}

response refund_due(const ordered_json& order, const std::string& headers) {
  return problem_response(409, "refund-due",
                          "The payment came after the seats were lost; it will be refunded.",
                          headers, ordered_json{{"order", order}});
}

/// What a pay call is answered with: the outcome of the attempt it made or repeats, or, if there is
/// none because another call has paid, the order.
response paid_response(const shows::show_entry& show, const orders::order_view& view,
                       const payment_id& attempt, bool repeated) {
  const auto body = order_json(show, view, false);
  const std::string headers = repeated ? "Idempotent-Replayed: true\r\n" : "";
  const auto& attempts = view.order.payments;
  const auto found = std::find_if(attempts.begin(), attempts.end(),
                                  [&](const orders::payment& each) { return each.id == attempt; });
  if (found != attempts.end() && !found->outcome &&
      view.order.status == orders::order_status::paying)
    return json_response(202, body, headers + "Retry-After: 2\r\n");
  if (found == attempts.end() || !found->outcome ||
      found->outcome == orders::payment_outcome::approved)
    return view.order.status == orders::order_status::refund_due
               ? refund_due(body, headers)
               : json_response(200, body, headers);
  if (found->outcome == orders::payment_outcome::declined)
    return problem_response(402, "payment-declined",
                            found->gateway +
                                " declined the payment. Nothing was charged; try another way to "
                                "pay, with a new Idempotency-Key.",
                            headers, ordered_json{{"order", body}});
  return problem_response(502, "payment-failed",
                          found->gateway + " could not be reached. Nothing was charged; try again "
                                           "with a new Idempotency-Key.",
                          headers, ordered_json{{"order", body}});
}

} // namespace

std::function<void(const orders::answer&)> answer_order(call& at, const shows::show_entry& show,
                                                        unsigned status, unsigned repeated_status) {
  return [&show, status, repeated_status, drop_in = at.drop_in,
          later = at.to.defer()](const orders::answer& got) {
    const auto* view = std::get_if<orders::order_view>(&got.result);
    if (view == nullptr)
      return later.send(refusal_of(got.result, show, drop_in));
    const auto body = order_json(show, *view, drop_in);
    auto headers = got.repeated ? std::string{"Idempotent-Replayed: true\r\n"} : std::string{};
    if (status == 201)
      headers += "Location: /v1/orders/" + body["id"].get<std::string>() + "\r\n";
    later.send(json_response(got.repeated ? repeated_status : status, body, headers));
  };
}

std::string read_email(fields& from) {
  const auto email = from.text("customerEmail", email_bytes_max);
  if (email && !is_email(*email))
    from.add_fault("customerEmail", "expected an e-mail address");
  return email.value_or("");
}

std::optional<std::string> seal_customer(call& at, const order_id& order,
                                         const std::string& email) {
  const std::string_view bound{reinterpret_cast<const char*>(order.bytes.data()),
                               order.bytes.size()};
  auto sealed = storage::seal(at.with.personal_data_key, json{{"email", email}}.dump(), bound);
  if (auto* text = std::get_if<std::string>(&sealed))
    return std::move(*text);
  send_problem(at, 500, "internal", "The order could not be taken.");
  return std::nullopt;
}

namespace {

/// The show that an order is for: of the hold, of `showId`, or none (answered).
shows::show_entry* show_for(call& at, const json& body, const std::string& hold) {
  if (const auto ref = read_reference("hold", hold))
    if (auto* show = at.with.shows->find(ref->show))
      return show;
  std::vector<fault> faults;
  fields from{body, faults};
  const auto id = from.text("showId", shows::id_length_max);
  if (!id) {
    from.add_fault("showId", "is missing, and the hold is none of ours to know it by");
    send_invalid(at, faults);
    return nullptr;
  }
  auto* show = at.with.shows->find(*id);
  if (show == nullptr)
    send_unknown_show(at, *id);
  return show;
}

} // namespace

ordered_json order_json(const shows::show_entry& show, const orders::order_view& view,
                        bool drop_in) {
  auto seats = ordered_json::array();
  for (const auto& each : view.seats) {
    seats.push_back({{"id", each.id}, {"category", each.category}, {"price", each.price_minor}});
    if (std::find(view.returned.begin(), view.returned.end(), each.id) != view.returned.end())
      seats.back()["returned"] = true;
  }
  const auto& order = view.order;
  ordered_json body{
      {"id", write_reference("order", show.number, view.id)},
      {"status", orders::to_string(order.status)},
      {"showId", show.id},
      {"holdId",
       order.hold.is_none() ? order.hold_ref : write_reference("hold", show.number, order.hold)},
      {"seats", seats},
      {"total", {{"amount", order.total.amount_minor}, {"currency", order.total.currency}}}};
  if (drop_in) // as those clients wrote it; a decimal text of ours is a JSON number to the letter
    body["amount"] = json::parse(decimal_of(order.total));
  if (view.withdrawn && order.status == orders::order_status::cancelled)
    body["reason"] = "seats-withdrawn";
  body["expiresAt"] = time_text(order.until);
  body["payments"] = payments_json(order);
  return body;
}

void place_order(call& at, const shows::show_entry& show, const json& body,
                 std::optional<std::int64_t> amount_minor,
                 std::optional<orders::idempotency> asked_by) {
  std::vector<fault> faults;
  fields from{body, faults};
  const auto hold = from.text("holdId", hold_ref_bytes_max).value_or("");
  if (hold.empty() && faults.empty())
    from.add_fault("holdId", "is missing");
  if (!from.has("customerEmail"))
    from.add_fault("customerEmail", "expected an e-mail address");
  const auto email = read_email(from);
  if (amount_minor.value_or(0) > amount_minor_max)
    from.add_fault("amount",
                   "expected at most " + std::to_string(amount_minor_max) + " in minor units");
  if (!faults.empty())
    return send_invalid(at, faults);
  const auto passed = pass_gate(at, show, at.drop_in || asked_by);
  if (!passed)
    return;
  const auto now = show.now();
  orders::command::place_order asked;
  static_cast<id128&>(asked.order) = random_id();
  asked.owner = passed->owner;
  asked.box_office = passed->box_office;
  if (now->what.plan) {
    const auto ref = read_reference("hold", hold);
    if (!ref || ref->show != show.number)
      return send_problem(at, 404, "unknown-hold", "There is no such hold.");
    static_cast<id128&>(asked.hold) = ref->id;
  } else {
    asked.hold_ref = hold;
  }
  asked.currency = now->what.currency;
  asked.amount_minor = amount_minor;
  asked.payment_window_ms = now->what.holds.payment_window_ms;
  auto sealed = seal_customer(at, asked.order, email);
  if (!sealed)
    return;
  asked.customer = std::move(*sealed);
  asked.asked = std::move(asked_by);
  ask_desk(show, std::move(asked), at.cause(), answer_order(at, show, 201, 200));
}

namespace handlers {

void post_order(call& at) {
  const auto body = read_object(at);
  if (!body)
    return;
  std::vector<fault> faults;
  fields from{*body, faults};
  const auto hold = from.text("holdId", hold_ref_bytes_max).value_or("");
  const auto amount = from.integer("amount", 0, amount_minor_max);
  if (hold.empty() && faults.empty())
    from.add_fault("holdId", "is missing");
  if (!faults.empty())
    return send_invalid(at, faults);
  const auto* show = show_for(at, *body, hold);
  if (show == nullptr)
    return;
  const auto key = read_key(at, true);
  if (!key)
    return;
  place_order(at, *show, *body, amount, key_of(at, "order", **key, *body));
}

void get_order(call& at) {
  const auto which = order_of(at);
  if (!which)
    return;
  auto asked = std::make_shared<orders::lookup>();
  asked->what = which->id;
  asked->done = answer_order(at, *which->show, 200, 200);
  caf::anon_send(which->show->desk, std::move(asked));
}

void pay_order(call& at) {
  const auto which = order_of(at);
  if (!which)
    return;
  const auto body = read_object(at);
  if (!body)
    return;
  std::vector<fault> faults;
  fields from{*body, faults};
  const auto method = from.text("method", 64).value_or("card");
  const auto gateway = from.text("gateway", 64).value_or(at.with.gateways.front());
  const auto& known = at.with.gateways;
  if (std::find(known.begin(), known.end(), gateway) == known.end())
    from.add_fault("gateway", "expected one of the configured gateways, e.g. " + known.front());
  if (!faults.empty())
    return send_invalid(at, faults);
  const auto key = read_key(at, true);
  if (!key)
    return;
  orders::command::start_payment asked;
  asked.order = which->id;
  static_cast<id128&>(asked.payment) = random_id();
  asked.gateway = gateway;
  asked.method = method;
  asked.asked = key_of(at, "pay " + at.path[0], **key, *body);
  const auto attempt = asked.payment;
  ask_desk(*which->show, std::move(asked), at.cause(),
           [show = which->show, attempt, later = at.to.defer()](const orders::answer& got) {
             const auto* view = std::get_if<orders::order_view>(&got.result);
             later.send(view == nullptr ? refusal_of(got.result, *show, false)
                                        : paid_response(*show, *view, got.payment.value_or(attempt),
                                                        got.repeated));
           });
}

void confirm_order(call& at) {
  const auto which = order_of(at);
  if (!which)
    return;
  const auto body = read_object(at);
  if (!body)
    return;
  std::vector<fault> faults;
  fields from{*body, faults};
  const auto gateway = from.text("gateway", 64).value_or("EXTERNAL");
  const auto reference = from.text("paymentId", 256).value_or("");
  if (!faults.empty())
    return send_invalid(at, faults);
  // A report of the same order gives one sale whatever its key: the key is asked for because
  // callers that repeat should have one, and not by the drop-in path, whose callers never had.
  if (!read_key(at, !at.drop_in))
    return;
  ask_desk(*which->show, orders::command::confirm{which->id, gateway, reference, 0}, at.cause(),
           answer_order(at, *which->show, 200, 200));
}

void cancel_order(call& at) {
  const auto which = order_of(at);
  if (!which)
    return;
  ask_desk(*which->show, orders::command::cancel{which->id, 0}, at.cause(),
           answer_order(at, *which->show, 200, 200));
}

} // namespace handlers

} // namespace usher::http
