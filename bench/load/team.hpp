#pragma once

#include "bench/load/driver.hpp"
#include "bench/load/report.hpp"
#include "bench/load/world.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace usher::load {

/// The threads of a run, each with its fans and its connections, from one phase to the next. Used
/// on one thread.
class team {
public:
  struct options {
    std::uint32_t threads = 1;
    std::size_t connections = 1; ///< of all threads, at least one each
    time_ns patience = 30 * second_ns;
  };
  /// Told of how it goes, once a second while a phase runs.
  struct progress {
    std::string_view phase;
    double seconds = 0;  ///< since the phase began
    double interval = 0; ///< since the last time
    live_counts counts;  ///< of the whole run
    histogram recent;    ///< latencies of the interval
  };
  using watcher = std::function<void(const progress&)>;
  using driver_maker = std::function<std::unique_ptr<driver>(worker&)>;

  /// `to` outlives this. Throws std::runtime_error if the system has no more files.
  team(const target& to, const options& with, watcher watch);

  /// Opens connections, then makes one driver for each thread, and lets them go on until all are
  /// over. Throws std::runtime_error if the server is not there any more, or if somebody asked to
  /// stop.
  phase run(std::string name, std::string what, const driver_maker& make);

  [[nodiscard]] time_ns now() const { return clock_.now(); }
  [[nodiscard]] std::uint32_t threads() const { return static_cast<std::uint32_t>(all_.size()); }
  [[nodiscard]] const std::vector<std::unique_ptr<worker>>& all() const { return all_; }
  [[nodiscard]] std::uint64_t count(stage which) const;

private:
  void on_each(const std::string& name, const std::function<void(worker&)>& what);
  void watch_over(const std::string& name, const std::function<bool()>& is_over);

  run_clock clock_;
  progress_board board_;
  std::vector<std::unique_ptr<worker>> all_;
  std::size_t connections_each_;
  watcher watch_;
};

/// Makes the phase that runs end early, as SIGINT does. Async-signal-safe.
void stop_all_runs();

} // namespace usher::load
