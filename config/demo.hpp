#pragma once

#include "http/api/app.hpp"

#include <string>

namespace usher::config {

/// Makes the show `hamlet` if it is not there, and opens its waiting room. Returns when it is so.
/// Gives a sentence if it could not.
[[nodiscard]] std::string prepare_demo(http::app& with);

/// What to try, for whoever started the demo.
[[nodiscard]] std::string demo_greeting(const std::string& address);

} // namespace usher::config
