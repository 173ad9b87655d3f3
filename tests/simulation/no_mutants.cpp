#include "tests/simulation/mutants.hpp"

namespace usher::simulation {

const std::vector<mutant>& mutants() {
  static const std::vector<mutant> none;
  return none;
}

} // namespace usher::simulation
