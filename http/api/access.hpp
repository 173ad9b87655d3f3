#pragma once

#include "actors/access/event.hpp"
#include "http/crypto/crypto.hpp"

#include <map>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>

namespace usher::http {

/// Stands for a key on an open loopback (the demo).
inline constexpr std::string_view demo_key_id = "demo";

/// Who calls, as far as a key says.
struct caller {
  std::string key_id; ///< "env" for the key of the environment, "demo" for an open loopback
  access::role role = access::role::viewer;
};

/// "operator:<key id>" or "service:<key id>": as events name who caused them.
[[nodiscard]] std::string who(const caller& from);

/// The keys that count, by their SHA-256. Thread-safe.
class access_list {
public:
  void add(std::string id, access::role role, const sha256_digest& digest);

  /// `authorization` as in the header: `Bearer KEY`. Looking a digest up tells nothing about keys.
  [[nodiscard]] std::optional<caller> find(std::string_view authorization) const;

private:
  mutable std::shared_mutex mutex_;
  std::map<sha256_digest, caller> by_digest_;
};

/// "Bearer x" -> "x" (the scheme in any case), or nothing.
[[nodiscard]] std::optional<std::string_view> bearer(std::string_view authorization);

} // namespace usher::http
