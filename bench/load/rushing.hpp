#pragma once

#include "bench/load/in_turn.hpp"

#include <cstdint>
#include <optional>

namespace usher::load {

enum class wish : std::uint8_t {
  own,     ///< a seat that nobody else wants
  random,  ///< any seat
  popular, ///< all the same seat
};

struct rushing_plan {
  load::wish wish = load::wish::random;
  turns_plan turns{};
};

/// Fans who are let in already: each asks once to hold one seat by its name.
class rushing final : public in_turn {
public:
  /// `in` and `of` outlive this.
  rushing(world& in, worker& of, const rushing_plan& plan);

  void write(task& what, std::string& to) override;
  void answered(const task& what, const answer& got, time_ns sent, time_ns now) override;
  [[nodiscard]] bool over(time_ns now) const override;

private:
  std::optional<task> next_fan(time_ns due) override;

  rushing_plan plan_;
  std::uint32_t next_ = 0;
};

} // namespace usher::load
