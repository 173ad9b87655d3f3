// The pages against the code: the settings in README.md with their defaults, the table of metrics,
// the worked example of the draw computed again, and every address in a curl line of the pages is a
// route with that method.
//
// That it bites was shown by changing one thing of each page: a default, a help text, a digit of a
// hash, the order of two tickets, a letter of an address.

#include "actors/runtime/draw.hpp"
#include "http/api/metrics.hpp"
#include "http/api/room_settings_json.hpp"
#include "http/api/router.hpp"
#include "http/crypto/crypto.hpp"
#include "tests/docs/reading.hpp"

#include <boost/test/unit_test.hpp>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <map>
#include <regex>

using namespace usher;
using http::json;
using runtime::bytes32;

namespace {

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream from{text};
  for (std::string part; std::getline(from, part, at);)
    parts.push_back(part);
  return parts;
}

http::method method_of(const std::string& name) {
  using enum http::method;
  static const std::map<std::string, http::method> all{
      {"GET", get}, {"POST", post}, {"PUT", put}, {"PATCH", patch}, {"DELETE", delete_}};
  return all.at(name);
}

bool fits(std::string_view pattern, const std::string& path) {
  const auto wanted = split(std::string{pattern}, '/');
  const auto given = split(path, '/');
  return std::equal(
      wanted.begin(), wanted.end(), given.begin(), given.end(),
      [](const auto& is, const auto& part) { return is.starts_with('{') || is == part; });
}

bool is_route(http::method method, const std::string& path) {
  const auto& all = http::routes();
  return std::any_of(all.begin(), all.end(), [&](const http::route& each) {
    return each.method == method && fits(each.pattern, path);
  });
}

/// The JSON that stands in the first block of that language in the page, and behind `from`.
json json_of(const std::string& page, const std::string& from) {
  const auto begin = page.find("```json\n", page.find(from)) + 8;
  return json::parse(page.substr(begin, page.find("```", begin) - begin));
}

template <class Bytes>
Bytes from_hex(const std::string& text) {
  Bytes bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::uint8_t>(std::stoul(text.substr(2 * i, 2), nullptr, 16));
  return bytes;
}

/// The hash of one ticket, without the code under test.
std::string hash_of(const bytes32& seed, const std::string& beacon, slot_t ticket) {
  std::string key{seed.begin(), seed.end()};
  key += beacon;
  const std::array<std::uint8_t, 4> number{
      static_cast<std::uint8_t>(ticket >> 24), static_cast<std::uint8_t>(ticket >> 16),
      static_cast<std::uint8_t>(ticket >> 8), static_cast<std::uint8_t>(ticket)};
  bytes32 out{};
  unsigned size = 0;
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), number.data(), number.size(),
       out.data(), &size);
  return http::to_hex(out);
}

std::vector<std::vector<slot_t>> members_of(const json& tiers) {
  std::vector<std::vector<slot_t>> all;
  for (const auto& tier : tiers) {
    auto& members = all.emplace_back();
    for (const auto& range : tier["tickets"])
      for (auto ticket = range[0].get<slot_t>(); ticket <= range[1].get<slot_t>(); ++ticket)
        members.push_back(ticket);
  }
  return all;
}

} // namespace

BOOST_AUTO_TEST_CASE(the_readme_lists_every_setting_of_a_room_with_its_default) {
  std::map<std::string, std::string> written;
  for (const auto& line : test::lines_of(test::text_of("README.md")))
    if (line.starts_with("| `"))
      if (const auto cells = test::cells_of(line); cells.size() >= 2)
        written[cells[0]] = cells[1];
  const json defaults = http::settings_json({});
  for (const auto& [name, value] : defaults.items()) {
    BOOST_TEST_INFO(name);
    BOOST_TEST((json::parse(written[name], nullptr, false) == value),
               name << " is " << value << ", the page says " << written[name]);
  }
}

BOOST_AUTO_TEST_CASE(the_page_of_metrics_has_the_table_of_the_program) {
  const auto table = http::metrics_documentation();
  BOOST_TEST(test::text_of("docs/metrics.md").find(table) != std::string::npos,
             "docs/metrics.md should contain:\n"
                 << table);
}

BOOST_AUTO_TEST_CASE(the_worked_example_of_the_draw_is_what_the_program_computes) {
  const auto page = test::text_of("docs/draw.md");
  const auto draw = json_of(page, "## A worked example");
  const auto seed = from_hex<bytes32>(draw["seed"]);
  const auto beacon = draw["beacon"]["value"].get<std::string>();

  const std::regex key_line{"draw key +([0-9a-f]{64})"};
  std::smatch key;
  BOOST_TEST_REQUIRE(std::regex_search(page, key, key_line));
  BOOST_TEST((runtime::draw_seed(from_hex<bytes32>(key[1]), "queue/hamlet", 1) == seed));
  BOOST_TEST(http::to_hex(runtime::commitment_of(seed)) == draw["commitment"].get<std::string>());

  const auto order = runtime::draw_order(seed, beacon, members_of(draw["tiers"]));
  std::vector<slot_t> written;
  for (const auto& line : test::lines_of(page)) {
    const auto cells = test::cells_of(line);
    if (cells.size() != 4 || cells[3].size() != 64)
      continue;
    const auto ticket = static_cast<slot_t>(std::stoul(cells[1]));
    written.push_back(ticket);
    BOOST_TEST(cells[0] == std::to_string(written.size()));
    BOOST_TEST(cells[3] == hash_of(seed, beacon, ticket), "the hash of ticket " << ticket);
  }
  BOOST_TEST(written == order, boost::test_tools::per_element());
  BOOST_TEST(written.size() == 5U);
}

BOOST_AUTO_TEST_CASE(every_address_in_a_curl_line_is_a_route) {
  const std::regex address{"localhost:8084(/[^ '`\"?]*)"};
  const std::regex method{"-X ([A-Z]+)"};
  std::size_t found = 0;
  for (const auto* page :
       {"README.md", "docs/waiting-room.md", "docs/seat-map.md", "docs/holds.md", "docs/draw.md",
        "docs/metrics.md", "docs/payments.md", "docs/tickets.md"})
    for (const auto& line : test::lines_of(test::text_of(page)))
      for (std::sregex_iterator at{line.begin(), line.end(), address}, end; at != end; ++at) {
        std::smatch asked;
        // The method stands on either side of the address.
        const auto name =
            std::regex_search(line, asked, method) ? asked[1].str() : std::string{"GET"};
        BOOST_TEST(is_route(method_of(name), (*at)[1].str()), page << ": " << line);
        ++found;
      }
  BOOST_TEST(found > 20U);
}
