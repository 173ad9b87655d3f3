#pragma once

#include "bench/load/answer_checks.hpp"
#include "bench/load/schedule.hpp"
#include "bench/load/world.hpp"

#include <cstdint>
#include <optional>
#include <random>

namespace usher::load {

enum class wish : std::uint8_t {
  own,     ///< a seat that nobody else wants
  random,  ///< any seat
  popular, ///< all the same seat
};

struct rushing_plan {
  load::wish wish = load::wish::random;
  std::optional<schedule::options> arrivals{}; ///< none: as fast as they are answered
  time_ns begin = 0;                           ///< of the schedule
  std::uint64_t seed = 1;
};

/// Fans who are let in already: each asks once to hold one seat by its name.
class rushing final : public driver {
public:
  /// `in` and `of` outlive this.
  rushing(world& in, worker& of, const rushing_plan& plan);

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
  rushing_plan plan_;
  std::optional<schedule> arrivals_;
  std::mt19937_64 random_;
  std::uint32_t next_ = 0;
};

} // namespace usher::load
