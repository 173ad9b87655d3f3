#pragma once

#include "storage/event_log.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace usher::testing {

/// A second opinion on a whole log, from the events alone and without the rules: every sentence is
/// one promise broken. Empty: all is well.
///
/// No seat is held or sold to two, a hold has all of its seats or none, a sold seat belongs to a
/// PAID order and the other way round, no admission has more than `max_seats` seats, one key makes
/// one thing, a hold has one order; admissions keep to the order of arrival and to maxActive, and
/// while the room is open only the admitted hold seats.
[[nodiscard]] std::vector<std::string> faults_in(const storage::event_log& log,
                                                 std::size_t max_seats = 4);

} // namespace usher::testing
