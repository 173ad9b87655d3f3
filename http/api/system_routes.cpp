#include "http/api/routes.hpp"

namespace usher::http::handlers {

void health(call& at) {
  send_json(at, 200, {{"status", "ok"}});
}

void readiness(call& at) {
  if (at.with.ready)
    return send_json(at, 200, {{"status", "ready"}});
  send_problem(at, 503, "draining", "The server is stopping.", ordered_json::object(),
               "Retry-After: 5\r\n");
}

} // namespace usher::http::handlers
