// The file of keys for customer tokens: what is in it verifies tokens, paths in it are looked for
// beside it, and every fault is told with the file, the place and what was expected.
#include "config/customer_token_keys.hpp"
#include "tests/edge/seller_key.hpp"
#include "tests/scratch_directory.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

using namespace usher::config;
using nlohmann::json;
using usher::test::seller_key;
using enum usher::http::token_algorithm;

const seller_key& seller() {
  static const seller_key key{es256};
  return key;
}

/// All faults of a file, each on a line, without what they have in common.
std::string faults_of(const std::string& path) {
  const auto read = read_customer_token_keys(path);
  const auto* found = std::get_if<faults>(&read);
  if (found == nullptr)
    return "";
  const auto common = "customerTokenKeys: " + path + ": ";
  std::string all;
  for (const auto& each : *found) {
    BOOST_TEST(each.starts_with(common), each);
    all += (all.empty() ? "" : "\n") + each.substr(std::min(common.size(), each.size()));
  }
  return all;
}

std::string customer_of(const customer_tokens& by, const std::string& token) {
  const auto read = by->verify(token, "hamlet", 1'800'000'000'000);
  const auto* customer = std::get_if<std::string>(&read);
  return customer == nullptr ? std::string{to_string(std::get<usher::http::token_fault>(read))}
                             : *customer;
}

} // namespace

BOOST_AUTO_TEST_CASE(without_a_file_there_is_no_verifier) {
  BOOST_TEST((std::get<customer_tokens>(read_customer_token_keys("")) == nullptr));
}

