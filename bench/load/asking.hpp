#pragma once

#include "bench/load/in_turn.hpp"

#include <cstdint>
#include <optional>

namespace usher::load {

struct asking_plan {
  bool each_once = false; ///< every fan who waits, in the order of their joins; or fans at random
  turns_plan turns{};
  std::optional<time_ns> until{}; ///< for fans at random
};

/// Fans who wait ask where they stand. Those who are asked each once are told as place checks.
class asking final : public in_turn {
public:
  /// `in` and `of` outlive this.
  asking(world& in, worker& of, const asking_plan& plan);

  void write(task& what, std::string& to) override;
  void answered(const task& what, const answer& got, time_ns sent, time_ns now) override;
  [[nodiscard]] bool over(time_ns now) const override;

private:
  std::optional<task> next_fan(time_ns due) override;

  asking_plan plan_;
  std::uint32_t next_ = 0;
};

/// The answer to a poll: checks it, counts it, and notes what it says.
[[nodiscard]] outcome take_poll(world& in, worker& of, const task& what, const answer& got,
                                time_ns now);

} // namespace usher::load
