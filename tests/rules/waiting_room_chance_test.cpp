// Whether a waiting fan still finds a seat: the ends of the scale, and what raises and lowers it.
#include "actors/waiting_room/chance.hpp"

#include <boost/test/unit_test.hpp>

using usher::waiting_room::chance_of_seats;
using usher::waiting_room::sales_so_far;

BOOST_AUTO_TEST_CASE(nothing_left_is_no_chance_and_nobody_before_is_certainty) {
  BOOST_TEST(chance_of_seats({.available = 0}, 0) == 0);
  BOOST_TEST(chance_of_seats({.available = 1}, 0) > 0.999);
  BOOST_TEST(chance_of_seats({.available = 10}, 1'000) < 0.001);
  BOOST_TEST(chance_of_seats({.available = 10'000}, 100) > 0.999);
}

BOOST_AUTO_TEST_CASE(it_falls_with_those_ahead_and_with_those_who_choose_now) {
  const sales_so_far calm{.available = 100};
  double before = 1;
  for (std::uint32_t ahead = 0; ahead < 200; ahead += 10) {
    BOOST_TEST(chance_of_seats(calm, ahead) <= before, ahead);
    before = chance_of_seats(calm, ahead);
  }
  const sales_so_far busy{.available = 100, .active = 500};
  BOOST_TEST(chance_of_seats(busy, 0) < 0.001, "five hundred are choosing among a hundred seats");
  // Who holds seats already takes none of those that are left.
  const sales_so_far holding{.available = 100, .held = 1'000, .active = 500};
  BOOST_TEST(chance_of_seats(holding, 0) > 0.999);
}

BOOST_AUTO_TEST_CASE(it_follows_what_was_measured) {
  sales_so_far few_buy{.available = 100, .sold = 200, .bought = 100, .others = 900};
  sales_so_far all_buy{.available = 100, .sold = 200, .bought = 100, .others = 0};
  BOOST_TEST(chance_of_seats(few_buy, 100) > 0.99);
  BOOST_TEST(chance_of_seats(all_buy, 100) < 0.01);
}
