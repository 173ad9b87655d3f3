#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>

namespace usher::simulation {

/// What the command line says.
struct arguments {
  std::string program;
  std::uint64_t seed = 1;
  std::uint64_t seeds = 1;
  std::optional<std::size_t> steps;
  std::optional<double> minutes;
  std::string mutation;
  bool verbose = false;
  bool list_mutations = false;
  bool catch_all = false;
  bool twice = false;
  bool tally = false;
  bool help = false;
};

/// Says on stderr what is wrong, and gives nothing, if something is. The first seed is that of
/// --seed, else of USHER_SIMULATION_SEED, else always the same.
[[nodiscard]] std::optional<arguments> read_arguments(int count, char** values);

void print_help(std::ostream& out);

} // namespace usher::simulation
