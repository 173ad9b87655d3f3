#include "tests/simulation/mutants.hpp"

#include <algorithm>
#include <ostream>

/// Which mutation is on, by its number in mutants.txt; 0: none. The mutated code looks at it.
int usher_mutant_on = 0; // NOLINT

namespace usher::simulation {

bool switch_on(std::string_view name) {
  usher_mutant_on = 0;
  if (name.empty())
    return true;
  const auto& all = mutants();
  const auto found = std::ranges::find(all, name, &mutant::name);
  if (found == all.end())
    return false;
  usher_mutant_on = static_cast<int>(found - all.begin()) + 1;
  return true;
}

void print_mutants(std::ostream& out) {
  for (const auto& one : mutants())
    out << one.name << ": " << one.sentence << '\n';
}

} // namespace usher::simulation
