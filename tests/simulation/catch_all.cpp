#include "tests/simulation/mutants.hpp"
#include "tests/simulation/trial.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <string>

// Each mutation in a process of its own: what it breaks may end it.
namespace usher::simulation {

namespace {

struct caught {
  std::string invariant; ///< empty: nothing was found
  std::uint64_t seeds = 0;
};

/// In the child: writes `seeds invariant` to `out`.
[[noreturn]] void run_mutant(const arguments& given, std::string_view name, int out) {
  // What a guard says goes nowhere: that it stopped the program is told by the exit code.
  static_cast<void>(std::freopen("/dev/null", "w", stdout));
  static_cast<void>(std::freopen("/dev/null", "w", stderr));
  if (!switch_on(name))
    std::_Exit(1);
  const auto tell = [out](const std::string& line) {
    static_cast<void>(!write(out, line.data(), line.size()));
  };
  for (std::uint64_t done = 1; done <= given.seeds; ++done) {
    tell(std::to_string(done) + "\n");
    const auto ended = run_one(given.seed + done - 1, given.steps, false);
    if (ended.found) {
      tell(ended.found->invariant + "\n");
      std::_Exit(0);
    }
  }
  std::_Exit(0);
}

/// What a child wrote and how it ended.
caught read_child(pid_t child, int in) {
  std::string text;
  std::array<char, 4096> part{};
  for (ssize_t got = 0; (got = read(in, part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<std::size_t>(got));
  close(in);
  int status = 0;
  waitpid(child, &status, 0);
  caught result;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = text.find('\n', begin);
    const auto line = text.substr(begin, end - begin);
    if (!line.empty() && line.front() >= '0' && line.front() <= '9')
      result.seeds = std::stoull(line);
    else
      result.invariant = line;
    begin = end + 1;
  }
  if (result.invariant.empty() && !(WIFEXITED(status) && WEXITSTATUS(status) == 0))
    result.invariant = "no-contradiction";
  return result;
}

caught try_mutant(const arguments& given, std::string_view name) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0)
    return {};
  const auto child = fork();
  if (child == 0) {
    close(ends[0]);
    run_mutant(given, name, ends[1]);
  }
  close(ends[1]);
  return read_child(child, ends[0]);
}

} // namespace

int catch_all_mutants(const arguments& given) {
  std::uint64_t most = 0;
  bool all_good = true;
  for (const auto& one : mutants()) {
    const auto result = try_mutant(given, one.name);
    std::cout << std::left << std::setw(40) << one.name << std::setw(32)
              << (result.invariant.empty() ? "NOT CAUGHT" : result.invariant) << std::right
              << std::setw(5) << result.seeds << " seeds" << std::endl;
    all_good = all_good && !result.invariant.empty();
    if (!result.invariant.empty())
      most = std::max(most, result.seeds);
  }
  arguments plain = given;
  plain.seeds = most;
  const auto without = try_mutant(plain, "");
  std::cout << std::left << std::setw(40) << "(none)" << std::setw(32)
            << (without.invariant.empty() ? "nothing found" : without.invariant) << std::right
            << std::setw(5) << without.seeds << " seeds" << std::endl;
  all_good = all_good && without.invariant.empty();
  std::cout << mutants().size() << " mutations: " << (all_good ? "all caught" : "FAILED") << '\n';
  return all_good ? EXIT_SUCCESS : EXIT_FAILURE;
}

} // namespace usher::simulation
