#include "tests/storage/audit_cases.hpp"

namespace usher::storage::test {

using audit::fault;

namespace {

line with_data(line one, std::string data) {
  one.what.data = std::move(data);
  return one;
}
line with_schema(line one, std::uint32_t schema) {
  one.what.schema = schema;
  return one;
}

} // namespace

std::vector<fault_case> record_cases() {
  const auto opened = room_event::room_opened{};
  return {
      {fault::event_unreadable, "bytes that are no event",
       beginning() + script{{bad(with_data(queue(2000, opened), "\xff"))}}},
      {fault::event_unreadable, "a schema of the future",
       beginning() + script{{bad(with_schema(queue(2000, opened), 99))}}},
      {fault::event_misplaced, "a room's event at a desk",
       beginning() + script{{bad(in("desk/s", 2000, encode(waiting_room::any_event{opened})))}}},
      {fault::event_misplaced, "a subject of no kind",
       beginning() + script{{bad(in("nobody", 2000, encode(waiting_room::any_event{opened})))}}},
      {fault::show_unknown, "a room of no show",
       beginning() + script{{bad(queue(2000, opened, "x"))}}},
      {fault::show_unknown, "a change of no show",
       beginning() + script{{bad(directory(2000, show_event::show_changed{7, {}}))}}},
      {fault::show_created_wrongly, "the same show again",
       beginning() + script{{bad(directory(2000, created(2, "s")))}}},
      {fault::show_created_wrongly, "a number left out",
       beginning() + script{{bad(directory(2000, created(3, "t")))}}},
      {fault::time_ran_backwards, "a room a millisecond earlier",
       beginning() + script{{bad(queue(999, room_event::fan_identified{3, identity{}}))}}},
      {fault::time_ran_backwards, "a desk more than a minute earlier",
       beginning() + script{{desk(100'000, ordered_ref(1, "x", 100'000), "r")},
                            {bad(desk(39'999, ordered_ref(2, "y", 39'999), "r"))}}},
  };
}

} // namespace usher::storage::test
