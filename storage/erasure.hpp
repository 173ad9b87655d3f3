#pragma once

#include "actors/basics/ids.hpp"
#include "storage/event_log.hpp"
#include "storage/personal_data.hpp"

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

// Finding what the log has of one person.
namespace usher::storage {

/// Whom to look for. An order is theirs if its place in the queue or its hold was the customer's,
/// or if it was placed with the e-mail address.
struct erasure_target {
  /// The customer in the events of a show; empty: the customer's id is not known.
  std::function<identity(const show_id&)> customer;
  /// Compared without regard to the case of ASCII letters.
  std::optional<std::string> email;
};

struct personal_fields {
  std::size_t orders = 0;
  std::vector<key_id> keys;  ///< of the sealed fields of these orders and their payments
  std::size_t remaining = 0; ///< sealed fields of version 1: they have no key of their own
};

/// Reads the whole log, twice if a customer is looked for: a place may become somebody's after the
/// order. Fails if it cannot be read, or if `stop` became true. An order that is erased already is
/// no longer found by its address.
[[nodiscard]] std::variant<personal_fields, failure>
find_personal_fields(const event_log& log, const erasure_target& target, const opener& open,
                     const std::atomic<bool>& stop);

} // namespace usher::storage
