// The settings: every key read from a file and from the environment, every bad value refused with
// the key's name, and docs/configuration.md equal to what the table of keys says.
#include "config/settings.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace usher::config;

/// A file with this content, removed at the end.
class temporary_file {
public:
  explicit temporary_file(const std::string& content) {
    char name[] = "/tmp/usher-settings-XXXXXX";
    const int fd = ::mkstemp(name);
    BOOST_REQUIRE(fd >= 0);
    path_ = name;
    std::ofstream{path_} << content;
  }
  ~temporary_file() { std::remove(path_.c_str()); }
  [[nodiscard]] const std::string& path() const { return path_; }

private:
  std::string path_;
};

faults faults_of(const std::string& content) {
  const temporary_file file{content};
  const auto read = read_file(file.path(), {});
  const auto* found = std::get_if<faults>(&read);
  return found == nullptr ? faults{} : *found;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_file_sets_what_it_names_and_leaves_the_rest) {
  const temporary_file file{R"({"listen": "0.0.0.0:9000", "answerDeadline": "3s", "ioThreads": 2,
                                "trustUserIds": true, "defaultCurrency": "JPY",
                                "customerTokenKeys": "keys.json", "proofOfWorkBits": 20,
                                "proofOfWorkLifetime": "30s", "streamsMax": 7})"};
  const auto read = std::get<settings>(read_file(file.path(), {}));
  BOOST_TEST(read.listen == "0.0.0.0:9000");
  BOOST_TEST(read.answer_deadline_ms == 3000);
  BOOST_TEST(read.io_threads == 2U);
  BOOST_TEST(read.trust_user_ids);
  BOOST_TEST(read.default_currency == "JPY");
  BOOST_TEST(read.customer_token_keys == "keys.json");
  BOOST_TEST(read.proof_of_work_bits == 20U);
  BOOST_TEST(read.proof_of_work_lifetime_ms == 30'000);
  BOOST_TEST(read.streams_max == 7U);
  BOOST_TEST(read.data == settings{}.data);
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_refused_with_the_keys_name) {
  const std::map<std::string, std::string> cases{
      {R"({"listen": "nowhere"})", "listen"},
      {R"({"listen": "127.0.0.1:70000"})", "listen"},
      {R"({"answerDeadline": "3 s"})", "answerDeadline"},
      {R"({"answerDeadline": 3})", "answerDeadline"},
      {R"({"ioThreads": -1})", "ioThreads"},
      {R"({"ioThreads": 1.5})", "ioThreads"},
      {R"({"streamsMax": 1000001})", "streamsMax"},
      {R"({"trustUserIds": "yes"})", "trustUserIds"},
      {R"({"defaultCurrency": "XXQ"})", "defaultCurrency"},
      {R"({"data": ""})", "data"},
      {R"({"customerTokenKeys": {"keys": []}})", "customerTokenKeys"},
      {R"({"proofOfWorkBits": 7})", "proofOfWorkBits"},
      {R"({"proofOfWorkBits": 27})", "proofOfWorkBits"},
      {R"({"proofOfWorkLifetime": "9s"})", "proofOfWorkLifetime"},
      {R"({"proofOfWorkLifetime": "2h"})", "proofOfWorkLifetime"},
      {R"({"lisen": "127.0.0.1:1"})", "lisen"},
      {R"([])", "JSON object"},
      {R"({"listen")", "JSON object"},
  };
  for (const auto& [content, named] : cases)
    BOOST_TEST_CONTEXT(content) {
      const auto found = faults_of(content);
      BOOST_REQUIRE(found.size() == 1U);
      BOOST_TEST(found.front().find(named) != std::string::npos, found.front());
    }
}

BOOST_AUTO_TEST_CASE(every_fault_of_a_file_is_listed_not_only_the_first) {
  BOOST_TEST(faults_of(R"({"ioThreads": -1, "data": "", "what": 1})").size() == 3U);
}

