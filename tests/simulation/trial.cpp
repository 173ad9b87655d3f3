#include "tests/simulation/trial.hpp"

#include "tests/simulation/crowd.hpp"
#include "tests/simulation/theatre.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>

namespace usher::simulation {

namespace {

theatre& the_theatre() {
  static auto* const one = new theatre; // for ever: at exit, what CAF needs is gone already
  return *one;
}

// What is told if the program's own guard (an assert, bug_unless) ends it.
const crowd* at_work = nullptr;        // NOLINT
const options* at_work_with = nullptr; // NOLINT

/// The guard has said on stderr what it found. It ends the process, so this is the last thing done.
void tell_of_abort(int) {
  if (at_work != nullptr) {
    std::cout << "violation of no-contradiction: a guard in the program stopped it (see above)\n"
              << describe(*at_work_with) << "\nThe last steps:\n";
    for (const auto& line : at_work->story())
      std::cout << "  " << line << '\n';
    std::cout << "seed " << at_work_with->seed << std::endl;
  }
  std::_Exit(3);
}

} // namespace

trial run_one(std::uint64_t seed, std::optional<std::size_t> steps, bool verbose) {
  random_source random{seed};
  trial ended;
  ended.drawn = draw_options(seed, steps, random);
  if (verbose)
    std::cout << describe(ended.drawn) << std::endl;
  std::signal(SIGABRT, tell_of_abort);
  crowd all{the_theatre(), ended.drawn, random, verbose};
  at_work = &all;
  at_work_with = &ended.drawn;
  try {
    all.run();
  } catch (const violation& bad) {
    ended.found = bad;
  }
  at_work = nullptr;
  ended.story = all.story();
  ended.head = all.head();
  ended.lives = all.lives();
  ended.types = all.types();
  return ended;
}

void print_failure(std::ostream& out, const trial& ended, const arguments& given) {
  out << "violation of " << ended.found->invariant << ": " << ended.found->sentence << '\n'
      << describe(ended.drawn) << "\nThe last steps (ms, what):\n";
  for (const auto& line : ended.story)
    out << "  " << line << '\n';
  out << "Again, with every step:\n  " << given.program << " --seed " << ended.drawn.seed;
  if (given.steps)
    out << " --steps " << *given.steps;
  if (!given.mutation.empty())
    out << " --mutation " << given.mutation;
  out << " --verbose" << std::endl;
}

int run_twice(const arguments& given) {
  for (auto seed = given.seed; seed < given.seed + given.seeds; ++seed) {
    const auto one = run_one(seed, given.steps, false);
    const auto other = run_one(seed, given.steps, false);
    if (one.head != other.head || one.found.has_value() != other.found.has_value()) {
      std::cout << "seed " << seed << " gave two logs, of " << one.head.position << " and "
                << other.head.position << " records\n";
      return EXIT_FAILURE;
    }
  }
  std::cout << given.seeds << " seeds gave the same log twice\n";
  return EXIT_SUCCESS;
}

} // namespace usher::simulation
