// `usher audit draw`, and what a ticket's story tells of a drawn room. That the order is right was
// computed with another program (Python's hmac), for ten tickets and for a million.

#include "storage/audit/draw.hpp"
#include "storage/files.hpp"
#include "tests/storage/audit_command_line.hpp"
#include "tests/storage/audit_room_script.hpp"

#include <numeric>

using namespace usher;
using namespace usher::storage;
using namespace usher::storage::test;
using waiting_room::end_reason;

namespace {

/// Fan 2 is vip by a promotion, 4 a member: the order is 2, 4, then the rest as drawn.
script a_drawn_room(std::vector<slot_t> order) {
  const auto set = with_beacon(draw_settings());
  return in_prequeue(set) + script{codes(50'002),
                                   {queue(55'000, room_event::fan_promoted{2, 0, who(1)})},
                                   {queue(55'000, room_event::fan_promoted{4, 1, who(3)})},
                                   {queue(56'000, room_event::beacon_given{"abc"})},
                                   {places_drawn(std::move(order), "abc"), opened()}};
}
const std::vector<slot_t> right_order{2, 4, 1, 5, 3, 0};

nlohmann::json draws_of(const on_disk& log, int exit_code, std::vector<std::string> more = {}) {
  more.insert(more.begin(), {"draw", "--data", log.path(), "--show", "s", "--json"});
  const auto got = usher_audit(more);
  BOOST_TEST(got.exit_code == exit_code);
  BOOST_TEST_INFO(got.err);
  BOOST_REQUIRE(!got.out.empty());
  return got.json();
}

} // namespace

BOOST_AUTO_TEST_CASE(the_order_is_the_one_that_another_program_computes) {
  BOOST_TEST((audit::commitment_of(seed()) == commitment()));
  std::vector<slot_t> ten(10);
  std::iota(ten.begin(), ten.end(), slot_t{0});
  BOOST_TEST(audit::drawn_order({ten}, seed(), "") == drawn(ten), boost::test_tools::per_element());
  BOOST_TEST(audit::drawn_order({ten}, seed(), "abc") == drawn(ten, true),
             boost::test_tools::per_element());
  BOOST_TEST(audit::drawn_order({{2}, {}, {0, 1}}, seed(), "") == (std::vector<slot_t>{2, 1, 0}),
             boost::test_tools::per_element());
}

/// docs/draw.md has it with all its bytes.
BOOST_AUTO_TEST_CASE(the_worked_example_of_the_page_on_draws_is_right) {
  const auto bytes =
      from_hex("4f85d17c00dd3ce610c1dc4321495fba87c16c25ed6588d6771d57db624a0873").value();
  waiting_room::bytes32 its_seed{};
  std::ranges::copy(bytes, its_seed.begin());
  const auto committed = audit::commitment_of(its_seed);
  BOOST_TEST(to_hex({reinterpret_cast<const char*>(committed.data()), committed.size()}) ==
             "9e7781c9d60780ef7dc4d18efb81b08d87b05741c053009e70a82cafd77cb275");
  const auto order =
      audit::drawn_order({{4, 300}, {0, 1, 2}}, its_seed,
                         "3fd54df0418440bcbfd0985e6867361c99f1dd4fcec9e541769f93760fd03e0c");
  BOOST_TEST(order == (std::vector<slot_t>{300, 4, 2, 0, 1}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_million_are_drawn_as_another_program_draws_them) {
  std::vector<slot_t> million(1'000'000);
  std::iota(million.begin(), million.end(), slot_t{0});
  const auto order = audit::drawn_order({million}, seed(), "abc");
  BOOST_TEST(order.size() == million.size());
  const std::vector<slot_t> head{order.begin(), order.begin() + 4};
  BOOST_TEST(head == (std::vector<slot_t>{803207, 477028, 519993, 528070}),
             boost::test_tools::per_element());
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < order.size(); ++i)
    sum += order[i] * static_cast<std::uint64_t>(i + 1); // every place counts
  BOOST_TEST(sum == 249944754064880079U);
}

BOOST_AUTO_TEST_CASE(a_sound_draw_is_0_and_tells_all_that_it_takes_to_check) {
  const on_disk log{a_drawn_room(right_order)};
  const auto all = draws_of(log, 0, {"--ticket", "5"});
  BOOST_TEST(all["agrees"] == true);
  BOOST_REQUIRE(all["draws"].size() == 1U);
  const auto& one = all["draws"][0];
  BOOST_TEST(one["state"] == "DRAWN");
  BOOST_TEST(one["commitment"] ==
             "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd");
  BOOST_TEST(one["beaconSource"]["name"] == "drand");
  BOOST_TEST(one["beaconGiven"] == "abc");
  BOOST_TEST(one["place"] == 4);
  const auto& drawn = one["drawn"];
  BOOST_TEST(drawn["seed"] == "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");
  BOOST_TEST(drawn["at"] == "2026-05-28T20:28:20.000Z");
  BOOST_TEST(drawn["tickets"] == 6);
  BOOST_TEST(
      drawn["tiers"].dump() ==
      R"([{"tickets":1,"tier":"vip"},{"tickets":1,"tier":"members"},{"tickets":4,"tier":null}])");
  BOOST_TEST(drawn["agrees"] == true);
  BOOST_TEST(drawn["firstWrong"].is_null());

  const auto text = usher_audit({"draw", "--data", log.path(), "--show", "s", "--ticket", "9"}).out;
  BOOST_TEST(says(text, "recomputed  agrees\n"), text);
  BOOST_TEST(says(text, "6: vip 1, members 1, general 4\n"), text);
  BOOST_TEST(says(text, "ticket 9 was not in the draw\n"), text);
  BOOST_TEST(usher_audit({"verify", "--data", log.path()}).exit_code == 0);
}

BOOST_AUTO_TEST_CASE(a_draw_that_differs_is_1_and_names_the_first_place) {
  const on_disk log{a_drawn_room({2, 4, 1, 5, 0, 3})};
  const auto wrong = draws_of(log, 1)["draws"][0]["drawn"];
  BOOST_TEST(wrong["agrees"] == false);
  BOOST_TEST(wrong["seedAgrees"] == true);
  BOOST_TEST(wrong["firstWrong"].dump() == R"({"belongs":3,"place":5,"stands":0})");
  const auto text = usher_audit({"draw", "--data", log.path(), "--show", "s"}).out;
  BOOST_TEST(says(text, "place 5 is wrong: ticket 0 stands where ticket 3 belongs\n"), text);
  BOOST_TEST(says(text, "recomputed  DIFFERS\n"), text);

  const on_disk short_one{a_drawn_room({2, 4, 1, 5, 3})};
  BOOST_TEST(draws_of(short_one, 1)["draws"][0]["drawn"]["firstWrong"].dump() ==
             R"({"belongs":0,"place":6,"stands":null})");

  auto other = a_drawn_room(right_order);
  other[1][1] = queue(0, room_event::room_scheduled{});
  const on_disk other_commitment{other};
  BOOST_TEST(draws_of(other_commitment, 1)["draws"][0]["drawn"]["seedAgrees"] == false);
}

BOOST_AUTO_TEST_CASE(before_the_draw_there_is_the_commitment) {
  const on_disk ahead{in_prequeue()};
  const auto one = draws_of(ahead, 0)["draws"][0];
  BOOST_TEST(one["state"] == "AHEAD");
  BOOST_TEST(one["drawn"].is_null());
  const auto text = usher_audit({"draw", "--data", ahead.path(), "--show", "s"}).out;
  BOOST_TEST(says(text, "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"), text);
  BOOST_TEST(says(text, "the draw is still ahead\n"), text);

  const on_disk closed{in_prequeue() + script{{queue(60'000, room_event::room_closed{})}}};
  BOOST_TEST(draws_of(closed, 0)["draws"][0]["state"] == "CALLED_OFF");
}

BOOST_AUTO_TEST_CASE(a_show_without_a_draw_is_2) {
  const on_disk log{beginning()};
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--show", "s"},
                                                    {"--show", "x"},
                                                    {"--show", "s", "--ticket", "?"}}) {
    auto all = arguments;
    all.insert(all.begin(), {"draw", "--data", log.path()});
    const auto got = usher_audit(all);
    BOOST_TEST(got.exit_code == 2);
    BOOST_TEST(got.out.empty());
    BOOST_TEST(!got.err.empty());
  }
  const on_disk drawn_one{a_drawn_room(right_order)};
  const auto of_another_show = "AQAAAAEAAAAA" + std::string(32, 'A');
  BOOST_TEST(
      usher_audit({"draw", "--data", drawn_one.path(), "--show", "s", "--ticket", of_another_show})
          .exit_code == 2);
}

BOOST_AUTO_TEST_CASE(a_story_tells_what_became_of_a_place_and_why) {
  auto set = with_beacon(draw_settings());
  set.reentry_grace_ms = 30'000;
  auto all = a_drawn_room(right_order);
  all[1][0] = queue(0, configured(set));
  const auto more = script{
      {queue(100'500, room_event::wish_set{2, waiting_room::wish{"stalls", "", 2, 1, 9000}})},
      {passed_over(280'000, {2}, 90'000)},
      {returned(281'000, {2}, 280'500), queue(281'000, admitted({2}, 281'000))},
      {queue(281'000, room_event::wish_answered{2, hold_no(1), ""})},
      {ended(581'000, end_reason::expired, {2})},
      {queue(582'000, room_event::fan_reentered{2})},
      {queue(582'001, room_event::ticket_revoked{2, "sold on"})}};
  const on_disk log{all + more};
  BOOST_TEST(usher_audit({"verify", "--data", log.path()}).exit_code == 0);
  const auto text = usher_audit({"ticket", "s", "2", "--data", log.path()}).out;
  for (const char* part :
       {"ticket 2 joined, in a batch of 6", "ticket 2 promoted to tier 0 by an access code",
        "ticket 2 drawn: place 1 of 6, with seed 000102",
        "ticket 2 wishes 2 seats of category stalls, 1 accessible, for at most 9000 each",
        "ticket 2 passed over, because last heard of at 2026-05-28T20:28:10.000Z",
        "ticket 2 returned, heard of again at 2026-05-28T20:31:20.500Z",
        "ticket 2 admitted until 2026-05-28T20:36:21.000Z",
        "wish of ticket 2 granted by hold-0-0-01000000000000000000000000000001",
        "ticket 2 ended: expired", "ticket 2 re-entered and waits where it stood",
        "ticket 2 revoked: sold on"})
    BOOST_TEST(says(text, part), part << " in " << text);
  BOOST_TEST(!says(text, "room opened"), "the room's own affairs are not a ticket's");
}
