#pragma once

#include "tests/docs/reading.hpp"
#include "tests/gateways/playing.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>
#include <string>
#include <vector>

// The table of docs/gateways.md, row for row: what each answer to each request means, for an
// attempt that is asked for the first time and for one that was asked before.
namespace usher::test {

struct outcome_row {
  std::string asked;  ///< which request
  std::string answer; ///< what came, in words
  std::vector<client::outcome> got;
  std::string first;       ///< the outcome
  std::string before;      ///< the outcome of an attempt that was asked before; empty: the same
  std::string reason = {}; ///< of the first; empty: approved

  [[nodiscard]] std::string line() const {
    return "| " + asked + " | " + answer + " | " + first + " | " +
           (before.empty() ? first : before) + " | " + (reason.empty() ? "" : "`" + reason + "`") +
           " |";
  }
};

/// The steps of a call and the answers before the one that the row is about.
struct led_up {
  charge_step begin;
  std::vector<client::outcome> before{};
};
using leading = std::function<led_up(const std::string& asked, bool again)>;

inline void check_rows(const std::vector<outcome_row>& rows, const leading& lead) {
  for (const auto& row : rows)
    for (const bool again : {false, true}) {
      BOOST_TEST_CONTEXT(row.line() << (again ? " again" : "")) {
        try {
          auto [begin, answers] = lead(row.asked, again);
          answers.insert(answers.end(), row.got.begin(), row.got.end());
          const auto end = play(std::move(begin), answers).end;
          const auto& expected = again && !row.before.empty() ? row.before : row.first;
          BOOST_TEST(to_string(end.what) == expected);
          if (!again)
            BOOST_TEST(end.reason == row.reason);
          BOOST_TEST(end.reason.empty() == (end.what == outcome::approved));
          BOOST_TEST(!(end.what == outcome::approved && end.reference.empty()));
        } catch (const std::exception& fault) {
          BOOST_ERROR(fault.what());
        }
      }
    }
}

/// Whether the page has exactly these rows below that heading.
inline void check_page(const std::vector<outcome_row>& rows, const std::string& heading) {
  std::string expected;
  for (const auto& row : rows)
    expected += row.line() + "\n";
  std::string written;
  bool here = false;
  for (const auto& line : lines_of(text_of("docs/gateways.md"))) {
    if (line.starts_with("#"))
      here = line == heading;
    else if (here && line.starts_with("| ") && !line.starts_with("| asked "))
      written += line + "\n";
  }
  BOOST_TEST((written == expected), "docs/gateways.md should have below '" << heading << "':\n"
                                                                           << expected);
}

} // namespace usher::test
