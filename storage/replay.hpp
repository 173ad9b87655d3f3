#pragma once

#include "storage/log_tail.hpp"

#include <functional>
#include <optional>
#include <string_view>
#include <variant>

// Reading a log with every check, wherever its batches are kept.
namespace usher::storage {

/// A batch as it lies in the store. `value` lives until the next one is asked for.
struct stored_batch {
  position_t key = 0; ///< where it is filed: must be its first position
  std::string_view value;
};

/// Gives the next batch in order of key; none at the end.
using batch_source = std::function<std::variant<std::optional<stored_batch>, failure>()>;

/// What event_log::replay promises. `next` begins with the batch that holds `from` (or earlier).
/// What is read must lead to `end`; what a writer has put behind it is not read.
[[nodiscard]] std::optional<failure>
replay_batches(position_t from, const log_end& end, const batch_source& next,
               const std::function<bool(const stored_record&)>& visit);

} // namespace usher::storage
