#include "http/gateways/http_provider.hpp"

#include "actors/basics/reference.hpp"
#include "http/gateways/exact_json.hpp"
#include "http/gateways/outcomes.hpp"
#include "http/gateways/text.hpp"

namespace usher::gateways {

namespace {

std::string_view bytes_of(const id128& id) {
  return {reinterpret_cast<const char*>(id.bytes.data()), id.bytes.size()};
}

/// An address that could go on after its own end, or be taken for something else, is none.
bool is_web_address(std::string_view url) {
  constexpr std::size_t url_bytes_max = 2048;
  return url.size() <= url_bytes_max &&
         (url.starts_with("https://") || url.starts_with("http://")) &&
         url.find_first_of("\r\n\t \"<>\\") == std::string_view::npos;
}

} // namespace

void http_provider::with_headers::send(client::request asked, client::on_outcome done) {
  asked.headers.insert(asked.headers.end(), headers_.begin(), headers_.end());
  asked.headers.push_back({"Accept", "application/json"});
  out_.send(std::move(asked), std::move(done));
}

http_provider::http_provider(parts with)
    : parts_{std::move(with)}, out_{*parts_.out, parts_.protocol->headers()} {}

void http_provider::charge(const payments::charge_request& asked, payments::on_result done) {
  auto opened = open(asked);
  const bool again = seen_.again(write_reference("payment", asked.show, asked.payment));
  if (const auto* why = std::get_if<closed>(&opened))
    return done(not_opened(*why, again || !asked.reference.empty(), asked.reference));
  auto* const what = &std::get<attempt>(opened);
  what->again = again;
  converse(parts_.protocol->charge(*what), {what->token, what->email}, std::move(done));
}

void http_provider::void_charge(const payments::charge_request& asked, payments::on_result done) {
  // Whatever could not be opened could not have been sent either.
  auto without = asked;
  without.token.clear();
  without.customer.clear();
  auto opened = open(asked);
  if (std::holds_alternative<closed>(opened))
    opened = open(without);
  auto* const what = &std::get<attempt>(opened);
  what->again = true;
  converse(parts_.protocol->void_charge(*what), {what->token, what->email}, std::move(done));
}

void http_provider::refund(const payments::refund_request& asked, payments::on_result done) {
  const auto refund = write_reference("refund", asked.show, asked.refund);
  const auto key = refund + "-" + std::to_string(asked.attempt);
  const refunding what{.refund = refund,
                       .key = key,
                       .amount = asked.amount,
                       .payment_reference = asked.payment_reference,
                       .refund_reference = asked.refund_reference,
                       .again = seen_.again(key)};
  if (what.payment_reference.empty())
    return done(declined(what.refund_reference, "payment-reference-missing"));
  converse(parts_.protocol->refund(what), {}, std::move(done));
}

void http_provider::read_webhook(const payments::webhook& got,
                                 std::function<void(payments::webhook_reading)> done) {
  walk<payments::webhook_reading>(
      out_, parts_.protocol->read_webhook(got), deadline(),
      [this, done = std::move(done)](payments::webhook_reading reading) {
        if (auto* news = std::get_if<payments::report>(&reading))
          news->reason = clean(news->reason, {});
        done(std::move(reading));
      });
}

std::variant<attempt, http_provider::closed>
http_provider::open(const payments::charge_request& asked) const {
  attempt what{.payment = write_reference("payment", asked.show, asked.payment),
               .order = write_reference("order", asked.show, asked.order),
               .amount = asked.amount,
               .method = asked.method,
               .reference = asked.reference};
  if (!asked.token.empty()) {
    auto token = open(asked.token, asked.payment);
    if (const auto* why = std::get_if<closed>(&token))
      return *why;
    what.token = std::get<std::string>(std::move(token));
  }
  if (!asked.customer.empty()) {
    const auto customer = open(asked.customer, asked.order);
    if (const auto* why = std::get_if<closed>(&customer))
      return *why;
    const auto read = read_object(std::get<std::string>(customer));
    if (!read)
      return closed::unreadable;
    what.email = text_at(*read, "/email");
  }
  return what;
}

std::variant<std::string, http_provider::closed> http_provider::open(std::string_view sealed,
                                                                     const id128& bound_to) const {
  auto tried = parts_.open(sealed, bytes_of(bound_to));
  if (auto* data = std::get_if<storage::opened_data>(&tried))
    return std::move(data->plain);
  return std::holds_alternative<storage::erased_data>(tried) ? closed::erased : closed::unreadable;
}

result http_provider::not_opened(closed why, bool again, const std::string& reference) {
  if (why == closed::unreadable)
    return refused(again, reference, "token-unreadable");
  // No fault of the gateway, and no other can do better.
  return again ? unknown(reference, "personal-data-erased")
               : declined(reference, "personal-data-erased");
}

void http_provider::converse(charge_step first, std::vector<std::string> also_secret,
                             payments::on_result done) {
  walk<result>(out_, std::move(first), deadline(),
               [this, also_secret = std::move(also_secret), done = std::move(done)](result got) {
                 got.reason = clean(got.reason, also_secret);
                 if (!is_web_address(got.action_url))
                   got.action_url.clear();
                 done(std::move(got));
               });
}

std::string http_provider::clean(std::string_view reason,
                                 const std::vector<std::string>& also_secret) const {
  std::vector<std::string_view> secrets{parts_.secrets.begin(), parts_.secrets.end()};
  secrets.insert(secrets.end(), also_secret.begin(), also_secret.end());
  const auto learnt = parts_.protocol->secrets();
  secrets.insert(secrets.end(), learnt.begin(), learnt.end());
  return clean_reason(reason, secrets);
}

std::chrono::steady_clock::time_point http_provider::deadline() const {
  return std::chrono::steady_clock::now() + parts_.call_deadline;
}

} // namespace usher::gateways
