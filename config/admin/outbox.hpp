#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

namespace CLI {
class App;
} // namespace CLI

namespace usher::config {

/// `usher admin outbox` as it was asked for.
struct outbox_call {
  enum class action : std::uint8_t { list, reset, resume };
  action what = action::list;
  std::string sink;
  std::string show;     ///< empty: all
  std::string position; ///< a number, or "now"
  std::string server = "http://127.0.0.1:8084";
  std::string key; ///< empty: none is sent
  bool json = false;
};

/// Asks the server, and tells. The exit code: 0 done, 1 the server refused, 2 it cannot be reached,
/// or bad usage.
[[nodiscard]] int call_outbox(const outbox_call& wanted, std::ostream& out, std::ostream& err);

/// Adds the commands; `exit_code` as in command.hpp.
void add_outbox(CLI::App& admin, int& exit_code);

} // namespace usher::config
