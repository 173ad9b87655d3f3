#pragma once

#include <string>
#include <variant>

namespace usher::config {

struct http_answer {
  long status = 0;
  std::string body{}; ///< of a long one the beginning
};

/// Nobody was reached, or the answer did not come; what was asked may have happened.
struct no_answer {
  std::string why;
};

/// One request with JSON (none if `body` is empty), over http or https, to the named server only:
/// no redirects, no proxies. Waits two minutes at most. A key that is not empty goes along as a
/// bearer's.
[[nodiscard]] std::variant<http_answer, no_answer> send_json(const char* method,
                                                             const std::string& url,
                                                             const std::string& key,
                                                             const std::string& body);

[[nodiscard]] inline std::variant<http_answer, no_answer>
put_json(const std::string& url, const std::string& key, const std::string& body) {
  return send_json("PUT", url, key, body);
}

/// What went wrong with a call that was answered, printable, for a person at a terminal.
[[nodiscard]] std::string refusal_text(const http_answer& got);

/// A file's or a server's text must not steer a terminal.
[[nodiscard]] std::string printable(std::string text);

/// Without slashes at its end.
[[nodiscard]] std::string server_address(std::string url);

} // namespace usher::config
