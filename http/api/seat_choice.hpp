#pragma once

#include "http/api/fields.hpp"
#include "http/api/routes.hpp"

#include <cstdint>
#include <functional>
#include <variant>
#include <vector>

// Which seats somebody wants: named, the best there are, or so many places of an area.
namespace usher::http {

using seat_choice = std::variant<std::vector<seat_id>, shows::best_ask, concierge::area_ask>;

/// The one of `seats`, `best` and `area` (with `quantity`) that the body has. Faults are added:
/// none of them or several, more than `seats_max` seats, categories, blocks and areas that the show
/// does not have.
[[nodiscard]] seat_choice read_choice(fields& from, const shows::published& now,
                                      std::uint32_t seats_max, std::vector<fault>& faults);

/// Calls of operators refuse what they do not know, also in `best`.
void refuse_unknown_wishes(const fields& from, std::vector<fault>& faults);

/// Asks the desk for named seats, the concierge for others. `done` as orders::call::done; at once
/// if a named seat is not in the plan.
void take_seats(const shows::show_entry& show, const shows::published& now, seat_choice choice,
                concierge::purpose wanted, storage::cause cause,
                std::function<void(const orders::answer&)> done);

} // namespace usher::http
