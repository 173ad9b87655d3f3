#pragma once

#include "actors/waiting_room/event.hpp"
#include "actors/waiting_room/settings.hpp"
#include "actors/waiting_room/status.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace usher::simulation {

/// A waiting room as naively as it can be: every ticket in a list, every line a list that is walked
/// from its beginning. Judges each event as it takes it.
class queue_model {
public:
  struct ticket {
    waiting_room::ticket_status status = waiting_room::ticket_status::waiting;
    std::uint8_t tier = 0;
    std::uint64_t nonce = 0;
    identity customer;
    identity key;
    time_ms heard_at = 0; ///< last, as the fan itself knows
    time_ms until = 0;    ///< while admitted
    time_ms busy_until = 0;
    [[nodiscard]] time_ms deadline() const { return std::max(until, busy_until); }
  };

  void take(const waiting_room::any_event& happened, time_ms at);

  /// The fan was there. Not in the log: whoever plays the fan says so.
  void heard(slot_t slot, time_ms at);
  /// The process has started anew: nobody is to blame for silence before that.
  void restart(time_ms now);

  [[nodiscard]] const std::vector<ticket>& tickets() const { return tickets_; }
  [[nodiscard]] waiting_room::room_mode mode() const { return mode_; }
  [[nodiscard]] const waiting_room::settings& set() const { return set_; }
  [[nodiscard]] std::size_t active() const;
  [[nodiscard]] std::size_t waiting() const;
  /// 1-based, among those present; of somebody absent, where it would stand.
  [[nodiscard]] std::size_t position(slot_t slot) const;
  /// Does the ticket admit at `at`?
  [[nodiscard]] bool admits(slot_t slot, time_ms at) const;
  [[nodiscard]] bool is_live(slot_t slot) const;

private:
  void on(const waiting_room::event::room_configured& e, time_ms at);
  void on(const waiting_room::event::room_scheduled& e, time_ms at);
  void on(const waiting_room::event::room_unscheduled& e, time_ms at);
  void on(const waiting_room::event::prequeue_opened& e, time_ms at);
  void on(const waiting_room::event::places_drawn& e, time_ms at);
  void on(const waiting_room::event::room_opened& e, time_ms at);
  void on(const waiting_room::event::room_put_on_standby& e, time_ms at);
  void on(const waiting_room::event::room_closed& e, time_ms at);
  void on(const waiting_room::event::fans_joined& e, time_ms at);
  void on(const waiting_room::event::fan_promoted& e, time_ms at);
  void on(const waiting_room::event::fans_passed_over& e, time_ms at);
  void on(const waiting_room::event::fans_returned& e, time_ms at);
  void on(const waiting_room::event::fan_reentered& e, time_ms at);
  void on(const waiting_room::event::fans_admitted& e, time_ms at);
  void on(const waiting_room::event::admission_kept& e, time_ms at);
  void on(const waiting_room::event::tickets_ended& e, time_ms at);
  void on(const waiting_room::event::ticket_revoked& e, time_ms at);
  template <class Other>
  void on(const Other&, time_ms) {} ///< moves nobody

  void stand_at_end(slot_t slot, std::uint8_t tier);
  [[nodiscard]] std::vector<slot_t> line() const; ///< all who wait, the next first
  ticket& known(slot_t slot);

  waiting_room::room_mode mode_ = waiting_room::room_mode::off;
  waiting_room::settings set_;
  time_ms opened_at_ = 0;
  time_ms excused_until_ = 0;
  std::vector<ticket> tickets_;
  std::map<std::uint8_t, std::vector<slot_t>> lanes_; ///< by tier; whoever left still stands there
};

} // namespace usher::simulation
