#pragma once

#include "bench/load/hall.hpp"
#include "bench/load/time.hpp"

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace usher::load {

/// Who was told to have which seat, over all fans and threads: finds a seat that two were given.
/// Thread-safe.
class seat_ledger {
public:
  using fan_number = std::uint32_t;

  /// Of one seat, as far as the fans were told.
  struct standing {
    bool sold = false;
    bool taken = false; ///< sold, or held and not lost by the clock
    bool given = false; ///< to somebody, at any time
  };

  explicit seat_ledger(seat_number seats) : seats_(seats) {}

  /// A hold was answered. `until` is when it ends at the earliest, as far as the fan can know.
  /// Nothing, or what is wrong with it.
  [[nodiscard]] std::optional<std::string> hold(fan_number fan, std::span<const seat_number> which,
                                                time_ns now, time_ns until);
  /// A payment was answered with PAID. Nothing, or what is wrong with it.
  [[nodiscard]] std::optional<std::string> sell(fan_number fan, std::span<const seat_number> which);

  /// A hold of this seat alone was refused, because somebody else has it.
  void refuse(seat_number seat);

  [[nodiscard]] seat_number sold() const;
  /// Those that somebody was given and has not lost by the clock, sold ones included.
  [[nodiscard]] seat_number taken(time_ns now) const;
  /// Those that were refused, although nobody was ever given them.
  [[nodiscard]] seat_number refused_for_nobody() const;
  [[nodiscard]] standing of(seat_number seat, time_ns now) const;
  [[nodiscard]] seat_number size() const { return static_cast<seat_number>(seats_.size()); }

private:
  struct entry {
    fan_number owner = 0;
    bool sold = false;
    bool refused = false;
    time_ns held_until = 0;
  };

  mutable std::mutex lock_;
  std::vector<entry> seats_;
  seat_number sold_ = 0;
};

} // namespace usher::load
