#pragma once

#include "bench/load/answer_checks.hpp"
#include "bench/load/schedule.hpp"
#include "bench/load/world.hpp"

#include <cstdint>
#include <optional>
#include <random>

namespace usher::load {

struct joining_plan {
  std::uint32_t fans = 0;                      ///< of this thread; no more than these
  std::optional<schedule::options> arrivals{}; ///< none: as fast as they are answered
  time_ns begin = 0;                           ///< of the schedule
  std::optional<time_ns> until{};              ///< nobody comes after that
  bool reads_page = false;                     ///< before joining
  bool comes_again = true;                     ///< when shed, after the time that was said
  std::uint64_t seed = 1;
};

/// New fans come and join. What they do then is for those who inherit.
class joining : public driver {
public:
  /// `in` and `of` outlive this.
  joining(world& in, worker& of, const joining_plan& plan);

  std::optional<task> next_arrival() override;
  std::optional<task> next_at_once() override;
  void write(task& what, std::string& to) override;
  void answered(const task& what, const answer& got, time_ns sent, time_ns now) override;
  void lost(const task& what, std::string_view why, time_ns now) override;
  [[nodiscard]] bool over(time_ns now) const override;

protected:
  /// `who` has a place. The texts in `told` are part of the answer.
  virtual void joined(std::uint32_t who, const ticket_told& told, time_ns now);
  /// `who` gets no place, and asks no more.
  virtual void stayed_outside(std::uint32_t who);

  /// The same once more, when the answer says (now, if it does not); up to a second later, so that
  /// not all come at once.
  void come_again(const task& what, const answer& got, time_ns now);
  /// Everybody who was to come has come, and has a place or never will.
  [[nodiscard]] bool all_came(time_ns now) const;
  [[nodiscard]] double chance();

  world& in_;
  worker& of_;

private:
  [[nodiscard]] task new_fan(time_ns due);
  void on_page(const task& what, const answer& got, time_ns now);
  void on_join(const task& what, const answer& got, time_ns sent, time_ns now);

  joining_plan plan_;
  std::optional<schedule> arrivals_;
  std::mt19937_64 random_;
  std::uint32_t came_ = 0;
  std::uint32_t settled_ = 0;
};

} // namespace usher::load
