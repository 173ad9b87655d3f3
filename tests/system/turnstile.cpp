#include "tests/system/turnstile.hpp"

#include <utility>

namespace usher::test {

sandbox::checkpoint turnstile::checkpoint() {
  return {.arrived =
              [this](sandbox::call& asked) {
                {
                  const std::lock_guard lock{mutex_};
                  ++calls_;
                  if (change_)
                    change_(asked);
                }
                return pass(place::on_arrival, asked);
              },
          .done = [this](const sandbox::call& asked) { pass(place::on_leaving, asked); }};
}

void turnstile::hold(place where, call_filter which) {
  const std::lock_guard lock{mutex_};
  where_ = where;
  which_ = std::move(which);
}

std::size_t turnstile::held() const {
  const std::lock_guard lock{mutex_};
  return held_;
}

void turnstile::let_go(bool lost) {
  {
    const std::lock_guard lock{mutex_};
    which_ = nullptr;
    lost_ = lost;
    ++round_;
  }
  opened_.notify_all();
}

void turnstile::change(std::function<void(sandbox::call&)> how) {
  const std::lock_guard lock{mutex_};
  change_ = std::move(how);
}

std::size_t turnstile::calls() const {
  const std::lock_guard lock{mutex_};
  return calls_;
}

bool turnstile::pass(place where, const sandbox::call& asked) {
  std::unique_lock lock{mutex_};
  if (!which_ || where != where_ || !which_(asked))
    return true;
  ++held_;
  opened_.wait(lock, [&, round = round_] { return round_ != round; });
  --held_;
  return where == place::on_leaving || !lost_;
}

bool may_charge(const sandbox::call& asked) {
  const std::string_view path{asked.path};
  if (asked.method != "POST")
    return false;
  if (path == "/paypal/v2/checkout/orders")
    return asked.body.find("vault_id") != std::string::npos;
  return path == "/plain/v1/charges" || path == "/mercado-pago/v1/payments" ||
         path.ends_with("/confirm") || path.ends_with("/capture");
}

bool makes_an_intent(const sandbox::call& asked) {
  return asked.method == "POST" && asked.path == "/stripe/v1/payment_intents";
}

bool pays_back(const sandbox::call& asked) {
  return asked.method == "POST" &&
         (asked.path.ends_with("/refunds") || asked.path.ends_with("/refund"));
}

} // namespace usher::test
