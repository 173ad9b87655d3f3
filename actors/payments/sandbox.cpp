#include "actors/payments/sandbox.hpp"

#include <utility>

namespace usher::payments {

void sandbox::charge(const charge_request& asked, std::function<void(charge_result)> done) {
  constexpr std::string_view hex = "0123456789abcdef";
  std::string reference = "sandbox-";
  for (const auto byte : asked.payment.bytes) {
    reference += hex[byte >> 4U];
    reference += hex[byte & 0xFU];
  }
  done({charge_result::outcome_t::approved, std::move(reference), {}});
}

} // namespace usher::payments
