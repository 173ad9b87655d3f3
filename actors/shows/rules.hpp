#pragma once

#include "actors/shows/command.hpp"
#include "actors/shows/state.hpp"

// The rules of the show directory. Pure.
namespace usher::shows {

[[nodiscard]] decision decide(const state& directory, const command::put& asked);

void apply(state& directory, const any_event& happened);

/// Every fault of the given sections (not only the first, but at most faults_listed_max): ids,
/// duplicates, unknown categories, empty rows, prices, coordinates, lengths. Empty: all is well.
[[nodiscard]] std::vector<fault> faults_of(const command::put& asked);

/// Letters, digits, '-', '_' and '.', 1 to id_length_max of them; not starting with '.'.
[[nodiscard]] bool is_id(std::string_view text);

} // namespace usher::shows
