#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace usher::http {

/// The number `name` of a JSON object exactly as it was written: a double would lose digits. Also
/// takes a text ("350.00"). Nothing if the member is absent or something else. `body` is JSON.
[[nodiscard]] std::optional<std::string> decimal_member(std::string_view body,
                                                        std::string_view name);

} // namespace usher::http
