#pragma once

#include "actors/waiting_room/rules.hpp"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <optional>
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

/// One who wants a place: numbers name the customer, the key and the code; 0 is none.
inline command::joiner a_fan(std::uint64_t customer, std::uint64_t key = 0, std::uint64_t code = 0,
                             std::optional<slot_t> before = std::nullopt) {
  return {7, who(customer), who(key), who(code), before};
}

struct admitted_at {
  time_ms at = 0;
  std::uint64_t fans = 0;
};
using record = std::vector<admitted_at>;

/// In any window of w seconds at most rate * (w + one tick) + 1 were admitted: all windows are
/// tried. In billionths of a fan, exactly: the numbers of these tests stay far below 2^64.
inline bool keeps_the_promise(const record& happened, const settings& set) {
  for (std::size_t first = 0; first < happened.size(); ++first) {
    std::uint64_t fans = 0;
    for (auto last = first; last < happened.size(); ++last) {
      fans += happened[last].fans;
      const auto window_ms =
          static_cast<std::uint64_t>(happened[last].at - happened[first].at + set.tick_ms);
      if (fans * 1'000'000'000 > set.admit_per_second_micro * window_ms + 1'000'000'000)
        return false;
    }
  }
  return true;
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
