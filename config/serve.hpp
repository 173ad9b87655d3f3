#pragma once

#include "config/settings.hpp"

namespace usher::config {

/// Serves until SIGTERM or SIGINT, then drains. The exit code: 0 after an orderly end, 1 if it
/// could not start.
[[nodiscard]] int serve(settings with, bool demo);

} // namespace usher::config
