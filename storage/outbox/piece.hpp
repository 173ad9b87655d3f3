#pragma once

#include "storage/cloud_event.hpp"
#include "storage/outbox/sink.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// Reading the log for a sink, in pieces that fit into memory.
namespace usher::storage::outbox {

inline constexpr std::size_t piece_events_max = 1'000;
/// Of payloads as they are stored. A single one may be larger.
inline constexpr std::size_t piece_bytes_max = std::size_t{4} * 1024 * 1024;
/// Records that are read for one piece, wanted or not.
inline constexpr std::size_t piece_records_max = 100'000;

/// What a sink wants to have.
struct selection {
  std::vector<std::string> types; ///< without `usher.`; empty: all
  bool personal_data = false;
  opener open{};

  [[nodiscard]] bool wants(std::string_view type) const;
};

struct piece {
  std::vector<delivery> shows; ///< one a show, in the order in which they come first
  position_t last = 0;         ///< everything up to here was looked at
  time_ms first_at = 0;        ///< of the first event; 0: there is none
};

/// Of the events after `after` and up to `end`, where a batch ends, those that are wanted, and of
/// those the ones that `includes` says: by show and position. At most `events_max` of them. The
/// last event that is wanted of a batch carries the batch's end and the chain there, whether or not
/// all of the batch is in the piece.
[[nodiscard]] std::variant<piece, failure>
read_piece(const event_log& log, position_t after, position_t end, const selection& wanted,
           const std::function<bool(std::string_view show, position_t position)>& includes,
           std::size_t events_max = piece_events_max);

} // namespace usher::storage::outbox
