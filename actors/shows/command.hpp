#pragma once

#include "actors/shows/event.hpp"

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

// What may be asked of the show directory, and how it says no.
namespace usher::shows {

namespace command {

/// Create the show, or change what is given. A section that is left out keeps what is there (or
/// gets its default in a new show).
struct put {
  show_id id;
  std::optional<std::string> title;
  std::optional<std::string> starts_at;
  std::optional<std::string> currency;
  std::optional<shows::plan> plan;
  std::optional<hold_settings> holds;
  std::optional<std::string> admitted_url;
  std::map<std::string, std::int64_t> prices{}; ///< category -> minor units; held seats keep theirs
};

} // namespace command

enum class rejection : std::uint8_t {
  title_missing,    ///< a new show needs one
  currency_missing, ///< a new show needs one
  currency_fixed,   ///< the currency of a show never changes: amounts in its log are in it
  too_many_shows,   ///< shows_max
  unknown_category, ///< prices: the plan (if there is one) has no such category
};

[[nodiscard]] std::string_view to_string(rejection reason);

/// What the directory's event would be, and which blocks that concerns.
struct proposal {
  std::optional<any_event> event; ///< none: nothing changes
  show_number number = 0;
  description what; ///< the whole description as it would be
  bool created = false;
  std::vector<block> changed_blocks; ///< new, changed or (with no rows) vanished; sorted by id
};

using decision = std::variant<proposal, rejection>;

/// One thing that is wrong in a description, and where.
struct fault {
  std::string field; ///< `plan.blocks[2].rows[0].seats[7].id`
  std::string what;  ///< a sentence: what was expected
  bool operator==(const fault&) const = default;
};

/// Limits on what a show may be. Named so that an error can say them.
inline constexpr std::size_t shows_max = 10'000;
inline constexpr std::size_t seats_per_show_max = 200'000;
inline constexpr std::size_t seats_per_block_max = 20'000;
inline constexpr std::size_t categories_max = 1'000;
inline constexpr std::size_t id_length_max = 64;
inline constexpr std::size_t title_length_max = 256;
inline constexpr std::size_t faults_listed_max = 50;

} // namespace usher::shows
