// The ledger of the sell-out, alone: it has nothing to say about answers that can be true, and
// finds each kind that cannot. Otherwise a sell-out without a complaint would prove nothing.

#include "tests/system/seat_ledger.hpp"

#include <boost/test/unit_test.hpp>

using namespace usher::test;

namespace {

struct ledger_case {
  const char* what;
  std::size_t complaints;
  void (*happens)(seat_ledger&);
};

seat_ledger::named held(const char* seat) {
  return {{seat, "HELD"}};
}

const ledger_case cases[] = {
    {"nothing", 0, [](seat_ledger&) {}},
    {"given while another has it", 1,
     [](seat_ledger& l) {
       l.took(1, {"A"}, {1, 2});
       l.took(2, {"A"}, {3, 4});
     }},
    {"given on, both calls under way at once", 0,
     [](seat_ledger& l) {
       l.took(1, {"A"}, {1, 2});
       l.took(2, {"A"}, {3, 5});
       l.gave_back(1, {"A"}, {4, 6});
     }},
    {"sold twice", 2,
     [](seat_ledger& l) {
       l.took(1, {"A"}, {1, 2});
       l.paid(1, {"A"}, {3, 4});
       l.paid(1, {"A"}, {5, 6});
       l.took(2, {"A"}, {7, 8});
     }},
    {"a seat that there is not", 1,
     [](seat_ledger& l) {
       l.took(1, {"Z"}, {1, 2});
     }},
    {"refused for what is free", 1,
     [](seat_ledger& l) {
       l.was_refused(1, {"A"}, held("A"), {1, 2});
     }},
    {"refused for another seat than was asked for", 1,
     [](seat_ledger& l) {
       l.took(2, {"B"}, {1, 2});
       l.was_refused(1, {"A"}, held("B"), {3, 4});
     }},
    {"refused while the other's hold is under way", 0,
     [](seat_ledger& l) {
       l.was_refused(1, {"A"}, held("A"), {2, 3});
       l.took(2, {"A"}, {1, 4});
     }},
    {"refused after it was given back", 1,
     [](seat_ledger& l) {
       l.took(2, {"A"}, {1, 2});
       l.gave_back(2, {"A"}, {3, 4});
       l.was_refused(1, {"A"}, held("A"), {5, 6});
     }},
    {"called held long after it was sold", 1,
     [](seat_ledger& l) {
       l.took(2, {"A"}, {1, 2});
       l.paid(2, {"A"}, {3, 4});
       l.was_refused(1, {"A"}, held("A"), {5, 6});
     }},
    {"called sold before anybody paid", 1,
     [](seat_ledger& l) {
       l.took(2, {"A"}, {1, 2});
       l.was_refused(1, {"A"}, {{"A", "SOLD"}}, {3, 4});
       l.paid(2, {"A"}, {5, 6});
     }},
    {"not every seat in the way was named", 1,
     [](seat_ledger& l) {
       l.took(2, {"A", "B"}, {1, 2});
       l.was_refused(1, {"A", "B"}, held("A"), {3, 4});
     }},
    {"none while two are free", 1,
     [](seat_ledger& l) {
       l.took(2, {"A"}, {1, 2});
       l.found_none(1, 2, {0}, {3, 4});
     }},
    {"none, and one is in another section", 0,
     [](seat_ledger& l) {
       l.took(2, {"A"}, {1, 2});
       l.found_none(1, 3, {0, 1}, {3, 4});
       l.found_none(1, 2, {0}, {3, 4}); // only C certainly
       l.took(3, {"B"}, {3, 5});
     }},
};

} // namespace

BOOST_AUTO_TEST_CASE(the_ledger_finds_answers_that_cannot_be_true) {
  for (const auto& each : cases) {
    seat_ledger ledger;
    for (const auto* seat : {"A", "B", "C"})
      ledger.add_seat(seat, 0);
    ledger.add_seat("D", 1);
    each.happens(ledger);
    const auto complaints = ledger.complaints();
    BOOST_TEST(complaints.size() == each.complaints, each.what);
  }
}
