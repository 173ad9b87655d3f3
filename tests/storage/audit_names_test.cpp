// Ids and times as people write them: read back what was written, and refuse the rest.

#include "storage/audit/names.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace usher;
using namespace usher::storage::audit;

BOOST_AUTO_TEST_CASE(a_reference_reads_back_as_it_was_written) {
  id128 id;
  for (std::size_t i = 0; i < id.bytes.size(); ++i)
    id.bytes[i] = static_cast<std::uint8_t>(i * 16 + 1);
  const auto text = reference_text("order", 0x2a, id);
  BOOST_TEST(text == "order-0-2a-01112131415161718191a1b1c1d1e1f1");
  const auto read = read_reference("order", text);
  BOOST_REQUIRE(read.has_value());
  BOOST_TEST(read->show == 0x2aU);
  BOOST_TEST((read->id == id));
  for (const auto& wrong :
       {std::string{}, text + "0", text.substr(1), std::string{"order-0-2a-"},
        std::string{"order-0--0111213141516171"}, std::string{"order-1-2a-"} + text.substr(11),
        std::string{"order-0-02a-"} + text.substr(11),
        std::string{"order-0-2A-"} + text.substr(11)})
    BOOST_TEST(!read_reference("order", wrong).has_value(), wrong);
  BOOST_TEST(!read_reference("hold", text).has_value());
}

BOOST_AUTO_TEST_CASE(a_ticket_id_names_its_place) {
  // 01 ‖ 00000002 ‖ 00000003 ‖ nonce ‖ MAC, of zeros.
  const auto read = read_ticket_id("AQAAAAIAAAAD" + std::string(32, 'A'));
  BOOST_REQUIRE(read.has_value());
  BOOST_TEST(read->show == 2U);
  BOOST_TEST(read->slot == 3U);
  BOOST_TEST(!read_ticket_id("AQAAAAIAAAAD").has_value());
  BOOST_TEST(!read_ticket_id("AQAAAAIAAAAD" + std::string(31, 'A') + "+").has_value());
}

BOOST_AUTO_TEST_CASE(a_time_reads_back_as_it_was_written) {
  BOOST_TEST(time_text(0) == "1970-01-01T00:00:00.000Z");
  BOOST_TEST(time_text(1'780'000'000'250) == "2026-05-28T20:26:40.250Z");
  for (const time_ms at : {time_ms{0}, time_ms{1'780'000'000'250}, time_ms{-1}})
    BOOST_TEST(read_time(time_text(at)).value() == at);
  BOOST_TEST(read_time("2026-05-28T17:26:40.25-03:00").value() == 1'780'000'000'250);
  BOOST_TEST(read_time("2026-05-28T20:26:40Z").value() == 1'780'000'000'000);
  for (const char* wrong :
       {"", "2026-05-28", "2026-05-28T20:26:40", "2026-02-30T20:26:40Z", "2026-05-28T24:26:40Z",
        "2026-05-28T20:26:40Zx", "2026-05-28T20:26:40.Z", "2026-05-28T20:26:40+3:00",
        "-026-05-28T20:26:40Z"})
    BOOST_TEST(!read_time(wrong).has_value(), wrong);
}
