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

/// One PUT with JSON, over http or https, to the named server only: no redirects, no proxies. Waits
/// two minutes at most. A key that is not empty goes along as a bearer's.
[[nodiscard]] std::variant<http_answer, no_answer>
put_json(const std::string& url, const std::string& key, const std::string& body);

} // namespace usher::config
