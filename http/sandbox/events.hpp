#pragma once

#include "http/sandbox/ledger.hpp"
#include "http/sandbox/webhooks.hpp"

#include <cstdint>
#include <string>
#include <vector>

// What happens to money, and which webhooks tell of it. Pure but for the ids of the webhooks.
namespace usher::sandbox {

enum class event_kind : std::uint8_t {
  charge_pending,
  payer_agreed, ///< PayPal: the order may be captured now
  charge_approved,
  charge_declined,
  charge_voided,
  refund_pending,
  refund_done,
  refund_refused,
};

struct event {
  event_kind kind = event_kind::charge_approved;
  charge of{};
  refund back{}; ///< of the refund kinds
  time_ms at = 0;
  std::string base{}; ///< where the gateway listens; the desk fills it in
};

/// The body of a webhook. A protocol may tell one event by several, or by none.
struct message {
  std::string type{};
  std::string event_id{};
  std::string body{};
  std::string query{};
  std::string subject{};
};

/// The webhooks of the event, as its charge's rule wants them, in the order of sending.
[[nodiscard]] std::vector<notice> notices_of(const event& what);

/// Each protocol's words for an event; each beside the protocol's answers.
[[nodiscard]] std::vector<message> plain_messages(const event& what);
[[nodiscard]] std::vector<message> stripe_messages(const event& what);
[[nodiscard]] std::vector<message> mercado_pago_messages(const event& what);
[[nodiscard]] std::vector<message> paypal_messages(const event& what);

} // namespace usher::sandbox
