#pragma once

#include "config/settings.hpp"

#include <csignal>

namespace usher::config {

/// SIGTERM and SIGINT, which from now on the caller waits for: every thread made later inherits the
/// mask. SIGPIPE is ignored.
[[nodiscard]] sigset_t block_stop_signals();

/// Serves until SIGTERM or SIGINT, then drains. The exit code: 0 after an orderly end, 1 if it
/// could not start.
[[nodiscard]] int serve(settings with, bool demo);

} // namespace usher::config
