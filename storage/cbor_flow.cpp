#include "storage/cbor_flow.hpp"

namespace usher::storage {

cbor_writer& cbor_writer::head(cbor_major which, std::uint64_t argument) {
  constexpr std::uint64_t argument_of_1 = 24; // then of 2, 4 and 8 bytes
  const auto first = static_cast<unsigned>(which) << 5U;
  if (argument < argument_of_1) {
    to_.push_back(static_cast<char>(first | static_cast<unsigned>(argument)));
    return *this;
  }
  unsigned power = 0; // the argument takes 2^power bytes
  while (power < 3 && argument >> (8U << power) != 0)
    ++power;
  to_.push_back(static_cast<char>(first | (static_cast<unsigned>(argument_of_1) + power)));
  for (auto bits = 8U << power; bits > 0; bits -= 8)
    to_.push_back(static_cast<char>(argument >> (bits - 8)));
  return *this;
}

} // namespace usher::storage
