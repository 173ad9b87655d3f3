#pragma once

#include <cstdio>
#include <cstdlib>

namespace usher {

/// An assert that stays in the shipped program: where this does not hold, the state or the log is
/// wrong already, and going on could sell a seat twice. Says what and stops the process.
inline void bug_unless(bool holds, const char* what) {
  if (holds)
    return;
  std::fprintf(stderr, "bug: %s\n", what);
  std::abort();
}

} // namespace usher
