#include "http/api/openapi.hpp"
#include "http/api/routes.hpp"
#include "http/crypto/crypto.hpp"

#include <memory>

namespace usher::http::handlers {

void health(call& at) {
  send_json(at, 200, {{"status", "ok"}});
}

void readiness(call& at) {
  if (!at.with.ready)
    return send_problem(at, 503, "draining", "The server is stopping.", ordered_json::object(),
                        "Retry-After: 5\r\n");
  if (const auto* disk = at.with.disk; disk != nullptr && !disk->accepts_writes())
    return send_problem(at, 503, "disk-full",
                        "Writes are refused: " + std::to_string(disk->free_bytes()) +
                            " bytes are free where the data is, and " +
                            std::to_string(disk->floor_bytes()) +
                            " have to be (diskFloorBytes). Polls go on.",
                        {{"freeBytes", disk->free_bytes()}, {"floorBytes", disk->floor_bytes()}},
                        "Retry-After: 30\r\n");
  send_json(at, 200, {{"status", "ready"}});
}

void get_metrics(call& at) {
  response made;
  made.content_type = "text/plain; version=0.0.4; charset=utf-8";
  made.shared_body = at.with.metrics.of(at.with);
  at.to.send(made);
}

void get_openapi(call& at) {
  static const auto document = std::make_shared<const std::string>(openapi_document());
  static const auto etag = "\"" + to_hex(sha256(*document)) + "\"";
  response made;
  made.headers = "ETag: " + etag + "\r\nCache-Control: public, max-age=60\r\n";
  if (at.what.if_none_match == etag)
    made.status = 304;
  else
    made.shared_body = document;
  at.to.send(made);
}

} // namespace usher::http::handlers
