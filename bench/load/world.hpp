#pragma once

#include "bench/load/engine.hpp"
#include "bench/load/fans.hpp"
#include "bench/load/places.hpp"
#include "bench/load/requests.hpp"
#include "bench/load/seat_ledger.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace usher::load {

/// What all threads of a run share.
struct world {
  world(std::string_view host, std::string show_id, seat_number seats)
      : show{std::move(show_id)}, write{host, show}, ledger{seats} {}

  std::string show;
  requests write;
  seat_ledger ledger;
  turnstile gate;
};

/// One thread of a run: its fans, and the engine that makes their requests.
struct worker {
  worker(const target& to, const engine::options& with, run_clock clock, progress_board& board,
         std::uint32_t its_index, std::uint32_t all)
      : runs{to, with, clock, board, its_index}, index{its_index}, threads{all} {}

  engine runs;
  fan_table fans;
  std::uint32_t index;
  std::uint32_t threads;

  /// Of one of its fans, in the whole run.
  [[nodiscard]] std::uint32_t number_of(std::uint32_t fan) const { return fan * threads + index; }
  /// How many of so many things are this thread's.
  [[nodiscard]] std::uint32_t share_of(std::uint32_t all) const {
    return all / threads + (index < all % threads ? 1 : 0);
  }
};

} // namespace usher::load
