// openapi.json against the program: exactly the routes that there are, each with its parameters and
// its audience; references that lead somewhere; the settings of a room with their defaults; a
// problem document behind every route, and every code that the sources can answer. And the page of
// holds against openapi.json: every example is of the kind that it should be.
//
// That it bites was shown by breaking the document: a route left out or added, another parameter's
// name, no key at an operator's route, a reference to nothing, another default, a setting or a code
// left out, an operation without a problem each fail the case that is named after it; so does an
// example of the page with a member misspelled or left out, a number in quotes or another status.

#include "http/api/openapi.hpp"
#include "http/api/room_settings_json.hpp"
#include "http/api/router.hpp"
#include "tests/docs/reading.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <regex>
#include <set>

using namespace usher;
using http::audience;
using http::json;

namespace {

json& document() {
  static json parsed = json::parse(http::openapi_document());
  return parsed;
}

/// What a `$ref` leads to; the value itself if it is none. Throws if it leads nowhere.
const json& resolved(const json& value) {
  if (!value.contains("$ref"))
    return value;
  const auto to = value["$ref"].get<std::string>();
  return document().at(json::json_pointer{to.substr(1)});
}

std::string method_of(http::method which) {
  switch (which) {
  case http::method::get:
    return "get";
  case http::method::post:
    return "post";
  case http::method::put:
    return "put";
  case http::method::patch:
    return "patch";
  case http::method::delete_:
    return "delete";
  default:
    return "?";
  }
}

/// Calls `see(name, operation, route)` for each route that the document has too.
void for_each_operation(
    const std::function<void(const std::string&, const json&, const http::route&)>& see) {
  const auto& paths = document()["paths"];
  for (const auto& each : http::routes()) {
    const std::string path{each.pattern};
    const auto method = method_of(each.method);
    if (paths.contains(path) && paths[path].contains(method))
      see(method + " " + path, paths[path][method], each);
  }
}

/// Calls `see` for each object in the document.
void for_each_object(const json& in, const std::function<void(const json&)>& see) {
  if (in.is_object())
    see(in);
  if (in.is_structured())
    for (const auto& each : in)
      for_each_object(each, see);
}

std::set<std::string> in_braces(std::string_view pattern) {
  std::set<std::string> names;
  for (auto at = pattern.find('{'); at != std::string_view::npos; at = pattern.find('{', at + 1))
    names.emplace(pattern.substr(at + 1, pattern.find('}', at) - at - 1));
  return names;
}

std::set<std::string> path_parameters(const json& operation) {
  std::set<std::string> names;
  for (const auto& each : operation.value("parameters", json::array()))
    if (const auto& parameter = resolved(each); parameter["in"] == "path")
      names.insert(parameter["name"].get<std::string>());
  return names;
}

/// The schemes that an operation takes, each requirement's names joined; "" is nobody's key.
std::set<std::string> schemes(const json& operation) {
  std::set<std::string> all;
  for (const auto& requirement : operation["security"]) {
    std::string names;
    for (const auto& [name, scopes] : requirement.items())
      names += name;
    all.insert(names);
  }
  return all;
}

bool answers_problems(const json& operation) {
  const json problem = {{"$ref", "#/components/schemas/Problem"}};
  for (const auto& [status, answer] : operation["responses"].items()) {
    const auto& content = resolved(answer).value("content", json::object());
    if (status == "default" && content.contains("application/problem+json"))
      return content["application/problem+json"]["schema"] == problem;
  }
  return false;
}

bool is_of_type(const json& value, const std::string& type) {
  return type == "object"    ? value.is_object()
         : type == "array"   ? value.is_array()
         : type == "string"  ? value.is_string()
         : type == "boolean" ? value.is_boolean()
         : type == "integer" ? value.is_number_integer()
         : type == "null"    ? value.is_null()
                             : false;
}

/// What is wrong with the value, as far as a reader would notice: types, names that stand in a
/// list, members that are missing or not known. Empty if nothing.
std::string misfit(const json& value, const json& described) {
  const auto& schema = resolved(described);
  auto types = schema.value("type", json::array());
  if (types.is_string())
    types = json::array({types});
  if (!types.empty() && std::none_of(types.begin(), types.end(), [&](const json& type) {
        return is_of_type(value, type.get<std::string>());
      }))
    return value.dump() + " is no " + types.dump();
  if (const auto names = schema.value("enum", json::array());
      !names.empty() && std::find(names.begin(), names.end(), value) == names.end())
    return value.dump() + " is none of " + names.dump();
  if (value.is_array())
    for (const auto& each : value)
      if (auto fault = misfit(each, schema.at("items")); !fault.empty())
        return fault;
  if (!value.is_object())
    return {};
  for (const auto& name : schema.value("required", json::array()))
    if (!value.contains(name.get<std::string>()))
      return name.dump() + " is missing";
  const auto known = schema.value("properties", json::object());
  const auto others = schema.value("additionalProperties", json{});
  for (const auto& [name, member] : value.items()) {
    if (!known.contains(name) && !others.is_object())
      return name + " is not known";
    if (auto fault = misfit(member, known.contains(name) ? known[name] : others); !fault.empty())
      return fault;
  }
  return {};
}

/// The codes that stand beside a status somewhere in the sources of the edge.
std::set<std::string> codes_in_sources() {
  std::set<std::string> codes;
  // Of rejections whose names are sent as they are.
  for (const auto* name :
       {"access-code-unknown", "access-code-used", "access-code-not-yet", "access-code-expired"})
    codes.insert(name);
  const std::regex pair{R"rx([({,]\s*[45][0-9][0-9],\s*"([a-z]+(-[a-z]+)*)")rx"};
  for (const std::filesystem::path part :
       {USHER_SOURCE_DIR "/http/api", USHER_SOURCE_DIR "/http/server"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(part))
      if (entry.path().extension() == ".cpp") {
        const auto text = test::text_of(entry.path());
        for (std::sregex_iterator at{text.begin(), text.end(), pair}, end; at != end; ++at)
          codes.insert((*at)[1].str());
      }
  return codes;
}

} // namespace

BOOST_AUTO_TEST_CASE(the_document_has_exactly_the_routes_there_are) {
  std::set<std::string> there;
  for (const auto& each : http::routes())
    there.insert(method_of(each.method) + " " + std::string{each.pattern});
  std::set<std::string> written;
  for (const auto& [path, methods] : document()["paths"].items())
    for (const auto& [method, operation] : methods.items())
      written.insert(method + " " + path);
  BOOST_TEST(written == there, boost::test_tools::per_element());
  BOOST_TEST(document()["openapi"] == "3.1.0");
}

BOOST_AUTO_TEST_CASE(path_parameters_are_those_of_the_pattern_and_operations_have_names) {
  std::set<std::string> names;
  for_each_operation([&](const auto& name, const json& operation, const http::route& route) {
    BOOST_TEST_INFO(name);
    BOOST_TEST(path_parameters(operation) == in_braces(route.pattern),
               boost::test_tools::per_element());
    BOOST_TEST(names.insert(operation["operationId"].get<std::string>()).second);
  });
}

BOOST_AUTO_TEST_CASE(every_reference_leads_somewhere) {
  std::size_t references = 0;
  for_each_object(document(), [&](const json& each) {
    if (!each.contains("$ref"))
      return;
    ++references;
    const auto to = each["$ref"].get<std::string>();
    BOOST_REQUIRE(to.starts_with("#/"));
    BOOST_TEST(document().contains(json::json_pointer{to.substr(1)}), to);
  });
  BOOST_TEST(references > 100U);
}

BOOST_AUTO_TEST_CASE(everything_that_can_be_referred_to_is) {
  const auto text = document().dump();
  for (const auto& [kind, all] : document()["components"].items())
    for (const auto& [name, what] : all.items())
      if (kind != "securitySchemes")
        BOOST_TEST(text.find("\"#/components/" + kind + "/" + name + "\"") != std::string::npos,
                   kind << " " << name);
}

BOOST_AUTO_TEST_CASE(whose_key_is_asked_for_is_written_there) {
  using names = std::set<std::string>;
  for_each_operation([&](const auto& name, const json& operation, const http::route& route) {
    BOOST_TEST_INFO(name);
    const auto those = schemes(operation);
    const auto& answers = operation["responses"];
    if (route.who == audience::admins)
      BOOST_TEST(those == names{"adminKey"}, boost::test_tools::per_element());
    else if (route.who == audience::operators)
      BOOST_TEST(those == names{"operatorKey"}, boost::test_tools::per_element());
    else if (route.who == audience::services)
      BOOST_TEST((those == names{"operatorKey", "serviceKey"}));
    else if (route.who == audience::readers)
      BOOST_TEST((those == names{"operatorKey", "serviceKey", "viewerKey"}));
    else if (route.who == audience::doors)
      BOOST_TEST((those == names{"gateKey", "operatorKey", "serviceKey"}));
    else
      BOOST_TEST((those.empty() || those.contains("")),
                 "a key is optional where none is asked for");
    BOOST_TEST(answers.contains("401") == (route.who != audience::everybody));
  });
}

BOOST_AUTO_TEST_CASE(the_settings_of_a_room_are_those_with_their_defaults) {
  const json defaults = http::settings_json({});
  const auto& written = document()["components"]["schemas"]["WaitingRoomSettings"]["properties"];
  for (const auto& [name, value] : defaults.items())
    BOOST_TEST((written.contains(name) && written[name].contains("default") &&
                written[name]["default"] == value),
               name << " is " << value << " unless it is set");
  for (const auto& [name, schema] : written.items())
    BOOST_TEST(defaults.contains(name), name << " is no setting");
}

BOOST_AUTO_TEST_CASE(every_route_can_answer_a_problem) {
  for_each_operation([&](const auto& name, const json& operation, const http::route&) {
    BOOST_TEST(answers_problems(operation), name);
  });
}

BOOST_AUTO_TEST_CASE(the_codes_of_problems_are_those_of_the_sources) {
  const auto& schema = document()["components"]["schemas"]["Problem"]["properties"]["code"];
  std::set<std::string> written;
  for (const auto& each : schema["examples"])
    written.insert(each.get<std::string>());
  BOOST_TEST(written == codes_in_sources(), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(every_example_of_the_page_of_holds_is_what_is_described_here) {
  const char* const kinds[]{"HoldRequest", "HoldRequest",   "HoldRequest",  "HoldRequest",
                            "Hold",        "Problem",       "BlockRequest", "SeatsChanged",
                            "CounterSale", "ReturnRequest", "Prices",       "HoldSettings"};
  const auto page = test::text_of("docs/holds.md");
  const std::string fence = "```json\n";
  std::size_t at = 0;
  for (const std::string kind : kinds) {
    at = page.find(fence, at);
    BOOST_TEST_REQUIRE(at != std::string::npos, "no example is left for " << kind);
    at += fence.size();
    const auto text = page.substr(at, page.find("```", at) - at);
    const auto& schema = document()["components"]["schemas"][kind];
    const auto fault = misfit(json::parse(text), schema);
    BOOST_TEST(fault == "", kind << ": " << fault << " in " << text);
  }
  BOOST_TEST(page.find(fence, at) == std::string::npos, "an example more than kinds");
}
