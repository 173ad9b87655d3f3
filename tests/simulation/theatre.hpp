#pragma once

#include "actors/runtime/clock.hpp"
#include "tests/actors/random_source.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scheduler/test_coordinator.hpp>

#include <cstdint>
#include <string>

// The machine that the simulated process runs on: who acts next, what time it is, where chance
// comes from, and what happens when the process ends.
namespace usher::simulation {

/// The hardware clocks: they go on whatever process runs.
struct hardware {
  time_ms monotonic_ms = 0;
  time_ms wall_offset_ms = 1'800'000'000'000; ///< jumps
  [[nodiscard]] time_ms wall_ms() const { return monotonic_ms + wall_offset_ms; }
};

/// As process_clock, of one life of the process: wall time at the start, then the monotonic clock,
/// never behind the log. Can be made to throw at whoever asks next while `throws` is set.
class life_clock final : public usher::clock {
public:
  life_clock(const hardware& machine, time_ms not_before)
      : machine_{&machine},
        started_{machine.monotonic_ms},
        base_{std::max(machine.wall_ms(), not_before)} {}

  [[nodiscard]] time_ms now() const override;
  [[nodiscard]] time_ms read() const { return base_ + machine_->monotonic_ms - started_; }

  mutable bool throws = false;

private:
  const hardware* machine_;
  time_ms started_;
  time_ms base_;
};

/// CAF under its test scheduler. One for all worlds of a process, one world at a time.
class theatre {
public:
  theatre();
  theatre(const theatre&) = delete;
  theatre& operator=(const theatre&) = delete;

  [[nodiscard]] caf::actor_system& system() { return system_; }

  /// One message of one actor, which `random` picks, or the first in line. False: nobody has
  /// anything to do.
  bool step(testing::random_source& random, bool in_order);
  /// Is anybody but the frozen actor to act?
  [[nodiscard]] bool is_quiet() const;

  /// A frozen actor handles nothing.
  void freeze(const caf::abstract_actor* who) { frozen_ = who; }
  void thaw() { frozen_ = nullptr; }
  [[nodiscard]] bool is_frozen() const { return frozen_ != nullptr; }

  /// Timers that are due ring; who was rung for has not acted yet.
  void advance(duration_ms time);
  /// Everybody acts, and what was to ring rings, until nothing is left of a world that is over.
  void clear(testing::random_source& random);

private:
  struct config : caf::actor_system_config {
    config();
  };
  [[nodiscard]] bool is_frozen(const caf::resumable* job) const;

  config config_;
  caf::actor_system system_{config_};
  caf::scheduler::test_coordinator& scheduler_;
  const caf::abstract_actor* frozen_ = nullptr;
};

/// Which actor ended the process since this was asked last, and why; empty: none.
[[nodiscard]] std::string take_process_end();

/// OpenSSL's randomness comes from this seed from now on, in the whole process.
void seed_openssl(std::uint64_t seed);

} // namespace usher::simulation
