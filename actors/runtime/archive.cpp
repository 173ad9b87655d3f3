#include "actors/runtime/archive.hpp"

#include "actors/runtime/fail_stop.hpp"

namespace usher::runtime {

archive::behavior_type archive_actor(archive::pointer self, const storage::event_log* log) {
  stop_process_on_exception(self, "archive");
  return {[log](const receipt_request_ptr& asked) {
            asked->done(log->records_about(asked->subject, asked->slot, asked->records_max));
          },
          [](const errand_ptr& asked) { asked->run(); }};
}

} // namespace usher::runtime
