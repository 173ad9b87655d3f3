// What is read in place is what nlohmann's parser reads, of everything that is ever written: all
// golden events, batches, and random documents. And it takes nothing that parser refuses: every
// byte of theirs changed, and random bytes. USHER_SEED repeats a run.
//
// It bites: with a wrong sign, without the check of what is left after the item, or with keys taken
// in any order (each tried in a copy), cases fail.
#include "storage/cbor_items.hpp"

#include "storage/cbor.hpp"
#include "tests/storage/event_samples.hpp"
#include "tests/storage/support.hpp"

#include <cmath>

using namespace usher;
using namespace usher::storage;
using namespace usher::storage::test;

namespace {

json as_json(const cbor_item& item);

json map_as_json(const cbor_item& item) {
  auto map = json::object();
  for (auto at = item.begin(); at != item.end(); ++at) {
    const std::string name{(*at).chars()};
    map[name] = as_json(*++at);
  }
  return map;
}

json as_json(const cbor_item& item) {
  switch (item.kind) {
  case cbor_kind::null:
    return nullptr;
  case cbor_kind::boolean:
    return item.number != 0;
  case cbor_kind::unsigned_integer:
    return item.number;
  case cbor_kind::negative_integer:
    return item.integer();
  case cbor_kind::floating:
    return item.real();
  case cbor_kind::text:
    return std::string{item.chars()};
  case cbor_kind::bytes:
    return json::binary({item.chars().begin(), item.chars().end()});
  case cbor_kind::array: {
    auto all = json::array();
    for (const auto& each : item)
      all.push_back(as_json(each));
    return all;
  }
  case cbor_kind::map:
    return map_as_json(item);
  }
  return nullptr;
}

/// Both read it and agree, or it is refused here.
bool agree(std::string_view bytes) {
  const auto here = cbor_items::read(bytes);
  if (!here)
    return true;
  const auto there = read_cbor(bytes);
  return there && *there == as_json(here->root());
}

void require_same(const std::string& bytes) {
  const auto here = cbor_items::read(bytes);
  BOOST_REQUIRE(here.has_value());
  BOOST_REQUIRE(as_json(here->root()) == read_cbor(bytes).value());
}

json any_document(std::mt19937_64& dice, int depth) {
  switch (dice() % (depth > 0 ? 9 : 7)) {
  case 0:
    return nullptr;
  case 1:
    return dice() % 2 == 0;
  case 2:
    return dice() >> dice() % 64;
  case 3:
    return -1 - static_cast<std::int64_t>(dice() >> (1 + dice() % 63));
  case 4:
    return std::ldexp(static_cast<double>(dice() % 1'000), static_cast<int>(dice() % 100) - 50);
  case 5:
    return std::string(dice() % 300, 'x');
  case 6:
    return json::binary(std::vector<std::uint8_t>(dice() % 300, 7));
  case 7: {
    auto all = json::array();
    for (auto left = dice() % 30; left > 0; --left)
      all.push_back(any_document(dice, depth - 1));
    return all;
  }
  default: {
    auto map = json::object();
    for (auto left = dice() % 12; left > 0; --left)
      map["k" + std::to_string(dice() % 100)] = any_document(dice, depth - 1);
    return map;
  }
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(what_is_written_is_read_as_the_library_reads_it) {
  auto dice = seeded();
  for (const auto& event : golden_samples())
    require_same(event.stored.data);
  for (int round = 0; round < 2'000; ++round)
    require_same(write_cbor(any_document(dice, 4)));
}

BOOST_AUTO_TEST_CASE(nothing_is_taken_that_the_library_refuses_or_reads_otherwise) {
  auto dice = seeded();
  for (const auto& event : golden_samples())
    for (std::size_t at = 0; at < event.stored.data.size(); ++at) {
      BOOST_REQUIRE(!cbor_items::read(std::string_view{event.stored.data}.substr(0, at)));
      for (int bit = 0; bit < 8; ++bit) {
        auto bytes = event.stored.data;
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
        BOOST_REQUIRE_MESSAGE(agree(bytes), event.stored.type << " at " << at << " bit " << bit);
      }
    }
  for (int round = 0; round < 200'000; ++round) {
    std::string bytes(dice() % 24, '\0');
    for (auto& byte : bytes)
      byte = static_cast<char>(dice());
    BOOST_REQUIRE(agree(bytes));
  }
}

BOOST_AUTO_TEST_CASE(what_is_refused) {
  using namespace std::string_view_literals;
  struct {
    const char* name;
    std::string_view bytes;
    bool is_read;
  } const table[] = {
      {"nothing", ""sv, false},
      {"a number", "\x01"sv, true},
      {"something after it", "\x01\x01"sv, false},
      {"the least of 64 bits", "\x3b\x7f\xff\xff\xff\xff\xff\xff\xff"sv, true},
      {"less than that", "\x3b\x80\x00\x00\x00\x00\x00\x00\x00"sv, false},
      {"a text that is longer than what is there", "\x62x"sv, false},
      {"2^64 - 1 bytes", "\x5b\xff\xff\xff\xff\xff\xff\xff\xff"sv, false},
      {"2^64 - 1 entries", "\x9b\xff\xff\xff\xff\xff\xff\xff\xff"sv, false},
      {"2^64 - 1 fields", "\xbb\xff\xff\xff\xff\xff\xff\xff\xff"sv, false},
      {"an array of no known length", "\x9f\x01\xff"sv, false},
      {"a tag", "\xc1\x01"sv, false},
      {"a number of half precision", "\xf9\x3c\x00"sv, false},
      {"a number of single precision", "\xfa\x3f\xc0\x00\x00"sv, true},
      {"no number", "\xfa\x7f\xc0\x00\x00"sv, false},
      {"a key that is a number", "\xa1\x01\x01"sv, false},
      {"keys in order", "\xa2\x61j\x01\x61k\x02"sv, true},
      {"keys out of order", "\xa2\x61k\x01\x61j\x02"sv, false},
      {"a key twice", "\xa2\x61k\x01\x61k\x02"sv, false},
  };
  for (const auto& row : table)
    BOOST_TEST(cbor_items::read(row.bytes).has_value() == row.is_read, row.name);
  BOOST_TEST(!cbor_items::read(std::string(10'000'000, '\x81')));
  BOOST_TEST(cbor_items::read(std::string(cbor_depth_max, '\x81') + "\x01").has_value());
  BOOST_TEST(!cbor_items::read(std::string(cbor_depth_max + 1, '\x81') + "\x01"));
}
