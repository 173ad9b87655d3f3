#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

// Every type of event that may stand in a log. Names are permanent: append rows, never rename or
// remove one. Whoever changes a payload raises the schema here, adds a step to storage/upcast.hpp
// and a golden file to tests/storage/golden, and leaves the old golden files as they are. One more
// name in the list of an enum is no change of the payload: the schema stays.
namespace usher::storage {

/// Whose events; each has its own codec and its own kind of subject.
enum class aggregate : std::uint8_t { waiting_room, seating, orders, shows, access, payments };

struct event_type {
  std::string_view name;
  std::uint32_t schema; ///< the newest; the only one that is written
  aggregate of;
};

inline constexpr std::array event_types{
    event_type{"room_configured", 2, aggregate::waiting_room},
    event_type{"room_opened", 1, aggregate::waiting_room},
    event_type{"room_closed", 1, aggregate::waiting_room},
    event_type{"fans_joined", 2, aggregate::waiting_room},
    event_type{"fan_identified", 2, aggregate::waiting_room},
    event_type{"fans_admitted", 2, aggregate::waiting_room},
    event_type{"admission_kept", 1, aggregate::waiting_room},
    event_type{"tickets_ended", 1, aggregate::waiting_room},
    event_type{"block_planned", 1, aggregate::seating},
    event_type{"seats_held", 2, aggregate::seating},
    event_type{"seats_released", 2, aggregate::seating},
    event_type{"seats_sold", 2, aggregate::seating},
    event_type{"hold_placed", 3, aggregate::orders},
    event_type{"hold_ended", 1, aggregate::orders},
    event_type{"order_placed", 2, aggregate::orders},
    event_type{"payment_started", 2, aggregate::orders},
    event_type{"payment_settled", 2, aggregate::orders},
    event_type{"order_paid", 1, aggregate::orders},
    event_type{"order_refund_due", 1, aggregate::orders},
    event_type{"order_expired", 1, aggregate::orders},
    event_type{"order_cancelled", 2, aggregate::orders},
    event_type{"show_created", 3, aggregate::shows},
    event_type{"show_changed", 3, aggregate::shows},
    event_type{"key_created", 1, aggregate::access},
    event_type{"room_scheduled", 1, aggregate::waiting_room},
    event_type{"room_unscheduled", 1, aggregate::waiting_room},
    event_type{"prequeue_opened", 1, aggregate::waiting_room},
    event_type{"beacon_given", 1, aggregate::waiting_room},
    event_type{"places_drawn", 1, aggregate::waiting_room},
    event_type{"room_put_on_standby", 1, aggregate::waiting_room},
    event_type{"room_paused", 1, aggregate::waiting_room},
    event_type{"room_resumed", 1, aggregate::waiting_room},
    event_type{"stock_changed", 1, aggregate::waiting_room},
    event_type{"fan_promoted", 1, aggregate::waiting_room},
    event_type{"fans_passed_over", 1, aggregate::waiting_room},
    event_type{"fans_returned", 1, aggregate::waiting_room},
    event_type{"fan_reentered", 1, aggregate::waiting_room},
    event_type{"ticket_revoked", 1, aggregate::waiting_room},
    event_type{"codes_added", 1, aggregate::waiting_room},
    event_type{"message_set", 1, aggregate::waiting_room},
    event_type{"wish_set", 1, aggregate::waiting_room},
    event_type{"wish_answered", 1, aggregate::waiting_room},
    event_type{"seats_blocked", 1, aggregate::seating},
    event_type{"seats_unblocked", 1, aggregate::seating},
    event_type{"seats_returned", 1, aggregate::seating},
    event_type{"hold_changed", 1, aggregate::orders},
    event_type{"order_seats_returned", 1, aggregate::orders},
    event_type{"breaker_changed", 1, aggregate::payments},
    event_type{"payment_reported", 1, aggregate::orders},
    event_type{"report_kept", 1, aggregate::orders},
    event_type{"refund_started", 1, aggregate::orders},
    event_type{"refund_tried", 1, aggregate::orders},
    event_type{"refund_settled", 1, aggregate::orders},
    event_type{"tickets_issued", 1, aggregate::orders},
    event_type{"ticket_used", 1, aggregate::orders},
};

/// Rows by a hash of their names, so that one is found with one comparison or two: every event that
/// is read asks for its row. Open addressing; 0 is an empty place, n the row n - 1.
class event_type_index {
public:
  constexpr event_type_index() {
    for (std::size_t row = 0; row < event_types.size(); ++row) {
      auto place = place_of(event_types[row].name);
      while (rows_[place] != 0)
        place = (place + 1) % rows_.size();
      rows_[place] = static_cast<std::uint8_t>(row + 1);
    }
  }

  [[nodiscard]] constexpr const event_type* find(std::string_view name) const {
    for (auto place = place_of(name); rows_[place] != 0; place = (place + 1) % rows_.size())
      if (event_types[rows_[place] - 1U].name == name)
        return &event_types[rows_[place] - 1U];
    return nullptr;
  }

private:
  static constexpr std::size_t places = 256;
  static_assert(event_types.size() < places / 2, "it would get slow, and at last endless");

  static constexpr std::size_t place_of(std::string_view name) {
    std::uint32_t hash = 2'166'136'261; // FNV-1a
    for (const char letter : name)
      hash = (hash ^ static_cast<std::uint8_t>(letter)) * 16'777'619U;
    return (hash ^ hash >> 16U) % places;
  }

  std::array<std::uint8_t, places> rows_{};
};

inline constexpr event_type_index event_types_by_name;

/// The row of this name, or nullptr.
[[nodiscard]] constexpr const event_type* find_event_type(std::string_view name) {
  return event_types_by_name.find(name);
}

} // namespace usher::storage
