#pragma once

#include "storage/event_log.hpp"

#include <string>
#include <vector>

namespace usher::testing {

/// Counts all seats at every prefix of a log: every sentence is one prefix at which a seat was lost
/// or came from nowhere. Empty: none was.
///
/// Each record of a block goes through `seating::apply`. After each, available + held + sold +
/// blocked are all seats of the block's plan, and what moved between them is what the event says,
/// seat by seat. An event that could not have happened to the block as it was is named and not
/// applied. At every end of a batch the blocks and the desk tell the same: the seats of a live hold
/// in time are held by it and by nobody else, those of a PAID order are sold to it unless returned,
/// and no seat is held or sold for something that the desk does not have.
[[nodiscard]] std::vector<std::string> lost_seats_in(const storage::event_log& log);

} // namespace usher::testing
