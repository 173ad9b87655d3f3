// A second opinion must not come from the first: no file of the audit includes a header of the
// actors' rules or states. Of the actors it may know their events and the basic words, nothing
// else.

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace {

bool is_allowed(std::string_view include) {
  return include.starts_with("actors/basics/") ||
         (include.starts_with("actors/") && include.ends_with("/event.hpp")) ||
         !include.starts_with("actors/");
}

/// What a line includes with quotes; empty if nothing.
std::string_view included(std::string_view line) {
  constexpr std::string_view begin = "#include \"";
  return line.starts_with(begin)
             ? line.substr(begin.size(), line.find('"', begin.size()) - begin.size())
             : std::string_view{};
}

} // namespace

BOOST_AUTO_TEST_CASE(the_audit_includes_no_rules_and_no_state) {
  // The check itself bites:
  BOOST_TEST(!is_allowed(included("#include \"actors/seating/rules.hpp\"")));
  BOOST_TEST(!is_allowed(included("#include \"actors/orders/state.hpp\"")));
  BOOST_TEST(is_allowed(included("#include \"actors/orders/event.hpp\"")));

  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator{USHER_SOURCE_DIR "/storage/audit"}) {
    ++files;
    std::ifstream file{entry.path()};
    for (std::string line; std::getline(file, line);)
      BOOST_TEST(is_allowed(included(line)), entry.path().filename().string() << ": " << line);
  }
  BOOST_TEST(files > 10);
}
