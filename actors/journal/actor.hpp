#pragma once

#include "actors/journal/append.hpp"
#include "storage/event_log.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_actor.hpp>

#include <functional>
#include <memory>

namespace usher::journal {

using flush_atom = caf::atom_constant<caf::atom("flush")>;

/// Batches form by themselves: everything that arrives while a sync runs is the next batch.
/// Positions in the log follow the order of arrival; the order of two messages of one sender is
/// kept.
using actor = caf::typed_actor<caf::reacts_to<append_ptr>, caf::reacts_to<flush_atom>>;

/// Most records in one batch; what is beyond goes into the next.
inline constexpr std::size_t batch_records_max = 4096;

/// Most payload in one batch, unless a single append is larger. Far below what the log takes.
inline constexpr std::size_t batch_bytes_max = std::size_t{8} * 1024 * 1024;

struct state {
  static constexpr const char* name = "journal";
  explicit state() = default;
  std::vector<append_ptr> pending;
  bool flush_sent = false;
};

/// Called when an append failed. The process has to stop: what was applied in memory is not
/// durable.
using on_failure = std::function<void(const storage::failure&)>;

/// Spawn detached: it blocks on the disk. `log` outlives the actor and is used by nobody else.
actor::behavior_type journal_actor(actor::stateful_pointer<state> self, storage::event_log* log,
                                   on_failure fail);

} // namespace usher::journal
