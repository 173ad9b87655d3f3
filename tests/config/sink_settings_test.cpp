// The sinks of a settings file: each thing that can be wrong with one gives exactly one sentence,
// which begins with the place of the setting; what is right gives none. Made to fail once: with the
// judgement of addresses left out, or the look at names that stand twice, its rows fail.
#include "config/settings.hpp"
#include "tests/scratch_directory.hpp"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

using namespace usher::config;
using nlohmann::json;

const std::string secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const std::string one_or_two =
    "expected one or two of the form whsec_ and at least 16 bytes in base64";

std::variant<settings, faults> read(const json& sinks) {
  const usher::test::scratch_directory place;
  return read_file(place.put("usher.json", json{{"sinks", sinks}}.dump()), {});
}

/// One sentence a line; empty if all is well.
std::string said(const json& sinks) {
  const auto got = read(sinks);
  std::string all;
  if (const auto* found = std::get_if<faults>(&got))
    for (const auto& each : *found)
      all += (all.empty() ? "" : "\n") + each;
  return all;
}

/// A good one with something changed: a JSON Merge Patch.
json file_with(const json& patch) {
  json made{{"name", "archive"}, {"kind", "file"}, {"path", "/tmp/events.ndjson"}};
  if (!patch.is_null()) // `{}`
    made.merge_patch(patch);
  return made;
}
json webhook_with(const json& patch) {
  json made{{"name", "shop"},
            {"kind", "webhook"},
            {"url", "https://shop.example.org/hooks"},
            {"secrets", {secret}}};
  if (!patch.is_null()) // `{}`
    made.merge_patch(patch);
  return made;
}

struct row {
  json sink;
  std::string fault; ///< behind "sinks[0]."
};

void check(const std::vector<row>& rows) {
  for (const auto& each : rows)
    BOOST_TEST_CONTEXT(each.sink.dump())
  BOOST_TEST(said(json::array({each.sink})) == "sinks[0]." + each.fault);
}

} // namespace

BOOST_AUTO_TEST_CASE(what_is_right_is_no_fault) {
  const usher::test::scratch_directory place;
  const auto secrets = place.put("secrets", secret + "\n\n" + secret + "\n");
  const std::vector<json> good{
      file_with({}),
      file_with({{"rotateBytes", 0}, {"keep", 7}, {"from", "now"}, {"personalData", true}}),
      file_with({{"name", std::string(40, 'a')}, {"types", {"order_paid", "usher.seats_held"}}}),
      webhook_with({}),
      webhook_with({{"secrets", {secret, secret}}, {"batchMax", 1}}),
      webhook_with({{"secrets", nullptr}, {"secretFile", secrets}}),
      webhook_with({{"caFile", secrets}}),
      webhook_with({{"url", "https://203.0.113.9:8443/x?y=1"}, {"allowPrivate", true}}),
      webhook_with({{"url", "https://93.184.216.34/"}}),
      webhook_with({{"url", "http://127.0.0.1:9/"}, {"allowPrivate", true}}),
      webhook_with({{"url", "http://shop/hooks"}, {"allowPrivate", true}})};
  for (const auto& each : good)
    BOOST_TEST(said(json::array({each})) == "", each.dump());
  const auto both = json::array({file_with({}), webhook_with({})});
  BOOST_TEST(std::get<settings>(read(both)).sinks.size() == 2U);
}

BOOST_AUTO_TEST_CASE(what_every_sink_has_is_judged) {
  const std::string name = "name: expected up to 40 small letters, digits and -";
  const std::string kind = "kind: expected file or webhook";
  check(
      {{file_with({{"name", nullptr}}), "name: is missing"},
       {file_with({{"name", ""}}), name},
       {file_with({{"name", "Shop"}}), name},
       {file_with({{"name", "../shop"}}), name},
       {file_with({{"name", std::string(41, 'a')}}), name},
       {file_with({{"name", std::string(257, 'a')}}), "name: expected a text of at most 256 bytes"},
       {file_with({{"name", 7}}), "name: expected a text of at most 256 bytes"},
       {file_with({{"kind", nullptr}}), "kind: is missing"},
       {file_with({{"kind", "kafka"}}), kind},
       {file_with({{"kind", true}}), kind},
       {file_with({{"types", "order_paid"}}), "types: expected a list of texts"},
       {file_with({{"types", {1}}}), "types: expected a list of texts"},
       {file_with({{"types", {"order_payed"}}}),
        "types: there is no type 'order_payed', see docs/log-format.md"},
       {file_with({{"personalData", "yes"}}), "personalData: expected true or false"},
       {file_with({{"from", "end"}}), "from: expected start or now"},
       {file_with({{"from", 0}}), "from: expected start or now"},
       {file_with({{"colour", "red"}}), "colour: is not a known field"}});
}

BOOST_AUTO_TEST_CASE(what_a_file_has_is_judged) {
  check({{file_with({{"path", nullptr}}), "path: is missing"},
         {file_with({{"path", ""}}), "path: expected a file"},
         {file_with({{"path", 1}}), "path: expected a text of at most 4096 bytes"},
         {file_with({{"rotateBytes", 4095}}),
          "rotateBytes: expected a whole number from 4096 to 1125899906842624"},
         {file_with({{"keep", -1}}), "keep: expected a whole number from 0 to 1000000"},
         {file_with({{"url", "https://a.example"}}), "url: is not a known field"}});
}

