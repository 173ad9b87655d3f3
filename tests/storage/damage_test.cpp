// Somebody or something changed what is stored: a byte in a table file, a batch taken out, put in
// another's place or written anew, an index that does not agree. Opening or replay must say so, and
// where. The changes are made with RocksDB itself, so that its own checksums are right.

#include "tests/storage/stored_batches.hpp"

#include <fstream>

using namespace usher;
using namespace usher::storage;
using namespace usher::storage::test;

namespace {

/// Five batches of two records at positions 1, 3, 5, 7, 9, closed.
struct five_batches {
  five_batches() {
    const auto opened = open_at(root());
    for (int i = 0; i < 5; ++i) {
      auto indexed = fact("b", std::to_string(i));
      indexed.places = {7};
      must_append(*opened.log, {fact("a", std::string(3000, static_cast<char>('a' + i))), indexed});
    }
  }

  [[nodiscard]] std::filesystem::path root() const { return place.data(); }

  template <class Change>
  void change(Change how) {
    store_ptr store;
    BOOST_REQUIRE(open_store(root() / "log", {.mode = store_mode::write}, store).ok());
    how(*store);
    BOOST_REQUIRE(
        store->db->Flush({}, {store->batches, store->streams, store->meta, store->places}).ok());
  }

  /// Why opening and replaying fails; empty if both work.
  std::string refusal_here() {
    if (auto said = open_refusal(root()); !said.empty())
      return said;
    return replay_refusal(*open_at(root()).log);
  }

  scratch place;
};

/// The batch at `first` after `how`, encoded anew.
template <class Change>
void rewrite(const rocksdb_store& store, position_t first, Change how) {
  auto changed = must(read_batch_at(store, first)).value();
  how(changed);
  put(store, first, encode_batch(changed));
}

} // namespace

BOOST_AUTO_TEST_CASE(a_log_that_nobody_changed_is_sound) {
  five_batches f;
  f.change([](const rocksdb_store&) {});
  BOOST_TEST(f.refusal_here() == "");
  BOOST_TEST(refusal(open_at(f.root()).log->verify_files()) == "");
}

BOOST_AUTO_TEST_CASE(a_byte_flipped_in_any_table_file_is_found) {
  five_batches f;
  f.change([](const rocksdb_store&) {});
  int tables = 0;
  for (const auto& entry : std::filesystem::directory_iterator{f.root() / "log"}) {
    if (entry.path().extension() != ".sst")
      continue;
    ++tables;
    const scratch copy;
    std::filesystem::copy(f.root(), copy.data(), std::filesystem::copy_options::recursive);
    std::fstream file{copy.data() / "log" / entry.path().filename(),
                      std::ios::in | std::ios::out | std::ios::binary};
    file.seekg(20);
    const auto byte = static_cast<char>(file.get() ^ 1);
    file.seekp(20);
    file.put(byte);
    file.close();
    const auto directory = must(data_directory::open(copy.data()));
    auto opened = rocksdb_log::open(directory);
    auto said = refusal(opened);
    if (said.empty()) {
      auto& log = *std::get<std::unique_ptr<rocksdb_log>>(opened);
      said = replay_refusal(log) + refusal(log.verify_files());
    }
    BOOST_TEST(says(said, "Corruption"), entry.path() << ": " << said);
    BOOST_TEST(says(said, entry.path().filename().string()), said);
  }
  BOOST_TEST(tables >= 4);
}

BOOST_AUTO_TEST_CASE(a_batch_that_was_taken_out_is_missed) {
  for (const position_t first : {1U, 3U, 5U, 7U}) {
    five_batches f;
    f.change([&](const rocksdb_store& store) {
      BOOST_REQUIRE(store.db->Delete({}, store.batches, batch_key(first)).ok());
    });
    const auto said = f.refusal_here();
    BOOST_TEST(says(said, "position " + std::to_string(first) + " should come here"), said);
  }
}

BOOST_AUTO_TEST_CASE(the_last_batch_taken_out_is_missed_at_once) {
  five_batches f;
  f.change([](const rocksdb_store& store) {
    BOOST_REQUIRE(store.db->Delete({}, store.batches, batch_key(9)).ok());
  });
  const auto said = open_refusal(f.root());
  BOOST_TEST(says(said, "ends at position 8, the head of the log says 10"), said);
}

