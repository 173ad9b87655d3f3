#pragma once

#include "storage/audit/reader.hpp"
#include "storage/record.hpp"

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

// One opening of a waiting room as its fans lived it: when each came and where they stood, and what
// they did once they were in. For telling how it would have gone under other settings.
namespace usher::storage::audit {

inline constexpr time_ms never = std::numeric_limits<time_ms>::max();

/// A hold, or an order of a show without a plan. Counted from the admission.
struct want {
  duration_ms after = 0;
  duration_ms lasts = 0; ///< until its seats were sold, or free again
  std::uint32_t seats = 0;
  bool sold = false;
};

/// One admission.
struct visit {
  time_ms since = 0;
  duration_ms stay = 0;
  /// The admission's own time ended it, or the log did: under other settings it lasts as long as
  /// those say.
  bool to_the_end = true;
  bool cut_off = true;  ///< the log or the opening ended first: nobody knows how it went on
  duration_ms kept = 0; ///< holds and orders kept it so long
  std::optional<duration_ms> again_after{}; ///< from its end to when the fan waited again
  std::vector<want> wants{};
};

/// Nobody heard of the fan from `from` until `until`.
struct silence {
  time_ms from = 0;
  time_ms until = never;
};

/// Somebody stands in a line. In order of the line; a promoted fan has an entry in two.
struct line_entry {
  slot_t fan = 0; ///< counted from the first of the opening
  time_ms from = 0;
  time_ms until = never; ///< left, merged, revoked or promoted
};

struct crowd_fan {
  time_ms came = 0;
  time_ms admitted = 0; ///< for the first time; 0: never
  std::uint32_t index = 0;
  std::uint8_t tier = 0;
};

/// What operators did with the room.
struct room_phase {
  time_ms at = 0;
  bool admits = false;
  bool standby = false;
};

/// By minutes of the opening.
using by_minute = std::vector<std::uint64_t>;

struct crowd {
  bool was_opened = false;
  time_ms opened_at = 0;
  time_ms last_at = 0; ///< the last event, or when the room was closed
  std::vector<crowd_fan> fans;
  std::vector<std::vector<line_entry>> lines; ///< by tier, the general one last
  std::unordered_map<slot_t, std::vector<visit>> visits;
  std::unordered_map<slot_t, std::vector<silence>> silences;
  std::vector<std::pair<time_ms, waiting_room::settings>> settings; ///< from when on
  std::vector<room_phase> phases;
  bool has_seats = false; ///< the show has a plan
  std::int64_t seats = 0; ///< that can be sold as the opening begins
  /// Seats that came and went otherwise than by fans of this opening: box office, operators, plans,
  /// returns.
  std::vector<std::pair<time_ms, std::int64_t>> outside;

  // as it really went
  std::uint64_t active_most = 0;
  std::optional<time_ms> sold_out_at;
  std::uint64_t sold = 0;
  by_minute sold_by_minute;

  [[nodiscard]] std::size_t minute_of(time_ms at) const {
    return at <= opened_at ? 0 : static_cast<std::size_t>((at - opened_at) / 60'000);
  }
};

/// Counts one more in its minute.
void count_in(by_minute& minutes, std::size_t minute, std::uint64_t more);

/// Folds the events of one show, in order. Keeps the last opening that somebody came to: two
/// small structs a fan, and a list of visits for each who was admitted.
class crowd_reader {
public:
  crowd_reader();

  void take(const stored_record& record, const place& where, const any_fact& what);
  /// After the last event. None: nobody ever came to an opening of this room.
  [[nodiscard]] std::optional<crowd> finish() &&;

private:
  /// Where seats of a hold are counted, or an order of a show without a plan.
  struct tracked {
    std::optional<slot_t> fan{}; ///< none: nobody of this opening
    std::size_t visit = 0;
    std::size_t want = 0;
    time_ms placed_at = 0;
    time_ms until = 0;
    std::int64_t seats = 0;
    bool takes = true; ///< it has its seats now
  };

  void take(const waiting_room::any_event& happened);
  void take(const seating::any_event& happened, const block_id& where);
  void take(const orders::any_event& happened);

  void joined(const waiting_room::event::fans_joined& e);
  void drawn(const std::vector<slot_t>& order);
  void admitted(const waiting_room::event::fans_admitted& e);
  void ended(slot_t slot, waiting_room::end_reason reason);
  void opened(bool standby);
  void closed();

  void placed(const orders::event::hold_placed& e);
  void ordered(const orders::event::order_placed& e);
  void changed(const orders::event::hold_changed& e);
  void hold_over(const hold_id& id);
  void order_over(const order_id& id);
  void paid(const order_id& id);

  [[nodiscard]] tracked track(std::optional<slot_t> owner, std::int64_t seats, time_ms until);
  [[nodiscard]] struct want* want_of(const tracked& which);
  [[nodiscard]] visit* open_visit(slot_t slot);
  [[nodiscard]] bool is_here(slot_t slot) const {
    return slot >= base_ && slot - base_ < now_.fans.size();
  }
  /// Where the fan stands in the line; null if they left before the draw.
  [[nodiscard]] line_entry* entry_of(slot_t fan);
  void stand_at_end(slot_t fan, std::size_t tier);
  void move_seats(std::int64_t more, bool by_a_fan);

  time_ms at_ = 0;
  crowd now_;
  std::optional<crowd> last_;
  slot_t base_ = 0;
  std::uint64_t active_ = 0;
  std::int64_t free_ = 0; ///< seats
  std::map<block_id, std::int64_t> planned_;
  std::unordered_map<hold_id, tracked, id_hash> holds_;
  std::unordered_map<order_id, hold_id, id_hash> hold_of_;
  std::unordered_map<order_id, tracked, id_hash> plain_orders_; ///< of a show without a plan
};

} // namespace usher::storage::audit
