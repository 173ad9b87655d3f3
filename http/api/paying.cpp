#include "http/api/paying.hpp"

#include "actors/basics/reference.hpp"
#include "http/api/routes.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

namespace usher::http {

namespace {

constexpr std::size_t token_bytes_max = 1024;
constexpr std::size_t note_bytes_max = 500;
constexpr std::size_t refund_seats_max = 1000;

bool is_country(const std::string& text) {
  return text.size() == 2 && std::ranges::all_of(text, [](char c) { return c >= 'A' && c <= 'Z'; });
}

std::string names_of(const app& with) {
  std::string all;
  for (const auto& [name, line] : with.gateways->lines)
    all += (all.empty() ? "" : ", ") + name;
  return all;
}

std::vector<seat_id> read_seats(fields& from) {
  std::vector<seat_id> seats;
  const auto* list = from.find("seats");
  if (list == nullptr)
    return seats;
  if (!list->is_array() || list->empty() || list->size() > refund_seats_max) {
    from.add_fault("seats", "expected 1 to " + std::to_string(refund_seats_max) + " seats");
    return seats;
  }
  for (const auto& each : *list)
    if (each.is_string())
      seats.push_back(each.get<std::string>());
    else
      return from.add_fault("seats", "expected names of seats"), seats;
  return seats;
}

} // namespace

std::string gateway_name(std::string text) {
  for (auto& c : text)
    c = c == '-' ? '_' : c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return text;
}

std::optional<way_to_pay> read_way_to_pay(call& at, const json& body) {
  std::vector<fault> faults;
  fields from{body, faults};
  way_to_pay how;
  how.method = from.text("method", 64).value_or("card");
  how.gateway = from.text("gateway", 64).value_or("");
  how.token = from.text("token", token_bytes_max).value_or("");
  how.country = from.text("country", 2).value_or("");
  if (!how.country.empty() && !is_country(how.country))
    from.add_fault("country", "expected two capital letters, e.g. BR");
  if (from.has("gateway") && faults.empty() && at.with.gateways->find(how.gateway) == nullptr)
    from.add_fault("gateway", "expected one of the configured gateways: " + names_of(at.with));
  if (!how.token.empty() && how.gateway.empty() && at.with.gateways->lines.size() > 1)
    from.add_fault("gateway", "is missing: a token belongs to one of " + names_of(at.with));
  if (faults.empty())
    return how;
  send_invalid(at, faults);
  return std::nullopt;
}

std::optional<std::string> seal_for(call& at, const id128& bound_to, const std::string& plain,
                                    std::string_view otherwise) {
  const std::string_view bound{reinterpret_cast<const char*>(bound_to.bytes.data()),
                               bound_to.bytes.size()};
  auto sealed = at.with.personal_data->seal(plain, bound);
  if (auto* text = std::get_if<std::string>(&sealed))
    return std::move(*text);
  if (const auto* none = std::get_if<storage::no_key_ready>(&sealed)) {
    if (!none->why.empty())
      spdlog::error("no key for personal data can be made: {}", none->why);
    send_problem(at, 503, "overloaded",
                 "No key for personal data is ready. Nothing was done; try again in a second.",
                 ordered_json::object(), "Retry-After: 1\r\n");
    return std::nullopt;
  }
  send_problem(at, 500, "internal", otherwise);
  return std::nullopt;
}

std::optional<std::string> seal_token(call& at, const payment_id& payment,
                                      const std::string& token) {
  if (token.empty())
    return token;
  return seal_for(at, payment, token, "The payment could not be taken.");
}

std::optional<orders::command::refund> read_refund(call& at, const order_id& order) {
  const auto body = read_object(at);
  if (!body)
    return std::nullopt;
  std::vector<fault> faults;
  fields from{*body, faults};
  from.refuse_others({"seats", "amount", "resell", "doneOutside", "refundId", "note"});
  orders::command::refund asked;
  asked.order = order;
  static_cast<id128&>(asked.refund) = random_id();
  asked.seats = read_seats(from);
  asked.amount_minor = from.integer("amount", 0, amount_minor_max);
  asked.resell = from.boolean("resell").value_or(true);
  asked.done_outside = from.text("doneOutside", 256);
  asked.note = from.text("note", note_bytes_max).value_or("");
  if (const auto id = from.text("refundId", 128)) {
    const auto which = read_reference("refund", *id);
    if (!which || !asked.done_outside)
      from.add_fault("refundId", "expected the id of a refund under way, with `doneOutside`");
    else
      static_cast<id128&>(asked.settles) = which->id;
  }
  if (asked.done_outside && asked.done_outside->empty())
    from.add_fault("doneOutside", "expected a reference of how it went back");
  if (!faults.empty()) {
    send_invalid(at, faults);
    return std::nullopt;
  }
  const auto key = read_key(at, true);
  if (!key)
    return std::nullopt;
  asked.asked = key_of(at, "refund " + at.path[0], **key, *body);
  return asked;
}

} // namespace usher::http
