#pragma once

#include "storage/record.hpp"

#include <cstdint>
#include <vector>

namespace usher::test {

/// A long random history, as records of a log in their order: two waiting rooms with everything
/// that can happen in one, desks with every kind of sale, payment and refund, blocks, shows, keys
/// and breakers. What the subjects do, their own rules decided; between one another they are not in
/// step, which no fold asks for. The seed alone makes it.
[[nodiscard]] std::vector<storage::record> long_history(std::uint64_t seed, int steps);

/// After all that happened.
[[nodiscard]] time_ms end_of(const std::vector<storage::record>& history);

} // namespace usher::test
