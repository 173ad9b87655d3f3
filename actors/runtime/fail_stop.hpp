#pragma once

#include <caf/error.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>

namespace usher::runtime {

/// How the process ends when it must not go on; a supervisor starts it again (EX_SOFTWARE).
inline constexpr int stopped_itself = 70;

/// An actor that throws (no memory, a bug) would end alone and leave everybody who asks it without
/// an answer. The process ends instead, and recovers from the log. Call it first in an actor.
template <class Self>
void stop_process_on_exception(Self* self, const char* actor) {
  self->set_exception_handler([actor](std::exception_ptr& thrown) -> caf::error {
    try {
      std::rethrow_exception(thrown);
    } catch (const std::exception& trouble) {
      std::fprintf(stderr, "usher: the %s threw: %s; the process stops\n", actor, trouble.what());
    } catch (...) {
      std::fprintf(stderr, "usher: the %s threw; the process stops\n", actor);
    }
    std::_Exit(stopped_itself);
  });
}

} // namespace usher::runtime
