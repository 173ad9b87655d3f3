#pragma once

#include "actors/basics/ids.hpp"
#include "actors/basics/time.hpp"

#include <optional>
#include <string>
#include <string_view>

// Ids and times as people write them.
namespace usher::storage::audit {

[[nodiscard]] std::string hex(const id128& id);

/// `hold-0-2a-<32 hex digits>`: kind, shard 0, number of the show in hex, the id.
[[nodiscard]] std::string reference_text(std::string_view kind, show_number show, const id128& id);

struct reference {
  show_number show = 0;
  id128 id;
};
/// Nothing unless it is exactly of that form and kind.
[[nodiscard]] std::optional<reference> read_reference(std::string_view kind, std::string_view text);

struct ticket_place {
  show_number show = 0;
  slot_t slot = 0;
};
/// Which place a ticket id (44 characters of base64url) names. Whether it is genuine is not
/// checked: that needs the server's key.
[[nodiscard]] std::optional<ticket_place> read_ticket_id(std::string_view text);

/// `2026-11-30T10:00:00.250Z`
[[nodiscard]] std::string time_text(time_ms at);

/// RFC 3339 with `Z` or an offset, and a fraction of up to three digits or none.
[[nodiscard]] std::optional<time_ms> read_time(std::string_view text);

} // namespace usher::storage::audit
