#pragma once

#include "storage/audit/crowd.hpp"

#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace usher::storage::audit {

enum class fan_state : std::uint8_t { waiting, silent, in, gone };

/// Who is next in a simulation: tier by tier, in each in the order of the line. Time only goes on.
/// The crowd must outlive it.
class simulated_lines {
public:
  explicit simulated_lines(const crowd& of)
      : of_{of}, fans_(of.fans.size(), fan_state::waiting), head_(of.lines.size(), 0) {}

  [[nodiscard]] fan_state& at(slot_t fan) { return fans_[fan]; }

  /// The first who waits.
  [[nodiscard]] std::optional<slot_t> first(time_ms now);
  /// When somebody comes to some line after now; `never` if nobody does.
  [[nodiscard]] time_ms comes_next(time_ms now) const;
  /// Waits where they stood.
  void stand_again(slot_t fan);

private:
  using place_in_line = std::pair<std::size_t, std::size_t>; ///< tier and index

  [[nodiscard]] bool waits(const line_entry& entry, time_ms now) const {
    return entry.from <= now && now < entry.until && fans_[entry.fan] == fan_state::waiting;
  }

  const crowd& of_;
  std::vector<fan_state> fans_;
  std::vector<std::size_t> head_; ///< by tier: nobody before it waits, but for these:
  std::set<place_in_line> early_;
};

} // namespace usher::storage::audit
