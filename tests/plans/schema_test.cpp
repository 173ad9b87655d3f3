// docs/plan.schema.json against the reader of our own JSON. A validator of the few keywords that
// the schema has judges plans that are broken in one place each, everywhere and in many ways;
// schema and reader have to agree, but for what no schema can say. And the reader knows exactly the
// members that the schema has.
//
// That it bites was shown by changing one thing of the schema at a time: each limit by one, the
// pattern, what is required, a property more and a property less, each oneOf and dependentRequired
// left out, a type. Each fails.

#include "http/plans/plan_json.hpp"
#include "tests/plans/support.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <regex>
#include <set>

using namespace usher;
using namespace usher::plans;
using namespace usher::plans::test;

namespace {

const json& the_schema() {
  static const json parsed = json::parse(text_of(repository() / "docs/plan.schema.json"));
  return parsed;
}

const json& resolved(const json& part) {
  return part.contains("$ref")
             ? the_schema().at(json::json_pointer{part["$ref"].get<std::string>().substr(1)})
             : part;
}

bool has_type(const json& value, const std::string& type) {
  return type == "object"    ? value.is_object()
         : type == "array"   ? value.is_array()
         : type == "string"  ? value.is_string()
         : type == "integer" ? value.is_number_integer()
         : type == "number"  ? value.is_number()
                             : type == "boolean" && value.is_boolean();
}

bool has_all(const json& object, const json& names) {
  return std::all_of(names.begin(), names.end(),
                     [&](const json& name) { return object.contains(name.get<std::string>()); });
}

bool matches(const std::string& text, const std::string& pattern) {
  static std::map<std::string, std::regex> made;
  return std::regex_match(text, made.try_emplace(pattern, pattern).first->second);
}

bool fits(const json& value, const json& unresolved);

bool object_fits(const json& value, const json& part) {
  if (!has_all(value, part.value("required", json::array())))
    return false;
  const auto either = part.value("oneOf", json::array());
  const auto met = std::count_if(either.begin(), either.end(),
                                 [&](const json& one) { return has_all(value, one["required"]); });
  if (!either.empty() && met != 1)
    return false;
  const auto dependent = part.value("dependentRequired", json::object());
  for (const auto& [name, others] : dependent.items())
    if (value.contains(name) && !has_all(value, others))
      return false;
  return std::all_of(value.items().begin(), value.items().end(), [&](const auto& member) {
    return part["properties"].contains(member.key()) &&
           fits(member.value(), part["properties"][member.key()]);
  });
}

bool fits(const json& value, const json& unresolved) {
  const auto& part = resolved(unresolved);
  if (!has_type(value, part["type"]))
    return false;
  if (value.is_object())
    return object_fits(value, part);
  if (value.is_array())
    return value.size() >= part.value("minItems", std::size_t{0}) &&
           value.size() <= part.value("maxItems", std::size_t{1'000'000}) &&
           std::all_of(value.begin(), value.end(),
                       [&](const json& each) { return fits(each, part["items"]); });
  if (value.is_string())
    return value.get<std::string>().size() <= part.value("maxLength", std::size_t{1'000'000}) &&
           (!part.contains("pattern") || matches(value, part["pattern"]));
  if (value.is_number())
    return value >= part["minimum"] && value <= part["maximum"];
  return true;
}

/// Faults that no schema can express.
bool is_of_rules(const shows::fault& one) {
  for (const auto* sentence :
       {"stands twice", "is not among plan.categories", "expected at most 20000 seats",
        "is too long for the ids of its seats"})
    if (one.what.find(sentence) != std::string::npos)
      return true;
  return false;
}

void compare(const json& plan) {
  const auto faults = read(plan.dump(), {}, format::usher).faults;
  const auto said = faults.empty() ? "nothing" : told(faults).front();
  if (fits(plan, the_schema()))
    BOOST_TEST(std::all_of(faults.begin(), faults.end(), is_of_rules),
               plan.dump().substr(0, 1000) << " fits the schema, but the reader says: " << said);
  else
    BOOST_TEST(!faults.empty(), plan.dump().substr(0, 1000)
                                    << " does not fit the schema, the reader takes it");
}

/// Calls `see(where)` for the value and everything in it.
void for_each_place(const json& value, const json::json_pointer& where,
                    const std::function<void(const json::json_pointer&)>& see) {
  see(where);
  if (value.is_object())
    for (const auto& [name, inside] : value.items())
      for_each_place(inside, where / name, see);
  if (value.is_array())
    for (std::size_t i = 0; i < value.size(); ++i)
      for_each_place(value[i], where / i, see);
}

const json& probes() {
  static const json all = [] {
    json made =
        json::parse(R"([null, true, false, {}, [], [{}], "", "a", "a b", ".a", "a.", "-", "_x",
        "ü", 0, 1, -1, 1.5, -0.5, 20000, 20001, 1000000, 1000001, -1000000, -1000001, 1000000.5,
        1000000000000, 1000000000001, 1e300, 18446744073709551615, {"x": 1}, {"x": 1, "y": 2},
        {"x": 1, "y": 2, "z": 3}])");
    made.push_back(std::string(64, 'a'));
    made.push_back(std::string(65, 'a'));
    made.push_back(std::string(256, 'a'));
    made.push_back(std::string(257, 'a'));
    return made;
  }();
  return all;
}

