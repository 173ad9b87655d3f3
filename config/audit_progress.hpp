#pragma once

#include "storage/record.hpp"

#include <unistd.h>

#include <chrono>
#include <iostream>

namespace usher::config {

/// Tells a person at a terminal how far it is, from the third second on.
class progress {
public:
  progress(storage::position_t end, bool wanted) : end_{end}, shows_{wanted && isatty(2) == 1} {}
  ~progress() {
    if (shown_)
      std::cerr << "\r\x1b[K" << std::flush;
  }
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  void reached(storage::position_t position) {
    constexpr storage::position_t look_every = 4096;
    if (!shows_ || position % look_every != 0)
      return;
    const auto now = std::chrono::steady_clock::now();
    if (now < next_)
      return;
    next_ = now + std::chrono::milliseconds{200};
    shown_ = true;
    std::cerr << "\r" << position << " of " << end_ << " records (" << position * 100 / end_
              << " %)" << std::flush;
  }

private:
  storage::position_t end_;
  bool shows_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point next_ =
      std::chrono::steady_clock::now() + std::chrono::seconds{2};
};

} // namespace usher::config
