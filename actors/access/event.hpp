#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

// Who may call what. Subject in the log: `keys`.
namespace usher::access {

/// What a key may do; each row of docs on operation says what. The names are stored.
enum class role : std::uint8_t { admin, operator_, service, gate, viewer };

[[nodiscard]] std::string_view to_string(role value);
[[nodiscard]] std::optional<role> role_of(std::string_view name);

namespace event {

/// A key was made. Only its SHA-256 is kept: the key itself was shown once.
struct key_created {
  std::string id; ///< short public name of the key, for logs and causes
  access::role role = access::role::viewer;
  std::array<std::uint8_t, 32> digest{};
  bool operator==(const key_created&) const = default;
};

} // namespace event

using any_event = std::variant<event::key_created>;

} // namespace usher::access
