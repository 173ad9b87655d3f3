#pragma once

#include "actors/basics/ids.hpp"

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>

namespace usher::testing {

/// USHER_SEED from the environment, or always the same.
[[nodiscard]] inline std::uint64_t seed_of_run() {
  const char* given = std::getenv("USHER_SEED");
  return given == nullptr ? 20'260'730 : std::stoull(given);
}

/// The one source of chance of a test: same seed, same run.
class random_source {
public:
  explicit random_source(std::uint64_t seed) : engine_{seed} {}

  /// 0 … n-1. Not std::uniform_int_distribution: that differs between standard libraries.
  [[nodiscard]] std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine_() % n); }
  [[nodiscard]] bool one_in(std::size_t n) { return below(n) == 0; }
  [[nodiscard]] std::uint64_t bits() { return engine_(); }

  template <class Id>
  [[nodiscard]] Id id() {
    Id fresh;
    for (auto& byte : fresh.bytes)
      byte = static_cast<std::uint8_t>(engine_());
    return fresh;
  }

private:
  std::mt19937_64 engine_;
};

} // namespace usher::testing
