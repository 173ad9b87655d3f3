#pragma once

#include "actors/runtime/coordinator.hpp"
#include "actors/shows/command.hpp"
#include "actors/shows/crew.hpp"
#include "actors/shows/state.hpp"

#include <caf/stateful_actor.hpp>

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace usher::shows {

/// A limit that can be switched off.
struct limit {
  std::optional<std::uint32_t> most; ///< none: no limit
};

/// Changes to a waiting room's settings; what is not given stays. A doubly optional one can be
/// switched off.
struct settings_patch {
  std::optional<std::uint64_t> admit_per_second_micro;
  std::optional<limit> max_active;
  std::optional<limit> max_per_tick;
  std::optional<duration_ms> tick_ms;
  std::optional<duration_ms> admission_ttl_ms;
  std::optional<std::uint32_t> max_queue;
  std::optional<std::optional<duration_ms>> idle_timeout_ms;
  std::optional<bool> fixed_length;
  std::optional<std::optional<time_ms>> opens_at;
  std::optional<duration_ms> prequeue_ms;
  std::optional<duration_ms> absent_after_ms;
  std::optional<duration_ms> claim_ttl_ms;
  std::optional<std::optional<duration_ms>> reentry_grace_ms;
  std::optional<bool> proof_of_work;
  std::optional<std::vector<std::string>> tiers;
  std::optional<std::optional<waiting_room::beacon_source>> beacon;

  [[nodiscard]] waiting_room::settings over(waiting_room::settings base) const;
};

/// What a put was answered with.
struct put_done {
  bool created = false;
};
using put_answer = std::variant<put_done, rejection, seating::refusal, waiting_room::rejection>;

/// Create or change a show and the settings of its room, all or nothing.
struct put_call {
  command::put what; ///< without faults (faults_of)
  std::optional<settings_patch> room;
  bool room_from_defaults = true; ///< a PUT's section replaces; a PATCH changes what stands
  storage::cause cause;
  std::function<void(put_answer)> done; ///< durable and published. Any thread; must not block.
};
using put_call_ptr = std::shared_ptr<put_call>;

} // namespace usher::shows

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(usher::shows::put_call_ptr)

namespace usher::shows {

/// One actor per node: which shows there are. Starts the actors of new ones.
using actor = runtime::coordinator_port::extend<caf::reacts_to<put_call_ptr>>;

/// What the actor starts with: nothing, or as recovered from the log, with everything running.
struct directory_seed {
  shows::state directory;
  std::map<show_id, crew> crews;
  resources with;
};

struct actor_state {
  static constexpr const char* name = "directory";
  explicit actor_state() = default;

  directory_seed seed;
  runtime::coordinator coordinator;
  std::deque<put_call_ptr> waiting; ///< puts run one at a time, each to its durable end
  bool busy = false;
};

actor::behavior_type directory_actor(actor::stateful_pointer<actor_state> self,
                                     std::shared_ptr<directory_seed> seed);

} // namespace usher::shows
