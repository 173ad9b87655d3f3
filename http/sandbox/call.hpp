#pragma once

#include "actors/basics/time.hpp"
#include "http/sandbox/rules.hpp"
#include "http/sandbox/webhooks.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// What the server hands to a protocol, and what it gets back.
namespace usher::sandbox {

/// A request. A member that was not sent is an empty text.
struct call {
  std::string method{};
  std::string path{}; ///< behind the protocol's prefix, without the query
  std::map<std::string, std::string> query{};
  std::map<std::string, std::string> headers{}; ///< names in lower case
  std::string body{};
  std::string account{};       ///< set by the protocol: who calls
  std::optional<fault> rule{}; ///< of the header `Sandbox-Rule`
  std::string base{};          ///< `http://HOST:PORT`, where the gateway listens
  time_ms at = 0;

  [[nodiscard]] std::string header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? std::string{} : found->second;
  }
};

struct answer {
  unsigned status = 200;
  std::string body{};
  std::string type = "application/json";
};

enum class manner : std::uint8_t {
  answer,
  silence, ///< until the caller closes
  reset,   ///< the connection is cut with a RST
};

/// An answer, how it is delivered, and the webhooks that go with it.
struct delivery {
  answer what{};
  manner how = manner::answer;
  std::int64_t delay_ms = 0;
  std::vector<notice> before_answer{}; ///< delivered before the answer is
  std::vector<notice> after_answer{};  ///< sent once the answer is out, or cannot be
};

} // namespace usher::sandbox
