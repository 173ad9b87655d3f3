// The checker of histories, by itself: what may have happened to a seat, and what may not. A time
// line of each: a call is written with the moments at which it was asked and answered.
#include "tests/actors/seat_history.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace {

using namespace usher::testing;
using enum told;

seat_call call(told what, std::uint32_t hold, int asked, int answered) {
  const moment start{};
  return {what, hold, start + std::chrono::seconds{asked}, start + std::chrono::seconds{answered}};
}

struct line {
  std::string name;
  std::vector<seat_call> calls;
};

const std::vector<line> possible{
    {"nothing", {}},
    {"one after the other",
     {call(holds, 1, 0, 1), call(gives_back, 1, 2, 3), call(holds, 2, 4, 5), call(orders, 2, 6, 7),
      call(buys, 2, 8, 9), call(sees_sold, 2, 10, 11)}},
    {"two at once, and one is told of the other", {call(holds, 1, 0, 9), call(sees_held, 1, 0, 9)}},
    {"whoever asked first is not first", {call(sees_held, 2, 0, 9), call(holds, 2, 1, 8)}},
    {"given back between two that overlap",
     {call(holds, 1, 0, 5), call(gives_back, 1, 1, 6), call(holds, 2, 2, 7)}},
    {"the last may have come first", {call(sees_free, 0, 0, 9), call(holds, 1, 1, 2)}},
    {"a map that is not yet told of a hold that is under way",
     {call(holds, 1, 0, 9), call(sees_free, 0, 4, 5), call(sees_held, 0, 6, 7)}},
    {"late money takes a free seat",
     {call(holds, 1, 0, 1), call(orders, 1, 2, 3), call(cancels, 1, 4, 5), call(buys, 1, 6, 7)}},
    {"late money finds another",
     {call(holds, 1, 0, 1), call(orders, 1, 2, 3), call(cancels, 1, 4, 5), call(holds, 2, 6, 7),
      call(comes_too_late, 1, 8, 9), call(is_not_live, 1, 8, 9)}},
    {"returned and held again",
     {call(holds, 1, 0, 1), call(orders, 1, 2, 3), call(buys, 1, 4, 5), call(returns, 1, 6, 7),
      call(holds, 2, 8, 9)}},
    {"two histories in which only one order of the middle fits",
     {call(holds, 1, 0, 1), call(keeps, 1, 2, 9), call(sees_held, 1, 2, 9),
      call(gives_back, 1, 2, 9), call(holds, 2, 2, 9), call(gives_back, 2, 2, 9),
      call(sees_held, 2, 2, 9), call(sees_free, 0, 2, 9), call(sees_free, 0, 10, 11)}},
};

const std::vector<line> impossible{
    {"held by two at once", {call(holds, 1, 0, 1), call(holds, 2, 2, 3)}},
    {"held by two, whichever was first", {call(holds, 1, 0, 9), call(holds, 2, 0, 9)}},
    {"sold to one while another holds it",
     {call(holds, 1, 0, 1), call(orders, 1, 2, 3), call(cancels, 1, 4, 5), call(holds, 2, 6, 7),
      call(buys, 1, 8, 9), call(keeps, 2, 10, 11)}},
    {"sold twice",
     {call(holds, 1, 0, 1), call(orders, 1, 2, 3), call(buys, 1, 4, 5), call(buys, 2, 4, 9)}},
    {"held after it was sold",
     {call(holds, 1, 0, 1), call(orders, 1, 2, 3), call(buys, 1, 4, 5), call(holds, 2, 6, 7)}},
    {"still seen held after the release was acknowledged",
     {call(holds, 1, 0, 1), call(gives_back, 1, 2, 3), call(sees_held, 0, 4, 5)}},
    {"still seen free after the hold was acknowledged",
     {call(holds, 1, 0, 1), call(sees_free, 0, 2, 3)}},
    {"seen free, then held, while one hold is under way, and then free again",
     {call(holds, 1, 0, 9), call(sees_held, 0, 1, 2), call(sees_free, 0, 3, 4)}},
    {"somebody is refused for a hold that had ended",
     {call(holds, 1, 0, 1), call(gives_back, 1, 2, 3), call(holds, 2, 4, 5),
      call(sees_held, 1, 6, 7)}},
    {"given back by whoever has it not", {call(holds, 1, 0, 1), call(gives_back, 2, 2, 3)}},
    {"given back twice",
     {call(holds, 1, 0, 1), call(gives_back, 1, 2, 9), call(gives_back, 1, 2, 9)}},
    {"extended after it was given back",
     {call(holds, 1, 0, 1), call(gives_back, 1, 2, 3), call(keeps, 1, 4, 5)}},
    {"ordered, and given back all the same",
     {call(holds, 1, 0, 1), call(orders, 1, 2, 3), call(gives_back, 1, 4, 5)}},
    {"money that came too late for a seat that was free",
     {call(holds, 1, 0, 1), call(orders, 1, 2, 3), call(cancels, 1, 4, 5),
      call(comes_too_late, 1, 6, 7)}},
    {"told that it is over while it lives",
     {call(holds, 1, 0, 1), call(is_not_live, 1, 2, 3), call(keeps, 1, 4, 5)}},
};

} // namespace

BOOST_AUTO_TEST_SUITE(linearizability)

BOOST_AUTO_TEST_CASE(histories_that_some_order_explains_are_accepted) {
  for (const auto& [name, calls] : possible) {
    const auto wrong = impossible_in(calls);
    BOOST_TEST(!wrong, name << ": " << wrong.value_or(seat_call{}));
  }
}

BOOST_AUTO_TEST_CASE(histories_that_no_order_explains_are_refused) {
  for (const auto& [name, calls] : impossible)
    BOOST_TEST(impossible_in(calls).has_value(), name);
}

BOOST_AUTO_TEST_CASE(the_order_in_which_calls_are_written_down_does_not_matter) {
  for (const auto& [name, calls] : possible)
    BOOST_TEST(!impossible_in({calls.rbegin(), calls.rend()}), name);
  for (const auto& [name, calls] : impossible)
    BOOST_TEST(impossible_in({calls.rbegin(), calls.rend()}).has_value(), name);
}

BOOST_AUTO_TEST_SUITE_END()