BOOST_AUTO_TEST_CASE(each_key_is_read_from_the_environment_too) {
  const std::map<std::string, std::string> given{{"USHER_LISTEN", "127.0.0.1:7"},
                                                 {"USHER_IO_THREADS", "3"}};
  const auto get = [&](const char* name) {
    const auto found = given.find(name);
    return found == given.end() ? nullptr : found->second.c_str();
  };
  const auto read = std::get<settings>(read_environment({}, get));
  BOOST_TEST(read.listen == "127.0.0.1:7");
  BOOST_TEST(read.io_threads == 3U);
  const auto bad = read_environment({}, [](const char*) { return "?"; });
  const auto takes_anything = [](const key& each) {
    const std::set<std::string_view> units{
        "directory", "file", "text", "secret", "secrets, by commas", "names, by commas"};
    return units.contains(each.unit);
  };
  const auto strict = std::ranges::count_if(keys(), std::not_fn(takes_anything));
  BOOST_TEST(std::get<faults>(bad).size() == static_cast<std::size_t>(strict));
}

BOOST_AUTO_TEST_CASE(gateways_have_keys_of_their_own_and_secrets_are_not_shown) {
  const std::map<std::string, std::string> given{
      {"USHER_STRIPE_SECRET_KEY", "sk_live_1"},
      {"USHER_STRIPE_WEBHOOK_SECRETS", "whsec_1, whsec_2"},
      {"USHER_STRIPE_CURRENCIES", "EUR,USD"},
      {"USHER_STRIPE_AMOUNT_MAX", "500000"},
      {"USHER_MERCADO_PAGO_COUNTRIES", "BR,AR"},
      {"USHER_PAYPAL_BREAKER_OPEN", "30s"},
      {"USHER_SANDBOX_BASE_URL", "http://[::1]:1"}};
  const auto get = [&](const char* name) {
    const auto found = given.find(name);
    return found == given.end() ? nullptr : found->second.c_str();
  };
  const auto read = std::get<settings>(read_environment({}, get));
  const auto of = [&](provider_kind which) -> const gateway_settings& {
    return read.gateways[static_cast<std::size_t>(which)];
  };
  const auto& stripe = of(provider_kind::stripe);
  BOOST_TEST(stripe.is_configured());
  BOOST_TEST(stripe.secret_key == "sk_live_1");
  BOOST_TEST((stripe.webhook_secrets == std::vector<std::string>{"whsec_1", "whsec_2"}));
  BOOST_TEST((stripe.currencies == std::vector<std::string>{"EUR", "USD"}));
  BOOST_TEST(stripe.amount_max_minor.value_or(0) == 500'000);
  BOOST_TEST((of(provider_kind::mercado_pago).countries == std::vector<std::string>{"BR", "AR"}));
  BOOST_TEST(!of(provider_kind::mercado_pago).is_configured());
  BOOST_TEST(of(provider_kind::mercado_pago).breaker_open_ms == 15'000);
  BOOST_TEST(of(provider_kind::paypal).breaker_open_ms == 30'000);
  BOOST_TEST(of(provider_kind::sandbox).is_configured());
  for (const auto& each : keys()) {
    const auto shown = each.show(read);
    BOOST_TEST_INFO(each.name);
    BOOST_TEST(shown.find("sk_live") == std::string::npos);
    BOOST_TEST(shown.find("whsec_") == std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_a_gateway_is_a_fault) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {R"({"stripeBaseUrl": "api.stripe.com"})", "stripeBaseUrl"},
      {R"({"stripeCurrencies": "EURO"})", "stripeCurrencies"},
      {R"({"paypalCountries": "Brazil"})", "paypalCountries"},
      {R"({"paypalAmountMin": "-1"})", "paypalAmountMin"},
      {R"({"mercadoPagoWeight": "x"})", "mercadoPagoWeight"},
      {R"({"sandboxBreakerOpen": "0s"})", "sandboxBreakerOpen"},
      {R"({"stripeClientId": "x"})", "stripeClientId"}, // only PayPal has one
      {R"({"paymentLimit": "1s"})", "paymentLimit"},
  };
  for (const auto& [content, named] : cases)
    BOOST_TEST_CONTEXT(content) {
      const auto found = faults_of(content);
      BOOST_REQUIRE(found.size() == 1U);
      BOOST_TEST(found.front().find(named) != std::string::npos, found.front());
    }
}

BOOST_AUTO_TEST_CASE(the_page_about_configuration_shows_the_table_of_keys) {
  std::ifstream page{USHER_SOURCE_DIR "/docs/configuration.md"};
  const std::string text{std::istreambuf_iterator<char>{page}, {}};
  BOOST_TEST(text.find(documentation()) != std::string::npos,
             "docs/configuration.md should contain:\n"
                 << documentation());
}
