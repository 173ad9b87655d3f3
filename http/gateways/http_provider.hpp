#pragma once

#include "actors/payments/provider.hpp"
#include "http/gateways/protocol.hpp"
#include "http/gateways/seen.hpp"
#include "storage/personal_data.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace usher::gateways {

/// A provider that is reached over HTTP: what is the same for all protocols. Opens what is sealed,
/// writes out ids, takes the steps within one deadline, and sees to it that no reason tells a
/// secret.
class http_provider final : public payments::provider {
public:
  struct parts {
    std::string name;
    std::unique_ptr<speech> protocol;
    client::sender* out = nullptr; ///< outlives the provider
    storage::opener open{};        ///< of tokens and customers
    std::chrono::milliseconds call_deadline{10'000};
    std::vector<std::string> secrets; ///< never in a reason
  };

  explicit http_provider(parts with);

  [[nodiscard]] std::string_view name() const override { return parts_.name; }
  void charge(const payments::charge_request& asked, payments::on_result done) override;
  void void_charge(const payments::charge_request& asked, payments::on_result done) override;
  void refund(const payments::refund_request& asked, payments::on_result done) override;
  [[nodiscard]] bool asks_about_webhooks() const override {
    return parts_.protocol->asks_about_webhooks();
  }
  void read_webhook(const payments::webhook& got,
                    std::function<void(payments::webhook_reading)> done) override;

private:
  /// Adds the protocol's headers to what is sent.
  class with_headers final : public client::sender {
  public:
    with_headers(client::sender& out, std::vector<client::header> headers)
        : out_{out}, headers_{std::move(headers)} {}
    void send(client::request asked, client::on_outcome done) override;

  private:
    client::sender& out_;
    std::vector<client::header> headers_;
  };

  /// Fails if what is sealed cannot be opened; `again` is not set.
  enum class closed : std::uint8_t { unreadable, erased };
  [[nodiscard]] std::variant<attempt, closed> open(const payments::charge_request& asked) const;
  [[nodiscard]] std::variant<std::string, closed> open(std::string_view sealed,
                                                       const id128& bound_to) const;
  [[nodiscard]] static payments::result not_opened(closed why, bool again,
                                                   const std::string& reference);
  void converse(charge_step first, std::vector<std::string> also_secret, payments::on_result done);
  [[nodiscard]] std::string clean(std::string_view reason,
                                  const std::vector<std::string>& also_secret) const;
  [[nodiscard]] std::chrono::steady_clock::time_point deadline() const;

  parts parts_;
  with_headers out_;
  seen_lately seen_;
};

} // namespace usher::gateways
