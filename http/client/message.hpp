#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// What is asked of another server, and what becomes of it.
namespace usher::http::client {

enum class verb : std::uint8_t { get, post, put };

struct header {
  std::string name;
  std::string value;
};

/// Host, Content-Length and Connection are the client's own. A target, name or value that HTTP
/// could not carry (line breaks, blanks in the target) is refused as `not_sent`.
struct request {
  verb method = verb::get;
  std::string target; ///< from the base address on: "/v1/charges?x=y", percent-encoded
  std::vector<header> headers{};
  std::string body{};
  /// May be sent a second time if the peer had closed a kept connection before it answered
  /// anything.
  bool idempotent = false;
  /// For everything: waiting, connecting, asking, reading.
  std::chrono::steady_clock::time_point deadline{};
};

struct answer {
  int status = 0;
  std::vector<header> headers{};
  std::string body{};

  /// The first of that name, whatever the case of its letters; empty if there is none.
  [[nodiscard]] std::string_view header_of(std::string_view name) const;
};

enum class fault : std::uint8_t {
  not_sent, ///< no byte of the request was written: the server knows nothing of it
  unknown,  ///< written in part or whole, and no readable answer came: anything may have happened
};

/// `why` is one of a few fixed words ("connect-refused", "timeout", ...), fit for any log.
struct failure {
  fault kind = fault::unknown;
  std::string why;
};

using outcome = std::variant<answer, failure>;
using on_outcome = std::function<void(outcome)>;

/// One server, as those who ask it see it.
class sender {
public:
  virtual ~sender() = default;

  /// From any thread. `done` is called exactly once, soon after the deadline at the latest, on a
  /// thread that must not be kept waiting, perhaps before this returns.
  virtual void send(request asked, on_outcome done) = 0;
};

} // namespace usher::http::client
