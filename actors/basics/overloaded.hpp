#pragma once

namespace usher {

/// std::visit with one lambda per alternative: the compiler checks that none is missing.
template <class... Cases>
struct overloaded : Cases... {
  using Cases::operator()...;
};

} // namespace usher
