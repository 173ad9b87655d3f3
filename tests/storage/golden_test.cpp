// Bytes that were written once must be read for ever. Each file in golden/ has the bytes of one
// event of one schema (`data`, hex), and what they say (`expected`, with byte strings as hex); the
// event itself is built in event_samples.hpp, and for an old schema in old_samples.hpp, as the
// event that it is today. Files are added and never changed: for a new type or schema, take the
// bytes that the failing test prints, and add the file's SHA-256 to golden_sums.txt. The last cases
// prove that a type or schema without a file, and a file that was changed anywhere, do fail.

#include "storage/cbor.hpp"
#include "storage/event_types.hpp"
#include "storage/files.hpp"
#include "tests/storage/old_samples.hpp"
#include "tests/storage/support.hpp"

#include <openssl/evp.h>

#include <fstream>
#include <map>
#include <sstream>

using namespace usher::storage;
using namespace usher::storage::test;

namespace {

const std::filesystem::path here{USHER_SOURCE_DIR "/tests/storage"};

std::string golden_name(std::string_view type, std::uint32_t schema) {
  return std::string{type} + ".v" + std::to_string(schema) + ".json";
}

std::filesystem::path golden_file(std::string_view type, std::uint32_t schema) {
  return here / "golden" / golden_name(type, schema);
}

/// The golden files that the rows ask for and that are not there.
std::string missing(std::span<const event_type> rows, const std::filesystem::path& folder) {
  std::string names;
  for (const auto& row : rows)
    for (std::uint32_t schema = 1; schema <= row.schema; ++schema)
      if (!std::filesystem::exists(folder / golden_name(row.name, schema)))
        names += golden_name(row.name, schema) + " ";
  return names;
}

std::string sha256_of(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  std::ostringstream bytes;
  bytes << file.rdbuf();
  std::array<unsigned char, 32> sum{};
  const auto text = bytes.str();
  BOOST_REQUIRE(EVP_Digest(text.data(), text.size(), sum.data(), nullptr, EVP_sha256(), nullptr) ==
                1);
  return to_hex({reinterpret_cast<const char*>(sum.data()), sum.size()});
}

/// As they were when each was added: sum and name on a line, as sha256sum writes it.
std::map<std::string, std::string> known_sums() {
  std::map<std::string, std::string> sums;
  std::ifstream file{here / "golden_sums.txt"};
  for (std::string sum, name; file >> sum >> name;)
    BOOST_TEST(sums.emplace(name, sum).second, name << " has two sums");
  return sums;
}

/// Names of files that are not as they were when they were added, are gone, or have no sum.
std::string changed_in(const std::filesystem::path& folder) {
  auto sums = known_sums();
  std::string names;
  for (const auto& entry : std::filesystem::directory_iterator{folder}) {
    const auto name = entry.path().filename().string();
    const auto known = sums.extract(name);
    if (known.empty())
      names += name + " has no sum ";
    else if (known.mapped() != sha256_of(entry.path()))
      names += name + " was changed ";
  }
  for (const auto& [name, sum] : sums)
    names += name + " is gone ";
  return names;
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

BOOST_AUTO_TEST_CASE(golden_files_are_added_and_never_changed) {
  BOOST_TEST(changed_in(here / "golden") == "");
}

BOOST_AUTO_TEST_CASE(a_type_or_a_schema_without_a_golden_file_is_missed) {
  const auto folder = here / "golden";
  BOOST_TEST(missing(event_types, folder) == "");
  const std::array rows{event_type{"room_painted", 1, aggregate::waiting_room},
                        event_type{"room_opened", 2, aggregate::waiting_room},
                        event_type{"room_closed", 1, aggregate::waiting_room}};
  BOOST_TEST(missing(rows, folder) == "room_painted.v1.json room_opened.v2.json ");
}

BOOST_AUTO_TEST_CASE(a_golden_file_that_was_changed_removed_or_smuggled_in_is_named) {
  const scratch place;
  std::filesystem::copy(here / "golden", place.data());
  BOOST_TEST(changed_in(place.data()) == "");
  const auto one = place.data() / golden_name("room_opened", 1);
  std::ofstream{one, std::ios::app} << " ";
  BOOST_TEST(changed_in(place.data()) == "room_opened.v1.json was changed ");
  std::filesystem::remove(one);
  BOOST_TEST(changed_in(place.data()) == "room_opened.v1.json is gone ");
  std::filesystem::copy(golden_file("room_opened", 1), one);
  std::ofstream{place.data() / "room_painted.v1.json"} << "{}";
  BOOST_TEST(changed_in(place.data()) == "room_painted.v1.json has no sum ");
}
