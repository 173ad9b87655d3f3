#pragma once

#include "storage/outbox/cursors.hpp"
#include "storage/outbox/piece.hpp"
#include "storage/outbox/sink.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace usher::storage::outbox {

/// Between two looks at a log that had nothing new, and at least between two saves of cursors.
inline constexpr duration_ms poll_ms = 200;
/// After trouble of our own: the log cannot be read, a cursor not be saved.
inline constexpr duration_ms own_trouble_wait_ms = 5'000;
/// Whatever the other side asks for.
inline constexpr duration_ms wait_min_ms = 1'000;
inline constexpr duration_ms wait_max_ms = 86'400'000;

enum class sink_state : std::uint8_t { running, retrying, stopped };

/// How a sink is.
struct courier_view {
  sink_state state = sink_state::running;
  outbox::cursors cursors{};
  time_ms oldest_at = 0;    ///< of the oldest event that is being delivered; 0: there is none
  time_ms next_try_at = 0;  ///< if retrying
  std::string last_error{}; ///< the last there was, or why it is stopped; empty: none
  time_ms last_error_at = 0;
  std::uint64_t delivered = 0; ///< events, since the start, repetitions included
  std::uint64_t failures = 0;  ///< deliveries that failed, since the start
};

/// Brings the events of a log to one sink: at least once, in order within a show. It knows no
/// threads: whoever has it calls `step` again and again.
///
/// It reads a piece of the log, and gives its events out show by show. A show whose delivery fails
/// is left behind: it keeps a cursor of its own, waits by the schedule, and is read from the log
/// again, while the others go on. If nothing got through since another show's delivery failed, the
/// whole sink waits. A cursor is saved after what it stands for was delivered, and never before.
class courier {
public:
  struct parts {
    const event_log* log = nullptr; ///< outlives the courier, and so does the sink
    sink* to = nullptr;
    cursor_file file;
    selection wanted{};
    bool from_now = false; ///< a sink without a cursor file begins at the end of the log
    std::function<time_ms()> now;
    std::function<std::uint64_t()> random;
    /// Gives all of them to the sink and waits for what becomes of them, one each; none of one that
    /// was not waited for, because the process is stopping or an operator's order came.
    std::function<std::vector<std::optional<outcome>>(const std::vector<delivery>&)> ask;
  };

  /// Loads the cursors, or begins. What is wrong with them is in the view.
  explicit courier(parts with);

  /// Does what is to be done now, at most one round of deliveries. When to call again.
  time_ms step();

  /// Sets a cursor, of one show or of all, back to a position; none: to the end of the log, and
  /// what lies between is skipped. A sentence if that cannot be done. Durable on return.
  [[nodiscard]] std::optional<std::string> reset(const std::optional<std::string>& show,
                                                 std::optional<position_t> to);

  /// Tries at once, also if the sink was stopped. Durable on return.
  [[nodiscard]] std::optional<std::string> resume();

  [[nodiscard]] courier_view view() const;

private:
  /// A show that is behind `taken_`.
  struct lane {
    std::uint32_t failures = 0; ///< in a row
    time_ms not_before = 0;
    time_ms oldest_at = 0; ///< of its first event that is not delivered, if that is known
  };
  struct errand {
    delivery what;
    bool of_lane = false;
  };

  void begin();
  void check_log();
  void find_lanes();

  [[nodiscard]] std::vector<errand> next_errands(time_ms now);
  void add_lanes(std::vector<errand>& to, std::size_t most, time_ms now);
  [[nodiscard]] std::optional<delivery> next_of_lane(const std::string& show);
  void add_taken(std::vector<errand>& to, std::size_t most);
  [[nodiscard]] bool take_piece();

  void run(std::vector<errand> errands);
  void note(const errand& which, const outcome& what, time_ms now);
  void note_delivered(const errand& which);
  lane& fall_behind(const errand& which);
  void note_error(const std::string& what, time_ms now);

  void end_piece();
  [[nodiscard]] std::optional<failure> save();
  void save_later(time_ms now, bool at_once);
  void forget_taken();
  void own_trouble(const std::string& what);
  [[nodiscard]] std::optional<std::string> fault_of_reset(const std::optional<std::string>& show,
                                                          std::optional<position_t> to) const;
  void set_all(position_t to, bool skips);

  parts parts_;
  outbox::cursors cursors_;
  outbox::cursors saved_;
  bool is_saved_ = false;
  time_ms saved_at_ = 0;
  std::string trouble_; ///< with cursors or log, which an operator has to see to; empty: none

  std::deque<delivery> taken_shows_; ///< events from the log that are to be delivered, by show
  position_t taken_ = 0;             ///< up to here they were taken
  time_ms taken_first_at_ = 0;
  log_head head_; ///< when they were
  std::map<std::string, lane, std::less<>> lanes_;
  std::uint32_t failed_in_a_row_ = 0; ///< deliveries, since any got through
  time_ms paused_until_ = 0;

  std::string last_error_;
  time_ms last_error_at_ = 0;
  std::uint64_t delivered_ = 0;
  std::uint64_t failures_ = 0;
};

} // namespace usher::storage::outbox
