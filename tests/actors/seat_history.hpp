#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace usher::testing {

/// What a caller was told of one seat. Holds are numbered from 1; 0 is whoever it may be.
enum class told : std::uint8_t {
  holds,          ///< free -> held by it
  keeps,          ///< held by it: its hold was extended, changed elsewhere, or looked up live
  gives_back,     ///< held by it -> free
  orders,         ///< held by it -> ordered by it
  is_ordered,     ///< ordered by it
  cancels,        ///< ordered by it -> free
  buys,           ///< ordered by it, or free (the money was late) -> sold to it
  returns,        ///< sold to it -> free
  is_not_live,    ///< neither held nor ordered by it
  sees_free,      ///< somebody else's call, or a map, found it free
  sees_held,      ///< … held or ordered by it
  sees_sold,      ///< … sold to it
  comes_too_late, ///< money found it neither free nor ordered by it
};

using moment = std::chrono::steady_clock::time_point;

/// One call as its caller saw it: it took effect at some moment from the first to the second.
struct seat_call {
  told what = told::sees_free;
  std::uint32_t hold = 0;
  moment asked;
  moment answered;
};

std::ostream& operator<<(std::ostream& to, const seat_call& one);

/// Can the calls have happened one after the other, each between its two moments, to a seat that
/// was free at first? Nothing: yes (the history is linearizable). Otherwise a call that no order
/// finds a place for. Wing and Gong's search: it remembers where it has been, so it takes about as
/// many steps as there are calls while only a few run at once.
[[nodiscard]] std::optional<seat_call> impossible_in(std::vector<seat_call> history);

} // namespace usher::testing
