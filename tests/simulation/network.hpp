#pragma once

#include "actors/basics/time.hpp"
#include "tests/simulation/theatre.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace usher::simulation {

/// What is on its way to the process, or back from a gateway. What has arrived is handed over in
/// any order.
class network {
public:
  network(const hardware& machine, testing::random_source& random)
      : machine_{&machine}, random_{&random} {}

  void send(std::string what, duration_ms delay, std::function<void()> deliver) {
    under_way_.push_back({machine_->monotonic_ms + delay, std::move(what), std::move(deliver)});
  }

  [[nodiscard]] bool is_empty() const { return under_way_.empty(); }
  [[nodiscard]] bool has_arrived() const {
    return std::ranges::any_of(under_way_, [&](const packet& one) { return is_due(one); });
  }

  /// One of those that have arrived; says which, or nothing if none has.
  std::string deliver_one(bool in_order) {
    std::vector<std::size_t> due;
    for (std::size_t i = 0; i < under_way_.size(); ++i)
      if (is_due(under_way_[i]))
        due.push_back(i);
    if (due.empty())
      return {};
    const auto picked =
        static_cast<std::ptrdiff_t>(in_order ? due.front() : due[random_->below(due.size())]);
    auto one = std::move(under_way_[static_cast<std::size_t>(picked)]);
    under_way_.erase(under_way_.begin() + picked);
    one.deliver();
    return one.what;
  }

private:
  struct packet {
    time_ms due = 0;
    std::string what;
    std::function<void()> deliver;
  };
  [[nodiscard]] bool is_due(const packet& one) const { return one.due <= machine_->monotonic_ms; }

  const hardware* machine_;
  testing::random_source* random_;
  std::vector<packet> under_way_;
};

} // namespace usher::simulation
