// A log that a newer program wrote: an event of a type or of a schema that this one does not know.
// Nobody guesses what it means. The actors do not start on it, and the audit names it; both say
// type, schema, position and what can be done, and the log stays as it is. That the same logs
// without that event start and are clean is the first case. Made to fail once: with an event of a
// newer schema read as the newest that is known, and with records of an unknown type passed over.

#include "actors/runtime/recovered.hpp"
#include "tests/storage/audit_command_line.hpp"
#include "tests/storage/audit_sale.hpp"

using namespace usher;
using namespace usher::storage;
using namespace usher::storage::test;

namespace {

/// A sale up to position 14, and this behind it.
script a_sale_and(const record& last) {
  return a_sale() + script{{{last}}};
}

record with_type(record what, const std::string& type) {
  what.type = type;
  return what;
}
record with_schema(record what, std::uint32_t schema) {
  what.schema = schema;
  return what;
}

record closed() {
  return by_clock(queue(9'000, room_event::room_closed{})).what;
}
record show_of_today() {
  return a_sale().front().front().what;
}

struct newer {
  record last;
  std::string what; ///< of type and schema
};

/// What the recovery says of a log in memory; empty if it takes it.
std::string start_refusal(const script& what) {
  memory_log log;
  write(log, what);
  return refusal(runtime::recover(log, {}));
}

const std::string advice = "; a newer version of usher may know it";

std::vector<newer> newer_events() {
  const auto shows = show_of_today();
  const auto next = std::to_string(shows.schema + 1);
  return {
      {with_type(closed(), "room_painted"),
       "unknown event type `room_painted` of schema 1" + advice},
      {with_schema(with_type(closed(), "room_painted"), 4),
       "unknown event type `room_painted` of schema 4" + advice},
      {with_schema(closed(), 2),
       "room_closed of schema 2 is newer than this program, which knows 1" + advice},
      {with_schema(shows, shows.schema + 1), shows.type + " of schema " + next +
                                                 " is newer than this program, which knows " +
                                                 std::to_string(shows.schema) + advice},
      {with_schema(closed(), 4'294'967'295),
       "room_closed of schema 4294967295 is newer than this program, which knows 1" + advice},
  };
}

} // namespace

BOOST_AUTO_TEST_CASE(the_same_log_with_an_event_that_is_known_starts_and_is_clean) {
  const auto known = a_sale_and(closed());
  BOOST_TEST(start_refusal(known) == "");
  const on_disk log{known};
  BOOST_TEST(usher_audit({"verify", "--data", log.path()}).exit_code == 0);
}

BOOST_AUTO_TEST_CASE(the_actors_do_not_start_on_what_they_cannot_read) {
  for (const auto& each : newer_events())
    BOOST_TEST(start_refusal(a_sale_and(each.last)) == "record 15: " + each.what);
}

BOOST_AUTO_TEST_CASE(nor_from_a_fold_that_ends_before_it) {
  for (const auto& each : newer_events()) {
    memory_log log;
    write(log, a_sale());
    auto from = must(runtime::fold_on({}, log, [](position_t) { return true; }));
    BOOST_TEST(from.at == 14U);
    must_append(log, {each.last});
    BOOST_TEST(refusal(runtime::recover(log, {}, std::move(from))) == "record 15: " + each.what);
  }
}

BOOST_AUTO_TEST_CASE(a_log_on_disk_opens_is_refused_and_stays_as_it_is) {
  const auto unknown = newer_events().front();
  const on_disk log{a_sale_and(unknown.last)};
  for (int again = 0; again < 2; ++again) {
    const auto opened = open_at(log.place.data());
    BOOST_TEST(opened.log->head().position == 15U);
    BOOST_TEST(refusal(runtime::recover(*opened.log, {})) == "record 15: " + unknown.what);
    BOOST_TEST((static_cast<const record&>(all_of(*opened.log).back()) == unknown.last));
  }
}

BOOST_AUTO_TEST_CASE(the_audit_names_it_and_goes_on) {
  const auto all = newer_events();
  for (const auto& each : {all[0], all[3]})
    BOOST_TEST_CONTEXT(each.what) {
      auto events = a_sale_and(each.last);
      events.push_back({by_clock(queue(10'000, room_event::room_closed{}))});
      const on_disk log{events};
      const auto got = usher_audit({"verify", "--data", log.path(), "--json"});
      BOOST_TEST(got.exit_code == 1, got.err);
      const auto said = got.json();
      BOOST_TEST(said["counts"].dump() == R"({"event-unreadable":1})");
      BOOST_REQUIRE_EQUAL(said["violations"].size(), 1U);
      const auto& found = said["violations"][0];
      BOOST_TEST(found["position"] == 15);
      BOOST_TEST(found["subject"] == each.last.subject);
      BOOST_TEST(found["sentence"] == "The event cannot be read: " + each.what + ".");
    }
}
