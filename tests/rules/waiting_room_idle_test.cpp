// How admissions end before or at their time: silence, and admissions of a fixed length. Told as
// tables: settings, what happened to the admission of slot 0 (admitted at 1 s for 100 s), the tick.
//
// It bites: with silence counted from the last poll alone (not from being admitted), or with a
// fixed-length admission used up by a payment (each tried in a copy), rows fail.
#include "tests/rules/waiting_room_world.hpp"

using namespace usher;
using namespace usher::waiting_room;
using namespace usher::waiting_room::test;

namespace {

constexpr time_ms until = 101'000;

settings impatient(std::optional<duration_ms> idle_timeout, bool fixed_length = false) {
  settings set;
  set.admit_per_second_micro = 1'000'000;
  set.max_active = 1;
  set.admission_ttl_ms = 100'000;
  set.idle_timeout_ms = idle_timeout;
  set.fixed_length = fixed_length;
  return set;
}

world one_in(const settings& set) {
  world made;
  made.does(command::configure{set, {}, 0});
  made.does(command::open{});
  made.joins(a_fan(1));
  made.joins(a_fan(2));
  made.now = 1'000;
  made.tick();
  BOOST_REQUIRE(made.status_of(0) == ticket_status::admitted);
  return made;
}

using status = ticket_status;

} // namespace

BOOST_AUTO_TEST_CASE(silence_ends_an_admission_that_nothing_keeps) {
  struct {
    const char* name;
    std::optional<duration_ms> timeout;
    bool fixed_length;
    time_ms busy_until;
    time_ms seen;
    time_ms now;
    status then;
  } const table[] = {
      {"off by default", {}, false, 0, 0, 100'999, status::admitted},
      {"a millisecond short", 20'000, false, 0, 30'000, 49'999, status::admitted},
      {"for the whole time", 20'000, false, 0, 30'000, 50'000, status::idle},
      {"being admitted counts as being there", 20'000, false, 0, 0, 20'999, status::admitted},
      {"but for no longer", 20'000, false, 0, 0, 21'000, status::idle},
      {"a hold keeps it", 20'000, false, 60'001, 0, 60'000, status::admitted},
      {"until it is over", 20'000, false, 60'000, 0, 60'000, status::idle},
      {"at the deadline it is expired", 20'000, false, 0, 0, until, status::expired},
      {"a fixed length is no less for silence", 20'000, true, 0, 0, 100'999, status::admitted},
      {"and no more", 20'000, true, 0, 0, until, status::expired},
  };
  for (const auto& [name, timeout, fixed_length, busy_until, seen, now, then] : table) {
    auto here = one_in(impatient(timeout, fixed_length));
    if (busy_until > 0)
      here.does(command::enter{0, busy_until, here.now});
    here.now = now;
    here.tick({{0, seen}});
    BOOST_CHECK_MESSAGE(here.status_of(0) == then, name << ": " << to_string(here.status_of(0)));
    // Whatever ends it frees the place in the same tick.
    BOOST_CHECK_MESSAGE((here.status_of(1) == status::admitted) == (then != status::admitted),
                        name);
    BOOST_TEST(here.room.active() == 1U);
    here.require_consistent();
  }
}

BOOST_AUTO_TEST_CASE(without_anybody_who_knows_nobody_is_idle) {
  auto here = one_in(impatient(20'000));
  here.now = 90'000;
  BOOST_CHECK(here.does(command::tick{here.now}).empty());
}

BOOST_AUTO_TEST_CASE(silence_counts_while_paused_and_sold_out_too) {
  auto here = one_in(impatient(20'000));
  here.does(command::pause{});
  here.now = 21'000;
  here.tick({{0, 0}});
  BOOST_TEST(here.status_of(0) == status::idle);
  BOOST_TEST(here.status_of(1) == status::waiting);
  here.require_consistent();
}

BOOST_AUTO_TEST_CASE(a_purchase_ends_an_admission_unless_its_length_is_fixed) {
  struct {
    const char* name;
    bool fixed_length;
    std::vector<command::settle> settled;
    time_ms tick_at;
    status then;
  } const table[] = {
      {"paid, nothing left", false, {{0, 0, true, 5'000}}, 5'000, status::used},
      {"paid, a hold is left", false, {{0, 9'000, true, 5'000}}, 5'000, status::admitted},
      {"paid, then the hold is gone",
       false,
       {{0, 9'000, true, 5'000}, {0, 0, false, 6'000}},
       6'000,
       status::used},
      {"fixed: paid goes on", true, {{0, 0, true, 5'000}}, 100'999, status::admitted},
      {"fixed: and ends as used", true, {{0, 0, true, 5'000}}, until, status::used},
      {"fixed: paid twice goes on",
       true,
       {{0, 0, true, 5'000}, {0, 0, true, 6'000}},
       100'999,
       status::admitted},
      {"fixed: a hold beyond its time keeps it",
       true,
       {{0, 150'000, false, 5'000}},
       149'999,
       status::admitted},
      {"fixed: paid after its time, at once",
       true,
       {{0, 150'000, false, 5'000}, {0, 0, true, 120'000}},
       120'000,
       status::used},
      {"fixed: paid at its very time",
       true,
       {{0, 150'000, false, 5'000}, {0, 0, true, until}},
       until,
       status::used},
      {"fixed: unpaid it expires", true, {{0, 0, false, 5'000}}, until, status::expired},
  };
  for (const auto& [name, fixed_length, settled, tick_at, then] : table) {
    auto here = one_in(impatient({}, fixed_length));
    for (const auto& each : settled) {
      here.now = each.now;
      here.does(each);
    }
    here.now = tick_at;
    here.tick();
    BOOST_CHECK_MESSAGE(here.status_of(0) == then, name << ": " << to_string(here.status_of(0)));
    const auto gate = decide(here.room, command::enter{0, 0, here.now});
    BOOST_CHECK_MESSAGE(std::holds_alternative<events>(gate) == (then == status::admitted), name);
    here.require_consistent();
  }
}

BOOST_AUTO_TEST_CASE(what_became_of_admissions_is_counted_for_estimates) {
  auto set = impatient(20'000);
  set.max_active = std::nullopt;
  set.admit_per_second_micro = 10'000'000;
  world here;
  here.does(command::configure{set, {}, 0});
  here.does(command::open{});
  for (std::uint64_t customer = 1; customer <= 6; ++customer)
    here.joins(a_fan(customer));
  here.now = 1'000;
  here.tick();
  here.does(command::settle{0, 0, true, here.now});
  here.does(command::settle{1, 0, true, here.now});
  here.does(command::leave{2});
  here.does(command::leave{3, "a double"});
  here.now = 21'000;
  here.tick({{4, 0}});
  BOOST_TEST(here.seen->ended().bought == 2U);
  BOOST_TEST(here.seen->ended().others == 3U);
  here.does(command::close{});
  BOOST_TEST(here.seen->ended().bought == 0U);
  BOOST_TEST(here.seen->ended().others == 0U);
}
