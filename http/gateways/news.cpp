#include "http/gateways/news.hpp"

#include "http/server/ascii.hpp"

#include <charconv>

namespace usher::gateways {

namespace {

constexpr std::size_t reference_bytes_max = 256;

std::string short_text(const json& in, const std::string& pointer) {
  auto text = text_at(in, pointer);
  return text.size() <= reference_bytes_max ? text : std::string{};
}

} // namespace

bool read_metadata(const json& metadata, payments::report& into) {
  into.payment = short_text(metadata, "/usher_payment");
  into.order = short_text(metadata, "/usher_order");
  const auto hold = short_text(metadata, "/usher_hold");
  const auto show = short_text(metadata, "/usher_show");
  if (into.payment.empty() && into.order.empty() && !hold.empty() && !show.empty()) {
    into.hold_ref = hold;
    into.show = show;
  }
  return !into.payment.empty() || !into.order.empty() || !into.hold_ref.empty();
}

std::optional<money> minor_amount(std::string_view digits, std::string_view currency) {
  std::int64_t amount = 0;
  const auto* end = digits.data() + digits.size();
  const auto [at, error] = std::from_chars(digits.data(), end, amount);
  if (error != std::errc{} || at != end || amount < 0 || !minor_digits(currency))
    return std::nullopt;
  return money{amount, std::string{currency}};
}

std::optional<money> decimal_amount(std::string_view decimal, std::string_view currency) {
  auto read = read_money(decimal, currency);
  auto* amount = std::get_if<money>(&read);
  return amount == nullptr ? std::nullopt : std::optional{std::move(*amount)};
}

std::string upper(std::string_view text) {
  std::string changed{text};
  for (auto& c : changed)
    if (c >= 'a' && c <= 'z')
      c = static_cast<char>(c - ('a' - 'A'));
  return changed;
}

std::string lower(std::string_view text) {
  std::string changed{text};
  for (auto& c : changed)
    c = http::to_lower(c);
  return changed;
}

} // namespace usher::gateways
