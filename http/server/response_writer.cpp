#include "http/server/response_writer.hpp"

#include "http/server/ascii.hpp"
#include "http/server/problem.hpp"

#include <array>
#include <cassert>
#include <charconv>

namespace usher::http {
namespace {

void append_number(std::string& out, std::size_t number) {
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.append(digits.data(), end);
}

constexpr std::string_view ok_line = "HTTP/1.1 200 OK\r\n";
constexpr std::string_view server_header = "Server: usher\r\n";
constexpr std::string_view close_header = "Connection: close\r\n";

bool has_cache_control(std::string_view headers) {
  constexpr std::string_view name = "cache-control:";
  for (std::size_t at = 0; at < headers.size();) {
    if (iequals(headers.substr(at, name.size()), name))
      return true;
    const auto end = headers.find('\n', at);
    at = end == std::string_view::npos ? headers.size() : end + 1;
  }
  return false;
}

bool has_no_body(unsigned status) {
  return status < 200 || status == 204 || status == 304;
}

} // namespace

bool sends_body(unsigned status, const framing& f) {
  return !f.head && !has_no_body(status);
}

void write_head(std::string& out, unsigned status, std::string_view content_type,
                std::string_view extra_headers, std::size_t body_bytes, const framing& f) {
  assert(extra_headers.empty() || extra_headers.ends_with("\r\n"));
  if (status == 200) {
    out += ok_line;
  } else {
    out += "HTTP/1.1 ";
    append_number(out, status);
    out += ' ';
    out += reason_phrase(status);
    out += "\r\n";
  }
  out += server_header;
  out += f.date_header;
  if (!has_no_body(status)) {
    if (!content_type.empty() && body_bytes != 0) {
      out += "Content-Type: ";
      out += content_type;
      out += "\r\n";
    }
    out += "Content-Length: ";
    append_number(out, body_bytes);
    out += "\r\n";
  }
  if (!f.keep_alive)
    out += close_header;
  else if (f.http_10)
    out += "Connection: keep-alive\r\n";
  if (!has_cache_control(extra_headers))
    out += "Cache-Control: no-store\r\n";
  out += extra_headers;
  out += "\r\n";
}

void write_stream_head(std::string& out, const framing& f) {
  assert(!f.http_10 || !f.keep_alive);
  out += ok_line;
  out += server_header;
  out += f.date_header;
  out += "Content-Type: text/event-stream\r\n";
  if (!f.http_10)
    out += "Transfer-Encoding: chunked\r\n";
  if (!f.keep_alive)
    out += close_header;
  out += "Cache-Control: no-store\r\n"
         "X-Accel-Buffering: no\r\n" // nginx: pass on at once
         "\r\n";
}

} // namespace usher::http
