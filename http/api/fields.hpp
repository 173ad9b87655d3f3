#pragma once

#include "http/api/call.hpp"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
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

/// The one text that a body has, not empty.
[[nodiscard]] std::string read_only_text(const json& body, std::string_view name,
                                         std::size_t bytes_max, std::vector<fault>& faults);

/// What `read(body, faults)` makes of the body; answers and gives nothing if the body is no object
/// or anything in it is wrong.
template <class Read>
auto read_checked(call& at, Read read)
    -> std::optional<decltype(read(std::declval<const json&>(),
                                   std::declval<std::vector<fault>&>()))> {
  const auto body = read_object(at);
  if (!body)
    return std::nullopt;
  std::vector<fault> faults;
  auto made = read(*body, faults);
  if (faults.empty())
    return made;
  send_invalid(at, faults);
  return std::nullopt;
}

} // namespace usher::http
