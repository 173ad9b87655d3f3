#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

// The deliberate mutations (mutants.txt). The plain program has none.
namespace usher::simulation {

struct mutant {
  std::string_view name;
  std::string_view sentence;
};

[[nodiscard]] const std::vector<mutant>& mutants();

/// From now on this one is on; empty: none. False: there is none of this name.
[[nodiscard]] bool switch_on(std::string_view name);

void print_mutants(std::ostream& out);

} // namespace usher::simulation
