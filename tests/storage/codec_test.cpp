// The codec of events: every event survives the way to bytes and back, and bytes that are not
// exactly an event are failures with a sentence, whatever they are. Old bytes are
// golden_test.cpp's.

#include "storage/cbor.hpp"
#include "storage/event_types.hpp"
#include "storage/upcast.hpp"
#include "tests/storage/event_samples.hpp"
#include "tests/storage/support.hpp"

#include <limits>
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

sample sample_named(std::string_view type) {
  for (auto& event : golden_samples())
    if (event.stored.type == type)
      return event;
  BOOST_FAIL("no sample of " << type);
  std::abort();
}

json payload_of(const sample& event) {
  return read_cbor(event.stored.data).value();
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
  const std::set<std::string> optional{"owner",     "asked",      "was",    "customers", "keys",
                                       "validFrom", "validUntil", "wanted", "follows"};
  // Fields that one type may leave out and another may not.
  const std::set<std::pair<std::string_view, std::string>> optional_in{
      {"order_placed", "hold"},           {"seats_sold", "hold"},
      {"wish_answered", "hold"},          {"fans_joined", "codes"},
      {"fans_joined", "tiers"},           {"fans_admitted", "who"},
      {"hold_placed", "customer"},        {"payment_reported", "payment"},
      {"payment_settled", "amountMinor"}, {"report_kept", "order"},
      {"refund_started", "payment"}};
  for (const auto& event : golden_samples()) {
    const auto payload = read_cbor(event.stored.data).value();
    for (const auto& [name, value] : payload.items()) {
      auto without = payload;
      without.erase(name);
      const bool may = optional.contains(name) || optional_in.contains({event.stored.type, name});
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

namespace {

/// What is refused with this name and the sentence, when the field at this place (a JSON pointer)
/// has this value instead.
struct wrong_field {
  const char* type;
  const char* at;
  json value;
  const char* name;
  const char* sentence;
};

json bytes(std::size_t size) {
  return json::binary(std::vector<std::uint8_t>(size));
}

void refuse_all(const std::vector<wrong_field>& table) {
  for (const auto& row : table) {
    const auto event = sample_named(row.type);
    auto changed = payload_of(event);
    changed[json::json_pointer{row.at}] = row.value;
    const auto said = refusal_of(event, changed);
    BOOST_TEST(says(said, "`" + std::string{row.name} + "` is not "), row.at << ": " << said);
    BOOST_TEST(says(said, row.sentence), row.at << ": " << said);
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(columns_of_unequal_length_are_refused) {
  const std::vector<std::pair<std::string_view, std::vector<const char*>>> columns{
      {"fans_joined", {"nonces", "customers", "keys", "codes", "tiers"}},
      {"fans_admitted", {"who"}}};
  for (const auto& [type, names] : columns) {
    const auto event = sample_named(type);
    BOOST_REQUIRE(refusal_of(event, payload_of(event)) == "");
    for (const auto* name : names)
      for (const std::size_t size : {0U, 1U, 2U, 4U, 7U, 8U, 16U, 25U, 32U, 47U, 64U}) {
        auto changed = payload_of(event);
        changed[name] = bytes(size);
        BOOST_TEST(says(refusal_of(event, changed), "is not a column of"),
                   type << ": " << name << " of " << size);
      }
  }
}

BOOST_AUTO_TEST_CASE(wrong_values_of_waiting_room_fields_are_refused) {
  const std::vector<wrong_field> table{
      {"fans_joined", "/first", 4'294'967'295U, "nonces", "ends before the slots do"},
      {"fans_admitted", "/until", 1ULL << 63, "until", "an integer of 64 bits"},
      {"fans_admitted", "/slots/0", 1ULL << 32, "slots", "unsigned integers of 32 bits"},
      {"tickets_ended", "/reason", "bored", "reason", "a name that is known"},
      {"stock_changed", "/left", "plenty", "left", "a name that is known"},
      {"fan_promoted", "/tier", 256, "tier", "below 256"},
      {"fan_promoted", "/tier", 1ULL << 32, "tier", "32 bits"},
      {"fan_promoted", "/code", bytes(15), "code", "16 bytes"},
      {"room_scheduled", "/commitment", bytes(31), "commitment", "32 bytes"},
      {"places_drawn", "/seed", bytes(33), "seed", "32 bytes"},
      {"places_drawn", "/order", bytes(7), "order", "4 bytes an entry"},
      {"codes_added", "/codes", bytes(24), "codes", "16 bytes an entry"},
      {"codes_added", "/validFrom", "soon", "validFrom", "an integer of 64 bits"},
      {"fans_passed_over", "/seen", {1}, "seen", "as many entries as `slots`"},
      {"fans_passed_over", "/seen/0", 1ULL << 63, "seen", "integers of 64 bits"},
      {"fans_returned", "/seen", {1, 2, 3}, "seen", "as many entries as `slots`"},
      {"fans_returned", "/seen/1", "late", "seen", "integers of 64 bits"},
      {"room_configured", "/to/tiers", {"a", 1}, "tiers", "an array of texts"},
      {"room_configured", "/to/tiers", {{"a", 1}}, "tiers", "an array"},
      {"room_configured", "/to/maxActive", nullptr, "maxActive", "an unsigned integer"},
      {"room_configured", "/to/idleTimeoutMs", 1.5, "idleTimeoutMs", "an integer of 64 bits"},
      {"room_configured", "/to/beacon/round", 7, "round", "a text"},
      {"room_configured", "/was/opensAt", "noon", "opensAt", "an integer of 64 bits"},
      {"room_configured", "/was/proofOfWork", 1, "proofOfWork", "true or false"},
      {"message_set", "/texts/1/text", 1, "text", "a text"},
      {"wish_set", "/wanted/quantity", -1, "quantity", "an unsigned integer"},
      {"wish_set", "/wanted/priceMaxMinor", "much", "priceMaxMinor", "an integer of 64 bits"},
      {"wish_answered", "/hold", bytes(0), "hold", "16 bytes"},
  };
  refuse_all(table);
}

BOOST_AUTO_TEST_CASE(wrong_values_of_fields_of_seats_orders_and_shows_are_refused) {
  refuse_all({
      {"seats_held", "/generation", 1ULL << 32, "generation", "32 bits"},
      {"seats_held", "/seats/1", 7, "seats", "an array of texts"},
      {"seats_released", "/generation", -1, "generation", "an unsigned integer"},
      {"seats_sold", "/generation", nullptr, "generation", "an unsigned integer"},
      {"seats_blocked", "/seats/0", nullptr, "seats", "an array of texts"},
      {"seats_returned", "/order", bytes(15), "order", "16 bytes"},
      {"hold_placed", "/boxOffice", 1, "boxOffice", "true or false"},
      {"order_placed", "/boxOffice", 0, "boxOffice", "true or false"},
      {"hold_changed", "/what", "shrunk", "what", "a name that is known"},
      {"hold_changed", "/generation", 1ULL << 32, "generation", "32 bits"},
      {"hold_changed", "/added/0/priceMinor", "free", "priceMinor", "an integer of 64 bits"},
      {"hold_changed", "/removed/0", 1, "removed", "an array of texts"},
      {"hold_changed", "/asked/key", bytes(17), "key", "16 bytes"},
      {"hold_ended", "/reason", "bored", "reason", "a name that is known"},
      {"payment_started", "/token", "text", "token", "a byte string"},
      {"payment_started", "/chosen", 1, "chosen", "true or false"},
      {"payment_started", "/follows", bytes(15), "follows", "16 bytes"},
      {"payment_started", "/skipped", "STRIPE", "skipped", "an array"},
      {"payment_started", "/skipped/0/why", 7, "why", "a text"},
      {"payment_started", "/until", 1ULL << 63, "until", "an integer of 64 bits"},
      {"payment_settled", "/outcome", "lost", "outcome", "a name that is known"},
      {"payment_settled", "/known", 0, "known", "true or false"},
      {"payment_settled", "/amountMinor", "all", "amountMinor", "an integer of 64 bits"},
      {"payment_reported", "/payment", bytes(0), "payment", "16 bytes"},
      {"payment_reported", "/amountMinor", 1.5, "amountMinor", "an integer of 64 bits"},
      {"report_kept", "/amount/currency", 978, "currency", "a text"},
      {"order_cancelled", "/asked/fingerprint", bytes(17), "fingerprint", "16 bytes"},
      {"refund_started", "/cause", "regret", "cause", "a name that is known"},
      {"refund_started", "/seats/1", 2, "seats", "an array of texts"},
      {"refund_tried", "/outcome", "voided", "outcome", "a name that is known"},
      {"refund_settled", "/outcome", "approved", "outcome", "a name that is known"},
      {"tickets_issued", "/seats/0", nullptr, "seats", "an array of texts"},
      {"ticket_used", "/seat", 1, "seat", "a text"},
      {"show_created", "/what/holds/maxLifeMs", 1ULL << 63, "maxLifeMs", "an integer of 64 bits"},
      {"show_changed", "/what/holds/avoidOrphans", 1, "avoidOrphans", "true or false"},
      {"show_created", "/what/plan/blocks/1/capacity", 1ULL << 32, "capacity", "32 bits"},
      {"show_changed", "/what/plan/blocks/1/capacity", -1, "capacity", "an unsigned integer"},
  });
}

BOOST_AUTO_TEST_CASE(wrong_values_of_fields_of_gateways_are_refused) {
  refuse_all({
      {"breaker_changed", "/from", "ajar", "from", "a name that is known"},
      {"breaker_changed", "/to", "OPEN", "to", "a name that is known"},
      {"breaker_changed", "/until", 1ULL << 63, "until", "an integer of 64 bits"},
      {"breaker_changed", "/calls", 1ULL << 32, "calls", "32 bits"},
      {"breaker_changed", "/failures", -1, "failures", "an unsigned integer"},
  });
}

BOOST_AUTO_TEST_CASE(fields_of_inner_maps_are_all_needed_and_all_known) {
  const std::set<std::string> optional{
      "maxActive", "maxPerTick",    "idleTimeoutMs",       "opensAt", "reentryGraceMs",
      "beacon",    "priceMaxMinor", "maxSeatsPerCustomer", "plan",    "capacity"};
  const std::vector<std::pair<std::string_view, std::string>> maps{
      {"room_configured", "/to"},
      {"room_configured", "/was"},
      {"room_configured", "/to/beacon"},
      {"message_set", "/texts/0"},
      {"show_created", "/what"},
      {"show_created", "/what/holds"},
      {"wish_set", "/wanted"},
      {"hold_changed", "/added/0"},
      {"payment_started", "/skipped/1"},
      {"payment_started", "/asked"},
      {"report_kept", "/amount"},
      {"show_created", "/what/plan/blocks/0"},
      {"show_created", "/what/plan/blocks/1"}};
  for (const auto& [type, at] : maps) {
    const auto event = sample_named(type);
    const json::json_pointer place{at};
    const auto inner = payload_of(event)[place];
    for (const auto& [name, value] : inner.items()) {
      auto without = payload_of(event);
      without[place].erase(name);
      const auto said = refusal_of(event, without);
      BOOST_TEST((said == "") == optional.contains(name),
                 type << at << "/" << name << ": " << said);
    }
    auto more = payload_of(event);
    more[place]["surplus"] = 1;
    BOOST_TEST(says(refusal_of(event, more), "not known"), type << at);
  }
}

// Two million fans: what is drawn is a byte string of 4 bytes a fan and a few bytes more.
BOOST_AUTO_TEST_CASE(a_draw_of_very_many_takes_four_bytes_a_fan) {
  waiting_room::event::places_drawn drawn;
  drawn.order.resize(2'000'000);
  for (std::size_t i = 0; i < drawn.order.size(); ++i)
    drawn.order[i] = static_cast<slot_t>(drawn.order.size() - 1 - i);
  const auto stored = encode(waiting_room::any_event{drawn});
  BOOST_TEST(stored.data.size() < 4 * drawn.order.size() + 100);
  const auto read = must(decode_waiting_room(stored.type, stored.schema, stored.data));
  BOOST_TEST((read == waiting_room::any_event{drawn}));
}

BOOST_AUTO_TEST_CASE(types_and_schemas_that_are_not_known_are_refused) {
  const auto opened = sample_named("room_opened");
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

// The mechanism, with a table of its own.
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

// What old schemas say as events of today is in golden_test.cpp; here is what they must not say.
BOOST_AUTO_TEST_CASE(what_a_room_of_schema_1_did_not_have_is_refused_in_it) {
  const auto refused = [](const json& payload) {
    return refusal(
        sample_named("room_configured").rewritten("room_configured", 1, write_cbor(payload)));
  };
  const json flat{
      {"admitPerSecondMicro", 1U}, {"tickMs", 1U}, {"admissionTtlMs", 1U}, {"maxQueue", 1U}};
  BOOST_TEST(refused(flat) == "");
  BOOST_TEST(refused(json{{"to", flat}}) != "");
  BOOST_TEST(refused(json::array()) != "");
  for (const auto* name : {"fixedLength", "tiers", "opensAt", "was", "surplus"}) {
    auto more = flat;
    more[name] = false;
    BOOST_TEST(says(refused(more), "cannot be read as schema 2"), name);
  }
}

namespace {

/// A field that came with the schema after `last`, and where it stands (a JSON pointer).
struct later_field {
  const char* type;
  std::uint32_t last;
  const char* at;
};

const std::vector<later_field> later_fields{
    {"fans_joined", 1, "/codes"},
    {"fans_joined", 1, "/tiers"},
    {"fans_admitted", 1, "/who"},
    {"fan_identified", 1, "/customer"},
    {"seats_held", 1, "/generation"},
    {"seats_released", 1, "/generation"},
    {"seats_sold", 1, "/generation"},
    {"hold_placed", 1, "/customer"},
    {"hold_placed", 2, "/boxOffice"},
    {"order_placed", 1, "/boxOffice"},
    {"payment_started", 1, "/token"},
    {"payment_started", 1, "/country"},
    {"payment_started", 1, "/chosen"},
    {"payment_started", 1, "/follows"},
    {"payment_started", 1, "/skipped"},
    {"payment_started", 1, "/until"},
    {"payment_settled", 1, "/reason"},
    {"payment_settled", 1, "/known"},
    {"payment_settled", 1, "/amountMinor"},
    {"order_cancelled", 1, "/asked"},
    {"show_created", 1, "/what/holds/maxSeatsPerCustomer"},
    {"show_created", 2, "/what/holds/maxLifeMs"},
    {"show_created", 2, "/what/holds/avoidOrphans"},
    {"show_created", 2, "/what/plan/blocks/1/capacity"},
    {"show_changed", 1, "/what/holds/maxSeatsPerCustomer"},
    {"show_changed", 2, "/what/holds/maxLifeMs"},
    {"show_changed", 2, "/what/holds/avoidOrphans"},
    {"show_changed", 2, "/what/plan/blocks/1/capacity"},
};

/// The newest sample without the fields that this schema did not have.
json payload_of_schema(std::string_view type, std::uint32_t schema) {
  auto payload = payload_of(sample_named(type));
  for (const auto& field : later_fields)
    if (field.type == type && field.last >= schema) {
      const json::json_pointer at{field.at};
      payload[at.parent_pointer()].erase(at.back());
    }
  return payload;
}

std::string refusal_of_schema(std::string_view type, std::uint32_t schema, const json& payload) {
  return refusal(sample_named(type).rewritten(type, schema, write_cbor(payload)));
}

} // namespace

BOOST_AUTO_TEST_CASE(a_field_that_came_later_is_refused_in_every_schema_before_it) {
  for (const auto& [type, last, name] : later_fields)
    for (std::uint32_t schema = 1; schema <= last; ++schema) {
      auto payload = payload_of_schema(type, schema);
      BOOST_TEST(refusal_of_schema(type, schema, payload) == "");
      const json::json_pointer at{name};
      payload[at] = payload_of(sample_named(type))[at];
      BOOST_TEST(says(refusal_of_schema(type, schema, payload),
                      "cannot be read as schema " + std::to_string(last + 1)),
                 type << " of schema " << schema << " with " << name);
    }
}

BOOST_AUTO_TEST_CASE(the_longest_life_of_a_hold_of_an_old_show_is_twice_its_time_or_refused) {
  const auto read = [](const json& ttl) {
    auto payload = payload_of_schema("show_created", 2);
    payload["what"]["holds"]["ttlMs"] = ttl;
    return decode_shows("show_created", 2, write_cbor(payload));
  };
  constexpr std::int64_t longest = std::numeric_limits<std::int64_t>::max() / 2;
  for (const std::int64_t ttl : {std::int64_t{0}, std::int64_t{1}, std::int64_t{90'000}, longest}) {
    const auto event = std::get<shows::event::show_created>(must(read(ttl)));
    BOOST_TEST(event.what.holds.max_life_ms == 2 * ttl);
  }
  for (const json& ttl : {json(longest + 1), json(~0ULL), json(-1), json(1.5), json("1"), json()})
    BOOST_TEST(says(refusal(read(ttl)), "cannot be read as schema 3"), ttl);
}

BOOST_AUTO_TEST_CASE(old_payloads_of_another_shape_are_refused) {
  const std::vector<json> shapes{
      nullptr,
      7,
      "text",
      json::array(),
      json::array({1, 2}),
      json::object(),
      json{{"what", nullptr}},
      json{{"what", json::array({1})}},
      json{{"what", {{"holds", json::array()}}}},
      json{{"what", {{"holds", {{"ttlMs", 1}}}, {"plan", {{"blocks", 7}}}}}},
      json{{"what", {{"holds", {{"ttlMs", 1}}}, {"plan", {{"blocks", {nullptr, 7}}}}}}}};
  for (const auto& [type, from, step] : upcast_steps)
    for (const auto& shape : shapes)
      BOOST_TEST(refusal_of_schema(type, from, shape) != "", type << " as " << shape);
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
