#pragma once

#include "http/client/client_thread.hpp"
#include "storage/outbox/sink.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace usher::http {

struct webhook_sink_options {
  std::string name{};              ///< of the sink; part of every webhook-id
  std::string url{};               ///< https://host/path?query; http is for the same machine
  std::vector<std::string> keys{}; ///< of the secrets, each makes a signature
  bool allow_private = false;      ///< also addresses that are not public
  std::size_t batch_max = 100;     ///< events in one request; 1: events that stand alone
  std::string ca_file{};           ///< PEM; empty: the system's certificates
  std::chrono::milliseconds deadline{20'000}; ///< of a request, from the name to the answer
};

/// The parts of an address that the client wants one by one.
struct webhook_target {
  std::string origin; ///< "https://host:port"
  std::string target; ///< "/path?query"
};
/// Nothing for what is no http or https address, or has a user name or a fragment.
[[nodiscard]] std::optional<webhook_target> read_webhook_url(std::string_view url);

/// Sends events of a show as CloudEvents in a POST, signed as Standard Webhooks says. Its
/// webhook-id is the same however often the same events are sent.
class webhook_sink final : public storage::outbox::sink {
public:
  /// `out` asks the server of the address, and outlives the sink.
  webhook_sink(webhook_sink_options options, client::sender& out, std::function<time_ms()> now);

  [[nodiscard]] std::size_t events_max() const override { return options_.batch_max; }
  [[nodiscard]] std::size_t at_once_max() const override { return connections_max; }
  void deliver(const storage::outbox::delivery& what, storage::outbox::on_outcome done) override;

  static constexpr std::size_t connections_max = 16;

private:
  webhook_sink_options options_;
  std::string target_;
  client::sender& out_;
  std::function<time_ms()> now_;
};

/// Opens the server of the address at `thread`. Throws std::invalid_argument for an address or a
/// file that cannot be used.
[[nodiscard]] std::unique_ptr<webhook_sink> open_webhook_sink(webhook_sink_options options,
                                                              client::client_thread& thread,
                                                              std::function<time_ms()> now);

} // namespace usher::http
