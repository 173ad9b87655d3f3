#include "http/api/access.hpp"

#include <mutex>
#include <utility>

namespace usher::http {

std::string who(const caller& from) {
  const bool service = from.role == access::role::service || from.role == access::role::gate;
  return (service ? "service:" : "operator:") + from.key_id;
}

void access_list::add(std::string id, access::role role, const sha256_digest& digest) {
  const std::unique_lock lock{mutex_};
  by_digest_[digest] = caller{std::move(id), role};
}

std::optional<caller> access_list::find(std::string_view authorization) const {
  const auto key = bearer(authorization);
  if (!key)
    return std::nullopt;
  const auto digest = sha256(*key);
  const std::shared_lock lock{mutex_};
  const auto found = by_digest_.find(digest);
  return found == by_digest_.end() ? std::nullopt : std::optional{found->second};
}

std::optional<std::string_view> bearer(std::string_view authorization) {
  constexpr std::string_view scheme = "bearer ";
  if (authorization.size() <= scheme.size())
    return std::nullopt;
  for (std::size_t i = 0; i < scheme.size(); ++i)
    if ((authorization[i] | (scheme[i] == ' ' ? 0 : 0x20)) != scheme[i])
      return std::nullopt;
  return authorization.substr(scheme.size());
}

} // namespace usher::http
