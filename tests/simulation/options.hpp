#pragma once

#include "actors/basics/time.hpp"
#include "tests/actors/random_source.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace usher::simulation {

using testing::random_source;

/// In ten thousand.
using chance = std::uint32_t;

enum class opening : std::uint8_t { at_once, standby, scheduled, off };

/// What one world is like: all of it drawn from the seed, before anything happens.
struct options {
  std::uint64_t seed = 0;
  std::size_t steps = 0; ///< of clients and staff

  // The sale.
  std::vector<std::size_t> block_seats; ///< blocks A, B, …
  std::uint32_t area = 0;               ///< places of the area `floor`; 0: there is none
  bool second_show = false;
  std::size_t fans = 0;
  bool many_payments = false; ///< without a show: gateways have much to do
  duration_ms hold_ttl_ms = 0;
  duration_ms hold_life_ms = 0;
  duration_ms payment_window_ms = 0;
  duration_ms payment_limit_ms = 0;
  std::uint32_t seats_max = 0;

  // The room.
  opening opens = opening::at_once;
  std::optional<std::uint32_t> active_max;
  std::optional<std::uint32_t> per_tick_max;
  std::uint64_t rate_micro = 0;
  duration_ms tick_ms = 0;
  duration_ms admission_ttl_ms = 0;
  duration_ms absent_after_ms = 0;
  duration_ms claim_ttl_ms = 0;
  std::optional<duration_ms> reentry_grace_ms;
  std::optional<duration_ms> idle_timeout_ms;
  bool fixed_length = false;
  bool tiers = false;

  // What goes wrong.
  chance crash = 0;        ///< per step of the scheduler
  chance actor_throws = 0; ///< likewise: whoever looks at the clock next
  chance append_fails = 0; ///< per step of a client
  chance power_in_append = 0;
  chance journal_slow = 0;
  chance reply_lost = 0;
  chance duplicate = 0;
  chance gateway_fault = 0; ///< per call
  chance gateway_declines = 0;
  chance gateway_slow = 0;
  chance webhook = 0;     ///< per charge
  chance wall_jump = 0;   ///< per restart
  bool in_order = false;  ///< messages are handled in the order in which they were sent
  bool impatient = false; ///< time passes while calls are under way
  std::size_t haste = 0;  ///< most steps of the scheduler between two of the clients
};

[[nodiscard]] options draw_options(std::uint64_t seed, std::optional<std::size_t> steps,
                                   random_source& random);

[[nodiscard]] std::string describe(const options& drawn);

} // namespace usher::simulation
