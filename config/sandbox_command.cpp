#include "config/sandbox_command.hpp"

#include "config/serve.hpp"
#include "config/settings.hpp"
#include "http/sandbox/gateway.hpp"

#include <CLI/CLI.hpp>

#include <csignal>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <variant>

namespace usher::config {

namespace {

constexpr int could_not_start = 1;
constexpr int bad_usage = 2;

struct sandbox_flags {
  std::string listen =
      std::string{sandbox::defaults::host} + ":" + std::to_string(sandbox::defaults::port);
  sandbox::gateway_options with;
};

int refuse(const std::string& why, int code) {
  std::fprintf(stderr, "usher sandbox-gateway: %s\n", why.c_str());
  return code;
}

int run(sandbox_flags& flags) {
  const auto where = read_endpoint(flags.listen);
  if (const auto* why = std::get_if<std::string>(&where))
    return refuse("--listen: " + *why, bad_usage);
  flags.with.host = std::get<endpoint>(where).host;
  flags.with.port = std::get<endpoint>(where).port;

  const auto signals = block_stop_signals();
  try {
    sandbox::gateway serving{flags.with};
    std::printf("usher sandbox-gateway: listening on %s\n", serving.base_url().c_str());
    std::fflush(stdout);
    int received = 0;
    sigwait(&signals, &received);
    serving.stop();
  } catch (const std::runtime_error& trouble) {
    return refuse(trouble.what(), could_not_start);
  }
  return 0;
}

} // namespace

void add_sandbox_command(CLI::App& root, int& exit_code) {
  auto* const command = root.add_subcommand(
      "sandbox-gateway", "Play the payment providers, for tests and for trying Usher out: takes no "
                         "money, has faults on demand and a ledger. See docs/sandbox-gateway.md");
  const auto flags = std::make_shared<sandbox_flags>();
  auto& with = flags->with;
  command->add_option("--listen", flags->listen, "Where to listen; port 0 is any that is free")
      ->type_name("HOST:PORT")
      ->capture_default_str();
  command
      ->add_option("--webhooks", with.webhooks,
                   "Send webhooks to URL/SANDBOX, /STRIPE, /MERCADO_PAGO and /PAYPAL; without "
                   "it none are sent")
      ->type_name("URL");
  command->add_option("--secret-plain", with.signing.plain, "Signs the plain protocol's webhooks")
      ->type_name("WHSEC")
      ->capture_default_str();
  command->add_option("--secret-stripe", with.signing.stripe, "Signs Stripe's webhooks")
      ->type_name("TEXT")
      ->capture_default_str();
  command
      ->add_option("--secret-mercado-pago", with.signing.mercado_pago,
                   "Signs Mercado Pago's webhooks")
      ->type_name("TEXT")
      ->capture_default_str();
  command
      ->add_option("--paypal-webhook-id", with.signing.paypal_webhook_id,
                   "Which webhook of PayPal's it plays")
      ->type_name("ID")
      ->capture_default_str();
  command
      ->add_option("--key-plain", with.plain_key,
                   "The only key that the plain protocol takes; without it whoever calls may")
      ->type_name("KEY");
  command
      ->add_option("--currency-mercado-pago", with.mercado_pago_currency,
                   "Of Mercado Pago's account; its requests name none")
      ->type_name("ISO-4217")
      ->capture_default_str();
  command->callback([flags, &exit_code] { exit_code = run(*flags); });
}

} // namespace usher::config
