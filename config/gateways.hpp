#pragma once

#include "actors/payments/switchboard.hpp"
#include "config/settings.hpp"
#include "http/client/client_thread.hpp"
#include "storage/personal_data.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace usher::config {

/// The payment providers that the settings name, ready to be called. Outlives the actors.
struct providers {
  std::vector<std::unique_ptr<payments::provider>> all;
  std::vector<payments::gateway_setup> setups;
  bool only_pretends = false; ///< none is configured: the sandbox in this process approves all
  std::unique_ptr<http::client::client_thread> thread; ///< the last: ends first

  [[nodiscard]] std::map<std::string, payments::provider*> by_name() const;
};

/// Throws a sentence for the operator, which tells no secret. `open` opens personal data and
/// tokens.
[[nodiscard]] providers make_providers(const settings& with, const storage::opener& open);

} // namespace usher::config
