#include "tests/actors/seat_history.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace usher::testing {

namespace {

struct seat_is {
  enum state : std::uint8_t { free, held, ordered, sold } state = free;
  std::uint32_t hold = 0;
  auto operator<=>(const seat_is&) const = default;
};

/// The seat after the call; nothing if what was told is not true of it.
std::optional<seat_is> after(const seat_is& seat, const seat_call& call) {
  const bool its = call.hold == 0 || seat.hold == call.hold;
  const bool is_free = seat.state == seat_is::free;
  const bool is_held = seat.state == seat_is::held && its;
  const bool is_ordered = seat.state == seat_is::ordered && its;
  const bool is_sold = seat.state == seat_is::sold && its;
  const auto becomes = [](bool was, seat_is then) {
    return was ? std::optional{then} : std::nullopt;
  };
  switch (call.what) {
  case told::holds:
    return becomes(is_free, {seat_is::held, call.hold});
  case told::keeps:
    return becomes(is_held, seat);
  case told::gives_back:
    return becomes(is_held, {});
  case told::orders:
    return becomes(is_held, {seat_is::ordered, call.hold});
  case told::is_ordered:
    return becomes(is_ordered, seat);
  case told::cancels:
    return becomes(is_ordered, {});
  case told::buys:
    return becomes(is_ordered || is_free, {seat_is::sold, call.hold});
  case told::returns:
    return becomes(is_sold, {});
  case told::is_not_live:
    return becomes(!is_held && !is_ordered, seat);
  case told::sees_free:
    return becomes(is_free, seat);
  case told::sees_held:
    return becomes(is_held || is_ordered, seat);
  case told::sees_sold:
    return becomes(is_sold, seat);
  case told::comes_too_late:
    return becomes(!is_free && !is_ordered, seat);
  }
  return std::nullopt;
}

/// Where a search stands: these calls have taken effect, and the seat is so.
struct standing {
  std::size_t first = 0;           ///< all before this one have
  std::vector<std::size_t> others; ///< and these after it, sorted
  seat_is seat;
  auto operator<=>(const standing&) const = default;

  [[nodiscard]] bool has(std::size_t call) const {
    return call < first || std::ranges::binary_search(others, call);
  }
  [[nodiscard]] standing with(std::size_t call, seat_is then) const {
    auto next = *this;
    next.seat = then;
    next.others.insert(std::ranges::upper_bound(next.others, call), call);
    while (!next.others.empty() && next.others.front() == next.first) {
      next.others.erase(next.others.begin());
      ++next.first;
    }
    return next;
  }
};

} // namespace

std::optional<seat_call> impossible_in(std::vector<seat_call> history) {
  std::ranges::sort(history, {}, &seat_call::asked);
  std::vector<standing> open{{}};
  std::set<standing> been;
  std::size_t farthest = 0;
  while (!open.empty()) {
    const auto here = std::move(open.back());
    open.pop_back();
    if (here.first == history.size())
      return std::nullopt;
    farthest = std::max(farthest, here.first);
    // Next may be whoever had asked before the first of the others was answered.
    auto last_moment = moment::max();
    for (auto i = here.first; i < history.size() && history[i].asked <= last_moment; ++i) {
      if (here.has(i))
        continue;
      last_moment = std::min(last_moment, history[i].answered);
    }
    for (auto i = here.first; i < history.size() && history[i].asked <= last_moment; ++i)
      if (!here.has(i))
        if (const auto then = after(here.seat, history[i]))
          if (auto next = here.with(i, *then); been.insert(next).second)
            open.push_back(std::move(next));
  }
  return history[farthest];
}

std::ostream& operator<<(std::ostream& to, const seat_call& one) {
  constexpr const char* names[]{
      "holds",   "keeps",       "gives back", "orders",    "is ordered", "cancels",       "buys",
      "returns", "is not live", "sees free",  "sees held", "sees sold",  "comes too late"};
  return to << "hold " << one.hold << ' ' << names[static_cast<std::size_t>(one.what)] << " ["
            << one.asked.time_since_epoch().count() << ", "
            << one.answered.time_since_epoch().count() << ']';
}

} // namespace usher::testing
