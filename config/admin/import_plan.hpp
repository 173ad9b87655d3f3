#pragma once

#include "http/plans/import_plan.hpp"

#include <iosfwd>
#include <optional>
#include <string>

namespace usher::config {

/// `usher admin import-plan` as it was asked for.
struct plan_import {
  std::string file;
  plans::import_options how;
  std::string show;
  std::optional<std::string> title;
  std::optional<std::string> currency;
  bool dry_run = false;
  std::string output; ///< a file, "-" for stdout, or empty
  std::string server = "http://127.0.0.1:8084";
  std::string key; ///< empty: none is sent
};

/// Reads the file and does with the plan what is wanted. The exit code: 0 done, 1 the file has
/// faults or the server refused, 2 something cannot be read, written or reached, or bad usage.
[[nodiscard]] int import_plan_file(const plan_import& wanted, std::ostream& out, std::ostream& err);

} // namespace usher::config
