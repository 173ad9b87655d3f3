// What is found in JSON without parsing it, against a parser; and that broken JSON has nothing in
// it that is not there. Made to fail once: with a member of an inner object taken for one of the
// outer, and with texts whose quotation marks are not skipped.

#include "bench/load/json_look.hpp"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <random>

using namespace usher::load;
using nlohmann::json;

namespace {

const std::string sample =
    R"({ "inner" : {"id":"wrong","list":[{"id":"wrong"}]}, "text":"a } ] , \" \\","id":"right",)"
    R"("count": -12 ,"list":[1, "two ]", {"id":3}, [4,[5]], true],"none":null,"last":1.5})";

json random_value(std::mt19937& random, int depth) {
  const auto pick = [&](int below) {
    return static_cast<int>(random() % static_cast<unsigned>(below));
  };
  switch (pick(depth > 0 ? 7 : 5)) {
  case 0:
    return pick(2'000'001) - 1'000'000;
  case 1:
    return "plain";
  case 2:
    return R"(with "quotes", \ and }],:)";
  case 3:
    return nullptr;
  case 4:
    return pick(2) == 0;
  case 5: {
    auto list = json::array();
    for (int i = pick(5); i > 0; --i)
      list.push_back(random_value(random, depth - 1));
    return list;
  }
  default: {
    auto object = json::object();
    for (int i = pick(5); i > 0; --i)
      object["m" + std::to_string(pick(6))] = random_value(random, depth - 1);
    return object;
  }
  }
}

/// As a person writes it or as a machine does.
std::string written(const json& what, bool with_space) {
  return with_space ? what.dump(1) : what.dump();
}

} // namespace

BOOST_AUTO_TEST_CASE(members_are_those_of_the_object_itself) {
  BOOST_TEST(text_member(sample, "id") == "right");
  BOOST_TEST((number_member(sample, "count") == -12));
  BOOST_TEST(member(sample, "none") == "null");
  BOOST_TEST(member(sample, "last") == "1.5");
  BOOST_TEST(text_member(member(sample, "inner"), "id") == "wrong");
  BOOST_TEST(member(sample, "missing").empty());
  BOOST_TEST(member(sample, "text") == R"("a } ] , \" \\")");
}

BOOST_AUTO_TEST_CASE(a_member_of_another_type_is_none) {
  BOOST_TEST(text_member(sample, "text").empty()); // has escapes
  BOOST_TEST(text_member(sample, "count").empty());
  BOOST_TEST(!number_member(sample, "id"));
  BOOST_TEST(!number_member(sample, "last"));
  BOOST_TEST(!number_member(R"({"a":99999999999999999999})", "a"));
  BOOST_TEST(!number_member(sample, "missing"));
}

BOOST_AUTO_TEST_CASE(lists_and_objects_are_walked_in_their_order) {
  std::vector<std::string> seen;
  BOOST_TEST(each_element(member(sample, "list"),
                          [&](std::string_view each) { seen.emplace_back(each); }));
  BOOST_TEST(seen == (std::vector<std::string>{"1", "\"two ]\"", R"({"id":3})", "[4,[5]]", "true"}),
             boost::test_tools::per_element());
  seen.clear();
  BOOST_TEST(each_member(member(sample, "inner"), [&](std::string_view name, std::string_view) {
    seen.emplace_back(name);
  }));
  BOOST_TEST(seen == (std::vector<std::string>{"id", "list"}), boost::test_tools::per_element());
  const auto nothing = [](std::string_view) { BOOST_ERROR("there is nothing to see"); };
  BOOST_TEST(each_element("[ ]", nothing));
  BOOST_TEST(!each_element("{}", nothing));
  BOOST_TEST(!each_element("", nothing));
}

BOOST_AUTO_TEST_CASE(random_documents_are_seen_as_a_parser_sees_them) {
  std::mt19937 random{11};
  for (int round = 0; round < 2'000; ++round) {
    json whole = json::object();
    for (int i = 0; i < 6; ++i)
      whole["m" + std::to_string(random() % 8)] = random_value(random, 3);
    const auto text = written(whole, round % 2 == 0);
    for (int i = 0; i < 8; ++i) {
      const auto name = "m" + std::to_string(i);
      const auto found = member(text, name);
      if (!whole.contains(name))
        BOOST_TEST(found.empty(), name << " in " << text);
      else
        BOOST_TEST((json::parse(found, nullptr, false) == whole[name]), name << " in " << text);
    }
    std::size_t members = 0;
    BOOST_TEST(each_member(text, [&](std::string_view, std::string_view) { ++members; }));
    BOOST_TEST(members == whole.size());
  }
}

// An answer that breaks off: what was not there to its end is not told.
BOOST_AUTO_TEST_CASE(of_a_document_that_breaks_off_only_whole_members_are_told) {
  const auto whole = json::parse(sample);
  for (std::size_t size = 0; size < sample.size(); ++size) {
    const std::string_view part{sample.data(), size};
    for (const auto& [name, value] : whole.items())
      if (const auto found = member(part, name); !found.empty())
        BOOST_TEST((json::parse(found, nullptr, false) == value), name << " of " << part);
    BOOST_TEST(!each_member(part, [](std::string_view, std::string_view) {}), part);
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_json_has_no_members) {
  for (const std::string_view text : {"", "   ", "null", "[1]", "{", "{\"a\"", "{\"a\":",
                                      "{\"a\" 1}", "{a:1}", "\"a\":1", "{1:2}", "{\"a\":\"b"})
    BOOST_TEST(member(text, "a").empty(), text);
}
