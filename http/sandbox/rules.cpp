#include "http/sandbox/rules.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace usher::sandbox {

namespace {

struct rule_row {
  rule what;
  std::string_view name;
  bool takes_millis;
  int amount; ///< minor units modulo 100 that ask for it; -1: none
};

constexpr std::array<rule_row, 22> rows{{
    {rule::approve, "approve", false, -1},
    {rule::decline, "decline", false, 1},
    {rule::delay, "delay", true, 2},
    {rule::pending, "pending", true, 3},
    {rule::timeout_before, "timeout-before", false, 4},
    {rule::timeout_after, "timeout-after", false, 5},
    {rule::error_before, "error-before", false, 6},
    {rule::error_after, "error-after", false, 7},
    {rule::reset_before, "reset-before", false, 8},
    {rule::reset_after, "reset-after", false, 9},
    {rule::webhook_first, "webhook-first", false, 11},
    {rule::webhook_twice, "webhook-twice", false, 12},
    {rule::webhook_late, "webhook-late", true, 13},
    {rule::webhook_out_of_order, "webhook-out-of-order", false, 14},
    {rule::webhook_bad_signature, "webhook-bad-signature", false, 15},
    {rule::no_webhook, "no-webhook", false, 16},
    {rule::rate_limited, "rate-limited", false, 21},
    {rule::unauthorized, "unauthorized", false, 22},
    {rule::refund_refused, "refund-refused", false, 31},
    {rule::refund_error, "refund-error", false, 32},
    {rule::refund_timeout_after, "refund-timeout-after", false, 33},
    {rule::refund_pending, "refund-pending", true, 34},
}};

const rule_row& row_of(rule which) {
  return *std::find_if(rows.begin(), rows.end(),
                       [&](const rule_row& each) { return each.what == which; });
}

std::optional<std::int64_t> read_millis(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0 || value > millis_max)
    return std::nullopt;
  return value;
}

} // namespace

std::string_view to_string(rule which) {
  return row_of(which).name;
}

std::optional<fault> read_fault(std::string_view text) {
  fault made;
  if (text.ends_with('*')) {
    made.always = true;
    text.remove_suffix(1);
  }
  const auto equals = text.find('=');
  const auto name = text.substr(0, equals);
  const auto row =
      std::find_if(rows.begin(), rows.end(), [&](const auto& each) { return each.name == name; });
  if (row == rows.end())
    return std::nullopt;
  made.what = row->what;
  if (equals != std::string_view::npos) {
    made.millis = read_millis(text.substr(equals + 1));
    if (!made.millis || !row->takes_millis)
      return std::nullopt;
  }
  return made;
}

std::string to_text(const fault& which) {
  std::string text{to_string(which.what)};
  if (which.millis)
    text += "=" + std::to_string(*which.millis);
  if (which.always)
    text += "*";
  return text;
}

std::string rule_names() {
  std::string all;
  for (const auto& each : rows)
    all.append(all.empty() ? "" : " ").append(each.name);
  return all;
}

rule rule_for_amount(std::int64_t amount_minor) {
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const rule_row& each) {
    return each.amount == amount_minor % 100;
  });
  return row == rows.end() ? rule::approve : row->what;
}

bool is_for_refunds(rule which) {
  return as_for_refund(which) != which;
}

rule as_for_refund(rule which) {
  switch (which) {
  case rule::refund_refused:
    return rule::decline;
  case rule::refund_error:
    return rule::error_before;
  case rule::refund_timeout_after:
    return rule::timeout_after;
  case rule::refund_pending:
    return rule::pending;
  default:
    return which;
  }
}

blow blow_of(rule which) {
  switch (which) {
  case rule::timeout_before:
  case rule::error_before:
  case rule::reset_before:
  case rule::rate_limited:
  case rule::unauthorized:
    return blow::before;
  case rule::timeout_after:
  case rule::error_after:
  case rule::reset_after:
  case rule::delay:
    return blow::after;
  default:
    return blow::none;
  }
}

} // namespace usher::sandbox
