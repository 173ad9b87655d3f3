#pragma once

#include "http/plans/import_plan.hpp"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

// Files as texts, and their faults as the lines that a person would read.
namespace usher::plans::test {

using nlohmann::json;
using lines = std::vector<std::string>;

inline std::filesystem::path repository() {
  return USHER_SOURCE_DIR;
}
inline std::filesystem::path sample_path(const std::string& name) {
  return repository() / "tests/plans/samples" / name;
}

inline std::string text_of(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}
inline std::string sample(const std::string& name) {
  return text_of(sample_path(name));
}

/// "place: what", or "what" alone if it is about the whole file.
inline lines told(const std::vector<shows::fault>& faults) {
  lines made;
  for (const auto& each : faults)
    made.push_back(each.field.empty() ? each.what : each.field + ": " + each.what);
  return made;
}

inline lines told(const std::vector<mapping>& mapped) {
  const std::string kinds[] = {"category", "block", "row", "seat"};
  lines made;
  for (const auto& each : mapped)
    made.push_back(kinds[static_cast<std::size_t>(each.of)] + " " + each.label + " -> " + each.id);
  return made;
}

inline imported read(const std::string& text, price_list prices = {},
                     format as = format::automatic) {
  import_options with;
  with.as = as;
  with.prices = std::move(prices);
  return import_plan(text, with);
}

/// A plan without faults; says which there are otherwise.
inline imported read_good(const std::string& text, price_list prices = {},
                          format as = format::automatic) {
  auto made = read(text, std::move(prices), as);
  BOOST_TEST(told(made.faults) == lines{}, boost::test_tools::per_element());
  BOOST_TEST_REQUIRE(made.faults.size() == 0U);
  return made;
}

/// One broken file and all that is wrong with it, in order.
struct broken {
  const char* name;
  std::string text;
  lines faults;
  price_list prices{};
};

inline void check(const broken& one) {
  BOOST_TEST_CONTEXT(one.name) {
    BOOST_TEST(told(read(one.text, one.prices).faults) == one.faults,
               boost::test_tools::per_element());
  }
}

/// The ids of a row's seats.
inline lines ids_of(const shows::row& row) {
  lines made;
  for (const auto& each : row.seats)
    made.push_back(each.id);
  return made;
}

} // namespace usher::plans::test
