#pragma once

#include <map>
#include <string>
#include <string_view>

namespace usher::sandbox {

/// Names and values of a query or a form (application/x-www-form-urlencoded), decoded; of a name
/// that comes twice the last one. A '%' that no two digits follow stays as it is.
[[nodiscard]] std::map<std::string, std::string> read_form(std::string_view text);

} // namespace usher::sandbox
