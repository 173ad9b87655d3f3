// The contract of event_log::records_about, run against the log in memory and the log on disk
// alike. The index under it is in receipts_test.cpp and recovery_test.cpp.

#include "tests/storage/log_fixtures.hpp"
#include "tests/storage/receipts.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <thread>
#include <tuple>

using namespace usher;
using namespace usher::storage;
using namespace usher::storage::test;

BOOST_AUTO_TEST_CASE_TEMPLATE(a_receipt_is_the_join_and_what_came_after_for_slot_and_room, fixture,
                              logs) {
  fixture f;
  const std::string show = "queue/s";
  must_append(f.log(), {happened(show, room::room_opened{}),                      // 1
                        joined(show, 0, 3)});                                     // 2
  must_append(f.log(), {joined(show, 3, 2),                                       // 3
                        happened(show, room::room_paused{}),                      // 4
                        happened(show, room::fans_admitted{{3, 0}, 9, 0, {}}),    // 5
                        joined("queue/s-1", 0, 50)});                             // 6
  must_append(f.log(), {happened("queue/s-1", room::fan_reentered{3}),            // 7
                        happened(show, room::places_drawn{{}, "", {4, 3, 2, 1}}), // 8
                        happened(show, room::codes_added{}),                      // 9
                        fact("desk/s", "a hold of slot 3"),                       // 10
                        happened(show, room::ticket_revoked{3, "twice"})});       // 11
  const std::vector<std::tuple<std::string, slot_t, std::size_t, std::vector<position_t>>> table{
      {show, 3, 100, {3, 4, 5, 8, 11}},
      {show, 4, 100, {3, 4, 8}},
      {show, 0, 100, {2, 4, 5, 8}},
      {show, 2, 100, {2, 4, 8}},
      {"queue/s-1", 3, 100, {6, 7}},
      {"queue/s-1", 49, 100, {6}},
      // Never given out, of nobody.
      {show, 5, 100, {}},
      {"queue/s-1", 50, 100, {}},
      {show, whole_room, 100, {}},
      {"queue/", 0, 100, {}},
      {"desk/s", 0, 100, {}},
      // The join and the newest.
      {show, 3, 5, {3, 4, 5, 8, 11}},
      {show, 3, 4, {3, 5, 8, 11}},
      {show, 3, 3, {3, 5, 11}}, // its own before the room's
      {show, 3, 2, {3, 11}},
      {show, 3, 1, {3}},
      {show, 3, 0, {}}};
  for (int life = 0; life < 2; ++life) {
    for (const auto& [subject, slot, limit, wanted] : table)
      BOOST_TEST((receipt(f.log(), subject, slot, limit) == wanted),
                 subject << " slot " << slot << " limit " << limit);
    const auto all = all_of(f.log());
    for (const auto& record : must(f.log().records_about(show, 3, 100)))
      BOOST_TEST((record == all[record.position - 1]));
    f.come_back();
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(places_are_no_part_of_what_is_stored, fixture, logs) {
  fixture with;
  fixture without;
  auto bare = joined("queue/s", 0, 3);
  bare.places.clear();
  bare.joins = false;
  must_append(with.log(), {joined("queue/s", 0, 3)});
  must_append(without.log(), {bare});
  BOOST_TEST((with.log().head() == without.log().head()));
  BOOST_TEST((all_of(with.log()) == all_of(without.log())));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(after_a_failed_append_a_receipt_has_what_the_log_has, fixture, logs) {
  fixture f;
  must_append(f.log(), {joined("queue/s", 0, 3)});
  f.fail_next();
  BOOST_TEST(refusal(f.log().append(
                 {happened("queue/s", room::fan_reentered{1}), joined("queue/s", 3, 1)})) != "");
  BOOST_TEST((receipt(f.log(), "queue/s", 1) == std::vector<position_t>{1}));
  f.come_back();
  const bool is_there = f.log().head().position == 3;
  BOOST_TEST((receipt(f.log(), "queue/s", 1) ==
              (is_there ? std::vector<position_t>{1, 2} : std::vector<position_t>{1})));
  BOOST_TEST((receipt(f.log(), "queue/s", 3) ==
              (is_there ? std::vector<position_t>{3} : std::vector<position_t>{})));
}

// Each batch is one more record for slot 0; whoever reads beside the writer sees whole batches, in
// order, and never fewer than before.
// ThreadSanitizer says nothing of the log in memory, and names the race if its mutex is taken out.
BOOST_AUTO_TEST_CASE_TEMPLATE(a_receipt_can_be_read_on_another_thread_while_the_log_grows, fixture,
                              logs) {
  constexpr std::size_t batches = 300;
  fixture f;
  must_append(f.log(), {joined("queue/s", 0, 1)});
  std::atomic<bool> done = false;
  std::string fault;
  std::thread reader{[&] {
    std::size_t seen = 1;
    while (!done && fault.empty()) {
      const auto found = f.log().records_about("queue/s", 0, 2 * batches);
      if (const auto* failed = std::get_if<failure>(&found)) {
        fault = failed->what;
        break;
      }
      const auto& records = std::get<std::vector<stored_record>>(found);
      if (records.size() < seen)
        fault = "fewer than before";
      seen = records.size();
      for (std::size_t i = 0; i < records.size(); ++i)
        if (records[i].position != (i == 0 ? 1 : 2 * i))
          fault = "one was passed over";
    }
  }};
  for (std::size_t i = 0; i < batches; ++i) {
    const bool of_the_room = i % 2 == 0;
    must_append(f.log(), {of_the_room ? happened("queue/s", room::room_paused{})
                                      : happened("queue/s", room::fan_reentered{0}),
                          joined("queue/s", static_cast<slot_t>(1 + i), 1)});
  }
  done = true;
  reader.join();
  BOOST_TEST(fault == "");
  BOOST_TEST(receipt(f.log(), "queue/s", 0, 2 * batches).size() == batches + 1);
}

namespace {

/// What a receipt has to be, by a look at every record.
std::vector<position_t> receipt_by_looking(const event_log& log, const std::string& subject,
                                           slot_t slot) {
  std::vector<position_t> positions;
  for (const auto& record : all_of(log)) {
    if (record.subject != subject)
      continue;
    const auto event = must(decode_waiting_room(record.type, record.schema, record.data));
    const auto* join = std::get_if<room::fans_joined>(&event);
    const auto about = places_of(event).places;
    const bool given =
        join != nullptr && slot >= join->first && slot < join->first + join->nonces.size();
    const bool named =
        join == nullptr && !positions.empty() &&
        std::ranges::any_of(about, [&](auto of) { return of == slot || of == whole_room; });
    if (given || named)
      positions.push_back(record.position);
  }
  return positions;
}

} // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(receipts_of_any_history_are_right, fixture, logs) {
  auto random = seeded();
  fixture f;
  const std::vector<std::string> shows{"queue/s", "queue/s-1"};
  std::map<std::string, slot_t> given;
  for (int step = 0; step < 60; ++step) {
    std::vector<record> records;
    for (auto more = 1 + random() % 5; more > 0; --more) {
      const auto& show = shows[random() % shows.size()];
      auto& next = given[show];
      const auto slot = static_cast<slot_t>(random() % (next + 1));
      const auto fans = static_cast<slot_t>(random() % 4);
      switch (random() % 4) {
      case 0:
        records.push_back(joined(show, next, fans));
        next += fans;
        break;
      case 1:
        records.push_back(happened(show, room::fans_admitted{{slot, slot + 1, slot}, 1, 0, {}}));
        break;
      case 2:
        records.push_back(happened(show, room::admission_kept{slot, 5, false}));
        break;
      default:
        records.push_back(happened(show, room::stock_changed{}));
      }
    }
    must_append(f.log(), records);
    if (random() % 8 == 0)
      f.come_back();
  }
  for (const auto& show : shows)
    for (slot_t slot = 0; slot <= given[show] + 1; ++slot)
      BOOST_TEST((receipt(f.log(), show, slot) == receipt_by_looking(f.log(), show, slot)),
                 show << " slot " << slot);
}
