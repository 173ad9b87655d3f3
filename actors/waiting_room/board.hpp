#pragma once

#include "actors/basics/ids.hpp"
#include "actors/basics/time.hpp"
#include "actors/waiting_room/admission_meter.hpp"
#include "actors/waiting_room/command.hpp"
#include "actors/waiting_room/eta_accuracy.hpp"
#include "actors/waiting_room/event.hpp"
#include "actors/waiting_room/lane.hpp"
#include "actors/waiting_room/notice.hpp"
#include "actors/waiting_room/sequence_lock.hpp"
#include "actors/waiting_room/status.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace usher::waiting_room {

/// What a reader sees of one ticket: all of it from one moment.
struct ticket_view {
  ticket_status status = ticket_status::unknown;
  slot_t slot = 0; ///< unless unknown
  /// 1-based; this and the next two while waiting or absent only. 0 while a draw is being shown.
  std::uint32_t position = 0;
  std::uint32_t ahead = 0;
  std::uint32_t behind = 0;
  std::uint8_t tier = 0; ///< while waiting or absent: index into settings.tiers
  slot_t place = 0;      ///< while waiting or absent: the index in the tier's lane
  /// Deadline, while admitted only; up to 100 ms early, never late. It may have passed: whoever
  /// asks judges it against a clock, the status changes with the event that ends it.
  time_ms until = 0;
};

/// What a reader sees of the room: all of it from one moment.
struct room_view {
  room_status status = room_status::off;
  bool paused = false; ///< by an operator
  stock left = stock::on_sale;
  std::uint32_t waiting = 0; ///< present ones
  std::uint32_t absent = 0;  ///< passed over, with a claim
  std::uint32_t active = 0;
  slot_t joined = 0;
};

/// How many seats there are to get, as last counted. Not from the log, and not durable.
struct seats_left {
  std::uint32_t available = 0;
  std::uint32_t held = 0;
  std::uint32_t sold = 0;
  bool counted = false;      ///< false: the show's seats are kept elsewhere
  std::uint32_t blocked = 0; ///< off sale; not kept on the board
};

/// What became of the admissions that have ended since the room opened.
struct outcomes {
  std::uint32_t bought = 0;
  std::uint32_t others = 0;
};

/// What became of an admitted fan's wish.
struct wish_outcome {
  hold_id hold; ///< none: nothing could be held
  std::string reason;
};

/// A waiting ticket's word: number of the tier above, place in its lane below.
namespace board_word {
inline constexpr unsigned tier_shift = 28;
inline constexpr std::uint32_t place_mask = (1U << tier_shift) - 1;
static_assert(places_max <= place_mask && tiers_max < 16);
} // namespace board_word

/// Most returns of absent fans noted between two ticks; past it they are noted with their next
/// poll.
inline constexpr std::size_t returns_noted_max = 1'000'000;

/// The read side of a waiting room: what polls and the gate look at. One writer publishes events in
/// the log's order, after their commit and during recovery; readers on any thread send no message,
/// take no lock (but for the rare things that say so) and see exact positions even in the middle of
/// a publish. Must outlive its readers.
class board {
public:
  board();
  board(const board&) = delete;
  board& operator=(const board&) = delete;
  ~board();

  /// Writer only. The event must fit what was published before (it asserts).
  void publish(const any_event& happened, time_ms at);

  /// `unknown` for a slot not published or a wrong nonce.
  [[nodiscard]] ticket_view look(slot_t slot, std::uint64_t nonce) const;
  [[nodiscard]] std::optional<std::uint64_t> nonce_of(slot_t slot) const;
  [[nodiscard]] room_view room() const;

  /// Settings, message and draw as last published. The reference stays valid (and gets old) as long
  /// as the board.
  [[nodiscard]] const notice& notices() const { return *notice_.load(std::memory_order_acquire); }

  /// The pace for estimates: as measured over the last minute, else as set.
  [[nodiscard]] std::uint64_t admissions_per_second_micro(time_ms now) const;
  [[nodiscard]] const eta_accuracy& accuracy() const { return accuracy_; }
  [[nodiscard]] outcomes ended() const;

  // ---- who is there: any thread

  /// The fan asked for the ticket, or did something with it. Costs two stores; an absent fan is
  /// noted for the next tick under a lock.
  void heard_of(slot_t slot, time_ms now);

  /// When the fan was last heard of, to the second and never early, within the last 18 hours;
  /// joining counts. After an outage everybody counts as just heard of.
  [[nodiscard]] time_ms last_seen(slot_t slot, time_ms now) const;

  /// Nobody can be blamed for silence before this: the process was down, or refused calls.
  void excuse_everybody_until(time_ms at);

  /// Absent fans heard of since the last call, each once. One caller at a time.
  [[nodiscard]] std::vector<command::heard_of> take_returned();
  [[nodiscard]] bool has_returned() const;

  // ---- side tables, behind a lock: any thread

  /// Who an admitted fan is, for limits per customer; none if unknown or not admitted.
  [[nodiscard]] identity who_is(slot_t slot) const;
  /// The deadline of an admission to the millisecond; 0 if there is none.
  [[nodiscard]] time_ms deadline_of_admission(slot_t slot) const;
  [[nodiscard]] std::optional<wish> wish_of(slot_t slot) const;
  [[nodiscard]] std::optional<wish_outcome> wish_outcome_of(slot_t slot) const;

  // ---- seats: stored by whoever counts them, read by any thread