BOOST_AUTO_TEST_CASE(keys_in_the_file_and_beside_it_verify_tokens) {
  const usher::test::scratch_directory place;
  const seller_key es{es256}, rs{rs256}, ed{eddsa}, hs{hs256};
  place.put("keys/rs.pem", rs.public_pem());
  const auto secret = place.put("elsewhere/secret", hs.text() + "\n");
  const json keys = {{{"kid", "es"}, {"algorithm", "ES256"}, {"publicKey", es.public_pem()}},
                     {{"kid", "rs"}, {"algorithm", "RS256"}, {"publicKeyFile", "keys/rs.pem"}},
                     {{"kid", "ed"}, {"algorithm", "EdDSA"}, {"publicKey", ed.public_pem()}},
                     {{"kid", "hs"}, {"algorithm", "HS256"}, {"secretFile", secret}},
                     {{"kid", "hs2"}, {"algorithm", "HS256"}, {"secret", hs.text()}}};
  const auto file = place.put(
      "tokens.json", json{{"issuer", "shop"}, {"audience", "door"}, {"keys", keys}}.dump());
  BOOST_TEST_REQUIRE(faults_of(file) == "");
  const auto by = std::get<customer_tokens>(read_customer_token_keys(file));
  const json claims = {{"sub", "ana"}, {"iss", "shop"}, {"aud", "door"}, {"exp", 1'900'000'000}};
  const auto token = [&](const seller_key& key, const char* kid, const char* algorithm,
                         const json& payload) {
    return key.token(json{{"kid", kid}, {"alg", algorithm}}.dump(), payload.dump());
  };
  BOOST_TEST(customer_of(by, token(es, "es", "ES256", claims)) == "ana");
  BOOST_TEST(customer_of(by, token(rs, "rs", "RS256", claims)) == "ana");
  BOOST_TEST(customer_of(by, token(ed, "ed", "EdDSA", claims)) == "ana");
  BOOST_TEST(customer_of(by, token(hs, "hs", "HS256", claims)) == "ana");
  BOOST_TEST(customer_of(by, token(hs, "hs2", "HS256", claims)) == "ana");
  // Issuer and audience are those of the file.
  auto other = claims;
  other["iss"] = "shop2";
  BOOST_TEST(customer_of(by, token(es, "es", "ES256", other)).find("(iss)") != std::string::npos);
  other = claims;
  other["aud"] = "usher";
  BOOST_TEST(customer_of(by, token(es, "es", "ES256", other)).find("(aud)") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_audience_is_usher_unless_it_is_set) {
  const usher::test::scratch_directory place;
  const json key = {{"kid", "k"}, {"algorithm", "ES256"}, {"publicKey", seller().public_pem()}};
  const auto file = place.put("tokens.json", json{{"keys", {key}}}.dump());
  const auto by = std::get<customer_tokens>(read_customer_token_keys(file));
  const auto token = seller().token(json{{"sub", "ana"}, {"aud", "usher"}, {"exp", 1'900'000'000}});
  BOOST_TEST(customer_of(by, token) == "ana");
}

BOOST_AUTO_TEST_CASE(each_fault_is_told_with_its_place) {
  const usher::test::scratch_directory place;
  const auto pem = seller().public_pem();
  const auto secret = seller_key{hs256}.text();
  place.put("large.pem", std::string(65 * 1024, 'A'));
  place.put("short", "c2hvcnQ=\n");
  const json good = {{"kid", "a"}, {"algorithm", "ES256"}, {"publicKey", pem}};
  // The good key with members changed (null takes one out), as the one key of a file.
  const auto key_with = [&](const std::string& patch) {
    auto key = good;
    key.merge_patch(json::parse(patch));
    return json{{"keys", {key}}}.dump();
  };
  const std::string count = "keys: expected a list of 1 to 16 keys";
  const std::string no_pem = "expected a public key in PEM (-----BEGIN PUBLIC KEY-----)";
  const std::string no_secret = "expected a secret of 32 to 1024 bytes in base64";
  const std::pair<std::string, std::string> cases[] = {
      {key_with("{}"), ""},
      {"", "is not a JSON object"},
      {"[]", "is not a JSON object"},
      {R"({"keys": [)", "is not a JSON object"},
      {std::string(65 * 1024, ' '), "cannot be read as a file of at most 65536 bytes"},
      {"{}", count},
      {R"({"keys": []})", count},
      {R"({"keys": {}})", count},
      {json{{"keys", json(17, good)}}.dump(), count},
      {R"({"keys": ["a"]})", "keys[0]: expected an object"},
      {json{{"keys", {good}}, {"isuer", "x"}}.dump(), "isuer: is not a known field"},
      {json{{"keys", {good}}, {"issuer", ""}}.dump(), "issuer: expected a text that is not empty"},
      {json{{"keys", {good}}, {"audience", 1}}.dump(),
       "audience: expected a text of at most 256 bytes"},
      {json{{"keys", {good, good}}}.dump(), "keys[1].kid: 'a' stands twice"},
      {key_with(R"({"kid": null})"), "keys[0].kid: is missing"},
      {key_with(R"({"kid": ""})"), "keys[0].kid: expected a text that is not empty"},
      {key_with(R"({"use": "sig"})"), "keys[0].use: is not a known field"},
      {key_with(R"({"algorithm": null})"),
       "keys[0].algorithm: expected ES256, RS256, EdDSA or HS256"},
      {key_with(R"({"algorithm": "none"})"),
       "keys[0].algorithm: expected ES256, RS256, EdDSA or HS256"},
      {key_with(R"({"algorithm": "EdDSA"})"),
       "keys[0].publicKey: expected an Ed25519 key for EdDSA"},
      {key_with(R"({"publicKey": null})"),
       "keys[0].publicKey: expected this or publicKeyFile, and not both"},
      {key_with(R"({"publicKeyFile": "x.pem"})"),
       "keys[0].publicKey: expected this or publicKeyFile, and not both"},
      {key_with(R"({"publicKey": "x"})"), "keys[0].publicKey: " + no_pem},
      {key_with(R"({"publicKey": null, "publicKeyFile": "none.pem"})"),
       "keys[0].publicKeyFile: cannot read '" + place.path() + "/none.pem'"},
      {key_with(R"({"publicKey": null, "publicKeyFile": "."})"),
       "keys[0].publicKeyFile: cannot read '" + place.path() + "/.'"},
      {key_with(R"({"publicKey": null, "publicKeyFile": "large.pem"})"),
       "keys[0].publicKeyFile: cannot read '" + place.path() + "/large.pem'"},
      {key_with(R"({"publicKey": null, "publicKeyFile": "short"})"),
       "keys[0].publicKeyFile: " + no_pem},
      {key_with(R"({"secret": ")" + secret + "\"}"), "keys[0].secret: does not go with ES256"},
      {key_with(R"({"algorithm": "HS256", "secretFile": "short"})"),
       "keys[0].publicKey: does not go with HS256\nkeys[0].secretFile: " + no_secret},
      {key_with(R"({"algorithm": "HS256", "publicKey": null, "secret": "c2hvcnQ="})"),
       "keys[0].secret: " + no_secret},
      {R"({"keys": [1, {"kid": 1}]})", "keys[0]: expected an object\n"
                                       "keys[1].kid: expected a text of at most 256 bytes\n"
                                       "keys[1].algorithm: expected ES256, RS256, EdDSA or HS256"},
  };
  for (const auto& [content, expected] : cases)
    BOOST_TEST_CONTEXT(content.substr(0, 300))
  BOOST_TEST(faults_of(place.put("tokens.json", content)) == expected);
  BOOST_TEST(faults_of(place.path() + "/absent.json") ==
             "cannot be read as a file of at most 65536 bytes");
}
