// Somebody changed a log that lies on a disk, with RocksDB itself, so that its own checksums are
// right: one row a way to do it. `usher audit verify` says so with exit code 2, and where. The log
// is a sale that is clean as it was written (first case), so each row shows that the change alone
// is what is found.

#include "storage/batch.hpp"
#include "storage/head_file.hpp"
#include "tests/storage/audit_command_line.hpp"
#include "tests/storage/audit_sale.hpp"
#include "tests/storage/stored_batches.hpp"

#include <fstream>
#include <functional>

using namespace usher;
using namespace usher::storage;
using namespace usher::storage::test;

namespace {

batch batch_at(const rocksdb_store& store, position_t first) {
  return must(read_batch_at(store, first)).value();
}

void drop(const rocksdb_store& store, position_t first) {
  BOOST_REQUIRE(store.db->Delete({}, store.batches, batch_key(first)).ok());
}

/// As `how` leaves it, encoded anew: its own bytes are a sound batch, and it vouches for what is
/// before it as it did.
template <class Change>
void resign(const rocksdb_store& store, position_t first, Change how) {
  auto changed = batch_at(store, first);
  how(changed);
  put(store, first, encode_batch(changed));
}

void number_again(batch& of, position_t position = 8) {
  for (auto& one : of.records)
    one.position = position++;
}

/// All from `first` on as they are, each vouching for the one before it as it is now. Gives the
/// head that this leads to.
log_head resign_from(const rocksdb_store& store, position_t first) {
  log_head head;
  chain_hasher hasher;
  for (const position_t at : {1U, 4U, 5U, 6U, 7U, 8U, 10U, 11U, 12U}) {
    if (at >= first)
      resign(store, at, [&](batch& next) { next.previous = head.chain; });
    head = {batch_at(store, at).last(), head.batches + 1,
            hasher.next(head.chain, value_at(store, at))};
  }
  return head;
}

void put_head(const rocksdb_store& store, const log_head& head) {
  BOOST_REQUIRE(store.db->Put({}, store.meta, head_key, encode_head(head)).ok());
}

log_head head_in(const rocksdb_store& store) {
  std::string value;
  BOOST_REQUIRE(store.db->Get({}, store.meta, head_key, &value).ok());
  return decode_head(value).value();
}

void change_event(batch& which) {
  which.records[0].at += 1;
}

struct tampering {
  const char* what;
  std::function<void(const rocksdb_store&)> how;
  const char* said;
};

const std::vector<tampering>& tamperings() {
  static const std::vector<tampering> all{
      {"an event was changed", [](const auto& store) { resign(store, 8, change_event); },
       "batch at position 10: the chain is broken"},
      {"the payload of an event was changed",
       [](const auto& store) {
         resign(store, 8, [](batch& which) { which.records[1].data.back() ^= 1; });
       },
       "batch at position 10: the chain is broken"},
      {"an event was removed",
       [](const auto& store) { resign(store, 8, [](batch& which) { which.records.pop_back(); }); },
       "batch at position 10: position 9 should come here"},
      {"an event was inserted",
       [](const auto& store) {
         resign(store, 8, [](batch& which) {
           which.records.push_back(which.records.back());
           ++which.records.back().version;
           number_again(which);
         });
       },
       "batch at position 10: position 11 should come here"},
      {"an event was inserted and its version forgotten",
       [](const auto& store) {
         resign(store, 8, [](batch& which) {
           which.records.push_back(which.records.back());
           number_again(which);
         });
       },
       "position 10: block/s/A goes from version 2 to 2"},
      {"two events of different subjects changed places",
       [](const auto& store) {
         resign(store, 8, [](batch& which) {
           std::swap(which.records[0], which.records[1]);
           number_again(which);
         });
       },
       "batch at position 10: the chain is broken"},
      {"two events of one subject changed places, in two batches",
       [](const auto& store) {
         auto ten = batch_at(store, 10);
         auto eleven = batch_at(store, 11);
         std::swap(ten.records[0], eleven.records[0]);
         ten.records[0].position = 10;
         eleven.records[0].position = 11;
         put(store, 10, encode_batch(ten));
         put(store, 11, encode_batch(eleven));
       },
       "position 10: desk/s goes from version 1 to 3"},
      {"two batches changed places",
       [](const auto& store) {
         const auto ten = value_at(store, 10);
         put(store, 10, value_at(store, 11));
         put(store, 11, ten);
       },
       "batch filed at position 10 begins at position 11"},
      {"two batches changed places and were numbered anew",
       [](const auto& store) {
         auto ten = batch_at(store, 10);
         auto eleven = batch_at(store, 11);
         std::swap(ten.records[0].version, eleven.records[0].version);
         std::swap(ten.records[0].position, eleven.records[0].position);
         put(store, 10, encode_batch(eleven));
         put(store, 11, encode_batch(ten));
       },
       "batch at position 10: the chain is broken"},
      {"a batch was taken out", [](const auto& store) { drop(store, 8); },
       "batch at position 10: position 8 should come here"},
      {"the first batch was taken out", [](const auto& store) { drop(store, 1); },
       "batch at position 4: position 1 should come here"},
      {"a batch is no batch any more", [](const auto& store) { put(store, 8, "nonsense"); },
       "batch filed at position 8: the batch is not sound CBOR"},
      {"a batch was changed and signed anew, with a chain of its own",
       [](const auto& store) {
         resign(store, 8, [](batch& which) {
           change_event(which);
           which.previous[0] ^= 1;
         });
       },
       "batch at position 8: the chain is broken"},
      {"a batch was changed and all after it but the last signed anew",
       [](const auto& store) {
         resign(store, 8, change_event);
         const auto last = value_at(store, 12);
         resign_from(store, 10);
         put(store, 12, last);
       },
       "batch at position 12: the chain is broken"},
      {"a batch was changed and all after it signed anew",
       [](const auto& store) {
         resign(store, 8, change_event);
         resign_from(store, 10);
       },
       "the last batch, up to position 14, is not the one that the head of the chain was made of"},
      {"a batch was changed, all after it signed anew, and the head of the database, too",
       [](const auto& store) {
         resign(store, 8, change_event);
         put_head(store, resign_from(store, 10));
       },
       "HEAD was written for another log: the chain at position 14 differs"},
      {"the last batch was changed", [](const auto& store) { resign(store, 12, change_event); },
       "the last batch, up to position 14, is not the one that the head of the chain was made of"},
      {"the tail was cut", [](const auto& store) { drop(store, 12); },
       "the last batch ends at position 11, the head of the log says 14"},
      {"the tail was cut, and the head of the database and its index with it",
       [](const auto& store) {
         const auto last = batch_at(store, 12);
         drop(store, 12);
         for (const auto& one : last.records)
           BOOST_REQUIRE(
               store.db->Delete({}, store.streams, stream_key(one.subject, one.version)).ok());
         put_head(store, {11, 8, last.previous});
       },
       "the log ends at position 11, but records up to 14 were acknowledged: 3 are missing"},
      {"the head of the database says another position",
       [](const auto& store) {
         auto head = head_in(store);
         ++head.position;
         put_head(store, head);
       },
       "the last batch ends at position 14, the head of the log says 15"},
      {"the head of the database says another chain",
       [](const auto& store) {
         auto head = head_in(store);
         head.chain[7] ^= 1;
         put_head(store, head);
       },
       "the last batch, up to position 14, is not the one that the head of the chain was made of"},
      {"the head of the database says another number of batches",
       [](const auto& store) {
         auto head = head_in(store);
         ++head.batches;
         put_head(store, head);
       },
       "the log has 9 batches and should have 10"},
      {"the index of subjects lacks a record",
       [](const auto& store) {
         BOOST_REQUIRE(store.db->Delete({}, store.streams, stream_key("desk/s", 5)).ok());
       },
       "the index of subjects has 13 records, the log has 14"},
      {"the index of subjects says another version",
       [](const auto& store) {
         BOOST_REQUIRE(store.db->Delete({}, store.streams, stream_key("desk/s", 5)).ok());
         BOOST_REQUIRE(
             store.db->Put({}, store.streams, stream_key("desk/t", 1), big_endian_64(13)).ok());
       },
       "the index of subjects does not agree with the batches"},
  };
  return all;
}

/// HEAD beside the database, written as Usher writes it.
void forge_head_file(const on_disk& log, log_head head) {
  std::ofstream{log.place.data() / "HEAD", std::ios::trunc} << format_head(head);
}

outcome verified(const on_disk& log) {
  return usher_audit({"verify", "--data", log.path(), "--json"});
}

} // namespace

