// The codec of events: every event survives the way to bytes and back, and bytes that are not
// exactly an event are failures with a sentence, whatever they are. Old bytes are
// golden_test.cpp's.

#include "storage/cbor.hpp"
#include "storage/event_types.hpp"
#include "storage/upcast.hpp"
#include "tests/storage/event_samples.hpp"
#include "tests/storage/support.hpp"

#include <set>

using namespace usher;
using namespace usher::storage;
using namespace usher::storage::test;

namespace {

std::vector<sample> every_sample() {
  auto all = golden_samples();
  for (auto& more : more_samples())
    all.push_back(std::move(more));
  return all;
}

std::string refusal_of(const sample& event, const json& payload) {
  return refusal(event.rewritten(event.stored.type, event.stored.schema, write_cbor(payload)));
}

/// Reading must not crash; and if the bytes do read, then as something that can be written again.
void read_hostile(const sample& event, const std::string& bytes) {
  const auto& [type, schema, data] = event.stored;
  const auto once = event.rewritten(type, schema, bytes);
  if (const auto* fault = std::get_if<failure>(&once))
    BOOST_REQUIRE(!fault->what.empty());
  else
    BOOST_REQUIRE(refusal(event.rewritten(type, schema, std::get<encoded>(once).data)) == "");
}

} // namespace

BOOST_AUTO_TEST_CASE(every_event_survives_the_way_to_bytes_and_back) {
  for (const auto& event : every_sample()) {
    const auto& [type, schema, data] = event.stored;
    BOOST_TEST_CONTEXT(type) {
      BOOST_TEST(event.reads_as_this(type, schema, data));
      BOOST_TEST(must(event.rewritten(type, schema, data)).data == data);
    }
  }
}

BOOST_AUTO_TEST_CASE(names_in_the_table_are_unique_and_every_type_has_a_sample) {
  std::set<std::string_view> sampled;
  for (const auto& event : golden_samples())
    sampled.insert(event.stored.type);
  std::set<std::string_view> names;
  for (const auto& row : event_types) {
    BOOST_TEST(names.insert(row.name).second, row.name << " stands twice");
    BOOST_TEST(sampled.contains(row.name), row.name << " has no sample");
  }
  BOOST_TEST(sampled.size() == names.size());
}

