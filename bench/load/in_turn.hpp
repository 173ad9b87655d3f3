#pragma once

#include "bench/load/schedule.hpp"
#include "bench/load/world.hpp"

#include <cstdint>
#include <optional>
#include <random>
#include <string_view>

namespace usher::load {

/// When fans who are there already ask something.
struct turns_plan {
  std::optional<schedule::options> arrivals{}; ///< none: as fast as they are answered
  time_ns begin = 0;                           ///< of the schedule
  std::uint64_t seed = 1;
};

/// Fans who are there already ask, one after the other. What they ask is for those who inherit.
class in_turn : public driver {
public:
  std::optional<task> next_arrival() final;
  std::optional<task> next_at_once() final;
  void lost(const task& what, std::string_view why, time_ns now) final;

protected:
  /// `in` and `of` outlive this.
  in_turn(world& in, worker& of, const turns_plan& when);

  /// The next fan's request; nothing: nobody is left.
  virtual std::optional<task> next_fan(time_ns due) = 0;
  /// The same once more, when the answer says, in a second at the earliest.
  void ask_again(const task& what, const answer& got, time_ns now);

  world& in_;
  worker& of_;
  std::mt19937_64 random_;

private:
  time_ns begin_;
  std::optional<schedule> arrivals_;
};

} // namespace usher::load
