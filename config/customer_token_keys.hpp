#pragma once

#include "config/settings.hpp"
#include "http/api/customer_token.hpp"

#include <memory>
#include <string>
#include <variant>

namespace usher::config {

using customer_tokens = std::unique_ptr<http::customer_token_verifier>;

/// Reads the file that `customerTokenKeys` names: which keys customer tokens may be signed with,
/// see docs/configuration.md. An empty path gives null: no tokens are accepted. Every fault is
/// listed, each with the file and the place in it.
[[nodiscard]] std::variant<customer_tokens, faults>
read_customer_token_keys(const std::string& path);

} // namespace usher::config