json base() {
  return json::parse(sample("own.json"));
}

using names = std::set<std::string>;

void collect_properties(const json& part, std::set<names>& into) {
  if (part.is_object() && part.contains("properties") && part["properties"].is_object()) {
    names here;
    for (const auto& [name, inside] : part["properties"].items())
      here.insert(name);
    into.insert(here);
  }
  if (part.is_structured())
    for (const auto& inside : part)
      collect_properties(inside, into);
}

} // namespace

BOOST_AUTO_TEST_SUITE(schema)

BOOST_AUTO_TEST_CASE(the_samples_and_the_examples_of_the_page_fit) {
  BOOST_TEST(fits(base(), the_schema()));
  const auto page = text_of(repository() / "docs/plans.md");
  const std::string fence = "```json\n";
  std::size_t found = 0;
  for (auto at = page.find(fence); at != std::string::npos;
       at = page.find(fence, at + 1), ++found) {
    const auto begin = at + fence.size();
    const auto example = page.substr(begin, page.find("```", begin) - begin);
    BOOST_TEST(fits(json::parse(example), the_schema()), example);
    BOOST_TEST((read_good(example).as == format::usher));
  }
  BOOST_TEST(found == 1U);
}

BOOST_AUTO_TEST_CASE(the_csv_of_the_page_is_read) {
  const auto page = text_of(repository() / "docs/plans.md");
  const auto begin = page.find("```csv\n") + 7;
  const auto made = read_good(page.substr(begin, page.find("```", begin) - begin),
                              {{"stalls", 35000}, {"balcony", 18000}});
  BOOST_TEST(counts_of(made.plan) == "2 blocks, 2 rows, 3 seats (1 accessible)");
}

BOOST_AUTO_TEST_CASE(what_is_written_fits) {
  const auto pretix = read_good(sample("pretix.json"), {{"Parkett", 1}, {"Galerie (Süd)", 2}});
  BOOST_TEST(fits(json::parse(plan_json(pretix.plan).dump()), the_schema()));
  const auto seatsio = read_good(sample("seatsio.json"), {{"1", 1}, {"2", 2}, {"Standing", 3}});
  BOOST_TEST(fits(json::parse(plan_json(seatsio.plan).dump()), the_schema()));
}

