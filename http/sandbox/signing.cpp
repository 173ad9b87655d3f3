#include "http/sandbox/signing.hpp"

#include "http/crypto/base64.hpp"
#include "http/crypto/crypto.hpp"
#include "http/crypto/standard_webhooks.hpp"
#include "http/sandbox/webhooks.hpp"

#include <zlib.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <span>

namespace usher::sandbox {

namespace {

constexpr std::string_view plain_prefix = "whsec_";

/// Another key of the same kind.
std::string forger_of(std::string_view secret) {
  return std::string{secret} + "-forged";
}

std::string plain_key(std::string_view secret) {
  return http::decode_base64(secret.substr(plain_prefix.size())).value();
}

header_lines sign_plain(const notice& what, const std::string& secret, time_ms at) {
  const auto seconds = std::to_string(at / 1000);
  auto key = plain_key(secret);
  if (what.forged)
    key = forger_of(key);
  return {
      {"webhook-id", what.event_id},
      {"webhook-timestamp", seconds},
      {"webhook-signature", http::sign_standard_webhook(key, what.event_id, seconds, what.body)}};
}

header_lines sign_stripe(const notice& what, const std::string& secret, time_ms at) {
  const auto seconds = std::to_string(at / 1000);
  const auto mac = hmac_sha256(what.forged ? forger_of(secret) : secret, seconds + "." + what.body);
  return {{"Stripe-Signature", "t=" + seconds + ",v1=" + hex(mac)}};
}

header_lines sign_mercado_pago(const notice& what, const std::string& secret, time_ms at) {
  const auto seconds = std::to_string(at / 1000);
  const auto request = http::to_hex(http::random_id().bytes);
  const auto mac =
      hmac_sha256(what.forged ? forger_of(secret) : secret,
                  "id:" + what.subject + ";request-id:" + request + ";ts:" + seconds + ";");
  return {{"x-signature", "ts=" + seconds + ",v1=" + hex(mac)}, {"x-request-id", request}};
}

header_lines sign_paypal(const notice& what, const secrets& with, const std::string& base,
                         time_ms at) {
  const auto id = http::to_hex(http::random_id().bytes);
  const auto time = write_time(at);
  const auto webhook = what.forged ? forger_of(with.paypal_webhook_id) : with.paypal_webhook_id;
  return {{"PAYPAL-TRANSMISSION-ID", id},
          {"PAYPAL-TRANSMISSION-TIME", time},
          {"PAYPAL-TRANSMISSION-SIG", paypal_signature({id, time, webhook, what.body})},
          {"PAYPAL-CERT-URL", base + "/paypal/v1/notifications/certs/CERT-SANDBOX"},
          {"PAYPAL-AUTH-ALGO", "SHA256withRSA"}};
}

} // namespace

header_lines sign(const notice& what, const secrets& with, const std::string& base, time_ms at) {
  switch (what.by) {
  case protocol::plain:
    return sign_plain(what, with.plain, at);
  case protocol::stripe:
    return sign_stripe(what, with.stripe, at);
  case protocol::mercado_pago:
    return sign_mercado_pago(what, with.mercado_pago, at);
  case protocol::paypal:
    return sign_paypal(what, with, base, at);
  }
  return {};
}

std::string paypal_signature(const paypal_signed& what) {
  const auto sum = crc32(0, reinterpret_cast<const Bytef*>(what.event.data()),
                         static_cast<uInt>(what.event.size()));
  std::string text{what.transmission_id};
  text.append("|").append(what.time).append("|").append(what.webhook_id).append("|");
  return http::encode_base64(hmac_sha256(defaults::paypal_secret, text + std::to_string(sum)));
}

std::string fault_of_plain_secret(std::string_view secret) {
  const bool starts = secret.starts_with(plain_prefix);
  const auto key = starts ? http::decode_base64(secret.substr(plain_prefix.size())) : std::nullopt;
  return key && !key->empty() ? "" : "expected whsec_ and a key in base64";
}

std::string hmac_sha256(std::string_view key, std::string_view bytes) {
  const auto made = http::hmac_sha256(key, bytes);
  return {reinterpret_cast<const char*>(made.data()), made.size()};
}

std::string hex(std::string_view bytes) {
  return http::to_hex(std::span{reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

std::string write_time(time_ms at, bool with_millis) {
  const std::time_t seconds = at / 1000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  std::array<char, 32> text{};
  auto length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  std::string made{text.data(), length};
  if (with_millis) {
    length = static_cast<std::size_t>(
        std::snprintf(text.data(), text.size(), ".%03d", static_cast<int>(at % 1000)));
    made.append(text.data(), length);
  }
  return made + "Z";
}

} // namespace usher::sandbox
