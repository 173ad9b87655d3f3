#pragma once

#include "actors/orders/calls.hpp"

#include <variant>
#include <vector>

// What a desk says. Of no use outside this folder.
namespace usher::orders {

/// The thing as it is, or that there is none.
[[nodiscard]] answer view_of(const state& desk, const std::variant<hold_id, order_id>& what,
                             bool repeated);

/// What an accepted command, which made these events, is answered with: the thing it was about, as
/// it is now.
[[nodiscard]] answer view_after(const state& desk, const any_command& what,
                                const std::vector<any_event>& events);

} // namespace usher::orders
