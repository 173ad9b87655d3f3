#pragma once

#include "bench/load/connection.hpp"
#include "bench/load/driver.hpp"
#include "bench/load/progress_board.hpp"
#include "bench/load/tally.hpp"
#include "bench/load/target.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <queue>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace usher::load {

/// Sends requests when they are due, over connections that are kept, and counts what comes back.
/// Used on one thread, but for its construction.
class engine {
public:
  struct options {
    std::size_t connections_max = 1;   ///< open at once
    std::size_t at_once_max = 0;       ///< requests under way that have no time of their own
    time_ns patience = 30 * second_ns; ///< for an answer, and for a connection
  };

  /// `to` and `board` outlive this. Throws std::runtime_error if the system has no more files.
  engine(const target& to, const options& with, run_clock clock, progress_board& board,
         std::size_t index);
  ~engine();
  engine(engine&&) = delete;
  engine& operator=(engine&&) = delete;

  /// Opens so many connections, so that nobody has to wait for one later; fewer if the server does
  /// not take them.
  void warm_up(std::size_t connections);

  /// Until it is over, somebody stops the board, or the server does not take connections any more.
  void run(driver& by);

  // For drivers.

  /// To be sent at its time, or now if that is over.
  void add(const task& what);
  /// Counts an answer, or a request without one.
  void count(const task& what, const verdict& how, time_ns now, std::string_view example);
  /// Is nothing under way, and nothing meant to be sent but by arrivals?
  [[nodiscard]] bool is_idle() const {
    return in_flight_ == 0 && ready_.empty() && later_.empty() && !kept_back_;
  }
  [[nodiscard]] std::size_t in_flight() const { return in_flight_; }

  [[nodiscard]] const run_clock& clock() const { return clock_; }
  [[nodiscard]] bool is_stopped() const { return board_.is_stopped(); }

  // For the report, when it does not run.

  [[nodiscard]] tally take_tally() { return std::exchange(tally_, {}); }
  [[nodiscard]] lateness take_lateness() { return std::exchange(lateness_, {}); }
  /// Why the server is gone; empty: it is not.
  [[nodiscard]] std::string_view gone() const { return gone_; }

private:
  struct later {
    bool operator()(const task& one, const task& other) const { return one.due > other.due; }
  };

  void fall_due(driver& by, time_ns now);
  void send_ready(driver& by);
  void send_at_once(driver& by);
  bool start(driver& by, const task& what);
  void send_on(driver& by, connection& on, time_ns now);
  connection* take_free(time_ns now);
  connection* open_another();
  [[nodiscard]] time_ns next_thing() const;
  void wait(driver& by, time_ns until);
  void on_event(driver& by, connection& on, std::uint32_t events);
  void on_answer(driver& by, connection& on, time_ns sent, time_ns now);
  void on_lost(driver& by, connection& on, std::string_view why, time_ns now);
  void on_refused(driver& by, connection& on, std::string_view why, time_ns now);
  void note_refused(std::string_view why);
  void forget(connection& on);
  void every_so_often(driver& by, time_ns now);
  void drop_all();
  void publish();

  const target& to_;
  options with_;
  run_clock clock_;
  progress_board& board_;
  std::size_t index_;
  int epoll_;
  std::deque<connection> connections_;
  std::vector<connection*> free_;   ///< the one used last at the end; some may be closed meanwhile
  std::vector<connection*> closed_; ///< to be opened again
  std::size_t usable_ = 0;          ///< open or opening
  std::priority_queue<task, std::vector<task>, later> later_;
  std::deque<task> ready_;
  std::optional<task> arrival_;   ///< the next
  std::optional<task> kept_back_; ///< of those without a time: had no connection
  std::string scratch_;
  std::size_t in_flight_ = 0;
  std::size_t at_once_ = 0; ///< of those
  load::tally tally_;
  live_counts counts_;
  histogram recent_;
  lateness lateness_;
  time_ns next_publish_ = 0;
  int refused_in_a_row_ = 0;
  std::string_view gone_;
};

} // namespace usher::load
