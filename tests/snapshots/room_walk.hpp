#pragma once

#include "actors/waiting_room/rules.hpp"

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace usher::test {

/// A waiting room in which fans, operators and the clock do whatever the rules allow.
class room_walk {
public:
  explicit room_walk(std::uint64_t seed);

  void go(int steps);

  [[nodiscard]] const std::vector<std::pair<time_ms, waiting_room::any_event>>& happened() const {
    return happened_;
  }

private:
  void step();
  void join();
  void tick();
  void buy();
  void operate();
  void configure();
  void open();
  void schedule();
  void accept(const waiting_room::decision& decided);
  void happen(const std::vector<waiting_room::any_event>& events);

  [[nodiscard]] std::uint64_t below(std::uint64_t bound) { return dice_() % bound; }
  [[nodiscard]] bool one_in(std::uint64_t many) { return below(many) == 0; }
  [[nodiscard]] waiting_room::bytes32 some_bytes();
  [[nodiscard]] hold_id a_hold();
  [[nodiscard]] slot_t some_slot();
  [[nodiscard]] slot_t some_admitted();

  std::mt19937_64 dice_;
  waiting_room::state room_;
  time_ms now_ = 1'800'000'000'000;
  std::uint64_t codes_ = 0;
  std::vector<std::pair<time_ms, waiting_room::any_event>> happened_;
};

} // namespace usher::test
