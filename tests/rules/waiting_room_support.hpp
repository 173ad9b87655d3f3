#pragma once

#include "actors/waiting_room/rules.hpp"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <random>
#include <string>
#include <utility>
#include <vector>

// What the tests of the waiting room share: short names for events, and seeds.
namespace usher::waiting_room::test {

using events = std::vector<any_event>;
using slots = std::vector<slot_t>;

inline identity who(std::uint64_t number) {
  identity made;
  std::memcpy(made.bytes.data(), &number, sizeof number);
  return made;
}

/// n anonymous fans; the nonce of a slot is 1000 + slot.
inline event::fans_joined fans(slot_t first, slot_t n) {
  event::fans_joined made{first, {}, {}, {}};
  for (slot_t fan = 0; fan < n; ++fan)
    made.nonces.push_back(1000 + first + fan);
  return made;
}

inline any_event admitted(slots who_is, time_ms until, std::uint64_t credit_left_micro = 0) {
  return event::fans_admitted{std::move(who_is), until, credit_left_micro};
}

inline any_event ended(end_reason reason, slots who_is) {
  return event::tickets_ended{reason, std::move(who_is)};
}

inline any_event kept(slot_t slot, time_ms busy_until, bool spent) {
  return event::admission_kept{slot, busy_until, spent};
}

/// Prints the seed, so that a failure can be had again with USHER_SEED=<seed>.
inline std::uint64_t seed() {
  const auto* const given = std::getenv("USHER_SEED");
  const auto chosen =
      given != nullptr ? std::strtoull(given, nullptr, 10) : std::uint64_t{std::random_device{}()};
  std::cout << "USHER_SEED=" << chosen << '\n';
  return chosen;
}

/// From and including low, up to and including high.
template <class Number>
Number any_of(std::mt19937_64& dice, Number low, Number high) {
  return std::uniform_int_distribution<Number>{low, high}(dice);
}

} // namespace usher::waiting_room::test
