#pragma once

#include "actors/shows/registry.hpp"

#include <cstdint>
#include <memory>
#include <vector>

// What the boards of a show say at one moment, and what differs between two moments. Pure.
namespace usher::http {

struct seat_snapshot {
  struct block {
    std::shared_ptr<const seating::board::view> seats;
    std::vector<seating::shown> states; ///< as seats->ids(); of an area in no such order
    seating::tally count;               ///< of these states
  };
  std::shared_ptr<const shows::published> of; ///< has a plan
  std::vector<block> blocks;                  ///< as plan.blocks
};

/// One walk over all seats. Each state is at least as new as the call.
[[nodiscard]] seat_snapshot take_snapshot(std::shared_ptr<const shows::published> of);

/// Are the same seats in the same blocks, of the same categories? Only then can two be compared.
[[nodiscard]] bool same_seats(const seat_snapshot& one, const seat_snapshot& other);

/// A seat that is not what it was. Of an area only how many of them there are says something.
struct seat_change {
  std::uint32_t block = 0; ///< index into the blocks
  std::uint32_t index = 0; ///< into the block's states
  seating::shown before{};
  bool operator==(const seat_change&) const = default;
};

/// In the plan's order. Both have the same seats.
[[nodiscard]] std::vector<seat_change> changes_between(const seat_snapshot& before,
                                                       const seat_snapshot& now);

} // namespace usher::http
