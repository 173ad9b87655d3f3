#include "http/server/problem.hpp"

#include <nlohmann/json.hpp>
#include <utility>

namespace usher::http {

namespace {

struct named_status {
  unsigned status;
  std::string_view phrase;
};

constexpr named_status named[] = {
    {100, "Continue"},
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {204, "No Content"},
    {301, "Moved Permanently"},
    {302, "Found"},
    {303, "See Other"},
    {304, "Not Modified"},
    {307, "Temporary Redirect"},
    {308, "Permanent Redirect"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {402, "Payment Required"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {410, "Gone"},
    {411, "Length Required"},
    {412, "Precondition Failed"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {417, "Expectation Failed"},
    {421, "Misdirected Request"},
    {422, "Unprocessable Content"},
    {428, "Precondition Required"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
    {505, "HTTP Version Not Supported"},
    {507, "Insufficient Storage"},
};

} // namespace

std::string_view reason_phrase(unsigned status) {
  for (const auto& one : named)
    if (one.status == status)
      return one.phrase;
  return "Unknown";
}

std::string problem(unsigned status, std::string_view code, std::string_view detail) {
  return problem(status, code, detail, nlohmann::ordered_json::object());
}

std::string problem(unsigned status, std::string_view code, std::string_view detail,
                    const nlohmann::ordered_json& more) {
  nlohmann::ordered_json document{{"type", "about:blank"},
                                  {"title", reason_phrase(status)},
                                  {"status", status},
                                  {"detail", detail},
                                  {"code", code}};
  for (const auto& [name, value] : more.items())
    document[name] = value;
  return document.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

response problem_response(unsigned status, std::string_view code, std::string_view detail,
                          std::string headers) {
  return problem_response(status, code, detail, std::move(headers),
                          nlohmann::ordered_json::object());
}

response problem_response(unsigned status, std::string_view code, std::string_view detail,
                          std::string headers, const nlohmann::ordered_json& more) {
  return {.status = status,
          .content_type = problem_content_type,
          .headers = std::move(headers),
          .body = problem(status, code, detail, more)};
}

response overloaded_response(std::string_view detail) {
  return problem_response(503, "overloaded", detail, "Retry-After: 2\r\n");
}

} // namespace usher::http
