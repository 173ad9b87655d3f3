#pragma once

#include "http/server/exchange.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace usher::http {

/// What the server knows of an answer and the handler does not.
struct framing {
  std::string_view date_header{}; ///< whole line, see wheel
  bool keep_alive = true;
  bool http_10 = false;
  bool head = false; ///< the request was a HEAD: the body is measured, not sent
};

/// Appends status line and header, with the empty line. 204 and 304 have no body, so no length.
void write_head(std::string& out, unsigned status, std::string_view content_type,
                std::string_view extra_headers, std::size_t body_bytes, const framing& f);

/// The same for a stream of events: chunked, or to HTTP/1.0 ended by the connection's close, for
/// which `keep_alive` must be false.
void write_stream_head(std::string& out, const framing& f);

/// Whether an answer of this status to this request carries a body.
[[nodiscard]] bool sends_body(unsigned status, const framing& f);

} // namespace usher::http
