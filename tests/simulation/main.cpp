// A whole sale in one process on virtual time: all rules, actors and the log, real; clients,
// gateways, network, clocks and disk, played; everything drawn from one seed. What has to be true
// is checked after every step. docs/testing.md tells more.
#include "tests/simulation/arguments.hpp"
#include "tests/simulation/crowd.hpp"
#include "tests/simulation/mutants.hpp"
#include "tests/simulation/trial.hpp"

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>

namespace {

using namespace usher::simulation;

int run_seeds(const arguments& given) {
  using clock = std::chrono::steady_clock;
  const auto begun = clock::now();
  const auto limit = std::chrono::duration<double, std::ratio<60>>{given.minutes.value_or(0)};
  std::uint64_t done = 0;
  std::uint64_t lives = 0;
  std::map<std::string, std::uint64_t> types;
  for (auto seed = given.seed; given.minutes ? clock::now() - begun < limit : done < given.seeds;
       ++seed, ++done) {
    const auto ended = run_one(seed, given.steps, given.verbose);
    lives += ended.lives;
    for (const auto& [type, times] : ended.types)
      types[type] += times;
    if (ended.found) {
      print_failure(std::cout, ended, given);
      return EXIT_FAILURE;
    }
  }
  if (given.tally)
    for (const auto& [type, times] : types)
      std::cout << "  " << type << ": " << times << '\n';
  const std::chrono::duration<double> took = clock::now() - begun;
  std::cout << done << " seeds from " << given.seed << " on, " << lives
            << " lives of the process, no violation, " << took.count() << " s\n";
  return EXIT_SUCCESS;
}

} // namespace

int main(int count, char** values) {
  const auto given = read_arguments(count, values);
  if (!given)
    return EXIT_FAILURE;
  if (given->help)
    return print_help(std::cout), EXIT_SUCCESS;
  if (given->list_mutations)
    return print_mutants(std::cout), EXIT_SUCCESS;
  if (!switch_on(given->mutation)) {
    std::cerr << "there is no mutation '" << given->mutation << "'; see --mutations\n";
    return EXIT_FAILURE;
  }
  std::cout << "seeds from " << given->seed << " on" << std::endl;
  if (given->twice)
    return run_twice(*given);
  return given->catch_all ? catch_all_mutants(*given) : run_seeds(*given);
}
