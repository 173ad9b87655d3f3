#include "http/sandbox/gateway.hpp"

#include "http/sandbox/control.hpp"
#include "http/sandbox/desk.hpp"
#include "http/sandbox/protocols.hpp"
#include "http/sandbox/server.hpp"
#include "http/sandbox/webhooks.hpp"

#include <array>
#include <stdexcept>
#include <utility>

namespace usher::sandbox {

namespace {

struct prefix_row {
  std::string_view prefix;
  delivery (*answer)(desk&, const protocol_settings&, call);
};

constexpr std::array<prefix_row, 4> prefixes{{
    {"/plain", answer_plain},
    {"/stripe", answer_stripe},
    {"/mercado-pago", answer_mercado_pago},
    {"/paypal", answer_paypal},
}};

delivery answer_provider(desk& at, const protocol_settings& with, const checkpoint& watch,
                         const prefix_row& by, call asked) {
  if (watch.arrived && !watch.arrived(asked))
    return {.how = manner::reset};
  auto inside = asked;
  inside.path.erase(0, by.prefix.size());
  auto made = by.answer(at, with, std::move(inside));
  if (watch.done)
    watch.done(asked);
  return made;
}

delivery answer_any(desk& at, const protocol_settings& with, const checkpoint& watch, call asked) {
  for (const auto& each : prefixes)
    if (asked.path.starts_with(each.prefix) &&
        asked.path.substr(each.prefix.size()).starts_with('/'))
      return answer_provider(at, with, watch, each, std::move(asked));
  return answer_control(at, asked);
}

const gateway_options& checked(const gateway_options& with) {
  if (const auto fault = fault_of_plain_secret(with.signing.plain); !fault.empty())
    throw std::runtime_error{"the plain protocol's secret: " + fault};
  if (!minor_digits(with.mercado_pago_currency))
    throw std::runtime_error{"'" + with.mercado_pago_currency + "' is no currency"};
  return with;
}

} // namespace

/// In the order of what outlives what.
struct gateway::parts {
  explicit parts(const gateway_options& with)
      : settings{with.plain_key, with.mercado_pago_currency, with.signing.paypal_webhook_id},
        watch{with.watched_by},
        serving{with.host, with.port},
        office{with.signing, serving.base()},
        at{book, office, serving.base()} {}

  protocol_settings settings;
  checkpoint watch;
  ledger book;
  server serving;
  post_office office;
  desk at;
};

gateway::gateway(const gateway_options& with) : parts_{std::make_unique<parts>(checked(with))} {
  send_webhooks_to(with.webhooks);
  auto& all = *parts_;
  all.serving.start(
      [&all](call asked) { return answer_any(all.at, all.settings, all.watch, std::move(asked)); },
      all.office);
}

gateway::~gateway() {
  stop();
}

std::uint16_t gateway::port() const {
  return parts_->serving.port();
}

std::string gateway::base_url() const {
  return parts_->serving.base();
}

void gateway::send_webhooks_to(const std::string& url) {
  if (url.empty())
    return parts_->office.set_target(std::nullopt);
  auto read = read_webhook_target(url);
  if (const auto* why = std::get_if<std::string>(&read))
    throw std::runtime_error{"webhooks: " + *why};
  parts_->office.set_target(std::get<webhook_target>(std::move(read)));
}

ledger& gateway::book() {
  return parts_->book;
}

void gateway::stop() {
  parts_->office.stop(); // first: a connection may wait for a webhook, a webhook for nothing
  parts_->serving.stop();
}

} // namespace usher::sandbox
