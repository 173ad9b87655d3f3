#pragma once

#include "http/api/app.hpp"
#include "http/server/exchange.hpp"
#include "http/server/problem.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace usher::http {

using json = nlohmann::json;
using ordered_json = nlohmann::ordered_json;

/// One request at a handler: what was asked, by whom, and where to answer.
struct call {
  app& with;
  const request& what;
  reply& to;
  std::vector<std::string> path; ///< the route's parameters, decoded, in order
  std::optional<caller> from;    ///< whoever sent a key that counts
  bool drop_in = false;          ///< the answer follows the habits of the drop-in paths

  /// Request id and who, for the log. A fan's cause has no request id: it would be personal enough
  /// to follow somebody, and nobody needs it.
  [[nodiscard]] storage::cause cause() const;
};

/// One thing that is wrong with the input, and where.
using fault = shows::fault;

// Answers. All of them are final: return after them.
void send_json(call& at, unsigned status, const ordered_json& body, std::string headers = {});
void send_empty(call& at, unsigned status);
void send_problem(call& at, unsigned status, std::string_view code, std::string_view detail,
                  const ordered_json& more = ordered_json::object(), std::string headers = {});
void send_invalid(call& at, const std::vector<fault>& faults);
/// Bytes that many requests share; 304 if whoever asks has them already. Cacheable for a second.
void send_shared(call& at, std::shared_ptr<const std::string> body, const std::string& etag);
void send_unknown_show(call& at, std::string_view show);

[[nodiscard]] response json_response(unsigned status, const ordered_json& body,
                                     std::string headers = {});

/// The show of the first path parameter; answers 404 and gives null if there is none.
[[nodiscard]] shows::show_entry* show_of(call& at);

/// The body as a JSON object; an empty body is an empty object. Answers 400 or 415 and gives
/// nothing otherwise.
[[nodiscard]] std::optional<json> read_object(call& at);

/// RFC 3339 in UTC, to the millisecond.
[[nodiscard]] std::string time_text(time_ms at);

/// Whole seconds from now until then, rounded up; 0 if it has passed.
[[nodiscard]] std::int64_t seconds_until(time_ms then, time_ms now);

} // namespace usher::http
