#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// What the gateway does with a payment, by name. Pure.
namespace usher::sandbox {

enum class rule : std::uint8_t {
  approve,
  decline,
  delay,
  timeout_before,
  timeout_after,
  error_before,
  error_after,
  reset_before,
  reset_after,
  pending,
  webhook_first,
  webhook_twice,
  webhook_late,
  webhook_out_of_order,
  webhook_bad_signature,
  no_webhook,
  rate_limited,
  unauthorized,
  refund_refused,
  refund_error,
  refund_timeout_after,
  refund_pending,
};

[[nodiscard]] std::string_view to_string(rule which);

/// A rule as somebody asked for it.
struct fault {
  rule what = rule::approve;
  std::optional<std::int64_t> millis{}; ///< for the rules that take a time
  bool always = false;                  ///< strikes each time, not once per idempotency key

  bool operator==(const fault&) const = default;
};

inline constexpr std::int64_t millis_max = 600'000;
/// For `delay` and `webhook-late` without a time of their own.
inline constexpr std::int64_t millis_default = 2'000;

/// `NAME`, `NAME=MILLIS`, either with a `*` behind it; nothing if it is none of the names, or the
/// time is none or over the limit, or the rule takes none.
[[nodiscard]] std::optional<fault> read_fault(std::string_view text);

/// The inverse.
[[nodiscard]] std::string to_text(const fault& which);

/// All names, with blanks between them, for those who misspelt one.
[[nodiscard]] std::string rule_names();

/// What an amount asks for by its last two digits in minor units; `approve` for most.
[[nodiscard]] rule rule_for_amount(std::int64_t amount_minor);

/// Whether it waits for the refund of the payment that has it.
[[nodiscard]] bool is_for_refunds(rule which);

/// What a refund rule does to the refund, in the words of charges: `refund-refused` is `decline`,
/// and so on. Other rules stay what they are.
[[nodiscard]] rule as_for_refund(rule which);

/// What a rule does to the answer of a call that moves money.
enum class blow : std::uint8_t {
  none,
  before, ///< instead of moving the money
  after,  ///< after the money has moved
};
[[nodiscard]] blow blow_of(rule which);

} // namespace usher::sandbox
