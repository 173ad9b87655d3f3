#include "config/gateways.hpp"

#include "actors/payments/sandbox.hpp"
#include "http/gateways/options.hpp"

#include <array>
#include <chrono>
#include <stdexcept>
#include <utility>

namespace usher::config {

namespace {

gateways::options options_of(const settings& with, const gateway_settings& from,
                             gateways::protocol speaks) {
  gateways::options made;
  made.speaks = speaks;
  made.base_url = from.base_url;
  made.ca_file = with.gateway_ca_file;
  made.key = from.secret_key;
  made.client_id = from.client_id;
  made.webhook_secrets = from.webhook_secrets;
  made.return_url = from.return_url;
  made.call_deadline = std::chrono::milliseconds{with.gateway_deadline_ms};
  return made;
}

payments::gateway_setup setup_of(const settings& with, const gateway_settings& from,
                                 payments::provider& is) {
  return {.provider = &is,
          .rule = {.gateway = std::string{is.name()},
                   .currencies = from.currencies,
                   .methods = from.methods,
                   .countries = from.countries,
                   .amount_min_minor = from.amount_min_minor,
                   .amount_max_minor = from.amount_max_minor,
                   .priority = from.priority,
                   .weight = from.weight},
          .breaker = {.open_ms = from.breaker_open_ms, .slow_call_ms = with.gateway_slow_ms}};
}

/// Its requests carry no currency: 45.00 is charged in the account's, whatever was meant.
void check_mercado_pago(const gateway_settings& from) {
  if (from.is_configured() && from.currencies.size() != 1)
    throw std::runtime_error{"mercadoPagoCurrencies: expected the one currency of the Mercado Pago "
                             "account, e.g. BRL: its requests do not carry one"};
}

} // namespace

std::map<std::string, payments::provider*> providers::by_name() const {
  std::map<std::string, payments::provider*> names;
  for (const auto& each : all)
    names.emplace(each->name(), each.get());
  return names;
}

providers make_providers(const settings& with, const storage::opener& open) {
  constexpr std::array speaks{gateways::protocol::plain, gateways::protocol::stripe,
                              gateways::protocol::mercado_pago, gateways::protocol::paypal};
  static_assert(speaks.size() == provider_kinds);
  check_mercado_pago(with.gateways[static_cast<std::size_t>(provider_kind::mercado_pago)]);
  providers made;
  const auto add = [&](std::unique_ptr<payments::provider> provider, const gateway_settings& from) {
    made.setups.push_back(setup_of(with, from, *provider));
    made.all.push_back(std::move(provider));
  };
  for (std::size_t which = 0; which < provider_kinds; ++which) {
    const auto& from = with.gateways[which];
    if (!from.is_configured())
      continue;
    if (!made.thread)
      made.thread = std::make_unique<http::client::client_thread>();
    auto provider =
        gateways::make_provider(options_of(with, from, speaks[which]), *made.thread, open);
    if (const auto* why = std::get_if<std::string>(&provider))
      throw std::runtime_error{*why};
    add(std::move(std::get<std::unique_ptr<payments::provider>>(provider)), from);
  }
  if (made.all.empty()) {
    made.only_pretends = true;
    add(std::make_unique<payments::sandbox>(), with.gateways.front());
  }
  return made;
}

} // namespace usher::config
