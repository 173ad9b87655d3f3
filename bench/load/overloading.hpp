#pragma once

#include "bench/load/joining.hpp"

#include <optional>

namespace usher::load {

struct overloading_plan {
  joining_plan joins; ///< with arrivals and an end; those who are shed do not come again
  std::optional<schedule::options> polls{}; ///< of fans who wait, at random; none: none
  std::optional<time_ns> until{};           ///< of the polls
};

/// More joins than the server can take, and beside them polls of those who have a place. Ends when
/// the last of them has been answered.
class overloading final : public joining {
public:
  overloading(world& in, worker& of, const overloading_plan& plan);

  std::optional<task> next_arrival() override;
  void write(task& what, std::string& to) override;
  void answered(const task& what, const answer& got, time_ns sent, time_ns now) override;
  void lost(const task& what, std::string_view why, time_ns now) override;
  [[nodiscard]] bool over(time_ns now) const override;

private:
  std::optional<task> next_poll();

  overloading_plan plan_;
  std::optional<schedule> polls_;
  std::optional<task> join_; ///< the next of either kind
  std::optional<task> poll_;
  bool begun_ = false;
};

} // namespace usher::load