BOOST_AUTO_TEST_CASE(the_log_is_clean_as_it_was_written) {
  const on_disk log{a_sale()};
  log.change([](const rocksdb_store&) {});
  BOOST_TEST(verified(log).exit_code == 0);
}

// What the rows do with a batch is not a change by itself: decoded and encoded it is the same.
BOOST_AUTO_TEST_CASE(a_batch_that_is_signed_anew_and_not_changed_is_the_same) {
  const on_disk log{a_sale()};
  log.change([](const rocksdb_store& store) {
    const auto head = head_in(store);
    BOOST_TEST((resign_from(store, 1) == head));
  });
  BOOST_TEST(verified(log).exit_code == 0);
}

BOOST_AUTO_TEST_CASE(every_change_is_found_with_its_position) {
  for (const auto& row : tamperings())
    BOOST_TEST_CONTEXT(row.what) {
      const on_disk log{a_sale()};
      log.change(row.how);
      const auto got = verified(log);
      BOOST_TEST(got.exit_code == 2);
      BOOST_TEST(says(got.out + got.err, row.said), got.out << got.err);
    }
}

// People read it, too: the reading stops there, and nothing is called sound or clean.
BOOST_AUTO_TEST_CASE(a_change_is_told_in_words) {
  const on_disk log{a_sale()};
  log.change([](const rocksdb_store& store) { resign(store, 8, change_event); });
  const auto got = usher_audit({"verify", "--data", log.path()});
  BOOST_TEST(got.exit_code == 2);
  BOOST_TEST(says(got.out, "cannot read further: batch at position 10: the chain is broken"),
             got.out);
  BOOST_TEST(says(got.out, "9 records read, the log says it ends at position 14\n"), got.out);
  BOOST_TEST(!says(got.out, "clean"));
  BOOST_TEST(!says(got.out, "chain sound"));
}