  void count_seats(const seats_left& count);
  [[nodiscard]] seats_left seats() const;

  /// Bytes on the heap. Writer only.
  [[nodiscard]] std::size_t bytes_used() const;

private:
  /// What a snapshot keeps of it: actors/runtime/snapshot/.
  template <class Io>
  friend void snapshot_fields(Io& io, board& whole);

  static constexpr slot_t chunk_slots = 16'384;

  struct chunk {
    std::array<std::atomic<std::uint64_t>, chunk_slots> nonces;
    /// While admitted: the deadline, in 100 ms units from the base. Else: tier and place.
    std::array<std::atomic<std::uint32_t>, chunk_slots> words;
    std::array<std::atomic<std::uint16_t>, chunk_slots> seen; ///< seconds, the low bits
    std::array<std::atomic<ticket_status>, chunk_slots> tickets;
  };

  struct admitted {
    time_ms until = 0;
    time_ms busy_until = 0;
    std::uint32_t place_word = 0;
    identity who;
  };

  void show(const event::room_configured& happened, time_ms at);
  void show(const event::room_scheduled& happened, time_ms at);
  void show(const event::room_unscheduled& happened, time_ms at);
  void show(const event::prequeue_opened& happened, time_ms at);
  void show(const event::beacon_given& happened, time_ms at);
  void show(const event::places_drawn& happened, time_ms at);
  void show(const event::room_opened& happened, time_ms at);
  void show(const event::room_put_on_standby& happened, time_ms at);
  void show(const event::room_paused& happened, time_ms at);
  void show(const event::room_resumed& happened, time_ms at);
  void show(const event::stock_changed& happened, time_ms at);
  void show(const event::room_closed& happened, time_ms at);
  void show(const event::fans_joined& happened, time_ms at);
  void show(const event::fan_identified& happened, time_ms at);
  void show(const event::fan_promoted& happened, time_ms at);
  void show(const event::fans_passed_over& happened, time_ms at);
  void show(const event::fans_returned& happened, time_ms at);
  void show(const event::fan_reentered& happened, time_ms at);
  void show(const event::fans_admitted& happened, time_ms at);
  void show(const event::admission_kept& happened, time_ms at);
  void show(const event::tickets_ended& happened, time_ms at);
  void show(const event::ticket_revoked& happened, time_ms at);
  void show(const event::codes_added& happened, time_ms at);
  void show(const event::message_set& happened, time_ms at);
  void show(const event::wish_set& happened, time_ms at);
  void show(const event::wish_answered& happened, time_ms at);

  template <class Change>
  void post(Change change); ///< a changed copy of the notice
  void open_as(room_mode mode, time_ms at);
  void forget_sides();
  void put_mode(room_mode mode);
  void take_place(slot_t slot, std::uint64_t nonce, std::uint32_t word, time_ms at);
  void admit(slot_t slot, time_ms until, const identity& who);
  void end(slot_t slot, ticket_status after);
  void forget_side(slot_t slot);
  void promise(slot_t first, slot_t count, time_ms at);

  [[nodiscard]] lane& lane_of(std::uint8_t tier);
  [[nodiscard]] chunk& chunk_of(slot_t slot) const; ///< allocated already
  [[nodiscard]] std::atomic<std::uint32_t>& word_of(slot_t slot) const;
  void set_status(slot_t slot, ticket_status status);
  [[nodiscard]] ticket_status status_of(slot_t slot) const;
  [[nodiscard]] std::uint32_t deadline_of(time_ms until) const;
  [[nodiscard]] ticket_view view_of(slot_t slot, std::uint64_t nonce) const;
  [[nodiscard]] std::uint32_t present() const;

  sequence_lock lock_;
  // Allocated with the first slot of each; never moved or freed before the board is.
  std::array<std::atomic<chunk*>, slots_max / chunk_slots> chunks_{};
  // Who waits, by tier; those of earlier openings and from before a draw stay in it: left_over_.
  std::array<std::atomic<lane*>, tiers_max + 1> lanes_{};
  std::array<std::atomic<slot_t>, tiers_max + 1> left_over_{};
  std::atomic<slot_t> joined_{0};
  std::atomic<room_mode> mode_{room_mode::off};
  std::atomic<bool> paused_{false};
  std::atomic<stock> left_{stock::on_sale};
  std::atomic<slot_t> lane_start_{0}; ///< first slot of this opening
  std::atomic<std::uint32_t> active_{0};
  std::atomic<std::uint32_t> absent_{0};
  std::atomic<std::uint32_t> bought_{0};
  std::atomic<std::uint32_t> not_bought_{0};
  std::atomic<time_ms> base_{0}; ///< time of the first event
  std::atomic<time_ms> excused_until_{0};
  std::atomic<const notice*> notice_;
  admission_meter meter_;
  eta_accuracy accuracy_;

  std::atomic<std::uint64_t> seats_packed_{0}; ///< available 21 bits, held 21, sold 21, counted 1

  mutable std::mutex returned_mutex_;
  std::vector<command::heard_of> returned_;

  mutable std::mutex sides_mutex_; ///< the writer's changes, and readers on other threads:
  std::unordered_map<slot_t, admitted> admitted_;
  std::unordered_map<slot_t, wish> wishes_;
  std::unordered_map<slot_t, wish_outcome> wish_outcomes_;

  // The writer's own.
  bool started_ = false;
  std::vector<std::unique_ptr<const notice>> notices_; ///< every one there was: readers may hold it
};

} // namespace usher::waiting_room
