#include "http/gateways/http_provider.hpp"
#include "http/gateways/mercado_pago.hpp"
#include "http/gateways/options.hpp"
#include "http/gateways/paypal.hpp"
#include "http/gateways/plain.hpp"
#include "http/gateways/standard_webhooks.hpp"
#include "http/gateways/stripe.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace usher::gateways {

namespace {

struct usual {
  const char* name;
  const char* base_url;
};

usual usual_of(protocol speaks) {
  switch (speaks) {
  case protocol::plain:
    return {"SANDBOX", ""};
  case protocol::stripe:
    return {"STRIPE", "https://api.stripe.com"};
  case protocol::mercado_pago:
    return {"MERCADO_PAGO", "https://api.mercadopago.com"};
  case protocol::paypal:
    return {"PAYPAL", "https://api-m.paypal.com"};
  }
  return {"", ""};
}

bool fits_a_header(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > ' ' && c <= '~'; });
}

/// What is wrong, or empty.
std::string fault_of(const options& how) {
  if (how.base_url.empty() && how.speaks == protocol::plain)
    return "base url: missing";
  if (how.key.empty() && how.speaks != protocol::plain)
    return "key: missing";
  if (!fits_a_header(how.key))
    return "key: has characters that no key has";
  if (how.speaks == protocol::paypal && how.client_id.empty())
    return "client id: missing";
  if (!fits_a_header(how.client_id) || how.client_id.find(':') != std::string::npos)
    return "client id: has characters that no id has";
  // An empty key would make signatures that anybody can make.
  if (std::ranges::any_of(how.webhook_secrets, &std::string::empty))
    return "webhook secrets: one is empty";
  if (how.call_deadline.count() <= 0 || how.connect_timeout.count() <= 0)
    return "deadlines: have to be positive";
  if (how.connections_max == 0)
    return "connections: at least one";
  return {};
}

/// Null if a secret is not of the form that the protocol has.
std::unique_ptr<speech> make_speech(const options& how, const std::string& name) {
  switch (how.speaks) {
  case protocol::plain: {
    std::vector<std::string> keys;
    for (const auto& secret : how.webhook_secrets) {
      auto key = standard_webhooks_key(secret);
      if (!key)
        return nullptr;
      keys.push_back(std::move(*key));
    }
    return std::make_unique<plain>(name, how.key, std::move(keys));
  }
  case protocol::stripe:
    return std::make_unique<stripe>(name, how.key, how.webhook_secrets, how.return_url);
  case protocol::mercado_pago:
    return std::make_unique<mercado_pago>(name, how.key, how.webhook_secrets);
  case protocol::paypal:
    return std::make_unique<paypal>(name, how.client_id, how.key, how.webhook_secrets,
                                    how.return_url);
  }
  return nullptr;
}

} // namespace

std::variant<std::unique_ptr<payments::provider>, std::string>
make_provider(const options& how, client::client_thread& thread, storage::opener open) {
  if (auto fault = fault_of(how); !fault.empty())
    return fault;
  const auto usually = usual_of(how.speaks);
  http_provider::parts with{.name = how.name.empty() ? usually.name : how.name,
                            .protocol = nullptr,
                            .open = std::move(open),
                            .call_deadline = how.call_deadline,
                            .secrets = how.webhook_secrets};
  with.protocol = make_speech(how, with.name);
  if (!with.protocol)
    return "webhook secrets: one is not whsec_ and base64 of at least 16 bytes";
  with.secrets.push_back(how.key);
  try {
    with.out = &thread.open({.base_url = how.base_url.empty() ? usually.base_url : how.base_url,
                             .ca_file = how.ca_file,
                             .connections_max = how.connections_max,
                             .connect_timeout = how.connect_timeout});
  } catch (const std::invalid_argument&) {
    return "base url or CA file: cannot be used";
  }
  return std::unique_ptr<payments::provider>{std::make_unique<http_provider>(std::move(with))};
}

} // namespace usher::gateways
