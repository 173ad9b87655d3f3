#pragma once

#include "config/admin/command.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace usher::test {

struct outcome {
  int exit_code = -1;
  std::string out;
  std::string err;
};

/// Parses `admin …` as main would, with both streams caught.
inline outcome run_admin(std::vector<std::string> arguments) {
  outcome got;
  CLI::App root{"usher"};
  config::add_admin_commands(root, got.exit_code);
  std::ostringstream out;
  std::ostringstream err;
  auto* const old_out = std::cout.rdbuf(out.rdbuf());
  auto* const old_err = std::cerr.rdbuf(err.rdbuf());
  arguments.insert(arguments.begin(), "admin");
  std::reverse(arguments.begin(), arguments.end()); // as CLI11 wants them
  try {
    root.parse(arguments);
  } catch (const CLI::ParseError& trouble) {
    got.exit_code = root.exit(trouble, out, err) == 0 ? 0 : 2;
  }
  std::cout.rdbuf(old_out);
  std::cerr.rdbuf(old_err);
  got.out = out.str();
  got.err = err.str();
  return got;
}

} // namespace usher::test
