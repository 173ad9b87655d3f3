#pragma once

#include "storage/codec.hpp"
#include "storage/event_types.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <variant>

// From records to events.
namespace usher::storage::audit {

/// Whose history a subject names.
struct place {
  aggregate of = aggregate::shows;
  show_id show;          ///< of a queue, a block or a desk; empty for the cashier, who has none
  block_id block;        ///< of a block
  std::string gateway{}; ///< of a gateway
};

/// Nothing if there is no such kind of subject.
[[nodiscard]] std::optional<place> read_subject(std::string_view subject);

using any_fact = std::variant<waiting_room::any_event, seating::any_event, orders::any_event,
                              shows::any_event, access::any_event, payments::any_event>;

/// Nothing but the codec: a failure says what cannot be read.
[[nodiscard]] std::variant<any_fact, failure> read_event(const record& which);

} // namespace usher::storage::audit
