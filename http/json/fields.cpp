#include "http/json/fields.hpp"

#include "actors/basics/duration.hpp"

#include <algorithm>
#include <cmath>

namespace usher::http {

const json* fields::find(std::string_view name) const {
  const auto found = object_.find(name);
  return found == object_.end() ? nullptr : &*found;
}

std::string fields::path_of(std::string_view name) const {
  return where_.empty() ? std::string{name} : where_ + "." + std::string{name};
}

void fields::add_fault(std::string_view name, std::string what) {
  add_fault_at(path_of(name), std::move(what));
}

void fields::add_fault_at(std::string place, std::string what) {
  if (faults_.size() < faults_max_)
    faults_.push_back({std::move(place), std::move(what)});
}

std::optional<std::string> fields::text(std::string_view name, std::size_t bytes_max) {
  const auto* value = find(name);
  if (value == nullptr)
    return std::nullopt;
  if (!value->is_string() || value->get_ref<const std::string&>().size() > bytes_max) {
    add_fault(name, "expected a text of at most " + std::to_string(bytes_max) + " bytes");
    return std::nullopt;
  }
  return value->get<std::string>();
}

std::optional<std::int64_t> fields::integer(std::string_view name, std::int64_t least,
                                            std::int64_t most) {
  const auto* value = find(name);
  if (value == nullptr)
    return std::nullopt;
  const bool fits = value->is_number_unsigned()
                        ? value->get<std::uint64_t>() <= static_cast<std::uint64_t>(most) &&
                              value->get<std::int64_t>() >= least
                        : value->is_number_integer() && value->get<std::int64_t>() >= least &&
                              value->get<std::int64_t>() <= most;
  if (!fits) {
    add_fault(name, "expected a whole number from " + std::to_string(least) + " to " +
                        std::to_string(most));
    return std::nullopt;
  }
  return value->get<std::int64_t>();
}

std::optional<double> fields::number(std::string_view name, double least, double most) {
  const auto* value = find(name);
  if (value == nullptr)
    return std::nullopt;
  if (!value->is_number() || !std::isfinite(value->get<double>()) || value->get<double>() < least ||
      value->get<double>() > most) {
    add_fault(name, "expected a number from " + json(least).dump() + " to " + json(most).dump());
    return std::nullopt;
  }
  return value->get<double>();
}

std::optional<bool> fields::boolean(std::string_view name) {
  const auto* value = find(name);
  if (value == nullptr)
    return std::nullopt;
  if (!value->is_boolean()) {
    add_fault(name, "expected true or false");
    return std::nullopt;
  }
  return value->get<bool>();
}

std::optional<duration_ms> fields::duration(std::string_view name, duration_ms least,
                                            duration_ms most) {
  const auto* value = find(name);
  if (value == nullptr)
    return std::nullopt;
  const auto length =
      value->is_string() ? read_duration(value->get_ref<const std::string&>()) : std::nullopt;
  if (!length || *length < least || *length > most) {
    add_fault(name, "expected a duration from \"" + to_text(least) + "\" to \"" + to_text(most) +
                        "\", e.g. \"250ms\", \"5m\"");
    return std::nullopt;
  }
  return length;
}

void fields::require(std::string_view name) {
  if (!has(name))
    add_fault(name, "is missing");
}

void fields::refuse_others(std::initializer_list<std::string_view> known) {
  for (const auto& [name, value] : object_.items())
    if (std::find(known.begin(), known.end(), name) == known.end())
      add_fault(name, "is not a known field");
}

} // namespace usher::http
