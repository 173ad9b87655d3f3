// CBOR item by item: what the writer puts down is byte for byte what nlohmann's writes, the cursor
// reads it back, and it takes nothing else: other kinds, other names, or anything that is cut off.
//
// It bites: with `>` for `>=` where an argument gets longer, or without the sign (each tried in a
// copy), cases fail.
#include "storage/cbor_flow.hpp"

#include "storage/cbor.hpp"
#include "tests/storage/support.hpp"

#include <limits>

using namespace usher::storage;

namespace {

/// Around each size at which an argument takes more bytes.
std::vector<std::uint64_t> edges() {
  std::vector<std::uint64_t> all;
  for (const std::uint64_t edge :
       {std::uint64_t{0}, std::uint64_t{24}, std::uint64_t{1} << 8, std::uint64_t{1} << 16,
        std::uint64_t{1} << 32, std::uint64_t{1} << 63})
    for (const auto near : {edge - 1, edge, edge + 1})
      all.push_back(near);
  return all;
}

template <class Write>
std::string written(Write write) {
  std::string to;
  cbor_writer out{to};
  write(out);
  return to;
}

/// A map as a batch has them: every kind that the writer knows.
std::string document() {
  return written([](cbor_writer& out) {
    out.map(4).text("a").signed_number(-1'000).text("b").bytes({"\0x", 2});
    out.text("c").array(2).number(1).number(70'000).text("d").text(std::string(300, 'x'));
  });
}

bool reads_document(std::string_view bytes) {
  cbor_cursor in{bytes};
  std::int64_t a = 0;
  std::string_view b;
  std::uint64_t entries = 0;
  std::uint64_t first = 0;
  std::uint32_t second = 0;
  std::string_view d;
  return in.map(4) && in.key("a") && in.number(a) && in.key("b") && in.bytes(b) && in.key("c") &&
         in.array(entries) && in.number(first) && in.number(second) && in.key("d") && in.text(d) &&
         in.at_end() && a == -1'000 && b == std::string_view{"\0x", 2} && entries == 2 &&
         first == 1 && second == 70'000 && d == std::string(300, 'x');
}

} // namespace

BOOST_AUTO_TEST_CASE(numbers_are_written_and_read_as_the_library_does) {
  for (const auto value : edges()) {
    const auto bytes = written([&](cbor_writer& out) { out.number(value); });
    BOOST_TEST(bytes == write_cbor(value), value);
    std::uint64_t back = 0;
    BOOST_TEST((cbor_cursor{bytes}.number(back) && back == value), value);
    std::uint32_t narrow = 0;
    BOOST_TEST(cbor_cursor{bytes}.number(narrow) ==
               (value <= std::numeric_limits<std::uint32_t>::max()));
    const auto as_signed = static_cast<std::int64_t>(value);
    const auto signed_bytes = written([&](cbor_writer& out) { out.signed_number(as_signed); });
    BOOST_TEST(signed_bytes == write_cbor(as_signed), as_signed);
    std::int64_t signed_back = 0;
    BOOST_TEST((cbor_cursor{signed_bytes}.number(signed_back) && signed_back == as_signed));
  }
  std::int64_t beyond = 0;
  BOOST_TEST(!cbor_cursor{write_cbor(std::uint64_t{1} << 63)}.number(beyond));
}

BOOST_AUTO_TEST_CASE(a_document_is_the_library_s_and_comes_back) {
  const auto same = json::object({{"a", -1'000},
                                  {"b", json::binary({0, 'x'})},
                                  {"c", {1, 70'000}},
                                  {"d", std::string(300, 'x')}});
  BOOST_TEST((document() == write_cbor(same)));
  BOOST_TEST(reads_document(document()));
}

BOOST_AUTO_TEST_CASE(what_is_cut_off_or_another_kind_is_refused) {
  const auto good = document();
  for (std::size_t at = 0; at < good.size(); ++at) {
    BOOST_TEST(!reads_document(good.substr(0, at)), at);
    auto other = good;
    other[at] = static_cast<char>(other[at] ^ 0x40); // another kind, or another letter
    BOOST_TEST(!reads_document(other), at);
  }
  BOOST_TEST(!reads_document(good + '\0'));
  std::uint64_t entries = 0;
  BOOST_TEST(!cbor_cursor{"\x9a\xff\xff\xff\xff"}.array(entries)); // more than there are bytes
  std::string_view chars;
  BOOST_TEST(!cbor_cursor{"\x7f"}.text(chars)); // of no known length
  BOOST_TEST(!cbor_cursor{""}.text(chars));
}
