#pragma once

#include "bench/load/schedule.hpp"
#include "bench/load/world.hpp"

#include <cstdint>
#include <optional>
#include <random>

namespace usher::load {

struct asking_plan {
  bool each_once = false; ///< every fan who waits, in the order of their joins; or fans at random
  std::optional<schedule::options> arrivals{}; ///< none: as fast as they are answered
  time_ns begin = 0;                           ///< of the schedule
  std::optional<time_ns> until{};              ///< for fans at random
  std::uint64_t seed = 1;
};

/// Fans who wait ask where they stand. Those who are asked each once are told as place checks.
class asking final : public driver {
public:
  /// `in` and `of` outlive this.
  asking(world& in, worker& of, const asking_plan& plan);

  std::optional<task> next_arrival() override;
  std::optional<task> next_at_once() override;
  void write(task& what, std::string& to) override;
  void answered(const task& what, const answer& got, time_ns sent, time_ns now) override;
  void lost(const task& what, std::string_view why, time_ns now) override;
  [[nodiscard]] bool over(time_ns now) const override;

private:
  std::optional<task> next_fan(time_ns due);

  world& in_;
  worker& of_;
  asking_plan plan_;
  std::optional<schedule> arrivals_;
  std::mt19937_64 random_;
  std::uint32_t next_ = 0; ///< in turn
};

/// The answer to a poll: checks it, counts it, and notes what it says.
[[nodiscard]] outcome take_poll(world& in, worker& of, const task& what, const answer& got,
                                time_ns now);

} // namespace usher::load
