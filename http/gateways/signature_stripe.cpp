#include "http/gateways/signature_stripe.hpp"

#include "http/gateways/pairs.hpp"

namespace usher::gateways {

signature check_stripe(std::string_view header, std::string_view body,
                       const std::vector<std::string>& secrets, time_ms now) {
  if (header.empty())
    return signature::missing;
  std::string_view timestamp;
  std::vector<std::string_view> given;
  bool one_time = true;
  const bool pairs = each_pair(header, [&](std::string_view name, std::string_view value) {
    if (name == "t") {
      one_time = one_time && timestamp.empty();
      timestamp = value;
    } else if (name == "v1" && given.size() < signatures_max)
      given.push_back(value);
  });
  const auto seconds = read_timestamp(timestamp);
  if (!pairs || !one_time || !seconds || given.empty())
    return signature::malformed;

  std::string signed_text{timestamp};
  signed_text.append(".").append(body);
  return judge(
      given, secrets, signed_text,
      [](const http::sha256_digest& digest) { return http::to_hex(digest); }, *seconds * 1000, now);
}

} // namespace usher::gateways