BOOST_AUTO_TEST_CASE(reader_and_schema_agree_about_every_value_at_every_place) {
  const auto plan = base();
  for_each_place(plan, json::json_pointer{}, [&](const json::json_pointer& where) {
    for (const auto& probe : probes()) {
      auto changed = plan;
      changed[where] = probe;
      if (changed.is_object()) // what is no object at all is refused before
        compare(changed);
    }
  });
}

BOOST_AUTO_TEST_CASE(reader_and_schema_agree_about_members_that_are_missing_or_unknown) {
  const auto plan = base();
  std::size_t removed = 0;
  for_each_place(plan, json::json_pointer{}, [&](const json::json_pointer& where) {
    if (!plan[where].is_object())
      return;
    auto more = plan;
    more[where]["unknown"] = 1;
    compare(more);
    for (const auto& [name, inside] : plan[where].items()) {
      auto less = plan;
      less[where].erase(name);
      compare(less);
      ++removed;
    }
  });
  BOOST_TEST(removed > 20U);
}

BOOST_AUTO_TEST_CASE(reader_and_schema_agree_about_members_that_exclude_one_another) {
  for (const auto* more :
       {R"({"capacity": 5})", R"({"capacity": 5, "rows": []})", R"({"rows": []})", R"({})"}) {
    auto plan = base();
    plan["blocks"][0].erase("rows");
    plan["blocks"][0].update(json::parse(more));
    compare(plan);
  }
  for (const auto* more : {R"({"count": 5})", R"({"count": 5, "seats": [{"id": "x"}]})",
                           R"({"seats": []})", R"({})"}) {
    auto plan = base();
    plan["blocks"][0]["rows"][0].erase("count");
    plan["blocks"][0]["rows"][0].update(json::parse(more));
    compare(plan);
  }
}

BOOST_AUTO_TEST_CASE(reader_and_schema_agree_about_the_longest_lists) {
  const auto most = the_schema()["properties"]["categories"]["maxItems"].get<std::size_t>();
  for (const auto count : {most, most + 1}) {
    auto plan = base();
    while (plan["categories"].size() < count)
      plan["categories"].push_back(
          {{"id", "c" + std::to_string(plan["categories"].size())}, {"price", 1}});
    compare(plan);
  }
}

BOOST_AUTO_TEST_CASE(the_longest_row_fits_and_one_seat_more_does_not) {
  const auto most =
      the_schema()["$defs"]["row"]["properties"]["seats"]["maxItems"].get<std::size_t>();
  auto plan = base();
  plan["blocks"][0]["rows"].erase(0);
  auto& list = plan["blocks"][0]["rows"][0]["seats"];
  while (list.size() < most)
    list.push_back({{"id", "s" + std::to_string(list.size())}});
  BOOST_TEST(fits(plan, the_schema()));
  BOOST_TEST(told(read(plan.dump()).faults) == lines{}, boost::test_tools::per_element());
  list.push_back({{"id", "one-more"}});
  BOOST_TEST(!fits(plan, the_schema()));
  BOOST_TEST(!read(plan.dump()).faults.empty());
}

BOOST_AUTO_TEST_CASE(the_reader_knows_exactly_the_members_of_the_schema) {
  std::set<names> of_schema;
  collect_properties(the_schema(), of_schema);
  std::set<names> of_reader;
  const auto source = text_of(repository() / "http/plans/plan_json.cpp");
  const std::regex known{R"(refuse_others\(\{([^}]*)\}\))"};
  const std::regex name{"\"([A-Za-z]+)\""};
  for (std::sregex_iterator at{source.begin(), source.end(), known}, end; at != end; ++at) {
    const auto list = (*at)[1].str();
    names here;
    for (std::sregex_iterator each{list.begin(), list.end(), name}; each != end; ++each)
      here.insert((*each)[1].str());
    of_reader.insert(here);
  }
  BOOST_TEST((of_reader == of_schema));
  BOOST_TEST(of_reader.size() == 6U);
}

BOOST_AUTO_TEST_SUITE_END()
