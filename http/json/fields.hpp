#pragma once

#include "actors/basics/time.hpp"
#include "actors/shows/command.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace usher::http {

using json = nlohmann::json;
using ordered_json = nlohmann::ordered_json;

/// One thing that is wrong with the input, and where.
using fault = shows::fault;

/// Reads the members of one JSON object and notes every fault with its place. A member that is
/// absent gives nothing and is no fault; `require` makes it one.
class fields {
public:
  /// `object` and `faults` outlive this. `where` is the path before the member's name. Beyond
  /// `faults_max` faults nothing is noted any more.
  fields(const json& object, std::vector<fault>& faults, std::string where = {},
         std::size_t faults_max = shows::faults_listed_max)
      : object_{object}, faults_{faults}, where_{std::move(where)}, faults_max_{faults_max} {}

  [[nodiscard]] bool has(std::string_view name) const { return object_.contains(name); }
  [[nodiscard]] const json* find(std::string_view name) const;

  std::optional<std::string> text(std::string_view name, std::size_t bytes_max = 256);
  std::optional<std::int64_t> integer(std::string_view name, std::int64_t least, std::int64_t most);
  std::optional<double> number(std::string_view name, double least, double most);
  std::optional<bool> boolean(std::string_view name);
  std::optional<duration_ms> duration(std::string_view name, duration_ms least, duration_ms most);

  void require(std::string_view name);

  /// Operator calls refuse what they do not know.
  void refuse_others(std::initializer_list<std::string_view> known);

  void add_fault(std::string_view name, std::string what);

  /// Calls `read(fields&)` for the object of that name; something else is a fault, absent nothing.
  template <class Read>
  void object(std::string_view name, Read read);

  /// Calls `read(fields&)` for each object of the list of that name, in order; whatever is no list
  /// or no object is a fault.
  template <class Read>
  void each_object(std::string_view name, Read read);

  [[nodiscard]] const std::string& where() const { return where_; }
  [[nodiscard]] std::string path_of(std::string_view name) const;

private:
  void add_fault_at(std::string place, std::string what);

  const json& object_;
  std::vector<fault>& faults_;
  std::string where_;
  std::size_t faults_max_;
};

template <class Read>
void fields::object(std::string_view name, Read read) {
  const auto* value = find(name);
  if (value == nullptr)
    return;
  if (!value->is_object())
    return add_fault(name, "expected an object");
  fields inside{*value, faults_, path_of(name), faults_max_};
  read(inside);
}

template <class Read>
void fields::each_object(std::string_view name, Read read) {
  const auto* list = find(name);
  if (list == nullptr)
    return;
  if (!list->is_array())
    return add_fault(name, "expected a list");
  for (std::size_t i = 0; i < list->size(); ++i) {
    auto path = path_of(name) + "[" + std::to_string(i) + "]";
    if (!(*list)[i].is_object()) {
      add_fault_at(std::move(path), "expected an object");
      continue;
    }
    fields inside{(*list)[i], faults_, std::move(path), faults_max_};
    read(inside);
  }
}

} // namespace usher::http