BOOST_AUTO_TEST_CASE(a_missing_field_is_refused_unless_it_is_optional) {
  const std::set<std::string> optional{"owner",      "asked",     "maxActive",
                                       "maxPerTick", "customers", "keys"};
  for (const auto& event : golden_samples()) {
    const auto payload = read_cbor(event.stored.data).value();
    for (const auto& [name, value] : payload.items()) {
      auto without = payload;
      without.erase(name);
      const bool may = optional.contains(name) ||
                       (name == "hold" &&
                        (event.stored.type == "order_placed" || event.stored.type == "seats_sold"));
      const auto said = refusal_of(event, without);
      BOOST_TEST((said == "") == may, event.stored.type << " without " << name << ": " << said);
      BOOST_TEST((may || says(said, "`" + name + "`")), said);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_field_of_the_wrong_type_is_refused) {
  const std::vector<json> values{nullptr, true,          "text",         1.5,
                                 -1,      json::array(), json::object(), json::binary({1, 2, 3})};
  for (const auto& event : golden_samples()) {
    const auto payload = read_cbor(event.stored.data).value();
    for (const auto& [name, value] : payload.items())
      for (const auto& wrong : values) {
        const bool alike = wrong.type() == value.type() ||
                           (value.is_number_integer() && wrong.is_number_integer());
        if (alike)
          continue;
        auto changed = payload;
        changed[name] = wrong;
        BOOST_TEST(refusal_of(event, changed) != "",
                   event.stored.type << " with " << name << " as " << wrong.type_name());
      }
  }
}

BOOST_AUTO_TEST_CASE(a_field_that_is_not_known_is_refused) {
  for (const auto& event : golden_samples()) {
    auto payload = read_cbor(event.stored.data).value();
    payload["surplus"] = 1;
    BOOST_TEST(says(refusal_of(event, payload), "not known"));
  }
}

BOOST_AUTO_TEST_CASE(columns_of_unequal_length_are_refused) {
  const auto joined = waiting_room_samples()[3];
  const auto payload = read_cbor(joined.stored.data).value();
  BOOST_REQUIRE(refusal_of(joined, payload) == "");
  for (const auto* name : {"nonces", "customers", "keys"})
    for (const int size : {0, 7, 8, 16, 25, 32, 47, 64}) {
      auto changed = payload;
      changed[name] = json::binary(std::vector<std::uint8_t>(static_cast<std::size_t>(size)));
      BOOST_TEST(refusal_of(joined, changed) != "", name << " of " << size);
    }
}

BOOST_AUTO_TEST_CASE(slots_beyond_the_last_are_refused) {
  const auto joined = waiting_room_samples()[3];
  auto payload = read_cbor(joined.stored.data).value();
  payload["first"] = 4'294'967'295U;
  BOOST_TEST(says(refusal_of(joined, payload), "ends before the slots do"));
}

BOOST_AUTO_TEST_CASE(numbers_out_of_range_and_unknown_names_are_refused) {
  const auto admitted = waiting_room_samples()[5];
  const auto ended = waiting_room_samples()[7];
  auto payload = read_cbor(admitted.stored.data).value();
  payload["until"] = 1ULL << 63;
  BOOST_TEST(says(refusal_of(admitted, payload), "`until`"));
  payload["until"] = 1;
  payload["slots"] = {1ULL << 32};
  BOOST_TEST(says(refusal_of(admitted, payload), "`slots`"));
  payload = read_cbor(ended.stored.data).value();
  payload["reason"] = "bored";
  BOOST_TEST(says(refusal_of(ended, payload), "`reason` is not a name that is known"));
}

BOOST_AUTO_TEST_CASE(types_and_schemas_that_are_not_known_are_refused) {
  const auto opened = waiting_room_samples()[1];
  const auto read = [&](std::string_view type, std::uint32_t schema) {
    return refusal(opened.rewritten(type, schema, opened.stored.data));
  };
  BOOST_TEST(read("room_opened", 1) == "");
  BOOST_TEST(says(read("room_opened", 2), "newer than this program"));
  BOOST_TEST(says(read("room_opened", 0), "count from 1"));
  BOOST_TEST(says(read("room_painted", 1), "unknown event type `room_painted`"));
  BOOST_TEST(says(read("seats_held", 1), "does not belong"));
}

BOOST_AUTO_TEST_CASE(bytes_that_are_cut_off_anywhere_are_refused) {
  for (const auto& event : golden_samples())
    for (std::size_t size = 0; size < event.stored.data.size(); ++size)
      BOOST_REQUIRE(refusal(event.rewritten(event.stored.type, event.stored.schema,
                                            event.stored.data.substr(0, size))) != "");
}

BOOST_AUTO_TEST_CASE(bytes_with_any_bit_flipped_do_no_harm) {
  for (const auto& event : golden_samples())
    for (std::size_t at = 0; at < event.stored.data.size(); ++at)
      for (int bit = 0; bit < 8; ++bit) {
        auto bytes = event.stored.data;
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
        read_hostile(event, bytes);
      }
}

BOOST_AUTO_TEST_CASE(random_bytes_do_no_harm) {
  auto random = seeded();
  const auto samples = golden_samples();
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes(random() % 40, '\0');
    for (auto& byte : bytes)
      byte = static_cast<char>(random());
    read_hostile(samples[random() % samples.size()], bytes);
  }
}

BOOST_AUTO_TEST_CASE(cbor_that_would_exhaust_stack_or_memory_is_refused) {
  BOOST_TEST(!read_cbor(std::string(10'000'000, '\x81')));               // arrays in arrays
  BOOST_TEST(!read_cbor(std::string(10'000'000, '\x9f')));               // without an end
  BOOST_TEST(!read_cbor(std::string(10'000'000, '\xc1')));               // tags on tags
  BOOST_TEST(!read_cbor("\x9b\xff\xff\xff\xff\xff\xff\xff\xff"));        // 2^64 - 1 entries
  BOOST_TEST(!read_cbor("\x5b\xff\xff\xff\xff\xff\xff\xff\xff"));        // or bytes
  BOOST_TEST(!read_cbor("\xbb\xff\xff\xff\xff\xff\xff\xff\xff"));        // or fields
  BOOST_TEST(!read_cbor(std::string_view{"\xa2\x61k\x01\x61k\x02", 7})); // a key twice
  BOOST_TEST(!read_cbor(std::string_view{"\x01\x01", 2}));               // something after it
  BOOST_TEST(read_cbor(std::string(cbor_depth_max, '\x81') + "\x01").has_value());
  BOOST_TEST(!read_cbor(std::string(cbor_depth_max + 1, '\x81') + "\x01"));
}

// No type has a second schema yet; this is the mechanism with a table of its own.
BOOST_AUTO_TEST_CASE(old_payloads_are_brought_up_step_by_step) {
  constexpr std::array steps{
      upcast_step{"t", 1, [](json& payload) { return payload.emplace("b", 1).second; }},
      upcast_step{"t", 2, [](json& payload) { return payload.erase("a") == 1; }}};
  json payload{{"a", 0}};
  BOOST_TEST(refusal(upcast(payload, "t", 1, 3, steps)) == "");
  BOOST_TEST((payload == json{{"b", 1}}));
  BOOST_TEST(says(refusal(upcast(payload, "t", 1, 3, steps)), "t of schema 1 cannot be read"));
  BOOST_TEST(says(refusal(upcast(payload, "t", 3, 4, steps)), "t of schema 3 cannot be read"));
}

BOOST_AUTO_TEST_CASE(every_schema_in_the_table_has_all_its_steps) {
  for (const auto& row : event_types)
    for (std::uint32_t from = 1; from < row.schema; ++from)
      BOOST_TEST(std::ranges::any_of(upcast_steps,
                                     [&](const upcast_step& step) {
                                       return step.type == row.name && step.from == from;
                                     }),
                 row.name << " lacks the step from schema " << from);
}
