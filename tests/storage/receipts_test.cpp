// The index of receipts on disk: which events belong to which places, its keys, and that it is made
// anew for a database that has none, or another. What records_about gives is in
// receipts_contract_test.cpp; that index and batches are never apart is in recovery_test.cpp.

#include "storage/event_types.hpp"
#include "tests/storage/event_samples.hpp"
#include "tests/storage/receipts.hpp"

#include <map>

using namespace usher;
using namespace usher::storage;
using namespace usher::storage::test;

namespace {

const std::string show = "queue/s";

/// Two joins, events of fans and of the room, and of another subject.
void write_history(event_log& log) {
  must_append(log, {happened(show, room::room_opened{}), joined(show, 0, 3)});
  must_append(log, {fact("desk/s", "hold"), joined(show, 3, 2), joined("queue/t", 0, 9)});
  must_append(log, {happened(show, room::fans_admitted{.slots = {0, 3}, .who = {}}),
                    happened("queue/t", room::room_closed{})});
  must_append(log, {happened(show, room::ticket_revoked{3, "twice"})});
}

/// Changes the closed database at `root`.
template <class Change>
void change(const std::filesystem::path& root, Change how) {
  store_ptr store;
  BOOST_REQUIRE(open_store(root / "log", {.mode = store_mode::write}, store).ok());
  BOOST_REQUIRE(how(*store).ok());
}

/// As the program before the index left it.
rocksdb::Status take_index_away(const rocksdb_store& store) {
  const auto status = store.db->Delete({}, store.meta, places_key);
  return status.ok() ? store.db->DropColumnFamily(store.places) : status;
}

rocksdb::Status put_nonsense(const rocksdb_store& store) {
  return store.db->Put({}, store.places, place_key({show, place_kind::event, 1, 77}), "");
}

} // namespace

