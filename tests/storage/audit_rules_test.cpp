// For every violation that has a name: a log with just this fault is reported under that name,
// once, at the position of the event that is marked, and with nothing else wrong. This shows that
// each check bites; audit_clean_test.cpp shows that none bites without a fault.

#include "tests/storage/audit_cases.hpp"

#include <fstream>
#include <iterator>
#include <set>

using namespace usher;
using namespace usher::storage;
using namespace usher::storage::test;
using audit::fault;

namespace {

std::vector<fault_case> all_cases() {
  std::vector<fault_case> all;
  for (const auto& some :
       {record_cases(), state_cases(), draw_cases(), queue_cases(), admission_cases(), desk_cases(),
        payment_cases(), refund_cases(), gateway_cases()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

} // namespace

BOOST_AUTO_TEST_CASE(every_fault_is_reported_alone_by_its_name_and_place) {
  for (const auto& one : all_cases()) {
    BOOST_TEST_CONTEXT(audit::to_string(one.what) << ": " << one.how) {
      memory_log log;
      const auto bad_ones = write(log, one.log);
      BOOST_REQUIRE(bad_ones.size() == 1U);
      audit::auditor auditor;
      audit_all(log, auditor);
      const auto found = auditor.found().listed();
      for (const auto& each : found)
        BOOST_TEST_INFO(each.position << " " << audit::to_string(each.what) << " "
                                      << each.sentence);
      BOOST_REQUIRE(auditor.found().total() == 1U);
      BOOST_TEST(audit::to_string(found[0].what) == audit::to_string(one.what));
      BOOST_TEST(found[0].position == bad_ones[0]);
      const auto all = all_of(log);
      BOOST_TEST(found[0].subject == all[bad_ones[0] - 1].subject);
      BOOST_TEST(found[0].at == all[bad_ones[0] - 1].at);
      BOOST_TEST(found[0].sentence.ends_with("."));
    }
  }
}

BOOST_AUTO_TEST_CASE(breakers_at_the_very_edges_of_what_is_allowed_are_clean) {
  memory_log log;
  write(log, gateways_as_allowed());
  audit::auditor auditor;
  audit_all(log, auditor);
  for (const auto& each : auditor.found().listed())
    BOOST_ERROR(each.position << " " << each.sentence);
  BOOST_TEST(auditor.found().total() == 0U);
  BOOST_CHECK(auditor.seen().breakers.at("STRIPE").is == payments::breaker_status::open);
}

BOOST_AUTO_TEST_CASE(there_is_a_case_for_every_fault) {
  std::set<fault> covered;
  for (const auto& one : all_cases())
    covered.insert(one.what);
  for (std::size_t i = 0; i < audit::fault_count; ++i)
    BOOST_TEST(covered.contains(static_cast<fault>(i)), audit::to_string(static_cast<fault>(i)));
}

BOOST_AUTO_TEST_CASE(the_page_on_the_audit_explains_every_name) {
  std::ifstream page{USHER_SOURCE_DIR "/docs/audit.md"};
  const std::string text{std::istreambuf_iterator<char>{page}, {}};
  for (std::size_t i = 0; i < audit::fault_count; ++i) {
    const auto row = "| `" + std::string{audit::to_string(static_cast<fault>(i))} + "` |";
    BOOST_TEST(says(text, row), row);
  }
}

BOOST_AUTO_TEST_CASE(all_violations_are_counted_and_the_first_are_listed) {
  memory_log log;
  auto many = beginning();
  for (int i = 0; i < 7; ++i)
    many.push_back({queue(2000, room_event::room_opened{})});
  write(log, many);
  audit::auditor auditor{3};
  audit_all(log, auditor);
  BOOST_TEST(auditor.found().total() == 7U);
  BOOST_TEST(auditor.found().listed().size() == 3U);
  BOOST_TEST(auditor.found().by_fault().at(fault::room_state_wrong) == 7U);
}
