#include "http/api/routes.hpp"

#include "actors/basics/reference.hpp"
#include "http/api/fields.hpp"
#include "http/api/order_json.hpp"
#include "http/api/paying.hpp"

#include <caf/send.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace usher::http {

namespace {

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

response refund_due(const ordered_json& order, const std::string& headers) {
  return problem_response(409, "refund-due",
                          "The payment came after the seats were lost; it will be refunded.",
                          headers, ordered_json{{"order", order}});
}

/// The attempt took no money, and there is no other.
response not_paid(const orders::payment& attempt, const ordered_json& order,
                  const std::string& headers) {
  if (attempt.outcome == orders::payment_outcome::declined)
    return problem_response(402, "payment-declined",
                            attempt.gateway +
                                " declined the payment. Nothing was charged; try another way to "
                                "pay, with a new Idempotency-Key.",
                            headers, ordered_json{{"order", order}});
  return problem_response(502, "payment-failed",
                          attempt.gateway + " could not take the payment. Nothing was charged; try "
                                            "again with a new Idempotency-Key.",
                          headers, ordered_json{{"order", order}});
}

/// What a pay call is answered with: the outcome of the attempt it made or repeats (or of the one
/// it fell back to), or, if there is none because another call has paid, the order.
response paid_response(const app& with, const shows::show_entry& show,
                       const orders::order_view& view, const payment_id& first, bool repeated) {
  const auto body = order_json(with, show, view, false);
  const std::string headers = repeated ? "Idempotent-Replayed: true\r\n" : "";
  const auto& order = view.order;
  const auto* begun = order.find(first);
  const auto* attempt = begun == nullptr ? nullptr : &order.last_after(*begun);
  const bool open = attempt != nullptr && !attempt->outcome;
  if (open && !order.has_money())
    return json_response(202, body, headers + "Retry-After: 2\r\n");
  if (attempt == nullptr || open || attempt->outcome == orders::payment_outcome::approved ||
      order.has_money())
    return order.status == orders::order_status::refund_due ? refund_due(body, headers)
                                                            : json_response(200, body, headers);
  return not_paid(*attempt, body, headers);
}

} // namespace

std::function<void(const orders::answer&)> answer_order(call& at, const shows::show_entry& show,
                                                        unsigned status, unsigned repeated_status) {
  return [&with = at.with, &show, status, repeated_status, drop_in = at.drop_in,
          later = at.to.defer()](const orders::answer& got) {
    const auto* view = std::get_if<orders::order_view>(&got.result);
    if (view == nullptr)
      return later.send(refusal_of(got.result, show, drop_in));
    const auto body = order_json(with, show, *view, drop_in);
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
  return seal_for(at, order, json{{"email", email}}.dump(), "The order could not be taken.");
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

/// Where money that is reported came. One of ours by any spelling is that one: its own reports of
/// the same money have to be known again.
std::string read_reporter(fields& from, const app& with) {
  auto given = from.text("gateway", 64);
  if (!given)
    return std::string{orders::reported_gateway};
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; };
  if (given->empty() || std::ranges::any_of(*given, is_control))
    from.add_fault("gateway", "expected where the money came, e.g. CASH");
  auto name = gateway_name(*given);
  return with.gateways->find(name) != nullptr ? name : *given;
}

} // namespace

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

namespace {

/// An order with its customer, whose key lies on disk.
std::function<void(const orders::answer&)> answer_staff(call& at, const shows::show_entry& show) {
  return [&with = at.with, &show, drop_in = at.drop_in,
          later = at.to.defer()](const orders::answer& got) {
    const auto* view = std::get_if<orders::order_view>(&got.result);
    if (view == nullptr)
      return later.send(refusal_of(got.result, show, drop_in));
    auto asked = std::make_shared<runtime::errand>();
    asked->run = [&with, &show, drop_in, later, view = *view] {
      auto body = order_json(with, show, view, drop_in);
      add_customer(body, *with.personal_data, view);
      later.send(json_response(200, body));
    };
    caf::anon_send(with.archive, std::move(asked));
  };
}

} // namespace

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
  asked->done =
      is_staff(at) ? answer_staff(at, *which->show) : answer_order(at, *which->show, 200, 200);
  caf::anon_send(which->show->desk, std::move(asked));
}

void pay_order(call& at) {
  const auto which = order_of(at);
  if (!which)
    return;
  const auto body = read_object(at);
  if (!body)
    return;
  const auto how = read_way_to_pay(at, *body);
  if (!how)
    return;
  const auto key = read_key(at, true);
  if (!key)
    return;
  orders::command::start_payment asked;
  asked.order = which->id;
  if (!put_way_to_pay(at, *how, asked))
    return;
  asked.asked = key_of(at, "pay " + at.path[0], **key, *body);
  const auto attempt = asked.payment;
  ask_desk(*which->show, std::move(asked), at.cause(),
           [&with = at.with, show = which->show, attempt,
            later = at.to.defer()](const orders::answer& got) {
             const auto* view = std::get_if<orders::order_view>(&got.result);
             later.send(view == nullptr
                            ? refusal_of(got.result, *show, false)
                            : paid_response(with, *show, *view, got.payment.value_or(attempt),
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
  orders::command::confirm asked;
  asked.order = which->id;
  asked.gateway = read_reporter(from, at.with);
  asked.reference = from.text("paymentId", 256).value_or("");
  if (!faults.empty())
    return send_invalid(at, faults);
  // A report of the same money gives one sale whatever its key. The drop-in path's callers never
  // had one.
  const auto key = read_key(at, !at.drop_in);
  if (!key)
    return;
  if (*key)
    asked.asked = key_of(at, "confirm " + at.path[0], **key, *body);
  ask_desk(*which->show, std::move(asked), at.cause(), answer_order(at, *which->show, 200, 200));
}

void cancel_order(call& at) {
  const auto which = order_of(at);
  if (!which)
    return;
  const auto body = read_object(at);
  if (!body)
    return;
  const auto key = read_key(at, false);
  if (!key)
    return;
  orders::command::cancel asked{which->id, 0, std::nullopt};
  if (*key)
    asked.asked = key_of(at, "cancel " + at.path[0], **key, *body);
  ask_desk(*which->show, std::move(asked), at.cause(), answer_order(at, *which->show, 200, 200));
}

void refund_order(call& at) {
  const auto which = order_of(at);
  if (!which)
    return;
  auto asked = read_refund(at, which->id);
  if (!asked)
    return;
  ask_desk(*which->show, std::move(*asked), at.cause(), answer_order(at, *which->show, 200, 200));
}

} // namespace handlers

} // namespace usher::http
