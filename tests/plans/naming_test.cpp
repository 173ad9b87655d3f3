// Ids out of labels: a table, and that what is an id stays as it is.

#include "http/plans/naming.hpp"

#include "actors/shows/rules.hpp"
#include "tests/plans/support.hpp"

using namespace usher;
using namespace usher::plans;

BOOST_AUTO_TEST_SUITE(naming)

BOOST_AUTO_TEST_CASE(labels_become_ids) {
  const struct {
    const char* label;
    const char* id;
  } cases[] = {
      {"A-1", "A-1"},
      {"a_b.c", "a_b.c"},
      {"-x-", "-x-"}, // an id already
      {"A--1", "A--1"},
      {"Row 1", "Row-1"},
      {"Parkett  links", "Parkett-links"},
      {"  Box / 7 (royal) ", "Box-7-royal"},
      {"A -1", "A--1"},
      {"Großer Saal", "Grosser-Saal"},
      {"Plateia São João", "Plateia-Sao-Joao"},
      {"Ærø Œuvre", "AEro-OEuvre"},
      {"Žižkov Łódź", "Zizkov-Lodz"},
      {"Südkurve", "Sudkurve"},
      {"Su\xCC\x88"
       "dkurve", // the accent as a character of its own
       "Sudkurve"},
      {"3 × 4", "3-4"},
      {"Партер 1", "1"},
      {"Партер", ""},
      {"…", ""},
      {"", ""},
      {".hidden", ".hidden"}, // no id either, which is said elsewhere
  };
  for (const auto& one : cases)
    BOOST_TEST(id_of(std::string_view{one.label}) == one.id, one.label);
}

BOOST_AUTO_TEST_CASE(an_id_of_several_labels_needs_each_of_them) {
  BOOST_TEST(id_of({"Section A", "A", "1"}) == "Section-A-A-1");
  BOOST_TEST(id_of({"Section A", "…", "1"}) == "");
  BOOST_TEST(label_of({"Section A", "A", "1"}) == "Section A-A-1");
}

// Every character that there is, alone between two letters: the outcome is an id, and nothing is
// read beyond the end of the label.
BOOST_AUTO_TEST_CASE(whatever_a_label_has_its_id_is_one) {
  for (char32_t c = 1; c < 0x3000; ++c) {
    std::string label{"x"};
    if (c < 0x80) {
      label += static_cast<char>(c);
    } else if (c < 0x800) {
      label += static_cast<char>(0xC0 | (c >> 6));
      label += static_cast<char>(0x80 | (c & 0x3F));
    } else {
      label += static_cast<char>(0xE0 | (c >> 12));
      label += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
      label += static_cast<char>(0x80 | (c & 0x3F));
    }
    BOOST_REQUIRE(is_utf8(label));
    BOOST_REQUIRE_MESSAGE(shows::is_id(id_of(label + "y")), label);
    BOOST_REQUIRE_MESSAGE(shows::is_id(id_of(label)), label);
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_utf_8_is_known) {
  for (const std::string text :
       {"\xFF", "a\xC3", "\xC3(", "\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82"})
    BOOST_TEST(!is_utf8(text));
  for (const std::string text : {"", "plain", "ü", "€", "🎭"})
    BOOST_TEST(is_utf8(text));
}

BOOST_AUTO_TEST_CASE(a_quotation_is_cut_between_characters) {
  BOOST_TEST(in_quotes("Stalls") == "'Stalls'");
  BOOST_TEST(in_quotes("a\tb\x1B[0m\x7F") == "'a?b?[0m?'");
  BOOST_TEST(in_quotes(std::string(80, 'a')) == "'" + std::string(80, 'a') + "'");
  BOOST_TEST(in_quotes(std::string(81, 'a')) == "'" + std::string(80, 'a') + "…'");
  std::string label;
  for (int i = 0; i < 60; ++i)
    label += "ü";
  BOOST_TEST(is_utf8(in_quotes(label)));
  BOOST_TEST(is_utf8(in_quotes("x" + label)));
  BOOST_TEST(in_quotes(label).size() < 90U);
}

BOOST_AUTO_TEST_SUITE_END()
