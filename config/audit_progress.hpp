#pragma once

#include "storage/record.hpp"

#include <unistd.h>

#include <chrono>
#include <iostream>

namespace usher::config {

/// Tells a person at a terminal how far it is, from the third second on.
class progress {
public:
  /// `passes`: how often the log is read; positions go on counting.
  progress(storage::position_t end, bool wanted, storage::position_t passes = 1)
      : end_{end * passes}, shows_{wanted && isatty(2) == 1} {}
  ~progress() { end(); }
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  /// What takes long and cannot say how far it is. Stands until the next word.
  void now(const char* what) {
    if (shows_)
      std::cerr << "\r\x1b[K" << what << " …" << std::flush;
    shown_ = shows_;
  }

  void reached(storage::position_t position) {
    constexpr storage::position_t look_every = 4096;
    if (!shows_ || position % look_every != 0)
      return;
    const auto now = std::chrono::steady_clock::now();
    if (now < next_)
      return;
    next_ = now + std::chrono::milliseconds{200};
    shown_ = true;
    std::cerr << "\r\x1b[K" << position << " of " << end_ << " records (" << position * 100 / end_
              << " %)" << std::flush;
  }

  /// Before anything else is written.
  void end() {
    if (shown_)
      std::cerr << "\r\x1b[K" << std::flush;
    shown_ = false;
  }

private:
  storage::position_t end_;
  bool shows_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point next_ =
      std::chrono::steady_clock::now() + std::chrono::seconds{2};
};

} // namespace usher::config
