#include "storage/upcast.hpp"

#include <algorithm>
#include <string>

namespace usher::storage {

std::optional<failure> upcast(json& payload, std::string_view type, std::uint32_t schema,
                              std::uint32_t newest, std::span<const upcast_step> steps) {
  const auto named = [&] { return std::string{type} + " of schema " + std::to_string(schema); };
  if (schema == 0)
    return failure{named() + " cannot be: schemas count from 1"};
  if (schema > newest)
    return failure{named() + " is newer than this program, which knows " + std::to_string(newest)};
  for (; schema < newest; ++schema) {
    const auto found = std::ranges::find_if(
        steps, [&](const upcast_step& row) { return row.type == type && row.from == schema; });
    if (found == steps.end() || !found->step(payload))
      return failure{named() + " cannot be read as schema " + std::to_string(schema + 1)};
  }
  return std::nullopt;
}

} // namespace usher::storage
