// `usher audit customer`: who a customer is in each show (the hash was computed with Python), what
// belongs to them, and what is said where keys are missing. Personal data stays sealed unless it is
// asked for.

#include "storage/audit/customer_identity.hpp"
#include "storage/audit/story.hpp"
#include "tests/storage/audit_command_line.hpp"

#include <fstream>

using namespace usher;
using namespace usher::storage;
using namespace usher::storage::test;

namespace {

secret_key counting_key() {
  secret_key key{};
  for (std::size_t i = 0; i < key.size(); ++i)
    key[i] = static_cast<std::uint8_t>(i);
  return key;
}

constexpr const char* ada_in_s = "aa6e935b62c7e46274b49ea3f4c111cc";
constexpr const char* ada_in_r = "cda1a962523d148921b8591efc6b2624";

identity identity_of(const std::string& hex) {
  identity who;
  const auto bytes = from_hex(hex).value();
  std::copy(bytes.begin(), bytes.end(), who.bytes.begin());
  return who;
}

/// Ada is fan 1 of `s`, buys A-1 and gets half of it back; she signs in as fan 0 of `r`, who had a
/// key. Nobody else is known.
script two_shows() {
  auto in_s = joined(0, 3);
  in_s.customers = {{}, identity_of(ada_in_s), {}};
  room_event::fan_identified signs_in{0, identity_of(ada_in_r), true};
  desk_event::refund_started refund;
  refund.order = order_no(1);
  refund.payment = payment_no(1);
  refund.gateway = "SANDBOX";
  refund.reference = "ref";
  refund.amount_minor = price_minor / 2;
  return {{directory(0, created(0, "s")), block(0, seat_event::block_planned{{"A-1", "A-2"}}),
           queue(0, configured(settings()))},
          {directory(0, created(1, "r")), queue(0, configured(settings()), "r")},
          {queue(0, room_event::room_opened{}), queue(0, room_event::room_opened{}, "r")},
          {queue(10, in_s)},
          {queue(20, joined(0, 2), "r")},
          {queue(30, signs_in, "r")},
          {queue(1000, admitted({0, 1, 2}, 1000))},
          holding(1, 1, {"A-1"}, 2000),
          holding(2, 0, {"A-2"}, 2000),
          {desk(3000, ordered(1, 1, 1, 1, 3000))},
          {desk(4000, started(1, 1))},
          {desk(5000, settled(1, 1, orders::payment_outcome::approved)), desk(5000, paid(1)),
           block(5000, seat_event::seats_sold{hold_no(1), order_no(1), {"A-1"}})},
          {desk(6000, refund)}};
}

void write_key(const on_disk& log, const std::string& name, const secret_key& key) {
  const auto path = log.place.data() / "secrets" / name;
  std::filesystem::create_directories(path.parent_path());
  std::filesystem::permissions(path.parent_path(), std::filesystem::perms::owner_all);
  std::ofstream{path} << to_hex({reinterpret_cast<const char*>(key.data()), key.size()}) << "\n";
  std::filesystem::permissions(path, std::filesystem::perms::owner_read);
}

std::string positions(const nlohmann::json& show) {
  std::string all;
  for (const auto& one : show["events"])
    all += std::to_string(one["position"].get<int>()) + " ";
  return all;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_customer_is_another_hash_in_every_show) {
  BOOST_TEST((audit::customer_identity(counting_key(), "s", "ada") == identity_of(ada_in_s)));
  BOOST_TEST((audit::customer_identity(counting_key(), "r", "ada") == identity_of(ada_in_r)));
}

BOOST_AUTO_TEST_CASE(the_story_of_a_customer_goes_over_all_shows) {
  const on_disk log{two_shows()};
  write_key(log, "identity", counting_key());
  const auto got = usher_audit({"customer", "ada", "--data", log.path(), "--json"});
  BOOST_TEST_INFO(got.err);
  BOOST_REQUIRE(got.exit_code == 0);
  const auto shows = got.json()["shows"];
  BOOST_REQUIRE(shows.size() == 2U);
  BOOST_TEST(shows[0]["show"] == "r");
  BOOST_TEST(shows[0]["identity"] == ada_in_r);
  BOOST_TEST(shows[0]["tickets"] == nlohmann::json({0}));
  BOOST_TEST(positions(shows[0]) == "9 10 "); // also that the place was taken before
  BOOST_TEST(shows[1]["show"] == "s");
  BOOST_TEST(shows[1]["tickets"] == nlohmann::json({1}));
  BOOST_TEST(positions(shows[1]) == "8 11 12 13 16 17 18 19 20 21 ");
  const auto only = usher_audit({"customer", "ada", "--show", "r", "--data", log.path(), "--json"});
  BOOST_TEST(only.json()["shows"].size() == 1U);
}

BOOST_AUTO_TEST_CASE(the_digits_of_the_events_need_no_key) {
  const on_disk log{two_shows()};
  const auto got = usher_audit({"customer", ada_in_s, "--data", log.path()});
  BOOST_TEST(got.exit_code == 0);
  BOOST_TEST(got.out.starts_with("show s, ticket 1, identity " + std::string{ada_in_s} + "\n"),
             got.out);
  BOOST_TEST(says(got.out, "to be paid until 2026-05-28T20:30:43.000Z, customer: sealed  (fan"),
             got.out);
}

BOOST_AUTO_TEST_CASE(what_is_missing_is_said) {
  const on_disk log{two_shows()};
  const auto no_key = usher_audit({"customer", "ada", "--data", log.path()});
  BOOST_TEST(no_key.exit_code == 2);
  BOOST_TEST(says(no_key.err, "secrets/identity is not there"), no_key.err);
  BOOST_TEST(says(no_key.err, "give the 32 hex digits"), no_key.err);
  const auto sealed = usher_audit({"customer", ada_in_s, "--personal-data", "--data", log.path()});
  BOOST_TEST(sealed.exit_code == 0);
  BOOST_TEST(says(sealed.out, "customer: cannot be opened"), sealed.out);
  write_key(log, "identity", counting_key());
  const auto nobody = usher_audit({"customer", "bob", "--data", log.path()});
  BOOST_TEST(nobody.exit_code == 2);
  BOOST_TEST(says(nobody.err, "no event about it"), nobody.err);
  // Zeros stand for nobody in the events, so they are no identity: they are taken for a customerId.
  BOOST_TEST(usher_audit({"customer", std::string(32, '0'), "--data", log.path()}).exit_code == 2);
}

// The opener is given, not found: what it says stands in the line of the order.
BOOST_AUTO_TEST_CASE(personal_data_is_what_the_opener_says) {
  memory_log log;
  write(log, two_shows());
  const auto who = [](const show_id& show) {
    return audit::customer_identity(counting_key(), show, "ada");
  };
  const auto told = must(audit::tell_customer(
      log, "s", who, [](const show_id& show, const orders::event::order_placed& e) {
        return "<" + show + " " + e.customer + ">";
      }));
  BOOST_REQUIRE(told.size() == 1U);
  bool found = false;
  for (const auto& line : told[0].told.lines)
    found |= line.sentence.ends_with(", customer: <s sealed bytes>");
  BOOST_TEST(found);
}
