#include "http/api/fields.hpp"

#include <cstdint>
#include <limits>

namespace usher::http {

std::optional<shows::limit> read_limit(fields& from, std::string_view name) {
  const auto* value = from.find(name);
  if (value == nullptr)
    return std::nullopt;
  if (value->is_null())
    return shows::limit{};
  const auto count = from.integer(name, 0, std::numeric_limits<std::int32_t>::max());
  if (!count)
    return std::nullopt;
  return shows::limit{static_cast<std::uint32_t>(*count)};
}

std::string read_only_text(const json& body, std::string_view name, std::size_t bytes_max,
                           std::vector<fault>& faults) {
  fields from{body, faults};
  from.refuse_others({name});
  from.require(name);
  const auto text = from.text(name, bytes_max);
  if (text && text->empty())
    from.add_fault(name, "expected a text that is not empty");
  return text.value_or("");
}

} // namespace usher::http
