#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace usher::test {

/// The positions that a log has of each show, in order.
using positions_by_show = std::map<std::string, std::vector<std::uint64_t>>;

/// A receiver's notes: what came of each show, in the order in which it came.
class order_check {
public:
  void came(const std::string& show, std::uint64_t position) { came_[show].push_back(position); }

  [[nodiscard]] const positions_by_show& all() const { return came_; }

  [[nodiscard]] std::size_t count() const {
    std::size_t count = 0;
    for (const auto& [show, its] : came_)
      count += its.size();
    return count;
  }

  /// How many different events came.
  [[nodiscard]] std::size_t distinct() const {
    std::size_t count = 0;
    for (const auto& [show, its] : came_)
      count += std::set<std::uint64_t>(its.begin(), its.end()).size();
    return count;
  }

  /// What breaks the promise: each event of a show is the next after the one that came before it,
  /// or a repetition from any earlier one on; and in the end all are there. Empty: it is kept.
  [[nodiscard]] std::vector<std::string> faults(const positions_by_show& log) const {
    std::vector<std::string> found;
    for (const auto& [show, wanted] : log)
      look_at(show, wanted, found);
    for (const auto& [show, its] : came_)
      if (!log.contains(show))
        found.push_back("the log has no show " + show);
    return found;
  }

private:
  void look_at(const std::string& show, const std::vector<std::uint64_t>& wanted,
               std::vector<std::string>& found) const {
    std::map<std::uint64_t, std::size_t> places;
    for (std::size_t i = 0; i < wanted.size(); ++i)
      places[wanted[i]] = i + 1;
    std::size_t before = 0; // the place of the last one that came
    std::size_t most = 0;
    const auto its = came_.find(show);
    for (const auto position : its == came_.end() ? std::vector<std::uint64_t>{} : its->second) {
      const auto place = places.contains(position) ? places[position] : 0;
      if (place == 0)
        found.push_back(show + ": the log has no " + std::to_string(position));
      else if (place > before + 1)
        found.push_back(show + ": " + std::to_string(position) + " came too early, " +
                        std::to_string(wanted[before]) + " is next");
      before = place;
      most = std::max(most, place);
    }
    if (most < wanted.size())
      found.push_back(show + ": " + std::to_string(wanted[most]) + " never came");
  }

  positions_by_show came_;
};

} // namespace usher::test
