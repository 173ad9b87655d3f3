#pragma once

#include "actors/journal/append.hpp"
#include "actors/seating/command.hpp"
#include "actors/waiting_room/command.hpp"

#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/typed_actor.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

// The messages by which several actors come to one decision (see runtime/coordinator.hpp).
// They never leave the process.
namespace usher::runtime {

/// Unique per coordinator.
using undertaking_id = std::uint64_t;

using entries_ptr = std::shared_ptr<std::vector<journal::entry>>;

/// Block -> coordinator: decided, kept back from everybody else until commit or release.
struct reserved {
  undertaking_id id = 0;
  entries_ptr entries;
};

/// Block -> coordinator: these seats are in the way; nothing is reserved.
struct refused {
  undertaking_id id = 0;
  seating::refusal seats;
};

/// Waiting room -> coordinator: the whole batch is on its way into the log, or (with a rejection)
/// nothing is.
struct concluded {
  undertaking_id id = 0;
  std::optional<waiting_room::rejection> denied;
};

/// Journal -> coordinator: the batch is durable and visible.
struct durable {
  undertaking_id id = 0;
};

} // namespace usher::runtime

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(usher::runtime::reserved)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(usher::runtime::refused)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(usher::runtime::concluded)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(usher::runtime::durable)

namespace usher::runtime {

/// What every coordinating actor understands.
using coordinator_port = caf::typed_actor<caf::reacts_to<reserved>, caf::reacts_to<refused>,
                                          caf::reacts_to<concluded>, caf::reacts_to<durable>>;

/// Coordinator -> block: decide this and keep it back.
struct reserve {
  undertaking_id id = 0;
  seating::any_command what;
  storage::cause cause;
  time_ms now = 0;
  coordinator_port coordinator;
};

/// Coordinator -> block: it stands (it is in the journal's queue already): apply it.
struct commit {
  undertaking_id id = 0;
};

/// Coordinator -> block: it came to nothing.
struct release {
  undertaking_id id = 0;
};

/// What a coordinator may want of a waiting room.
using room_command = std::variant<waiting_room::command::enter, waiting_room::command::settle,
                                  waiting_room::command::settle_all, waiting_room::command::leave,
                                  waiting_room::command::configure>;

/// Coordinator -> waiting room, the last to be asked: if you agree, add your events and append all.
struct conclude {
  undertaking_id id = 0;
  room_command what;
  journal::append_ptr batch;
  storage::cause cause;
  coordinator_port coordinator;
};

} // namespace usher::runtime

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(usher::runtime::reserve)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(usher::runtime::commit)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(usher::runtime::release)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(usher::runtime::conclude)
