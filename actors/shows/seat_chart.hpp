#pragma once

#include "actors/shows/event.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace usher::shows {

/// The seats of a plan, prepared for searching: how far each is from where everybody wants to be,
/// and which are neighbours. Made once per plan, never changes, may be read by any threads.
///
/// Seats are numbered through the plan: blocks, their rows and the rows' seats, in the plan's
/// order.
///
/// Neighbours are two seats that follow each other in a row's list, unless an aisle is between
/// them: a gap wider than 1.75 times the median (the lower one of two) gap of that row. Rows and
/// blocks have no neighbours beyond their ends.
///
/// Distances are straight lines to the focal point, in millionths of a plan unit (integers, so that
/// sums and ties are exact). Where the plan names no focal point, it is in the middle of the plan's
/// front edge: half way between the least and the greatest x of all seats, at the least y, as y
/// grows away from the stage.
///
/// A plan in which any seat has no coordinates is drawn anew, and what coordinates and focal point
/// it gives are left out of account: all rows of all blocks one behind the other in the plan's
/// order, one unit apart, each with its seats one unit apart and centred on x = 0; the focal point
/// is one unit in front of the middle of the first row.
class seat_chart {
public:
  /// The plan has no faults (see faults_of). Nothing of it needs to stay alive.
  explicit seat_chart(const plan& what);

  struct block_entry {
    block_id id;
    std::string category; ///< a category's id
    std::int64_t price_minor = 0;
    std::vector<std::string> rows; ///< their ids, in the plan's order
    std::uint32_t first_seat = 0;
  };

  /// Seats of one row, each the neighbour of the next: a row, or what aisles leave of it.
  struct stretch {
    std::uint32_t block = 0; ///< index into blocks()
    std::uint32_t row = 0;   ///< index into the block's rows
    std::uint32_t first = 0; ///< seat
    std::uint32_t count = 0;
    std::int64_t nearest = 0; ///< the least distance of its seats
  };

  [[nodiscard]] const std::vector<block_entry>& blocks() const { return blocks_; }
  /// Those with the nearest seats first; among equals, those earlier in the plan.
  [[nodiscard]] const std::vector<stretch>& stretches() const { return stretches_; }

  [[nodiscard]] const seat_id& id(std::uint32_t seat) const { return ids_[seat]; }
  [[nodiscard]] bool is_accessible(std::uint32_t seat) const { return accessible_[seat] != 0; }
  /// To the focal point, in millionths of a plan unit.
  [[nodiscard]] std::int64_t distance(std::uint32_t seat) const { return distances_[seat]; }

private:
  void add_block(const plan& what, const block& which);
  void add_row(const row& which, const std::vector<point>& places);

  std::vector<block_entry> blocks_;
  std::vector<stretch> stretches_;
  std::vector<seat_id> ids_;
  std::vector<std::uint8_t> accessible_;
  std::vector<std::int64_t> distances_;
};

} // namespace usher::shows
