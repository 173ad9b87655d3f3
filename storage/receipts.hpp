#pragma once

#include "actors/waiting_room/event.hpp"
#include "storage/batch.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// Receipts: what the log can tell a fan about one place. Which records belong to which places is
// decided here; each log keeps an index of it, in keys of log_format.hpp.
namespace usher::storage {

/// What a record gets as `places` and `joins`.
struct indexed_places {
  std::vector<std::uint32_t> places;
  bool joins = false;
  bool operator==(const indexed_places&) const = default;
};

/// An event of fans belongs to their slots; what happens to the room (also the draw, which names
/// everybody) to whole_room; a join only to the first slot that it gives out. Uploaded codes belong
/// to nobody. Whoever changes this raises places_format.
[[nodiscard]] indexed_places places_of(const waiting_room::any_event& happened);

/// The same for a record as it was stored: nothing unless it is an event of a waiting room, a
/// failure if its payload cannot be read.
[[nodiscard]] std::variant<indexed_places, failure> places_of(const stored_record& record);

/// The keys under which the index has this record, in any order.
[[nodiscard]] std::vector<std::string> place_keys(const stored_record& record);

/// How records_about reads a log.
struct receipt_source {
  /// The last key of the index that is not greater than this one; none if there is none.
  std::function<std::variant<std::optional<std::string>, failure>(const std::string& key)>
      last_key_up_to;
  /// The batch that holds this position.
  std::function<std::variant<batch, failure>(position_t)> batch_with;
};

/// event_log::records_about.
[[nodiscard]] std::variant<std::vector<stored_record>, failure>
records_about(const receipt_source& source, std::string_view subject, std::uint32_t slot,
              std::size_t limit);

} // namespace usher::storage
