// A record as a CloudEvents envelope: what stands in it, in which partition it belongs, and what
// becomes of sealed personal data in each of the three ways.

#include "storage/cloud_event.hpp"

#include "tests/storage/support.hpp"

#include <nlohmann/json.hpp>

using namespace usher;
using namespace usher::storage;
using namespace usher::storage::test;
using nlohmann::json;
using sealed = cloud_event_options::sealed;

namespace {

std::string cbor(const json& value) {
  const auto bytes = json::to_cbor(value);
  return {bytes.begin(), bytes.end()};
}

stored_record order_placed() {
  stored_record made;
  made.at = 1'767'225'600'123;
  made.subject = "desk/hamlet";
  made.type = "order_placed";
  made.schema = 2;
  made.cause = {.request = "r-1", .who = "fan"};
  made.data = cbor({{"order", json::binary(std::vector<std::uint8_t>(16, 7))},
                    {"customer", json::binary({1, 2, 3})},
                    {"until", 5}});
  made.position = 42;
  made.version = 3;
  return made;
}

json event_of(const stored_record& which, const cloud_event_options& how = {}) {
  const auto line = must(cloud_event(which, how));
  BOOST_TEST(line.find('\n') == std::string::npos);
  return json::parse(line);
}

} // namespace

BOOST_AUTO_TEST_CASE(the_envelope_has_what_is_promised) {
  digest chain{};
  chain.fill(0xab);
  auto how = cloud_event_options{};
  how.anchor = log_head{.position = 44, .batches = 0, .chain = chain};
  const auto event = event_of(order_placed(), how);
  BOOST_TEST(event["specversion"] == "1.0");
  BOOST_TEST(event["id"] == "0/42");
  BOOST_TEST(event["source"] == "/usher/shards/0");
  BOOST_TEST(event["type"] == "usher.order_placed");
  BOOST_TEST(event["subject"] == "desk/hamlet");
  BOOST_TEST(event["time"] == "2026-01-01T00:00:00.123Z");
  BOOST_TEST(event["partitionkey"] == "hamlet");
  BOOST_TEST(event["sequence"] == "00000000000000000042");
  BOOST_TEST(event["logposition"] == "44");
  BOOST_TEST(event["logchain"].get<std::string>().starts_with("abab"));
  BOOST_TEST(event["data"]["order"] == "07070707070707070707070707070707");
  BOOST_TEST(event["data"]["until"] == 5);
}

BOOST_AUTO_TEST_CASE(attributes_without_a_value_are_left_out) {
  auto record = order_placed();
  record.cause.request.clear();
  const auto event = event_of(record);
  BOOST_TEST(!event.contains("request"));
  BOOST_TEST(!event.contains("logchain"));
}

BOOST_AUTO_TEST_CASE(what_is_sealed_goes_out_only_as_it_is_said) {
  std::string asked;
  const auto open = [&](std::string_view bytes, std::string_view order) -> opening {
    asked = to_hex(bytes) + " of " + to_hex(order.substr(0, 2));
    return opened_data{R"({"email":"ana@example.org"})"};
  };
  const auto erased = [](std::string_view, std::string_view) -> opening { return erased_data{}; };
  const auto record = order_placed();
  BOOST_TEST(event_of(record)["data"]["customer"] == "sealed");
  BOOST_TEST(!event_of(record, {.personal = sealed::left_out})["data"].contains("customer"));
  const auto opened = event_of(record, {.personal = sealed::opened, .open = open});
  BOOST_TEST(opened["data"]["customer"]["email"] == "ana@example.org");
  BOOST_TEST(asked == "010203 of 0707");
  BOOST_TEST(
      event_of(record, {.personal = sealed::opened, .open = erased})["data"]["customer"].is_null());
}

BOOST_AUTO_TEST_CASE(a_token_to_pay_with_never_goes_out) {
  auto record = order_placed();
  record.type = "payment_started";
  record.data = cbor({{"order", json::binary(std::vector<std::uint8_t>(16, 7))},
                      {"token", json::binary({1, 2, 3})}});
  const auto open = [](std::string_view, std::string_view) -> opening {
    return opened_data{R"("tok_1")"};
  };
  for (const auto how : {sealed::left_out, sealed::opened})
    BOOST_TEST(!event_of(record, {.personal = how, .open = open})["data"].contains("token"));
}

BOOST_AUTO_TEST_CASE(a_subject_belongs_to_its_show_or_to_none) {
  const std::pair<const char*, const char*> cases[]{
      {"queue/hamlet", "hamlet"},    {"block/hamlet/stalls", "hamlet"},
      {"desk/hamlet", "hamlet"},     {"cashier", "/system"},
      {"shows", "/system"},          {"keys", "/system"},
      {"gateway/STRIPE", "/system"}, {"desk/shows", "shows"}};
  for (const auto& [subject, show] : cases)
    BOOST_TEST(show_of(subject) == show, subject);
}

BOOST_AUTO_TEST_CASE(a_payload_that_is_no_cbor_is_a_failure) {
  auto record = order_placed();
  record.data = "\xff\xff";
  BOOST_TEST(says(refusal(cloud_event(record)), "position 42"));
}
