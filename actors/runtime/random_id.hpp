#pragma once

#include <openssl/rand.h>

#include <stdexcept>

namespace usher::runtime {

/// An id that nobody can guess: 128 bits from the system's source of randomness.
template <class Id>
[[nodiscard]] Id random_id() {
  Id made;
  if (RAND_bytes(made.bytes.data(), static_cast<int>(made.bytes.size())) != 1)
    throw std::runtime_error{"OpenSSL gives no randomness"};
  return made;
}

} // namespace usher::runtime
