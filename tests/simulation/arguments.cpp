#include "tests/simulation/arguments.hpp"

#include <cstdlib>
#include <iostream>
#include <random>
#include <string_view>

namespace usher::simulation {

namespace {

template <class Number>
std::optional<Number> number(std::string_view text) {
  char* end = nullptr;
  const std::string whole{text};
  if constexpr (std::is_floating_point_v<Number>) {
    const auto read = std::strtod(whole.c_str(), &end);
    return !whole.empty() && *end == '\0' && read >= 0 ? std::optional{read} : std::nullopt;
  } else {
    const auto read = std::strtoull(whole.c_str(), &end, 10);
    const bool good = !whole.empty() && whole.front() != '-' && *end == '\0';
    return good ? std::optional{static_cast<Number>(read)} : std::nullopt;
  }
}

/// Puts the value of an option where it belongs; false if it is no value of it.
bool put(arguments& into, std::string_view option, std::string_view value) {
  const auto take = [](auto& place, auto read) {
    if (read)
      place = *read;
    return read.has_value();
  };
  if (option == "--seed" && value == "random") {
    into.seed = std::random_device{}();
    return true;
  }
  if (option == "--seed")
    return take(into.seed, number<std::uint64_t>(value));
  if (option == "--seeds")
    return take(into.seeds, number<std::uint64_t>(value));
  if (option == "--steps")
    return take(into.steps, number<std::size_t>(value));
  if (option == "--minutes")
    return take(into.minutes, number<double>(value));
  if (option == "--mutation") {
    into.mutation = value;
    return true;
  }
  return false;
}

bool* flag_of(arguments& into, std::string_view option) {
  if (option == "--verbose")
    return &into.verbose;
  if (option == "--mutations")
    return &into.list_mutations;
  if (option == "--catch-all")
    return &into.catch_all;
  if (option == "--twice")
    return &into.twice;
  if (option == "--tally")
    return &into.tally;
  return option == "--help" ? &into.help : nullptr;
}

} // namespace

std::optional<arguments> read_arguments(int count, char** values) {
  arguments given;
  given.program = values[0];
  if (const char* seed = std::getenv("USHER_SIMULATION_SEED"))
    given.seed = number<std::uint64_t>(seed).value_or(given.seed);
  for (int i = 1; i < count; ++i) {
    const std::string_view option = values[i];
    if (auto* flag = flag_of(given, option)) {
      *flag = true;
    } else if (i + 1 < count && put(given, option, values[i + 1])) {
      ++i;
    } else {
      std::cerr << "not understood: " << option << "\n";
      print_help(std::cerr);
      return std::nullopt;
    }
  }
  return given;
}

void print_help(std::ostream& out) {
  out << "A simulated world: clients, faults and time drawn from a seed, invariants at every "
         "step.\n"
         "  --seed N|random  the first seed (else USHER_SIMULATION_SEED, else 1)\n"
         "  --seeds N        how many, from there on (1)\n"
         "  --steps N        steps of clients in each (else drawn from the seed)\n"
         "  --minutes N      as many seeds as that takes, instead\n"
         "  --verbose        print the options and every step\n"
         "  --twice          run each seed twice and compare the logs\n"
         "  --tally          say how many records of each type the logs had\n"
         "  --mutations      list the deliberate mutations of this program\n"
         "  --mutation NAME  switch one on\n"
         "  --catch-all      run each mutation until an invariant catches it, at most --seeds "
         "seeds\n"
         "  --help           this\n";
}

} // namespace usher::simulation
