#pragma once

#include "actors/basics/ids.hpp"
#include "actors/basics/time.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

// Which shows there are. Subject in the log: `shows`.
namespace usher::shows {

struct point {
  double x = 0;
  double y = 0;
  bool operator==(const point&) const = default;
};

struct category {
  std::string id;
  std::string name;
  std::int64_t price_minor = 0;
  bool operator==(const category&) const = default;
};

struct planned_seat {
  seat_id id;
  std::optional<point> at; ///< in plan units; none where the plan gives no coordinates
  bool accessible = false;
  bool operator==(const planned_seat&) const = default;
};

struct row {
  std::string id;
  std::vector<planned_seat> seats;
  bool operator==(const row&) const = default;
};

/// Either rows of seats, or an area of general admission: so many places that have no names of
/// their own for fans.
struct block {
  block_id id;
  std::string category; ///< a category's id
  std::vector<row> rows;
  std::uint32_t capacity = 0; ///< of an area; 0: it has rows
  bool operator==(const block&) const = default;
};

/// A seating plan. Seat ids are unique in the show.
struct plan {
  std::optional<point> focal_point;
  std::vector<category> categories;
  std::vector<block> blocks;
  bool operator==(const plan&) const = default;
};

struct hold_settings {
  duration_ms ttl_ms = 300'000;
  duration_ms payment_window_ms = 240'000; ///< shorter than ttl_ms
  std::uint32_t max_seats = 4;             ///< over all holds and orders of one admission
  /// Over all places, holds and orders of one customer; none: no limit.
  std::optional<std::uint32_t> max_seats_per_customer{};
  duration_ms max_life_ms = 600'000; ///< however often a hold is extended; at least ttl_ms
  bool avoid_orphans = true;         ///< best seats leave no single seat behind where they can
  bool operator==(const hold_settings&) const = default;
};

struct description {
  std::string title;
  std::string starts_at;           ///< RFC 3339 as the operator gave it, or empty
  std::string currency;            ///< ISO 4217
  std::optional<shows::plan> plan; ///< none: the inventory is kept elsewhere
  hold_settings holds;
  std::string admitted_url; ///< where admitted fans go, or empty
  bool operator==(const description&) const = default;
};

namespace event {

struct show_created {
  show_number number = 0;
  show_id id;
  description what;
  bool operator==(const show_created&) const = default;
};

/// The description as it is from now on (whole, not a difference).
struct show_changed {
  show_number number = 0;
  description what;
  bool operator==(const show_changed&) const = default;
};

} // namespace event

using any_event = std::variant<event::show_created, event::show_changed>;

} // namespace usher::shows
