#pragma once

#include "actors/seating/board.hpp"
#include "actors/seating/event.hpp"

#include <map>
#include <string>
#include <vector>

namespace usher::simulation {

/// The seats of one block as naively as they can be, and when each was not free.
class seat_model {
public:
  /// A time in which nobody new could have the seat, both ends included.
  struct stretch {
    seating::shown what = seating::shown::held;
    time_ms from = 0;
    time_ms to = 0;
  };
  struct seat {
    seating::shown is = seating::shown::available;
    hold_id hold;
    order_id order;
    time_ms until = 0;
    std::uint32_t generation = 0;
    time_ms since = 0;
    std::vector<stretch> past;
  };

  void take(const seating::any_event& happened, time_ms at);

  [[nodiscard]] const std::map<seat_id, seat>& seats() const { return seats_; }
  [[nodiscard]] seating::tally count() const;
  /// Was the seat `what` at some moment of this time?
  [[nodiscard]] bool was(const seat_id& id, seating::shown what, time_ms from, time_ms to) const;

private:
  void on(const seating::event::block_planned& e, time_ms at);
  void on(const seating::event::seats_held& e, time_ms at);
  void on(const seating::event::seats_released& e, time_ms at);
  void on(const seating::event::seats_sold& e, time_ms at);
  void on(const seating::event::seats_blocked& e, time_ms at);
  void on(const seating::event::seats_unblocked& e, time_ms at);
  void on(const seating::event::seats_returned& e, time_ms at);

  seat& known(const seat_id& id);
  void become(seat& it, seating::shown what, time_ms at);

  std::map<seat_id, seat> seats_;
  std::map<seat_id, std::vector<stretch>> vanished_; ///< the past of seats that a plan took away
};

} // namespace usher::simulation