BOOST_AUTO_TEST_CASE(a_head_file_that_was_forged_is_found_with_its_position) {
  const on_disk log{a_sale()};
  const auto head = read_head_file(log.place.data() / "HEAD").value();
  auto forged = head;
  forged.chain[0] ^= 1;
  forge_head_file(log, forged);
  BOOST_TEST(verified(log).exit_code == 2);
  BOOST_TEST(says(verified(log).err, "HEAD was written for another log: the chain at position 14"));
  forged = head;
  forged.position += 5;
  forge_head_file(log, forged);
  BOOST_TEST(verified(log).exit_code == 2);
  BOOST_TEST(says(verified(log).err, "records up to 19 were acknowledged: 5 are missing"));
  forge_head_file(log, head);
  BOOST_TEST(verified(log).exit_code == 0);
}

// Who can write everything, HEAD as well, can make a chain that fits: docs/log-format.md says so.
// Only the rules are left then, and a head that was kept elsewhere.
BOOST_AUTO_TEST_CASE(a_log_that_was_written_anew_altogether_has_another_head) {
  const on_disk log{a_sale()};
  const auto before = verified(log).json()["head"]["chain"].get<std::string>();
  log_head head;
  log.change([&](const rocksdb_store& store) {
    resign(store, 8, [](batch& which) {
      for (auto& one : which.records)
        one.cause.request = "r-2";
    });
    head = resign_from(store, 10);
    put_head(store, head);
  });
  forge_head_file(log, head);
  const auto got = verified(log);
  BOOST_TEST(got.exit_code == 0);
  BOOST_TEST(got.json()["head"]["chain"] != before);
}