BOOST_AUTO_TEST_CASE(where_a_webhook_goes_is_judged) {
  const std::string address = "url: expected an address that begins with https:// (or http://, "
                              "with allowPrivate), without a user name";
  const std::string plain =
      "url: http:// is only for addresses that are not public, with allowPrivate";
  check({{webhook_with({{"url", nullptr}}), "url: is missing"},
         {webhook_with({{"url", 1}}), "url: expected a text of at most 2048 bytes"},
         {webhook_with({{"url", ""}}), address},
         {webhook_with({{"url", "ftp://shop.example.org/"}}), address},
         {webhook_with({{"url", "shop.example.org"}}), address},
         {webhook_with({{"url", "https://ana:secret@shop.example.org/"}}), address},
         {webhook_with({{"url", "https://shop.example.org:0/"}}), address},
         {webhook_with({{"url", "http://shop.example.org/"}}), plain},
         {webhook_with({{"url", "http://127.0.0.1:8080/"}, {"allowPrivate", false}}), plain},
         {webhook_with({{"url", "https://10.0.0.1/"}}),
          "url: 10.0.0.1 is not a public address, which takes allowPrivate"},
         {webhook_with({{"url", "https://169.254.169.254/latest"}}),
          "url: 169.254.169.254 is not a public address, which takes allowPrivate"},
         {webhook_with({{"url", "https://[::1]:8443/"}}),
          "url: ::1 is not a public address, which takes allowPrivate"},
         {webhook_with({{"allowPrivate", 1}}), "allowPrivate: expected true or false"},
         {webhook_with({{"batchMax", 0}}), "batchMax: expected a whole number from 1 to 1000"},
         {webhook_with({{"batchMax", 1001}}), "batchMax: expected a whole number from 1 to 1000"},
         {webhook_with({{"caFile", "/nowhere/ca.pem"}}),
          "caFile: cannot read '/nowhere/ca.pem', or it is empty"},
         {webhook_with({{"path", "/tmp/x"}}), "path: is not a known field"}});
}

BOOST_AUTO_TEST_CASE(what_a_webhook_is_signed_with_is_judged) {
  const usher::test::scratch_directory place;
  const auto bad = place.put("bad", "whsec_short\n");
  const auto empty = place.put("empty", "");
  const auto three = place.put("three", secret + "\n" + secret + "\n" + secret + "\n");
  const auto in_file = [](const std::string& path) {
    return webhook_with({{"secrets", nullptr}, {"secretFile", path}});
  };
  const std::string either = "secrets: expected this or secretFile, and not both";
  check({{webhook_with({{"secrets", nullptr}}), either},
         {webhook_with({{"secretFile", bad}}), either},
         {webhook_with({{"secrets", secret}}), "secrets: expected a list of texts"},
         {webhook_with({{"secrets", json::array()}}), "secrets: " + one_or_two},
         {webhook_with({{"secrets", {"MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}}}),
          "secrets: " + one_or_two},
         {webhook_with({{"secrets", {secret, "whsec_short"}}}), "secrets: " + one_or_two},
         {webhook_with({{"secrets", {secret, secret, secret}}}), "secrets: " + one_or_two},
         {in_file("/nowhere/secret"), "secretFile: cannot read '/nowhere/secret', or it is empty"},
         {in_file(empty), "secretFile: cannot read '" + empty + "', or it is empty"},
         {in_file(bad), "secretFile: " + one_or_two},
         {in_file(three), "secretFile: " + one_or_two}});
}

BOOST_AUTO_TEST_CASE(no_fault_shows_a_secret) {
  const auto sink = webhook_with({{"secrets", {"whsec_hush", "whsec_hush"}}, {"batchMax", 0}});
  const auto text = said(json::array({sink}));
  BOOST_TEST(!text.empty());
  BOOST_TEST(text.find("hush") == std::string::npos, text);
}

BOOST_AUTO_TEST_CASE(sinks_that_get_into_each_others_way_are_faults) {
  BOOST_TEST(said({file_with({}), file_with({{"path", "/tmp/other"}})}) ==
             "sinks[1].name: 'archive' stands twice");
  BOOST_TEST(said({file_with({}), webhook_with({{"name", "archive"}})}) ==
             "sinks[1].name: 'archive' stands twice");
  for (const std::string same : {"/tmp/events.ndjson", "/tmp/./x/../events.ndjson"})
    BOOST_TEST(said({file_with({}), file_with({{"name", "b"}, {"path", same}})}) ==
               "sinks[1].path: two sinks cannot write one file");
  BOOST_TEST(said(webhook_with({})) == "sinks: expected a list");
  BOOST_TEST(said({file_with({}), "archive"}) == "sinks[1]: expected an object");
  auto many = json::array();
  for (int i = 0; i < 33; ++i)
    many.push_back(webhook_with({{"name", "s-" + std::to_string(i)}}));
  BOOST_TEST(said(many) == "sinks: expected at most 32");
  many.erase(32);
  BOOST_TEST(said(many) == "");
}

BOOST_AUTO_TEST_CASE(every_fault_is_listed_with_its_place) {
  BOOST_TEST(said({file_with({{"keep", -1}, {"from", "x"}}), webhook_with({{"url", ""}})}) ==
             "sinks[0].keep: expected a whole number from 0 to 1000000\n"
             "sinks[0].from: expected start or now\n"
             "sinks[1].url: expected an address that begins with https:// (or http://, with "
             "allowPrivate), without a user name");
}