BOOST_AUTO_TEST_CASE(every_event_of_a_waiting_room_has_its_places) {
  const indexed_places everybody{{whole_room}, false};
  const std::map<std::string_view, indexed_places> table{
      {"room_configured", everybody},
      {"room_scheduled", everybody},
      {"room_unscheduled", everybody},
      {"prequeue_opened", everybody},
      {"beacon_given", everybody},
      {"places_drawn", everybody},
      {"room_opened", everybody},
      {"room_put_on_standby", everybody},
      {"room_paused", everybody},
      {"room_resumed", everybody},
      {"stock_changed", everybody},
      {"room_closed", everybody},
      {"message_set", everybody},
      {"codes_added", {}},
      {"fans_joined", {{7}, true}},
      {"fan_identified", {{9}, false}},
      {"fan_promoted", {{9}, false}},
      {"fans_passed_over", {{3, 70'000}, false}},
      {"fans_returned", {{70'000, 3}, false}},
      {"fan_reentered", {{23}, false}},
      {"fans_admitted", {{0, 23, 4'294'967'295}, false}},
      {"admission_kept", {{23}, false}},
      {"tickets_ended", {{3, 4}, false}},
      {"ticket_revoked", {{4}, false}},
      {"wish_set", {{3}, false}},
      {"wish_answered", {{3}, false}}};
  std::size_t found = 0;
  for (const auto& event : golden_samples()) {
    stored_record record;
    record.type = event.stored.type;
    record.schema = event.stored.schema;
    record.data = event.stored.data;
    const auto row = table.find(event.stored.type);
    const auto is_room = find_event_type(event.stored.type)->of == aggregate::waiting_room;
    BOOST_TEST((row != table.end()) == is_room, event.stored.type);
    const auto wanted = row == table.end() ? indexed_places{} : row->second;
    BOOST_TEST((must(places_of(record)) == wanted), event.stored.type);
    found += row == table.end() ? 0 : 1;
  }
  BOOST_TEST(found == table.size());
  BOOST_TEST((places_of(waiting_room::any_event{room::fans_joined{}}) == indexed_places{}));
}

BOOST_AUTO_TEST_CASE(keys_read_back_and_stand_in_order) {
  const std::vector<place_entry> entries{
      {"queue/s", place_kind::event, 0, 1},          {"queue/s", place_kind::event, 0, 256},
      {"queue/s", place_kind::event, 1, 2},          {"queue/s", place_kind::event, 256, 1},
      {"queue/s", place_kind::event, whole_room, 1}, {"queue/s", place_kind::join, 0, ~0ULL},
      {"queue/s-1", place_kind::event, 0, 1}};
  std::string before;
  for (const auto& entry : entries) {
    const auto key = place_key(entry);
    BOOST_TEST((before < key)); // as bytes, not as Boost.Test compares collections
    const auto read = read_place_key(key);
    BOOST_REQUIRE(read.has_value());
    BOOST_TEST((read->subject == entry.subject && read->kind == entry.kind &&
                read->slot == entry.slot && read->position == entry.position));
    before = key;
  }
  for (const auto& wrong : {std::string{}, before.substr(before.size() - 14),
                            std::string{"s\x01\x01"} + std::string(12, '0'),
                            std::string{"s\0\x03", 3} + std::string(12, '0')})
    BOOST_TEST(!read_place_key(wrong));
}

BOOST_AUTO_TEST_CASE(a_database_without_the_index_gets_it_when_it_is_opened_for_writing) {
  const scratch place;
  write_history(*open_at(place.data()).log);
  const auto entries = check_index(place.data());
  BOOST_TEST(entries == 8U);
  change(place.data(), take_index_away);
  {
    const auto opened = open_at(place.data());
    BOOST_TEST((receipt(*opened.log, show, 3) == std::vector<position_t>{4, 6, 8}));
    must_append(*opened.log, {happened(show, room::room_closed{})});
    BOOST_TEST((receipt(*opened.log, show, 3) == std::vector<position_t>{4, 6, 8, 9}));
  }
  BOOST_TEST(check_index(place.data()) == entries + 1);
}

BOOST_AUTO_TEST_CASE(an_index_that_is_not_complete_or_of_another_format_is_made_anew) {
  const std::vector<std::function<rocksdb::Status(const rocksdb_store&)>> markers{
      [](const rocksdb_store& store) { return store.db->Delete({}, store.meta, places_key); },
      [](const rocksdb_store& store) {
        return store.db->Put({}, store.meta, places_key, big_endian_32(places_format + 1));
      },
      [](const rocksdb_store& store) { return store.db->Put({}, store.meta, places_key, "x"); }};
  for (const auto& marker : markers) {
    const scratch place;
    write_history(*open_at(place.data()).log);
    change(place.data(), put_nonsense);
    change(place.data(), marker);
    BOOST_TEST(check_index(place.data()) == 8U);
  }
}

// So that the case above cannot pass by itself: with its marker, the index is taken as it is.
BOOST_AUTO_TEST_CASE(an_index_that_is_complete_is_not_made_anew) {
  const scratch place;
  write_history(*open_at(place.data()).log);
  change(place.data(), put_nonsense);
  open_at(place.data());
  BOOST_TEST(stored_keys(place.data()).size() == 9U);
}

BOOST_AUTO_TEST_CASE(more_records_than_one_write_takes_are_indexed) {
  const scratch place;
  {
    const auto opened = open_at(place.data());
    std::vector<slot_t> slots(30'000);
    for (std::size_t i = 0; i < slots.size(); ++i)
      slots[i] = static_cast<slot_t>(i);
    must_append(*opened.log, {joined(show, 0, slots.size())});
    for (int i = 0; i < 3; ++i)
      must_append(*opened.log, {happened(show, room::tickets_ended{.slots = slots})});
  }
  change(place.data(), take_index_away);
  BOOST_TEST(check_index(place.data()) == 90'001U);
}

BOOST_AUTO_TEST_CASE(a_reader_of_a_database_without_the_index_reads_all_but_receipts) {
  const scratch place;
  write_history(*open_at(place.data()).log);
  change(place.data(), take_index_away);
  {
    const auto directory = must(data_directory::open_read_only(place.data()));
    const auto reader = must(rocksdb_log::open_read_only(directory));
    BOOST_TEST(all_of(*reader).size() == 8U);
    BOOST_TEST(refusal(reader->verify_files()) == "");
    BOOST_TEST(says(refusal(reader->records_about(show, 3, 10)), "no index of places"));
  }
  open_at(place.data());
  const auto directory = must(data_directory::open_read_only(place.data()));
  BOOST_TEST((receipt(*must(rocksdb_log::open_read_only(directory)), show, 3) ==
              std::vector<position_t>{4, 6, 8}));
}

BOOST_AUTO_TEST_CASE(an_event_that_cannot_be_read_stops_the_making_and_is_named) {
  const scratch place;
  {
    const auto opened = open_at(place.data());
    write_history(*opened.log);
    auto broken = happened(show, room::room_opened{});
    broken.data = "nonsense";
    must_append(*opened.log, {broken});
  }
  change(place.data(), take_index_away);
  for (int again = 0; again < 2; ++again) {
    const auto said = open_refusal(place.data());
    BOOST_TEST(says(said, "position 9: room_opened"), said);
  }
}

BOOST_AUTO_TEST_CASE(an_entry_that_leads_astray_is_found_when_the_receipt_is_asked_for) {
  const auto said_after = [](const place_entry& wrong) {
    const scratch place;
    write_history(*open_at(place.data()).log);
    change(place.data(), [&](const rocksdb_store& store) {
      return store.db->Put({}, store.places, place_key(wrong), "");
    });
    return refusal(open_at(place.data()).log->records_about(show, 1, 10));
  };
  BOOST_TEST(said_after({show, place_kind::event, 2, 3}) == "");
  BOOST_TEST(says(said_after({show, place_kind::event, 1, 3}), "position 3 is not about queue/s"));
  BOOST_TEST(says(said_after({show, place_kind::event, 1, 99}), "no record at position 99"));
  BOOST_TEST(says(said_after({show, place_kind::join, 1, 8}), "position 8 is no join"));
}
