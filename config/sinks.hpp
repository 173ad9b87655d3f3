#pragma once

#include "actors/runtime/clock.hpp"
#include "config/settings.hpp"
#include "http/client/client_thread.hpp"
#include "storage/data_directory.hpp"
#include "storage/outbox/workers.hpp"

#include <memory>

namespace usher::config {

/// The outbox of a server, which runs as long as this lives.
struct outbox_parts {
  std::unique_ptr<http::client::client_thread> thread; ///< none: no sink needs one
  std::unique_ptr<storage::outbox::workers> workers;   ///< none: there are no sinks. Ends first
};

/// Starts the sinks that the settings name. `log` and `clock` outlive what is returned; `open`
/// opens what is sealed in orders, for the sinks that may have personal data. Throws a sentence for
/// the operator.
[[nodiscard]] outbox_parts start_sinks(const settings& with, const storage::data_directory& at,
                                       const storage::event_log& log, const usher::clock& clock,
                                       const storage::opener& open);

} // namespace usher::config
