#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace usher::http {

/// Percent-decodes one segment of a path, or one name or value of a query (a '+' stays a '+').
/// Nothing if an escape is broken or a control character would come out. A decoded '/' is data:
/// that is why the path is split first.
[[nodiscard]] std::optional<std::string> decode_path_segment(std::string_view segment);

} // namespace usher::http
