// The bytes of a batch: they come back, hostile ones are refused, and the worked example in
// docs/log-format.md is exactly what the program writes, hash and all.

#include "storage/batch.hpp"
#include "storage/cbor.hpp"
#include "storage/codec.hpp"
#include "storage/files.hpp"
#include "storage/head_file.hpp"
#include "storage/log_format.hpp"
#include "storage/receipts.hpp"
#include "tests/storage/event_samples.hpp"
#include "tests/storage/support.hpp"

#include <cctype>
#include <fstream>
#include <sstream>

using namespace usher;
using namespace usher::storage;
using namespace usher::storage::test;

namespace {

batch some_batch() {
  batch made{.shard = 0, .epoch = 3, .previous = {}, .records = {}};
  made.previous.fill(0xab);
  for (position_t i = 0; i < 3; ++i)
    made.records.push_back({fact("block/s/A", std::string(i, '\0'), -5), 40 + i, 7 + i});
  return made;
}

std::string refusal_of(const json& map) {
  return refusal(decode_batch(write_cbor(map)));
}

/// The batch of the worked example: the first of a log, two fans who join an open room.
batch example() {
  const auto joined = encode(waiting_room::any_event{
      waiting_room::event::fans_joined{.first = 0,
                                       .nonces = {0x0102030405060708, 0x1112131415161718},
                                       .customers = {id_of<identity>(0xa0), identity{}},
                                       .keys = {}}});
  const auto opened = encode(waiting_room::any_event{waiting_room::event::room_opened{}});
  const auto as_record = [](const encoded& event, const cause& why) {
    return record{.at = 1'767'225'600'000,
                  .subject = "queue/show-42",
                  .type = std::string{event.type},
                  .schema = event.schema,
                  .cause = why,
                  .data = event.data};
  };
  return {.shard = 0,
          .epoch = 1,
          .previous = {},
          .records = {{as_record(opened, {"r-1", "operator:k1"}), 1, 1},
                      {as_record(joined, {"", "fan"}), 2, 2}}};
}

std::string page() {
  std::ifstream file{std::filesystem::path{USHER_SOURCE_DIR} / "docs/log-format.md"};
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The hex of a fenced block that begins with this line: what stands before `;` on each line.
std::string hex_block(const std::string& text, const std::string& begin) {
  const auto start = text.find("```hex " + begin + "\n");
  BOOST_REQUIRE_MESSAGE(start != std::string::npos, "no block " << begin);
  std::istringstream lines{text.substr(text.find('\n', start) + 1)};
  std::string hex;
  for (std::string line; std::getline(lines, line) && line != "```";)
    for (const char c : line.substr(0, line.find(';')))
      if (std::isspace(static_cast<unsigned char>(c)) == 0)
        hex.push_back(c);
  return hex;
}

/// The keys in the index of receipts, in order of record.
std::string place_hex(const batch& what) {
  std::string hex;
  for (auto record : what.records) {
    auto [places, joins] = must(places_of(record));
    record.places = std::move(places);
    record.joins = joins;
    for (const auto& key : place_keys(record))
      hex += to_hex(key);
  }
  return hex;
}

std::string hex_of(const digest& bytes) {
  return to_hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

} // namespace

BOOST_AUTO_TEST_CASE(a_batch_comes_back) {
  BOOST_TEST((must(decode_batch(encode_batch(some_batch()))) == some_batch()));
  BOOST_TEST((must(decode_batch(encode_batch(example()))) == example()));
}

BOOST_AUTO_TEST_CASE(a_batch_that_is_not_quite_one_is_refused) {
  const auto good = read_cbor(encode_batch(some_batch())).value();
  const auto with = [&](const char* name, const json& value) {
    auto map = good;
    map[name] = value;
    return refusal_of(map);
  };
  BOOST_TEST(refusal_of(good) == "");
  BOOST_TEST(says(with("format", batch_format + 1), "`format`"));
  BOOST_TEST(says(with("count", 2), "`count`"));
  BOOST_TEST(says(with("first", 0), "`first`"));
  BOOST_TEST(says(with("first", ~0ULL), "`first`"));
  BOOST_TEST(says(with("previous", json::binary({1})), "`previous`"));
  BOOST_TEST(with("records", json::array()) != "");
  BOOST_TEST(says(with("surplus", 1), "not known"));
  auto none = good;
  none["count"] = 0;
  none["records"] = json::array();
  BOOST_TEST(says(refusal_of(none), "`count`"));
  for (const auto& [name, value] : good.items()) {
    auto without = good;
    without.erase(name);
    BOOST_TEST(refusal_of(without) != "", name);
  }
  for (const auto& [name, value] : good["records"][0].items()) {
    auto without = good;
    without["records"][0].erase(name);
    BOOST_TEST(refusal_of(without) != "", name);
  }
}

BOOST_AUTO_TEST_CASE(a_batch_that_is_too_large_is_refused_unread) {
  BOOST_TEST(says(refusal(decode_batch(std::string(batch_bytes_max + 1, '\0'))), "too large"));
}

BOOST_AUTO_TEST_CASE(cut_and_changed_batches_do_no_harm_and_another_value_is_another_head) {
  const auto good = encode_batch(some_batch());
  const auto head = chain_hasher{}.next(digest{}, good);
  for (std::size_t at = 0; at < good.size(); ++at) {
    BOOST_REQUIRE(refusal(decode_batch(good.substr(0, at))) != "");
    for (int bit = 0; bit < 8; ++bit) {
      auto bytes = good;
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
      const auto read = decode_batch(bytes);
      BOOST_REQUIRE(
          (!std::holds_alternative<batch>(read) || !std::get<batch>(read).records.empty()));
      BOOST_REQUIRE((chain_hasher{}.next(digest{}, bytes) != head));
    }
  }
}

BOOST_AUTO_TEST_CASE(the_worked_example_of_the_documentation_is_what_is_written) {
  const auto text = page();
  const auto value = encode_batch(example());
  const auto chain = chain_hasher{}.next(digest{}, value);
  const log_head head{.position = 2, .batches = 1, .chain = chain};
  BOOST_TEST(hex_block(text, "batch") == to_hex(value));
  BOOST_TEST(hex_block(text, "batches-key") == to_hex(batch_key(1)));
  BOOST_TEST(hex_block(text, "streams-key") == to_hex(stream_key("queue/show-42", 2)));
  BOOST_TEST(hex_block(text, "places-keys") == place_hex(example()));
  BOOST_TEST(hex_block(text, "chain") == hex_of(chain));
  BOOST_TEST(hex_block(text, "meta-head") == to_hex(encode_head(head)));
  BOOST_TEST(says(text, "\n" + format_head(head)), "HEAD should be " << format_head(head));
}

BOOST_AUTO_TEST_CASE(the_documentation_names_every_type_of_event) {
  const auto text = page();
  for (const auto& event : golden_samples()) {
    BOOST_TEST(says(text, "| `" + std::string{event.stored.type} + "` |"), event.stored.type);
    const auto payload = read_cbor(event.stored.data).value();
    for (const auto& [name, value] : payload.items())
      BOOST_TEST(says(text, "`" + name + "`"), event.stored.type << "." << name);
  }
}
