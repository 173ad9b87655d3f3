// The read side of a block: it shows what was published, keeps counts that belong together, and is
// read from another thread while it changes.
#include "actors/seating/board.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <thread>

namespace {

namespace seating = usher::seating;
namespace event = usher::seating::event;
using seating::shown;

usher::hold_id hold(std::uint8_t n) {
  usher::hold_id id;
  id.bytes[0] = n;
  return id;
}

std::vector<shown> states_of(const seating::board& board) {
  const auto seats = board.seats();
  std::vector<shown> states;
  for (std::size_t at = 0; at < seats->ids().size(); ++at)
    states.push_back(seats->at(at));
  return states;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_new_board_shows_no_seats) {
  const seating::board board;
  BOOST_TEST(board.seats()->ids().empty());
  BOOST_CHECK((board.count() == seating::tally{}));
  BOOST_TEST(board.version() == 0U);
}

BOOST_AUTO_TEST_CASE(each_event_is_shown_counted_and_gives_a_new_version) {
  seating::board board;
  board.publish(event::block_planned{{"a", "b", "c"}}, 10);
  BOOST_CHECK((board.count() == seating::tally{3, 0, 0, 0}));
  BOOST_TEST(board.version() == 1U);

  board.publish(event::seats_held{hold(1), {"a", "b"}, 50}, 20);
  BOOST_CHECK((states_of(board) == std::vector{shown::held, shown::held, shown::available}));
  BOOST_CHECK((board.count() == seating::tally{1, 2, 0, 0}));

  board.publish(event::seats_sold{hold(1), {}, {"b"}}, 30);
  board.publish(event::seats_released{hold(1), {"a"}}, 40);
  BOOST_CHECK((states_of(board) == std::vector{shown::available, shown::sold, shown::available}));
  BOOST_CHECK((board.count() == seating::tally{2, 0, 1, 0}));
  BOOST_TEST(board.version() == 4U);
  BOOST_TEST(board.as_of_ms() == 40);
}

BOOST_AUTO_TEST_CASE(blocked_seats_are_counted_apart_and_come_back) {
  seating::board board;
  board.publish(event::block_planned{{"a", "b", "c"}}, 10);
  board.publish(event::seats_held{hold(1), {"a"}, 50}, 20);
  board.publish(event::seats_blocked{{"b", "c"}, "camera"}, 30);
  BOOST_CHECK((states_of(board) == std::vector{shown::held, shown::blocked, shown::blocked}));
  BOOST_CHECK((board.count() == seating::tally{0, 1, 0, 2}));

  board.publish(event::seats_unblocked{{"b"}}, 40);
  BOOST_CHECK((states_of(board) == std::vector{shown::held, shown::available, shown::blocked}));
  BOOST_CHECK((board.count() == seating::tally{1, 1, 0, 1}));
}

BOOST_AUTO_TEST_CASE(returned_seats_are_available_again) {
  seating::board board;
  board.publish(event::block_planned{{"a", "b"}}, 10);
  board.publish(event::seats_sold{hold(1), {}, {"a", "b"}}, 20);
  board.publish(event::seats_returned{{}, {"b"}}, 30);
  BOOST_CHECK((states_of(board) == std::vector{shown::sold, shown::available}));
  BOOST_CHECK((board.count() == seating::tally{1, 0, 1, 0}));
}

BOOST_AUTO_TEST_CASE(a_seat_is_free_when_it_is_available_or_its_hold_is_over_to_the_millisecond) {
  seating::board board;
  board.publish(event::block_planned{{"free", "held", "sold", "blocked"}}, 10);
  board.publish(event::seats_held{hold(1), {"held"}, 50}, 20);
  board.publish(event::seats_sold{hold(2), {}, {"sold"}}, 20);
  board.publish(event::seats_blocked{{"blocked"}, ""}, 20);
  const auto free_at = [&](usher::time_ms now) {
    std::vector<bool> free;
    for (std::size_t at = 0; at < 4; ++at)
      free.push_back(board.seats()->is_free(at, now));
    return free;
  };
  BOOST_CHECK((free_at(49) == std::vector{true, false, false, false}));
  BOOST_CHECK((free_at(50) == std::vector{true, true, false, false}));
  // What is shown, and counted, stays HELD until an event returns it.
  BOOST_CHECK(board.seats()->at(1) == shown::held);
  BOOST_CHECK((board.count() == seating::tally{1, 1, 1, 1}));

  board.publish(event::seats_held{hold(1), {"held"}, 90, 2}, 30); // extended
  BOOST_CHECK((free_at(89) == std::vector{true, false, false, false}));
  BOOST_CHECK((free_at(90) == std::vector{true, true, false, false}));
}

BOOST_AUTO_TEST_CASE(a_hold_that_another_takes_over_is_counted_once) {
  seating::board board;
  board.publish(event::block_planned{{"a", "b"}}, 10);
  board.publish(event::seats_held{hold(1), {"a", "b"}, 50}, 20);
  board.publish(event::seats_held{hold(2), {"a"}, 90}, 60);
  BOOST_CHECK((board.count() == seating::tally{0, 2, 0, 0}));
}

BOOST_AUTO_TEST_CASE(a_new_plan_keeps_what_is_shown_and_old_views_stay_readable) {
  seating::board board;
  board.publish(event::block_planned{{"a", "b", "c"}}, 10);
  board.publish(event::seats_sold{hold(1), {}, {"c"}}, 20);
  const auto old = board.seats();
  board.publish(event::block_planned{{"c", "x"}}, 30);
  board.publish(event::seats_held{hold(2), {"x"}, 90}, 40);

  BOOST_CHECK((board.seats()->ids() == std::vector<usher::seat_id>{"c", "x"}));
  BOOST_CHECK((states_of(board) == std::vector{shown::sold, shown::held}));
  BOOST_CHECK((board.count() == seating::tally{0, 1, 1, 0}));
  BOOST_CHECK((old->ids() == std::vector<usher::seat_id>{"a", "b", "c"}));
  BOOST_CHECK(old->at(2) == shown::sold);
}

BOOST_AUTO_TEST_CASE(a_new_plan_keeps_what_is_blocked_and_until_when_a_seat_is_held) {
  seating::board board;
  board.publish(event::block_planned{{"a", "b", "c"}}, 10);
  board.publish(event::seats_held{hold(1), {"a"}, 50}, 20);
  board.publish(event::seats_blocked{{"b", "c"}, ""}, 20);
  board.publish(event::block_planned{{"x", "c", "a"}}, 30); // b is gone
  BOOST_CHECK((states_of(board) == std::vector{shown::available, shown::blocked, shown::held}));
  BOOST_CHECK((board.count() == seating::tally{1, 1, 0, 1}));
  BOOST_TEST(!board.seats()->is_free(1, 50));
  BOOST_TEST(!board.seats()->is_free(2, 49));
  BOOST_TEST(board.seats()->is_free(2, 50));
}

BOOST_AUTO_TEST_CASE(a_reader_on_another_thread_always_finds_counts_that_add_up) {
  seating::board board;
  const std::vector<usher::seat_id> small{"a", "b", "c", "d"};
  board.publish(event::block_planned{small}, 1);
  std::atomic<bool> stop{false};
  std::uint64_t wrong = 0;
  std::thread reader([&] {
    std::uint64_t last = 0;
    while (!stop) {
      const auto version = board.version();
      const auto counted = board.count();
      const auto seats = board.seats();
      wrong += version < last ? 1U : 0U;
      wrong += counted.available + counted.held + counted.sold + counted.blocked != small.size()
                   ? 1U
                   : 0U;
      wrong += seats->ids().size() != small.size() ? 1U : 0U;
      for (std::size_t at = 0; at < seats->ids().size(); ++at)
        wrong += seats->at(at) > shown::blocked ? 1U : 0U;
      last = version;
    }
  });
  for (int round = 0; round < 20'000; ++round) {
    board.publish(event::seats_held{hold(1), {"a", "b"}, 50}, 2);
    board.publish(event::seats_blocked{{"c"}, ""}, 2);
    board.publish(event::seats_released{hold(1), {"a", "b"}}, 3);
    board.publish(event::seats_unblocked{{"c"}}, 3);
    if (round % 100 == 0)
      board.publish(event::block_planned{small}, 4);
  }
  stop = true;
  reader.join();
  BOOST_TEST(wrong == 0U);
}
