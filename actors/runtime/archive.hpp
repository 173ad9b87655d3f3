#pragma once

#include "actors/basics/ids.hpp"
#include "storage/event_log.hpp"

#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/typed_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace usher::runtime {

/// What the log tells of one place. `done` runs on the archive's thread.
struct receipt_request {
  std::string subject; ///< `queue/<show>`
  slot_t slot = 0;
  std::size_t records_max = 0; ///< the first, and the newest of the others
  std::function<void(std::variant<std::vector<storage::stored_record>, storage::failure>)> done;
};
using receipt_request_ptr = std::shared_ptr<receipt_request>;

/// Anything short that may have to wait for the disk; `run` runs on the archive's thread.
struct errand {
  std::function<void()> run;
};
using errand_ptr = std::shared_ptr<errand>;

} // namespace usher::runtime

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(usher::runtime::receipt_request_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(usher::runtime::errand_ptr)

namespace usher::runtime {

/// Reads the log for whoever asks about the past, one question at a time. How many wait is bounded
/// by the edge's limit of calls in flight.
using archive = caf::typed_actor<caf::reacts_to<receipt_request_ptr>, caf::reacts_to<errand_ptr>>;

/// Spawn detached: it blocks on the disk. `log` outlives the actor.
archive::behavior_type archive_actor(archive::pointer self, const storage::event_log* log);

} // namespace usher::runtime
