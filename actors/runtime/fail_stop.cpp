#include "actors/runtime/fail_stop.hpp"

#include <cstdio>
#include <cstdlib>

namespace usher::runtime {

caf::error end_process(const char* actor, const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& trouble) {
    std::fprintf(stderr, "usher: the %s threw: %s; the process stops\n", actor, trouble.what());
  } catch (...) {
    std::fprintf(stderr, "usher: the %s threw; the process stops\n", actor);
  }
  std::_Exit(stopped_itself);
}

} // namespace usher::runtime
