#pragma once

#include "tests/simulation/arguments.hpp"
#include "tests/simulation/options.hpp"
#include "tests/simulation/violation.hpp"

#include "storage/event_log.hpp"

#include <deque>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>

namespace usher::simulation {

/// How one world ended.
struct trial {
  options drawn;
  std::optional<violation> found;
  std::deque<std::string> story; ///< its last steps
  storage::log_head head;
  unsigned lives = 0;
  std::map<std::string, std::uint64_t> types; ///< how many records of each the log had
};

[[nodiscard]] trial run_one(std::uint64_t seed, std::optional<std::size_t> steps, bool verbose);

void print_failure(std::ostream& out, const trial& ended, const arguments& given);

/// Each seed twice: the same log, to the last byte. The exit code.
[[nodiscard]] int run_twice(const arguments& given);

/// Each mutation until an invariant catches it, and the same seeds without any. The exit code.
[[nodiscard]] int catch_all_mutants(const arguments& given);

} // namespace usher::simulation
