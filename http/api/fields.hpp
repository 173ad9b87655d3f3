#pragma once

#include "http/api/call.hpp"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace usher::http {

/// Reads the members of one JSON object and notes every fault with its place. A member that is
/// absent gives nothing and is no fault; `required` makes it one.
class fields {
public:
  /// `object` and `faults` outlive this. `where` is the path before the member's name.
  fields(const json& object, std::vector<fault>& faults, std::string where = {})
      : object_{object}, faults_{faults}, where_{std::move(where)} {}

  [[nodiscard]] bool has(std::string_view name) const { return object_.contains(name); }
  [[nodiscard]] const json* find(std::string_view name) const;

  std::optional<std::string> text(std::string_view name, std::size_t bytes_max = 256);
  std::optional<std::int64_t> integer(std::string_view name, std::int64_t least, std::int64_t most);
  std::optional<double> number(std::string_view name, double least, double most);
  std::optional<bool> boolean(std::string_view name);
  std::optional<duration_ms> duration(std::string_view name, duration_ms least, duration_ms most);

  /// An integer, or null for "no limit".
  std::optional<shows::limit> limit(std::string_view name);

  void require(std::string_view name);

  /// Operator calls refuse what they do not know.
  void refuse_others(std::initializer_list<std::string_view> known);

  void add_fault(std::string_view name, std::string what);

  [[nodiscard]] std::string path_of(std::string_view name) const;

private:
  const json& object_;
  std::vector<fault>& faults_;
  std::string where_;
};

} // namespace usher::http
