#pragma once

#include "bench/load/crowd.hpp"
#include "bench/load/scenario.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace usher::load {

/// A scenario while it is played: what all of them need.
class stage_play {
public:
  /// `to` and `staff` outlive this.
  stage_play(const scenario& of, const scenario_settings& with, const std::string& name,
             const target& to, const staff_call& call, team::watcher watch);

  scenario_settings set;
  world in;
  team people;
  report told;

  // What the seller's staff does.

  /// Makes the show, with a room that keeps everybody who comes and admits so many a second, and
  /// opens it.
  void open(double admits_per_second);
  /// The same; who comes is let in at once.
  void open_to_all();
  /// Nobody more is let in.
  void stop_admitting();
  /// If it was opened. What the server refuses stays as it is.
  void close() const noexcept;

  // Parts that several scenarios have. Each adds its phase to what is told.

  phase& run(std::string name, std::string what, const team::driver_maker& make);
  /// So many new fans, who ask for a place and no more.
  phase& join(std::string what, std::uint32_t fans);
  /// All the fans come and do what the plan says, up to the end, which is checked. Of the plan's
  /// joins only `reads_page` counts: the settings say the rest.
  phase& sell(std::string name, std::string what, const crowd_plan& plan, double seconds_most);

  // Checks of the whole run, when all else is done. Where a sale was cut off, nobody knows what
  // became of the requests that were under way: then places and map are not looked at.

  /// Every fan who waits, if there are any, asks once: are the places those of a queue?
  void check_places();
  /// Does the seat map say what the fans were told?
  void check_map();
  /// Were no more fans let in than the rate allows, from the opening to when admitting stopped?
  void check_pace();
  void check(std::string name, bool held, std::string detail);
  /// `part` is all of `whole`.
  void check_all(std::string name, std::uint64_t part, std::uint64_t whole);
  void figure(std::string name, double value, std::string unit);

  // Plans of a thread's share of what is for all.

  [[nodiscard]] joining_plan joins_of(const worker& one, std::uint32_t fans) const;
  [[nodiscard]] schedule::options spread(const worker& one, double per_second) const;
  [[nodiscard]] time_ns in_seconds(double seconds_from_now) const;

private:
  void make_show(double admits_per_second);
  void call(const char* method, const std::string& of_show, const std::string& body) const;

  const staff_call& staff_;
  bool is_made_ = false;
  bool is_whole_ = true; ///< no sale was cut off
  time_ns opened_ = 0;
  time_ns stopped_ = 0;
};

void play_flash_crowd(stage_play& on);
void play_steady(stage_play& on);
void play_entry(stage_play& on);
void play_journey(stage_play& on);
void play_seat_rush(stage_play& on);
void play_poll_storm(stage_play& on);
void play_overload(stage_play& on);

} // namespace usher::load
