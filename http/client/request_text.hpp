#pragma once

#include "http/client/base_address.hpp"
#include "http/client/message.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace usher::http::client {

/// Begins with '/', and has nothing that could end a request line.
[[nodiscard]] bool is_target(std::string_view text);

/// The request as it is written, head and body in one. Nothing if a part of it cannot be carried.
[[nodiscard]] std::optional<std::string> request_text(const request& asked, const base_address& to);

} // namespace usher::http::client
