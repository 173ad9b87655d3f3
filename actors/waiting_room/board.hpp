#pragma once

#include "actors/basics/ids.hpp"
#include "actors/basics/time.hpp"
#include "actors/waiting_room/admission_meter.hpp"
#include "actors/waiting_room/event.hpp"
#include "actors/waiting_room/lane.hpp"
#include "actors/waiting_room/sequence_lock.hpp"
#include "actors/waiting_room/status.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>

namespace usher::waiting_room {

/// What a reader sees of one ticket: all of it from one moment.
struct ticket_view {
  ticket_status status = ticket_status::unknown;
  std::uint32_t position = 0; ///< 1-based; this and the next two while waiting only
  std::uint32_t ahead = 0;
  std::uint32_t behind = 0;
  /// Deadline, while admitted only; up to 100 ms early, never late. It may have passed: whoever
  /// asks judges it against a clock, the status changes with the event that ends it.
  time_ms until = 0;
};

/// What a reader sees of the room: all of it from one moment.
struct room_view {
  room_status status = room_status::off;
  std::uint32_t waiting = 0;
  std::uint32_t active = 0;
  slot_t joined = 0;
  settings set;
};

/// Settings as words, each of which can be read while another thread writes it.
class published_settings {
public:
  void store(const settings& set);
  [[nodiscard]] settings load() const;

private:
  std::atomic<std::uint64_t> admit_per_second_micro_{settings{}.admit_per_second_micro};
  std::atomic<std::int64_t> max_active_{settings{}.max_active.value_or(0)}; ///< -1: none
  std::atomic<std::int64_t> max_per_tick_{-1};                              ///< -1: none
  std::atomic<duration_ms> tick_ms_{settings{}.tick_ms};
  std::atomic<duration_ms> admission_ttl_ms_{settings{}.admission_ttl_ms};
  std::atomic<std::uint32_t> max_queue_{settings{}.max_queue};
};

/// The read side of a waiting room: what polls and the gate look at. One writer publishes events in
/// the log's order, after their commit and during recovery; readers on any thread take no lock,
/// send no message and see exact positions even in the middle of a publish. Must outlive its
/// readers.
class board {
public:
  board() = default;
  board(const board&) = delete;
  board& operator=(const board&) = delete;
  ~board();

  /// Writer only. The event must fit what was published before (it asserts).
  void publish(const any_event& happened, time_ms at);

  /// `unknown` for a slot not published or a wrong nonce.
  [[nodiscard]] ticket_view look(slot_t slot, std::uint64_t nonce) const;
  [[nodiscard]] std::optional<std::uint64_t> nonce_of(slot_t slot) const;
  [[nodiscard]] room_view room() const;

  /// The pace for estimates: as measured over the last minute, else as set.
  [[nodiscard]] std::uint64_t admissions_per_second_micro(time_ms now) const;

  /// Bytes on the heap. Writer only.
  [[nodiscard]] std::size_t bytes_used() const;

private:
  static constexpr slot_t chunk_slots = 16'384;

  struct chunk {
    std::array<std::atomic<std::uint64_t>, chunk_slots> nonces;
    std::array<std::atomic<std::uint32_t>, chunk_slots> deadlines; ///< 100 ms units from the base
    std::array<std::atomic<ticket_status>, chunk_slots> tickets;
  };

  void show(const event::room_configured& happened, time_ms at);
  void show(const event::room_opened& happened, time_ms at);
  void show(const event::room_closed& happened, time_ms at);
  void show(const event::fans_joined& happened, time_ms at);
  void show(const event::fan_identified& happened, time_ms at);
  void show(const event::fans_admitted& happened, time_ms at);
  void show(const event::admission_kept& happened, time_ms at);
  void show(const event::tickets_ended& happened, time_ms at);

  void place(slot_t slot, std::uint64_t nonce);
  void admit(slot_t slot, time_ms until);
  void end(slot_t slot, ticket_status after);

  [[nodiscard]] chunk& chunk_of(slot_t slot) const; ///< allocated already
  [[nodiscard]] ticket_status status_of(slot_t slot) const;
  [[nodiscard]] std::uint32_t deadline_of(time_ms until) const;
  [[nodiscard]] ticket_view view_of(slot_t slot, std::uint64_t nonce) const;

  sequence_lock lock_;
  // Allocated with the first slot of each; never moved or freed before the board is.
  std::array<std::atomic<chunk*>, slots_max / chunk_slots> chunks_{};
  lane lane_; ///< who waits; those of earlier openings stay in it, before lane_start_
  std::atomic<room_status> status_{room_status::off};
  std::atomic<slot_t> lane_start_{0}; ///< first slot of this opening
  std::atomic<slot_t> left_over_{0};  ///< how many stay in the lane before lane_start_
  std::atomic<std::uint32_t> active_{0};
  std::atomic<time_ms> base_{0}; ///< time of the first event
  published_settings settings_;
  admission_meter meter_;

  // The writer's own.
  bool started_ = false;
  std::unordered_map<slot_t, time_ms> until_; ///< own deadlines of the admissions
};

} // namespace usher::waiting_room
