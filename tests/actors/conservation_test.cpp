// No seat is lost and none comes from nowhere, at any prefix of the log: the check itself, on a
// sale that goes through everything that can happen to a seat. The log as it is passes; with any
// one event left out or written twice it does not. The long run and the races use the same check.
#include "storage/codec.hpp"
#include "tests/actors/conservation.hpp"
#include "tests/actors/log_check.hpp"
#include "tests/actors/world.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>

namespace {

using namespace usher::testing;
using usher::seating::shown;
using usher::storage::memory_log;
using usher::storage::stored_record;

struct whole_story : world {
  whole_story() {
    auto what = described("hamlet", {{"A", 4}, {"B", 4}});
    add_area(what, 4);
    put(what);
    settle();
    changed_and_bought();
    taken_off_sale_and_put_back();
    areas_and_time();
  }

  template <class Answer>
  auto came(Answer answer) {
    settle();
    return answer;
  }

  void changed_and_bought() {
    const auto held = came(hold(std::nullopt, {"A-1", "B-1"}));
    pass(1000);
    came(extend(std::nullopt, held.id, {}));
    came(add(std::nullopt, held.id, {"A-2", "B-2"}, {}));
    came(release_seat(std::nullopt, held.id, "A-2"));
    const auto ordered = came(order(std::nullopt, held.id));
    came(pay(ordered.id));
    came(give_back(ordered.id, {"A-1", "B-2"}));
    came(hold(std::nullopt, {"A-1", "B-2"}));
  }

  void taken_off_sale_and_put_back() {
    came(hold(std::nullopt, {"A-3", "B-3"})); // loses one, and the other stays
    came(block({"A-3", "A-4"}, true));
    came(unblock({"A-3", "A-4"}));
    came(sell(std::vector<usher::seat_id>{"A-3", "A-4"}));
  }

  void areas_and_time() {
    const usher::concierge::area_ask two{"floor", 2};
    const auto given_up = came(hold(std::nullopt, unnamed{two}));
    came(release(std::nullopt, given_up.id));
    came(hold(std::nullopt, unnamed{two}));
    came(hold(std::nullopt, {"B-4"}, {{}, 2000}));
    pass(4000);
    came(hold(std::nullopt, {"B-4"}));
  }
};

struct edited {
  usher::storage::position_t position = 0;
  enum { dropped, doubled } how = dropped;
};

/// The same log, in the same batches, but for one record.
void copy(const usher::storage::event_log& from, memory_log& to, const edited& what) {
  std::vector<usher::storage::record> batch;
  const auto close = [&] {
    if (!batch.empty())
      BOOST_REQUIRE(!to.append(std::exchange(batch, {})));
  };
  BOOST_REQUIRE(!from.replay(1, [&](const stored_record& r) {
    if (r.position == r.batch_first)
      close();
    if (r.position != what.position || what.how == edited::doubled)
      batch.push_back(r);
    if (r.position == what.position && what.how == edited::doubled)
      batch.push_back(r);
    return true;
  }));
  close();
}

std::vector<stored_record> records_of(const usher::storage::event_log& log,
                                      const std::set<std::string>& types) {
  std::vector<stored_record> found;
  BOOST_REQUIRE(!log.replay(1, [&](const stored_record& r) {
    if (types.contains(r.type))
      found.push_back(r);
    return true;
  }));
  return found;
}

const std::set<std::string> of_blocks{"block_planned", "seats_held",    "seats_released",
                                      "seats_sold",    "seats_blocked", "seats_unblocked",
                                      "seats_returned"};
const std::set<std::string> of_the_desk{"hold_placed", "hold_changed", "hold_ended", "order_paid",
                                        "order_seats_returned"};

bool is_end_in_time(const stored_record& r) {
  const auto decoded = usher::storage::decode_orders(r.type, r.schema, r.data);
  const auto* end = std::get_if<usher::orders::event::hold_ended>(&std::get<0>(decoded));
  return end != nullptr && end->reason == usher::orders::hold_end::expired;
}

bool finds(const usher::storage::event_log& log, const edited& what) {
  memory_log forged;
  copy(log, forged, what);
  return !lost_seats_in(forged).empty();
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(conservation, whole_story)

BOOST_AUTO_TEST_CASE(a_log_with_all_that_can_happen_to_seats_loses_none) {
  memory_log same;
  copy(log(), same, {});
  BOOST_CHECK(same.head().chain == log().head().chain);
  BOOST_TEST(lost_seats_in(same) == std::vector<std::string>{}, boost::test_tools::per_element());
  BOOST_TEST(faults_in(same) == std::vector<std::string>{}, boost::test_tools::per_element());

  std::set<std::string> seen;
  for (const auto& r : records_of(log(), of_blocks))
    seen.insert(r.type);
  BOOST_TEST((seen == of_blocks)); // it went through everything
  std::map<shown, int> ends;
  for (const auto& [id, is] : seat_map())
    ++ends[is];
  BOOST_TEST(ends[shown::sold] == 3);
  BOOST_TEST(ends[shown::held] == 6);
  BOOST_TEST(ends[shown::blocked] == 0);
}

BOOST_AUTO_TEST_CASE(whichever_event_of_a_block_is_missing_is_noticed) {
  for (const auto& r : records_of(log(), of_blocks))
    BOOST_TEST(finds(log(), {r.position, edited::dropped}),
               "record " << r.position << ": " << r.type << " of " << r.subject);
}

BOOST_AUTO_TEST_CASE(whichever_event_of_a_block_is_there_twice_is_noticed) {
  for (const auto& r : records_of(log(), of_blocks))
    if (r.type != "block_planned") // the same plan again changes nothing
      BOOST_TEST(finds(log(), {r.position, edited::doubled}),
                 "record " << r.position << ": " << r.type << " of " << r.subject);
}

BOOST_AUTO_TEST_CASE(whichever_event_of_the_desk_is_missing_is_noticed_by_the_blocks) {
  for (const auto& r : records_of(log(), of_the_desk))
    if (!is_end_in_time(r)) // it was over already: nobody has its seats, whoever writes it down
      BOOST_TEST(finds(log(), {r.position, edited::dropped}),
                 "record " << r.position << ": " << r.type);
}

BOOST_AUTO_TEST_SUITE_END()
