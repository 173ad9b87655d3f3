#pragma once

#include "actors/basics/ids.hpp"
#include "actors/basics/money.hpp"
#include "actors/basics/time.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

// What Usher needs of a payment provider: the port behind which each provider's protocol is spoken.
namespace usher::payments {

/// What became of a call. The names are stored in events: append, never rename.
enum class outcome : std::uint8_t {
  approved, ///< the money came (a refund: the money went back)
  declined, ///< the provider said no; nothing was charged, and asking again gives the same
  not_sent, ///< no byte of the request left: nothing was charged
  failed,   ///< the provider could not, and says or implies that nothing was charged
  unknown,  ///< perhaps charged: to be asked for until known, never paid elsewhere meanwhile
};

[[nodiscard]] std::string_view to_string(outcome what);
[[nodiscard]] std::optional<outcome> outcome_of(std::string_view name);

/// One attempt to take money. Asking again with the same payment id continues the same attempt: it
/// never charges twice, and tells what became of it.
struct charge_request {
  payment_id payment; ///< ours; the provider's idempotency keys derive from it
  order_id order;
  show_number show = 0; ///< cashier_number: a payment without a show
  money amount;
  std::string method;    ///< as the fan chose it, e.g. "card"
  std::string token;     ///< sealed, or empty: the provider's name of the fan's means of payment
  std::string customer;  ///< sealed, or empty: who pays
  std::string reference; ///< the provider's id of the payment, if an earlier answer told it
};

/// One attempt to give money back. The same refund and attempt again never pays back twice.
struct refund_request {
  refund_id refund;          ///< ours; the provider's idempotency key derives from it and `attempt`
  std::uint32_t attempt = 1; ///< one more after each answer that says it was not done
  payment_id payment;        ///< none: reported from outside
  order_id order;
  show_number show = 0;
  money amount;
  std::string payment_reference; ///< the provider's id of the payment
  std::string refund_reference;  ///< the provider's id of this refund, if an answer told it
};

struct result {
  outcome what = outcome::unknown;
  std::string reference{};  ///< the provider's id of the payment or refund; not empty if approved
  std::string reason{};     ///< for people, when not approved; without secrets or personal data
  std::string action_url{}; ///< while unknown: where the fan has to go on (3-D Secure and the like)
};

/// How the reason of an `unknown` begins while the provider itself still waits, e.g. for a bank: it
/// works, and says that it does not know yet.
inline constexpr std::string_view pending_reason = "pending";

using on_result = std::function<void(result)>;

/// What a provider says of a payment of its own accord: the news of a webhook.
struct report {
  std::string gateway;
  outcome what = outcome::unknown; ///< `failed`: it was voided or ran out; `unknown`: no news yet
  std::string reference{};         ///< the provider's id of the payment
  std::string payment{};  ///< our reference of the attempt (`payment-0-…`), if it is told
  std::string order{};    ///< our reference of the order (`order-0-…`), if it is told
  std::string hold_ref{}; ///< the seller's own reference, if that is what is told,
  std::string show{};     ///< and the id of its show
  std::optional<money> amount{};
  std::string reason{};
};

/// A webhook as it came: the signature is over the very bytes.
struct webhook {
  std::function<std::string_view(std::string_view name)> header; ///< empty if it is not there
  std::string_view body;
  time_ms now = 0; ///< wall time: signatures are good 300 s both ways
};

struct not_for_us {}; ///< well signed, but no news of a payment of ours: to be acknowledged
struct not_believed { ///< the signature is missing, wrong, too old or too new
  std::string why;    ///< for whoever looks after the gateway; tells nothing of what was expected
};
struct not_now {}; ///< the provider could not be asked whether it is true: it may send it again

using webhook_reading = std::variant<report, not_for_us, not_believed, not_now>;

/// One provider's protocol. All calls are asynchronous and may be made from any thread; `done` is
/// called exactly once, from any thread, perhaps before the call returns, and within the deadline
/// that the implementation has for every call. The provider outlives its calls.
class provider {
public:
  virtual ~provider() = default;

  /// `SANDBOX`, `STRIPE`, ...: as the HTTP API writes it.
  [[nodiscard]] virtual std::string_view name() const = 0;

  virtual void charge(const charge_request& asked, on_result done) = 0;

  /// Makes sure that the attempt never charges any more. `approved`: too late, it has charged.
  /// `declined` or `failed`: it has not and will not. `not_sent`, `unknown`: ask again.
  virtual void void_charge(const charge_request& asked, on_result done) = 0;

  virtual void refund(const refund_request& asked, on_result done) = 0;

  /// Does reading a webhook take a call to the provider? None is made while its breaker is open.
  [[nodiscard]] virtual bool asks_about_webhooks() const { return false; }

  /// Whether a webhook is genuine, and what it says. `got` is valid during the call only; `done` as
  /// above.
  virtual void read_webhook(const webhook& got, std::function<void(webhook_reading)> done) = 0;
};

} // namespace usher::payments
