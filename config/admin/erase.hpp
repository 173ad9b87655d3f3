#pragma once

#include <iosfwd>
#include <string>

namespace CLI {
class App;
} // namespace CLI

namespace usher::config {

/// `usher admin erase-customer` as it was asked for.
struct erasure {
  std::string id;
  std::string email;
  std::string server = "http://127.0.0.1:8084";
  std::string key; ///< empty: none is sent
  bool json = false;
};

/// Asks the server, again while it is still at work. The exit code: 0 erased (also if there was
/// nothing), 1 the server refused, or something stays readable, 2 it cannot be reached, or bad
/// usage.
[[nodiscard]] int erase_customer(const erasure& wanted, std::ostream& out, std::ostream& err);

/// Adds the command; `exit_code` as in command.hpp.
void add_erase_customer(CLI::App& admin, int& exit_code);

} // namespace usher::config