BOOST_AUTO_TEST_CASE(batches_that_changed_places_are_found) {
  five_batches f;
  f.change([](const rocksdb_store& store) {
    const auto three = value_at(store, 3);
    put(store, 3, value_at(store, 5));
    put(store, 5, three);
  });
  const auto said = f.refusal_here();
  BOOST_TEST(says(said, "filed at position 3 begins at position 5"), said);
}

// A forger who is careful: the numbers fit, and still the next batch remembers what stood there.
BOOST_AUTO_TEST_CASE(a_batch_written_anew_breaks_the_chain_after_it) {
  five_batches f;
  f.change([](const rocksdb_store& store) {
    rewrite(store, 5, [](batch& forged) { forged.records[0].data[0] = 'z'; });
  });
  const auto said = f.refusal_here();
  BOOST_TEST(says(said, "batch at position 7: the chain is broken"), said);
}

BOOST_AUTO_TEST_CASE(the_last_batch_written_anew_does_not_fit_the_head) {
  five_batches f;
  f.change([](const rocksdb_store& store) {
    rewrite(store, 9, [](batch& forged) { forged.records[0].data[0] = 'z'; });
  });
  BOOST_TEST(says(open_refusal(f.root()), "not the one that the head"));
}

BOOST_AUTO_TEST_CASE(numbers_that_do_not_go_on_are_found) {
  const auto said_after = [](auto how) {
    five_batches f;
    f.change([&](const rocksdb_store& store) { rewrite(store, 3, how); });
    return f.refusal_here();
  };
  BOOST_TEST(says(said_after([](batch& b) { b.records[1].version = 3; }),
                  "position 4: b goes from version 1 to 3"));
  BOOST_TEST(says(said_after([](batch& b) { b.epoch = 0; }), "the epoch goes back"));
  BOOST_TEST(says(said_after([](batch& b) { b.shard = 1; }), "shard 1"));
  BOOST_TEST(says(said_after([](batch& b) { b.previous[0] ^= 1; }), "the chain is broken"));
  BOOST_TEST(says(said_after([](batch& b) { b.records.pop_back(); }), "should come here"));
}

BOOST_AUTO_TEST_CASE(a_value_that_is_no_batch_is_found) {
  five_batches f;
  f.change([](const rocksdb_store& store) { put(store, 3, "nonsense"); });
  const auto said = f.refusal_here();
  BOOST_TEST(says(said, "filed at position 3: the batch is not sound CBOR"), said);
}

BOOST_AUTO_TEST_CASE(a_head_that_does_not_fit_is_found_at_once) {
  const auto said_after = [](auto how) {
    five_batches f;
    f.change([&](const rocksdb_store& store) {
      std::string value;
      BOOST_REQUIRE(store.db->Get({}, store.meta, head_key, &value).ok());
      auto head = decode_head(value).value();
      how(head);
      BOOST_REQUIRE(store.db->Put({}, store.meta, head_key, encode_head(head)).ok());
    });
    return f.refusal_here();
  };
  BOOST_TEST(says(said_after([](log_head& head) { ++head.position; }), "ends at position 10"));
  BOOST_TEST(says(said_after([](log_head& head) { head.chain[5] ^= 1; }), "head of the chain"));
  BOOST_TEST(says(said_after([](log_head& head) { ++head.batches; }), "should have 6"));
}

BOOST_AUTO_TEST_CASE(an_index_of_subjects_that_does_not_agree_is_found) {
  const auto said_after = [](auto how) {
    five_batches f;
    f.change([&](const rocksdb_store& store) { BOOST_REQUIRE(how(store).ok()); });
    return f.refusal_here();
  };
  BOOST_TEST(says(said_after([](const rocksdb_store& store) {
                    return store.db->Delete({}, store.streams, stream_key("a", 5));
                  }),
                  "has 9 records, the log has 10"));
  BOOST_TEST(says(said_after([](const rocksdb_store& store) {
                    return store.db->Put({}, store.streams, stream_key("c", 1), big_endian_64(1));
                  }),
                  "has 11 records"));
  BOOST_TEST(says(said_after([](const rocksdb_store& store) {
                    auto status = store.db->Delete({}, store.streams, stream_key("a", 5));
                    return status.ok() ? store.db->Put({}, store.streams, stream_key("c", 1),
                                                       big_endian_64(9))
                                       : status;
                  }),
                  "does not agree"));
}
