#pragma once

#include "http/sandbox/call.hpp"
#include "http/sandbox/defaults.hpp"
#include "http/sandbox/ledger.hpp"
#include "http/sandbox/signing.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace usher::sandbox {

/// Where somebody may stand who watches the calls to the four providers (not those to the control
/// API): on the thread of the connection, so that waiting holds up this call alone. For tests that
/// end a caller in the middle of a call. Both are called from many threads at once, and have come
/// back before `stop` does.
struct checkpoint {
  /// The call came and nothing has been done; its path still has the provider's prefix. It may be
  /// changed. False: it was lost on the way, and the connection is cut.
  std::function<bool(call&)> arrived{};
  /// It is done and not answered yet.
  std::function<void(const call&)> done{};
};

struct gateway_options {
  std::string host{defaults::host}; ///< an address, no name
  std::uint16_t port = 0;           ///< 0: the kernel chooses
  std::string webhooks{};           ///< `http://HOST:PORT/PATH`; empty: none are sent
  secrets signing{};
  std::string plain_key{}; ///< who has another one hears 401; empty: whoever calls may
  std::string mercado_pago_currency{defaults::mercado_pago_currency};
  checkpoint watched_by{};
};

/// Four payment providers on one port that take no money, with faults on demand and a ledger. It
/// listens from its construction to `stop`. Thread-safe but for `stop`.
class gateway {
public:
  /// Throws std::runtime_error with a sentence if it cannot listen or an option is no good.
  explicit gateway(const gateway_options& with);
  ~gateway();
  gateway(gateway&&) = delete;
  gateway& operator=(gateway&&) = delete;

  [[nodiscard]] std::uint16_t port() const;
  /// `http://HOST:PORT`; behind it `/plain`, `/stripe`, `/mercado-pago`, `/paypal`.
  [[nodiscard]] std::string base_url() const;

  /// Where webhooks go from now on, or empty. Throws as the constructor does.
  void send_webhooks_to(const std::string& url);

  [[nodiscard]] ledger& book();

  /// Ends every connection where it is. May be called twice.
  void stop();

private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

} // namespace usher::sandbox
