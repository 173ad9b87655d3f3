#include "http/api/call.hpp"

#include "actors/basics/rfc3339.hpp"
#include "http/json/depth.hpp"

#include <chrono>
#include <utility>

namespace usher::http {

namespace {

/// Writing JSON out again (for a key's fingerprint) recurses: depth is stack.
constexpr int json_depth_max = 64;

bool is_json(std::string_view content_type) {
  const auto end = content_type.find(';');
  auto media = content_type.substr(0, end);
  while (!media.empty() && media.back() == ' ')
    media.remove_suffix(1);
  // The last is what curl -d says when it is told nothing.
  return media.empty() || media == "application/json" || media.ends_with("+json") ||
         media == "application/x-www-form-urlencoded";
}

} // namespace

storage::cause call::cause() const {
  if (!from)
    return {"", "fan"};
  return {std::string{what.request_id.substr(0, 64)}, who(*from)};
}

response json_response(unsigned status, const ordered_json& body, std::string headers) {
  response made;
  made.status = status;
  made.headers = std::move(headers);
  made.body = body.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  return made;
}

void send_json(call& at, unsigned status, const ordered_json& body, std::string headers) {
  at.to.send(json_response(status, body, std::move(headers)));
}

void send_empty(call& at, unsigned status) {
  response made;
  made.status = status;
  at.to.send(made);
}

void send_problem(call& at, unsigned status, std::string_view code, std::string_view detail,
                  const ordered_json& more, std::string headers) {
  at.to.send(problem_response(status, code, detail, std::move(headers), more));
}

void send_invalid(call& at, const std::vector<fault>& faults) {
  ordered_json list = ordered_json::array();
  for (const auto& each : faults)
    list.push_back({{"field", each.field}, {"expected", each.what}});
  const auto& first = faults.front();
  send_problem(at, 400, "invalid-request",
               (first.field.empty() ? "" : first.field + ": ") + first.what, {{"errors", list}});
}

void send_shared(call& at, std::shared_ptr<const std::string> body, const std::string& etag) {
  response made;
  made.headers = "ETag: " + etag + "\r\nCache-Control: public, max-age=1\r\n";
  if (at.what.if_none_match == etag)
    made.status = 304;
  else
    made.shared_body = std::move(body);
  at.to.send(made);
}

void send_unknown_show(call& at, std::string_view show) {
  send_problem(at, 404, "unknown-show", "There is no show '" + std::string{show} + "'.");
}

shows::show_entry* show_of(call& at) {
  auto* show = at.with.shows->find(at.path.front());
  if (show == nullptr)
    send_unknown_show(at, at.path.front());
  return show;
}

std::optional<json> read_object(call& at) {
  if (at.what.body.empty())
    return json::object();
  if (!is_json(at.what.content_type)) {
    send_problem(at, 415, "unsupported-media-type", "Send Content-Type: application/json.");
    return std::nullopt;
  }
  const bool too_deep = nests_deeper_than(json_depth_max, at.what.body);
  auto body = too_deep ? json{} : json::parse(at.what.body, nullptr, false);
  if (too_deep || body.is_discarded()) {
    send_problem(at, 400, "invalid-request",
                 too_deep
                     ? "The body nests deeper than " + std::to_string(json_depth_max) + " levels."
                     : std::string{"The body is not JSON."});
    return std::nullopt;
  }
  if (!body.is_object()) {
    send_problem(at, 400, "invalid-request", "The body has to be a JSON object.");
    return std::nullopt;
  }
  return body;
}

std::string time_text(time_ms at) {
  return write_rfc3339(at);
}

std::int64_t seconds_until(time_ms then, time_ms now) {
  return then <= now ? 0 : (then - now + 999) / 1000;
}

} // namespace usher::http
