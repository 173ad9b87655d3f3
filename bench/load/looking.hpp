#pragma once

#include "bench/load/driver.hpp"
#include "bench/load/world.hpp"

#include <optional>
#include <string>

namespace usher::load {

/// Somebody of the first thread looks at the seat map, once: does it say what the fans were told?
/// To be played when nobody has held or bought anything for longer than maps are kept.
class looking final : public driver {
public:
  /// `in` and `fault` outlive this. `fault` becomes nothing if all is well.
  looking(const world& in, const worker& of, std::optional<std::string>& fault);

  std::optional<task> next_at_once() override;
  void write(task& what, std::string& to) override;
  void answered(const task& what, const answer& got, time_ns sent, time_ns now) override;
  void lost(const task& what, std::string_view why, time_ns now) override;
  [[nodiscard]] bool over(time_ns /*now*/) const override { return is_over_; }

private:
  const world& in_;
  std::optional<std::string>& fault_;
  bool is_asked_ = false;
  bool is_over_;
};

} // namespace usher::load
