#pragma once

#include "storage/audit/reader.hpp"

#include <iosfwd>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

// The story of one thing: every event about it, in order.
namespace usher::storage::audit {

/// One thing of one show. The show is named by id, or by number, or not at all.
struct story_of {
  std::variant<std::monostate, show_id, show_number> show;
  std::variant<seat_id, slot_t, hold_id, order_id> what;
};

struct story_line {
  position_t position = 0;
  time_ms at = 0;
  std::string type;
  storage::cause cause;
  std::string sentence;
};

struct story {
  show_id show;
  std::vector<story_line> lines;
};

/// Reads the log once to find the show and what belongs together (a hold and its order), and again
/// to tell. A failure if the log cannot be read, if there is no such thing, or if the show is left
/// out and more than one has it.
[[nodiscard]] std::variant<story, failure> tell(const event_log& log, const story_of& about);

void write_story(std::ostream& out, const story& what, bool as_json);

} // namespace usher::storage::audit
