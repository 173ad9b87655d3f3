#pragma once

#include <string>

namespace usher::simulation {

/// An invariant does not hold. Thrown by whoever looks, never inside an actor.
struct violation {
  std::string invariant; ///< its permanent name: `one-owner-per-seat`
  std::string sentence;
};

inline void demand(bool holds, const char* invariant, const std::string& sentence) {
  if (!holds)
    throw violation{invariant, sentence};
}

/// The sentence is only made if it is needed.
template <class Sentence>
requires requires(Sentence say) {
  std::string{say()};
}
void demand(bool holds, const char* invariant, Sentence say) {
  if (!holds)
    throw violation{invariant, say()};
}

} // namespace usher::simulation
