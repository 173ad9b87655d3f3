#pragma once

#include <caf/error.hpp>

#include <exception>

namespace usher::runtime {

/// How the process ends when it must not go on; a supervisor starts it again (EX_SOFTWARE).
inline constexpr int stopped_itself = 70;

/// Says what was thrown, and ends the process. (Only the simulated world, which puts its own in the
/// place of this one, comes back from it.)
caf::error end_process(const char* actor, const std::exception_ptr& thrown);

/// An actor that throws (no memory, a bug) would end alone and leave everybody who asks it without
/// an answer. The process ends instead, and recovers from the log. Call it first in an actor.
template <class Self>
void stop_process_on_exception(Self* self, const char* actor) {
  self->set_exception_handler(
      [actor](std::exception_ptr& thrown) -> caf::error { return end_process(actor, thrown); });
}

} // namespace usher::runtime
