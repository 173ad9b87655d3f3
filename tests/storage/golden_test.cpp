// Bytes that were written once must be read for ever. Each file in golden/ has the bytes of one
// event of one schema (`data`, hex), and what they say (`expected`, with byte strings as hex); the
// event itself is built in event_samples.hpp, and for an old schema in old_samples.hpp, as the
// event that it is today. Files are added and never changed: for a new type or schema, take the
// bytes that the failing test prints. The last case proves that a file which was changed anywhere
// does fail.

#include "storage/cbor.hpp"
#include "storage/event_types.hpp"
#include "storage/files.hpp"
#include "tests/storage/old_samples.hpp"
#include "tests/storage/support.hpp"

#include <fstream>

using namespace usher::storage;
using namespace usher::storage::test;

namespace {

std::filesystem::path golden_file(std::string_view type, std::uint32_t schema) {
  return std::filesystem::path{USHER_SOURCE_DIR} / "tests/storage/golden" /
         (std::string{type} + ".v" + std::to_string(schema) + ".json");
}

/// As JSON can show it: byte strings in hex.
json readable(const json& value) {
  if (value.is_binary()) {
    const auto& bytes = value.get_binary();
    return to_hex(std::string{bytes.begin(), bytes.end()});
  }
  if (!value.is_structured())
    return value;
  json shown = value.is_array() ? json::array() : json::object();
  for (const auto& [key, item] : value.items())
    if (value.is_array())
      shown.push_back(readable(item));
    else
      shown[key] = readable(item);
  return shown;
}

/// What a reader who has no golden file yet needs.
std::string as_golden(const encoded& stored) {
  return json{{"type", stored.type},
              {"schema", stored.schema},
              {"data", to_hex(stored.data)},
              {"expected", readable(read_cbor(stored.data).value())}}
      .dump(2);
}

/// Empty if the golden file says what the event says.
std::string difference(const json& golden, const sample& event) {
  const auto hex = golden.value("data", "");
  const auto data = from_hex(hex);
  if (!data)
    return "`data` is not hex";
  const auto type = golden.value("type", "");
  const auto schema = golden.value("schema", 0U);
  if (!event.reads_as_this(type, schema, *data))
    return "the bytes read as another event, or not at all";
  const auto value = read_cbor(*data);
  if (!value || readable(*value) != golden.value("expected", json{}))
    return "the bytes do not say what `expected` says";
  const auto again = must(event.rewritten(type, schema, *data));
  if (schema == event.stored.schema && again.data != *data)
    return "the event is written as other bytes: " + to_hex(again.data);
  return "";
}

/// Every sample with the schema whose golden file says it.
std::vector<old_sample> samples_of_every_schema() {
  auto all = old_samples();
  for (const auto& one : golden_samples())
    all.push_back({one.stored.schema, one});
  return all;
}

const sample& sample_of(const std::vector<old_sample>& all, std::string_view type,
                        std::uint32_t schema) {
  const auto found = std::ranges::find_if(all, [&](const old_sample& one) {
    return one.today.stored.type == type && one.schema == schema;
  });
  BOOST_REQUIRE_MESSAGE(found != all.end(), type << " schema " << schema << " has no sample");
  return found->today;
}

} // namespace

BOOST_AUTO_TEST_CASE(every_type_and_schema_reads_as_it_was_written) {
  const auto samples = samples_of_every_schema();
  for (const auto& row : event_types)
    for (std::uint32_t schema = 1; schema <= row.schema; ++schema) {
      const auto& event = sample_of(samples, row.name, schema);
      std::ifstream file{golden_file(row.name, schema)};
      BOOST_TEST(file.is_open(), "no golden file for " << row.name << " schema " << schema
                                                       << "; today it would be\n"
                                                       << as_golden(event.stored));
      if (file.is_open())
        BOOST_TEST(difference(json::parse(file), event) == "", row.name << " schema " << schema);
    }
}

BOOST_AUTO_TEST_CASE(every_golden_file_belongs_to_a_type_in_the_table) {
  const auto folder = golden_file("x", 1).parent_path();
  for (const auto& entry : std::filesystem::directory_iterator{folder}) {
    std::ifstream file{entry.path()};
    const auto golden = json::parse(file);
    const auto* row = find_event_type(golden.value("type", ""));
    BOOST_REQUIRE_MESSAGE(row != nullptr, entry.path());
    const auto schema = golden.value("schema", 0U);
    BOOST_TEST((schema >= 1 && schema <= row->schema), entry.path());
    BOOST_TEST(entry.path() == golden_file(row->name, schema));
  }
}

BOOST_AUTO_TEST_CASE(a_golden_file_changed_anywhere_fails) {
  for (const auto& [schema, event] : samples_of_every_schema()) {
    std::ifstream file{golden_file(event.stored.type, schema)};
    BOOST_REQUIRE_MESSAGE(file.is_open(), event.stored.type);
    const auto golden = json::parse(file);
    const auto data = from_hex(golden.value("data", "")).value();
    for (std::size_t at = 0; at < data.size(); ++at) {
      auto bytes = data;
      bytes[at] = static_cast<char>(bytes[at] ^ 1);
      auto changed = golden;
      changed["data"] = to_hex(bytes);
      BOOST_TEST(difference(changed, event) != "", event.stored.type << " byte " << at);
    }
    auto changed = golden;
    changed["expected"]["surplus"] = 1;
    BOOST_TEST(difference(changed, event) != "");
    changed = golden;
    changed["schema"] = event.stored.schema + 1;
    BOOST_TEST(difference(changed, event) != "");
  }
}
