#include "http/api/seat_map.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace usher::http {

namespace {

/// In the place of a version, greater than all: the whole is kept before any changes.
constexpr seat_map_version since_nothing = std::numeric_limits<seat_map_version>::max();

std::uint64_t boards_version(const shows::published& what) {
  std::uint64_t version = 0;
  for (const auto& board : what.boards)
    version += board->version();
  return version;
}

/// Has a board another plan's seats than were seen?
bool seats_moved(const seat_snapshot& seen, const shows::published& what) {
  for (std::size_t b = 0; b < what.boards.size(); ++b)
    if (what.boards[b]->seats() != seen.blocks[b].seats)
      return true;
  return false;
}

} // namespace

seat_map::seat_map(seat_snapshot seats, seat_history history, seat_map_stamp stamp)
    : seats_{std::move(seats)},
      history_{std::move(history)},
      stamp_{stamp},
      whole_{std::make_shared<const representation>(whole_map_json(seats_, stamp_),
                                                    std::to_string(stamp_.version))} {}

std::vector<seat_change> seat_map::changes_since(seat_map_version version) const {
  auto changes = history_.since(version);
  std::erase_if(changes, [this](const seat_change& each) { // it changed back
    return seats_.blocks[each.block].states[each.index] == each.before;
  });
  return changes;
}

std::shared_ptr<const representation> seat_map::since(seat_map_version version) const {
  if (!knows(version))
    return whole_;
  return changes_.get(version, [&] {
    return std::make_shared<const representation>(
        changed_map_json(seats_, stamp_, version, changes_since(version)),
        std::to_string(stamp_.version) + "." + std::to_string(version));
  });
}

std::optional<std::uint32_t> seat_map::find_block(std::string_view id) const {
  const auto& blocks = seats_.of->what.plan->blocks;
  const auto found = std::ranges::find(blocks, id, &shows::block::id);
  if (found == blocks.end())
    return std::nullopt;
  return static_cast<std::uint32_t>(found - blocks.begin());
}

std::shared_ptr<const seat_events>
seat_map::events_of(std::uint32_t block, std::optional<seat_map_version> since) const {
  if (!since || !knows(*since))
    return events_.get({since_nothing, block}, [&] {
      return std::make_shared<const seat_events>(whole_block_events(seats_, stamp_, block));
    });
  return events_.get({*since, block}, [&] {
    return std::make_shared<const seat_events>(
        changed_block_events(seats_, stamp_, *since, block, changes_since(*since)));
  });
}

bool show_seat_maps::is_good(const look& last, const std::shared_ptr<const shows::published>& what,
                             time_ms now, duration_ms interval_ms) {
  if (last.of != what)
    return false;
  if (last.boards_version == boards_version(*what))
    return true;
  if (now - last.at >= interval_ms)
    return false;
  // A plan is published a moment before its boards have its seats.
  return now - last.of_since >= interval_ms || !seats_moved(last.map->seats(), *what);
}

std::shared_ptr<const seat_map>
show_seat_maps::of(const std::shared_ptr<const shows::published>& what, time_ms now,
                   duration_ms interval_ms) {
  auto last = std::atomic_load(&last_);
  if (last && is_good(*last, what, now, interval_ms))
    return last->map;
  std::unique_lock building{building_, std::try_to_lock};
  if (!building) {
    if (last && last->of == what && interval_ms > 0)
      return last->map;
    building.lock();
  }
  last = std::atomic_load(&last_); // somebody else may have built it meanwhile
  if (!last || !is_good(*last, what, now, interval_ms)) {
    last = std::make_shared<const look>(walk(last.get(), what, now));
    std::atomic_store(&last_, last);
  }
  return last->map;
}

show_seat_maps::look show_seat_maps::walk(const look* before,
                                          std::shared_ptr<const shows::published> what,
                                          time_ms now) {
  ++builds_;
  look made;
  made.of = what;
  made.boards_version = boards_version(*what); // before the seats, which are at least as new
  made.at = now;
  made.of_since = before != nullptr && before->of == what ? before->of_since : now;
  auto seats = take_snapshot(std::move(what));
  seat_map_stamp stamp{static_cast<seat_map_version>(now), now};
  seat_history history;
  if (before != nullptr) {
    const auto& old = *before->map;
    stamp.version = std::max(stamp.version, old.version() + 1);
    if (same_seats(old.seats(), seats)) {
      auto changes = changes_between(old.seats(), seats);
      if (changes.empty()) {
        made.map = before->map;
        return made;
      }
      history = old.history();
      history.add(old.version(), std::move(changes));
    }
  }
  made.map = std::make_shared<const seat_map>(std::move(seats), std::move(history), stamp);
  return made;
}

std::shared_ptr<const seat_map> seat_maps::of(const shows::show_entry& show, time_ms now) {
  const auto what = show.now();
  if (!what->what.plan)
    return nullptr;
  return maps_of(show.number).of(what, now, interval_ms_);
}

std::uint64_t seat_maps::builds(const shows::show_entry& show) {
  return maps_of(show.number).builds();
}

show_seat_maps& seat_maps::maps_of(show_number show) {
  {
    const std::shared_lock lock{mutex_};
    if (const auto found = shows_.find(show); found != shows_.end())
      return *found->second;
  }
  const std::unique_lock lock{mutex_};
  auto& its = shows_[show];
  if (!its)
    its = std::make_unique<show_seat_maps>();
  return *its;
}

} // namespace usher::http
