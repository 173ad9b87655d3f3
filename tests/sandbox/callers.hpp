#pragma once

#include "http/sandbox/gateway.hpp"
#include "http/sandbox/json.hpp"
#include "tests/sandbox/client.hpp"

#include <cstdint>
#include <string>
#include <vector>

// The steps of somebody who pays, in each of the four protocols, told in the same words.
namespace usher::test {

using sandbox::json;
using sandbox::protocol;

inline const std::vector<protocol> all_protocols{protocol::plain, protocol::stripe,
                                                 protocol::mercado_pago, protocol::paypal};

struct payment {
  std::string name = "payment-1"; ///< the caller's payment id; the keys derive from it
  std::int64_t amount = 5000;
  std::string means = "card-of-ana";
  std::string headers{}; ///< sent with each call
};

struct told {
  /// "APPROVED", "DECLINED", "PENDING", "VOIDED", or else "409", "silence", "reset".
  std::string what;
  std::string id;         ///< by which the protocol looks the payment up
  std::string capture_id; ///< by which it pays back
  json body{};
};

class caller {
public:
  caller(sandbox::gateway& at, protocol by) : at_{at}, by_{by} {}

  /// Makes the payment, whose money is taken by the last of its calls; the same calls each time.
  told charge(const payment& what);
  told look(const std::string& id);
  /// "DONE", "PENDING", "REFUSED", or as above.
  told refund(const told& charged, std::int64_t amount, const std::string& key,
              const std::string& headers = {});

  /// A call in the protocol's own words, with credentials. The path is behind the prefix.
  heard call(const std::string& method, const std::string& path, const std::string& headers = {},
             const std::string& body = {});

private:
  told charge_plain(const payment& what);
  told charge_stripe(const payment& what);
  told charge_mercado_pago(const payment& what);
  told charge_paypal(const payment& what);
  [[nodiscard]] told read_payment(const heard& from) const;
  [[nodiscard]] std::string authorization();

  sandbox::gateway& at_;
  protocol by_;
};

inline std::string prefix_of(protocol by) {
  return std::vector<std::string>{"/plain", "/stripe", "/mercado-pago",
                                  "/paypal"}[static_cast<std::size_t>(by)];
}

} // namespace usher::test
