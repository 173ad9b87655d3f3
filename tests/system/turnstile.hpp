#pragma once

#include "http/sandbox/gateway.hpp"

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>

// Holds calls to the sandbox gateway up, so that whoever made them can be killed meanwhile.
namespace usher::test {

/// Thread-safe. Outlives the gateway; before that ends, `let_go` or the destructor of the holder.
class turnstile {
public:
  enum class place : std::uint8_t {
    on_arrival, ///< the gateway has not acted
    on_leaving, ///< it has acted and not answered
  };
  using call_filter = std::function<bool(const sandbox::call&)>;

  /// For gateway_options.
  [[nodiscard]] sandbox::checkpoint checkpoint();

  /// From now on the calls that fit are held there.
  void hold(place where, call_filter which);
  [[nodiscard]] std::size_t held() const;
  /// Nothing is held any more. What is held goes on, or, if it has not been acted on, is lost.
  void let_go(bool lost = false);

  /// What each call becomes before the gateway looks at it; nothing: it stays.
  void change(std::function<void(sandbox::call&)> how);
  /// How many came so far.
  [[nodiscard]] std::size_t calls() const;

private:
  /// False: the call is lost.
  bool pass(place where, const sandbox::call& asked);

  mutable std::mutex mutex_;
  std::condition_variable opened_;
  place where_ = place::on_arrival;
  call_filter which_;
  std::function<void(sandbox::call&)> change_;
  std::size_t held_ = 0;
  std::size_t calls_ = 0;
  std::size_t round_ = 0; ///< one more with each `let_go`
  bool lost_ = false;     ///< what the last round's held calls became
};

/// The call of a payment that may charge: Stripe's confirmation, PayPal's capture or an order with
/// a stored card; of the others the one call there is.
[[nodiscard]] bool may_charge(const sandbox::call& asked);
/// A call that does no more than make Stripe's intent.
[[nodiscard]] bool makes_an_intent(const sandbox::call& asked);
[[nodiscard]] bool pays_back(const sandbox::call& asked);

} // namespace usher::test
