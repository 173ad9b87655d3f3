// What the log on disk can do beyond the contract: opening again, looking up by subject and
// position, reading beside a writer in the same process, and refusing a format from the future.

#include "storage/rocksdb_store.hpp"
#include "tests/storage/support.hpp"

using namespace usher;
using namespace usher::storage;
using namespace usher::storage::test;

namespace {

void set_format(const std::filesystem::path& root, const std::string& value) {
  store_ptr store;
  BOOST_REQUIRE(open_store(root / "log", {.mode = store_mode::write}, store).ok());
  BOOST_REQUIRE(store->db->Put({}, store->meta, format_key, value).ok());
}

std::vector<position_t> positions(const rocksdb_log& log, std::string_view subject) {
  return must(log.positions_of(subject));
}

} // namespace

BOOST_AUTO_TEST_CASE(each_opening_that_writes_has_its_own_epoch_and_the_chain_goes_on) {
  const scratch place;
  log_head before;
  for (int round = 1; round <= 3; ++round) {
    const auto opened = open_at(place.data());
    BOOST_TEST((opened.log->head() == before));
    must_append(*opened.log, {fact("a", std::to_string(round))});
    before = opened.log->head();
  }
  {
    const auto opened = open_at(place.data());
    BOOST_TEST(opened.log->head().batches == 3U);
    BOOST_TEST(replay_refusal(*opened.log) == "");
  }
  const auto directory = must(data_directory::open_read_only(place.data()));
  store_ptr store;
  const auto status = open_store(directory.log(), {.mode = store_mode::read}, store);
  BOOST_REQUIRE_MESSAGE(status.ok(), status.ToString());
  for (position_t first = 1; first <= 3; ++first)
    BOOST_TEST(must(read_batch_at(*store, first)).value().epoch == first);
}

BOOST_AUTO_TEST_CASE(subjects_are_found_by_name_though_one_begins_like_another) {
  const scratch place;
  const auto opened = open_at(place.data());
  must_append(*opened.log, {fact("queue/s", "1"), fact("queue/s-4", "2"), fact("queue/s", "3")});
  must_append(*opened.log, {fact("queue/s-42", "4"), fact("queue/s-4", "5"), fact("queue/s", "6")});
  BOOST_TEST((positions(*opened.log, "queue/s") == std::vector<position_t>{1, 3, 6}));
  BOOST_TEST((positions(*opened.log, "queue/s-4") == std::vector<position_t>{2, 5}));
  BOOST_TEST((positions(*opened.log, "queue/s-42") == std::vector<position_t>{4}));
  BOOST_TEST(positions(*opened.log, "queue/").empty());
  BOOST_TEST(positions(*opened.log, "z").empty());
}

BOOST_AUTO_TEST_CASE(a_record_is_found_by_its_position) {
  const scratch place;
  const auto opened = open_at(place.data());
  must_append(*opened.log, {fact("a", "1"), fact("b", "2"), fact("a", "3")});
  must_append(*opened.log, {fact("b", "4")});
  for (const auto& record : all_of(*opened.log))
    BOOST_TEST((must(opened.log->read(record.position)) == record));
  BOOST_TEST(says(refusal(opened.log->read(0)), "no record at position 0"));
  BOOST_TEST(says(refusal(opened.log->read(5)), "no record at position 5"));
}

BOOST_AUTO_TEST_CASE(a_reader_beside_the_writer_sees_the_log_as_it_was_when_it_opened) {
  const scratch place;
  const auto writer = open_at(place.data());
  must_append(*writer.log, {fact("a", "1")});
  const auto directory = must(data_directory::open_read_only(place.data()));
  const auto reader = must(rocksdb_log::open_read_only(directory));
  must_append(*writer.log, {fact("a", "2")});
  BOOST_TEST(all_of(*reader).size() == 1U);
  BOOST_TEST(refusal(reader->verify_files()) == "");
  BOOST_TEST(says(refusal(reader->append({fact("a", "3")})), "opened for reading"));
  BOOST_TEST(all_of(*must(rocksdb_log::open_read_only(directory))).size() == 2U);
  must_append(*writer.log, {fact("a", "3")});
  BOOST_TEST(all_of(*writer.log).size() == 3U);
}

BOOST_AUTO_TEST_CASE(a_reader_changes_nothing_in_the_directory) {
  const scratch place;
  const auto writer = open_at(place.data());
  must_append(*writer.log, {fact("a", "1")});
  const auto listing = [&] {
    std::map<std::string, std::uintmax_t> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator{place.data()})
      if (entry.is_regular_file() && entry.path().filename() != "LOG")
        files.emplace(entry.path().string(), entry.file_size());
    return files;
  };
  const auto before = listing();
  const auto directory = must(data_directory::open_read_only(place.data()));
  must(rocksdb_log::open_read_only(directory)).reset();
  BOOST_TEST((listing() == before));
}

BOOST_AUTO_TEST_CASE(a_format_from_the_future_is_refused) {
  const scratch place;
  open_at(place.data());
  set_format(place.data(), big_endian_32(log_format + 1));
  BOOST_TEST(says(open_refusal(place.data()), "newer than this program"));
  const auto directory = must(data_directory::open_read_only(place.data()));
  BOOST_TEST(says(refusal(rocksdb_log::open_read_only(directory)), "newer than this program"));
  set_format(place.data(), big_endian_32(log_format));
  BOOST_TEST(open_refusal(place.data()) == "");
}

BOOST_AUTO_TEST_CASE(a_format_that_is_none_is_refused) {
  const scratch place;
  open_at(place.data());
  for (const auto& value : {std::string{}, std::string{"1"}, big_endian_32(0), big_endian_64(1)}) {
    set_format(place.data(), value);
    BOOST_TEST(says(open_refusal(place.data()), "does not say what format"));
  }
}

BOOST_AUTO_TEST_CASE(a_log_whose_making_was_interrupted_is_made_again) {
  const scratch place;
  {
    const auto directory = must(data_directory::open(place.data()));
    std::filesystem::create_directories(directory.new_log() / "half");
  }
  BOOST_TEST(open_refusal(place.data()) == "");
  BOOST_TEST(!std::filesystem::exists(place.data() / "log.new"));
}
