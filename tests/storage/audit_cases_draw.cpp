#include "tests/storage/audit_cases.hpp"
#include "tests/storage/audit_room_script.hpp"

namespace usher::storage::test {

using audit::fault;
using waiting_room::end_reason;

namespace {

line beacon(time_ms later, const std::string& value) {
  return queue(later, room_event::beacon_given{value});
}

std::vector<fault_case> beacon_cases() {
  const auto set = with_beacon(draw_settings());
  return {
      {fault::beacon_wrong, "none was committed to",
       in_prequeue() + script{{bad(beacon(60'000, "abc"))}}},
      {fault::beacon_wrong, "no draw is ahead", beginning() + script{{bad(beacon(2000, "abc"))}}},
      {fault::beacon_wrong, "after the draw",
       in_prequeue(set) + script{{places_drawn(drawn({0, 1, 2, 3, 4, 5})), opened()},
                                 {bad(beacon(100'000, "abc"))}}},
      {fault::beacon_wrong, "another one",
       in_prequeue(set) + script{{beacon(60'000, "abc")}, {bad(beacon(60'000, "abd"))}}},
      {fault::beacon_wrong, "empty", in_prequeue(set) + script{{bad(beacon(60'000, ""))}}},
  };
}

} // namespace

std::vector<fault_case> draw_cases() {
  const std::vector<slot_t> all_six{0, 1, 2, 3, 4, 5};
  const auto right = drawn(all_six);
  const auto set = with_beacon(draw_settings());
  room_event::places_drawn by_other_seed;
  by_other_seed.seed.fill(0x55);
  by_other_seed.order = {3, 1, 4, 5, 2, 0};
  auto swapped = right;
  std::swap(swapped[3], swapped[4]);
  auto cases = beacon_cases();
  const std::vector<fault_case> more{
      {fault::drawn_twice, "at once",
       in_prequeue() + script{{places_drawn(right), bad(places_drawn(right)), opened()}}},
      {fault::draw_seed_wrong, "another seed",
       in_prequeue() + script{{bad(by_clock(queue(opens_ms, by_other_seed))), opened()}}},
      {fault::draw_beacon_wrong, "the value was left out",
       in_prequeue(set) + script{{beacon(60'000, "abc")}, {bad(places_drawn(right)), opened()}}},
      {fault::draw_beacon_wrong, "a value that nobody gave",
       in_prequeue() + script{{bad(places_drawn(drawn(all_six, true), "abc")), opened()}}},
      {fault::draw_beacon_wrong, "the source was changed after the commitment",
       scheduled() + script{{queue(10, configured(set))},
                            {prequeue_opened()},
                            {queue(50'001, joined(0, 6))},
                            {bad(places_drawn(right)), opened()}}},
      {fault::draw_members_wrong, "one is missing",
       in_prequeue() + script{{bad(places_drawn(drawn({0, 1, 2, 3, 4}))), opened()}}},
      {fault::draw_members_wrong, "one who left",
       in_prequeue() +
           script{{ended(60'000, end_reason::left, {2})}, {bad(places_drawn(right)), opened()}}},
      {fault::draw_members_wrong, "one twice",
       in_prequeue() + script{{bad(places_drawn({3, 1, 0, 5, 4, 4})), opened()}}},
      {fault::draw_members_wrong, "one who never came",
       in_prequeue() + script{{bad(places_drawn({3, 1, 0, 5, 4, 2, 6})), opened()}}},
      {fault::draw_order_wrong, "two are exchanged",
       in_prequeue() + script{{bad(places_drawn(swapped)), opened()}}},
      {fault::draw_order_wrong, "as they came",
       in_prequeue() + script{{bad(places_drawn(all_six)), opened()}}},
      {fault::draw_order_wrong, "a tier forgotten",
       scheduled() + script{codes(),
                            {prequeue_opened()},
                            {queue(50'001, joined(0, 5))},
                            {queue(50'002, joined_with(5, 1, 0))},
                            {bad(places_drawn(right)), opened()}}},
  };
  cases.insert(cases.end(), more.begin(), more.end());
  return cases;
}

} // namespace usher::storage::test
