#pragma once

#include "tests/storage/audit_script.hpp"

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>

// What the audit says of a log, as a text to compare.
namespace usher::storage::test {

inline std::string violations_of(const audit::auditor& auditor) {
  std::string all;
  for (const auto& one : auditor.found().listed())
    all += std::to_string(one.position) + " " + std::string{audit::to_string(one.what)} + ": " +
           one.sentence + "\n";
  return all;
}

inline std::string violations_of(const event_log& log, std::size_t listed_max = 100) {
  audit::auditor auditor{listed_max};
  audit_all(log, auditor);
  return violations_of(auditor);
}

inline std::string violations_of(const script& what) {
  memory_log log;
  write(log, what);
  return violations_of(log);
}

/// USHER_SEED of the environment, or 1; said, so that a failure can be seen again.
inline std::uint32_t seed_of_this_run() {
  const char* given = std::getenv("USHER_SEED");
  const auto seed = given == nullptr ? 1U : static_cast<std::uint32_t>(std::stoul(given));
  std::cout << "USHER_SEED=" << seed << std::endl;
  return seed;
}

} // namespace usher::storage::test
