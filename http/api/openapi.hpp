#pragma once

#include <string_view>

namespace usher::http {

/// openapi.json of this folder, compiled in.
[[nodiscard]] std::string_view openapi_document();

} // namespace usher::http
