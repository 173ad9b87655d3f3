#pragma once

#include "actors/journal/actor.hpp"
#include "actors/runtime/clock.hpp"
#include "actors/runtime/draw.hpp"
#include "actors/runtime/messages.hpp"
#include "actors/waiting_room/board.hpp"
#include "actors/waiting_room/state.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_actor.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace usher::waiting_room {

/// A place as the fan gets it: with the nonce, the edge makes the ticket of it.
struct place {
  slot_t slot = 0;
  std::uint64_t nonce = 0;
  bool existed = false;
};
using join_answer = std::variant<place, rejection>;

/// Joins that came in one turn of an I/O thread's loop; numbered in this order.
struct join_batch {
  std::vector<command::joiner> fans;
  storage::cause cause;
  /// One answer per fan, in order, once all of them are durable and on the board. Any thread.
  std::function<void(std::vector<join_answer>)> done;
};
using join_batch_ptr = std::shared_ptr<join_batch>;

/// A command of an operator, or of a fan about a wish.
struct operate {
  std::variant<command::open, command::close, command::pause, command::resume, command::standby,
               command::give_beacon, command::set_message, command::add_codes, command::set_wish,
               command::answer_wish>
      what; ///< seed and order of an opening are the actor's business
  storage::cause cause;
  /// How it was decided, once that is durable. Any thread.
  std::function<void(std::optional<rejection>)> done;
};
using operate_ptr = std::shared_ptr<operate>;

/// Where is this customer? Answered once it is durable; nothing if nowhere. Any thread.
struct find_place {
  identity who;
  std::function<void(std::optional<place>)> done;
};
using find_place_ptr = std::shared_ptr<find_place>;

/// The alarm that was set as this one; older ones mean nothing any more.
struct tick {
  std::uint64_t alarm = 0;
};

/// Go on with the draw that is ahead.
struct draw_on {};

/// The show is published: from now on the room looks at its seats and at the clock. Sent once.
struct begin {};

} // namespace usher::waiting_room

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(usher::waiting_room::begin)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(usher::waiting_room::draw_on)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(usher::waiting_room::join_batch_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(usher::waiting_room::operate_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(usher::waiting_room::find_place_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(usher::waiting_room::tick)

namespace usher::waiting_room {

/// One actor per show: numbers arrivals, admits at the tick, is the gate.
using actor =
    caf::typed_actor<caf::reacts_to<join_batch_ptr>, caf::reacts_to<operate_ptr>,
                     caf::reacts_to<find_place_ptr>, caf::reacts_to<runtime::conclude>,
                     caf::reacts_to<tick>, caf::reacts_to<draw_on>, caf::reacts_to<begin>>;

/// A draw of so many is worked out at its opening, in two milliseconds. One of more is worked out
/// while the fans are coming, so many at a time: joins between two pieces wait for less than one.
inline constexpr slot_t draw_at_once_max = 4'096;
inline constexpr std::size_t draw_piece = 1'000;

/// An admitted fan with a wish: whoever gets it looks for seats, and answers the room with
/// command::answer_wish. Called on any thread, once the admission is durable.
using wish_taker = std::function<void(slot_t, const wish&, time_ms admitted_at)>;

/// What an actor starts with: empty, or as recovered from the log.
struct room_seed {
  std::string subject; ///< `queue/<show>`
  waiting_room::state room;
  std::shared_ptr<waiting_room::board> board;
  journal::actor journal;
  const usher::clock* clock = nullptr;     ///< outlives the actor
  bytes32 draw_key{};                      ///< the secret that all draws' seeds come from
  std::function<seats_left()> count_seats; ///< none: the show's seats are kept elsewhere
  wish_taker take_wish;                    ///< none: wishes stay unanswered
  /// Until when nobody can be blamed for silence, because calls were turned away; none: never.
  const std::atomic<time_ms>* excused_until = nullptr; ///< outlives the actor
  /// While false nobody is admitted and nothing ends: whoever came in could do nothing, as writes
  /// are refused. None: always true.
  const std::atomic<bool>* accepts_writes = nullptr; ///< outlives the actor
};

struct actor_state {
  static constexpr const char* name = "waiting-room";
  explicit actor_state() = default;

  room_seed seed;
  time_ms last_now = 0;
  std::uint64_t alarm = 0;         ///< of the tick that is awaited
  std::optional<time_ms> alarm_at; ///< when it comes; none: none is awaited
  runtime::draw_ahead draw;
  bool draws_on = false; ///< a draw_on is under way
};

actor::behavior_type room_actor(actor::stateful_pointer<actor_state> self,
                                std::shared_ptr<room_seed> seed);

} // namespace usher::waiting_room
