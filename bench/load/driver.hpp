#pragma once

#include "bench/load/answer_reader.hpp"
#include "bench/load/task.hpp"
#include "bench/load/time.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace usher::load {

/// What fans do in one phase of a run: which requests are made when, and what their answers lead
/// to. One for each thread, called by its engine on that thread only.
class driver {
public:
  virtual ~driver() = default;
  driver() = default;
  driver(driver&&) = delete;
  driver& operator=(driver&&) = delete;

  /// The next of those whose times are fixed beforehand, in the order of their times.
  virtual std::optional<task> next_arrival() { return std::nullopt; }

  /// The next of those that have no time of their own: sent as soon as fewer than `at_once_max` of
  /// them are under way. Nothing: none now.
  virtual std::optional<task> next_at_once() { return std::nullopt; }

  /// The bytes of a request that is being sent now. May leave a note in the task.
  virtual void write(task& what, std::string& to) = 0;

  /// Its answer. `sent` is when it was sent indeed, `now` when the answer was there.
  virtual void answered(const task& what, const answer& got, time_ns sent, time_ns now) = 0;

  /// There was no answer, or none that can be read; `why` is a few words.
  virtual void lost(const task& what, std::string_view why, time_ns now) = 0;

  /// Is there nothing more to do? Asked often.
  [[nodiscard]] virtual bool over(time_ns now) const = 0;
};

} // namespace usher::load
