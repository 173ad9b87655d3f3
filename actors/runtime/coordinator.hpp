#pragma once

#include "actors/journal/actor.hpp"
#include "actors/runtime/messages.hpp"
#include "actors/seating/actor.hpp"
#include "actors/waiting_room/actor.hpp"

#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

namespace usher::runtime {

struct block_step {
  seating::actor block;
  seating::any_command what;
};

struct room_step {
  waiting_room::actor room;
  room_command what;
};

/// One decision of several actors: all of it becomes one batch of the log, or nothing of it does.
/// Exactly one of `refused`, `denied` and `agreed` is called, in the coordinating actor.
struct undertaking {
  std::vector<block_step> blocks; ///< sorted by block id: the order that rules out deadlock
  std::optional<room_step> room;
  std::vector<journal::entry> entries; ///< the coordinator's own
  storage::cause cause;
  time_ms now = 0;

  /// Every seat in the way, of all blocks. Nothing is reserved any more.
  std::function<void(seating::refusal)> refused;
  std::function<void(waiting_room::rejection)> denied;
  /// It stands, and its place in the log is fixed: apply the own events. Blocks do so too.
  std::function<void()> agreed;
  /// After `agreed`: durable, and visible on every board. Now somebody may be told.
  std::function<void()> durable;
};

/// Runs undertakings inside one actor, which hands it the four messages of coordinator_port.
///
/// The blocks are asked in sorted order and each keeps its decision back until the outcome; the
/// room is asked last, and hands the batch to the journal in the same step in which it decides. So
/// nobody decides on top of something that the journal does not have in its queue: whatever comes
/// later comes later in the log. A crash leaves the whole batch or nothing.
class coordinator {
public:
  coordinator() = default;
  coordinator(coordinator_port self, journal::actor log)
      : self_{std::move(self)}, journal_{std::move(log)} {}

  void begin(undertaking what);

  /// Calls `then` in this actor's stead once everything decided before is durable.
  void after_durable(std::function<void()> then) const;

  void handle(const reserved& message);
  void handle(const refused& message);
  void handle(const concluded& message);
  void handle(const durable& message);

  [[nodiscard]] std::size_t in_flight() const { return running_.size(); }

private:
  struct run {
    undertaking what;
    std::size_t asked = 0; ///< blocks asked so far
    std::vector<std::size_t> reserved;
    seating::refusal refusals;
    bool agreed = false;
    bool durable = false;
  };

  void next(undertaking_id id, run& current);
  void conclude(undertaking_id id, run& current);
  void agree(undertaking_id id, run& current);
  void release_all(undertaking_id id, const run& current) const;

  coordinator_port self_;
  journal::actor journal_;
  undertaking_id last_id_ = 0;
  std::unordered_map<undertaking_id, run> running_;
};

} // namespace usher::runtime
