// What a power cut or a torn write leaves behind, and that opening never passes over anything that
// was acknowledged. Power cuts are played by a file system that forgets what was not synced; that
// this bites is shown by turning the sync of appends off, after which records are missing.

#include "storage/head_file.hpp"
#include "tests/storage/power_cut.hpp"
#include "tests/storage/receipts.hpp"
#include "tests/storage/support.hpp"

#include <fstream>
#include <sstream>

using namespace usher;
using namespace usher::storage;
using namespace usher::storage::test;

namespace {

std::string contents(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

void write(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream{path, std::ios::binary | std::ios::trunc} << bytes;
}

/// The largest write-ahead log: the one that the records are in.
std::filesystem::path wal_of(const std::filesystem::path& root) {
  std::filesystem::path largest;
  for (const auto& entry : std::filesystem::directory_iterator{root / "log"})
    if (entry.path().extension() == ".log" &&
        (largest.empty() || entry.file_size() > std::filesystem::file_size(largest)))
      largest = entry.path();
  BOOST_REQUIRE(!largest.empty());
  return largest;
}

/// A log of ten batches of two records, closed; nothing of it is flushed from the write-ahead log.
struct ten_batches {
  ten_batches() {
    const auto opened = open_at(root());
    for (int i = 0; i < 10; ++i) {
      before_last = contents(head());
      must_append(*opened.log, {fact("a", std::string(500, 'a')), fact("b", std::string(50, 'b'))});
    }
  }

  [[nodiscard]] std::filesystem::path root() const { return place.data(); }
  [[nodiscard]] std::filesystem::path head() const { return root() / "HEAD"; }
  std::size_t records() { return all_of(*open_at(root()).log).size(); }

  scratch place;
  std::string before_last; ///< HEAD as it was before the last append
};

/// Appends five batches with or without sync, then the power goes. Gives the bytes lost.
std::uint64_t power_goes(const std::filesystem::path& root, bool sync) {
  power_cut_world world;
  auto opened = open_at(root, {.sync = sync, .env = world.env.get()});
  for (int i = 0; i < 5; ++i)
    must_append(*opened.log, {fact("a", std::string(500, 'a')), fact("b", "2")});
  world.files->cut_power();
  opened.log.reset();
  return world.files->lose_unsynced();
}

} // namespace

BOOST_AUTO_TEST_CASE(a_power_cut_loses_nothing_that_was_acknowledged) {
  const scratch place;
  power_goes(place.data(), true);
  const auto opened = open_at(place.data());
  BOOST_TEST(all_of(*opened.log).size() == 10U);
  must_append(*opened.log, {fact("a", "goes on")});
  BOOST_TEST(all_of(*opened.log).size() == 11U);
}

BOOST_AUTO_TEST_CASE(without_sync_a_power_cut_loses_records_and_head_says_so) {
  const scratch place;
  BOOST_TEST(power_goes(place.data(), false) > 0U);
  const auto said = open_refusal(place.data());
  BOOST_TEST(says(said, "records up to 10 were acknowledged: 10 are missing"), said);
  const auto reader = must(data_directory::open_read_only(place.data()));
  BOOST_TEST(says(refusal(rocksdb_log::open_read_only(reader)), "10 are missing"));
  // Only HEAD could know: this is the bound of what can be noticed.
  std::filesystem::remove(place.data() / "HEAD");
  BOOST_TEST(all_of(*open_at(place.data()).log).empty());
}

BOOST_AUTO_TEST_CASE(a_torn_tail_that_nobody_was_told_of_is_dropped) {
  ten_batches f;
  const auto wal = wal_of(f.root());
  const auto size = std::filesystem::file_size(wal);
  write(f.head(), f.before_last);
  for (const std::uintmax_t torn : {1U, 7U, 100U, 500U}) {
    const scratch copy;
    std::filesystem::copy(f.root(), copy.data(), std::filesystem::copy_options::recursive);
    std::filesystem::resize_file(wal_of(copy.data()), size - torn);
    BOOST_TEST(all_of(*open_at(copy.data()).log).size() == 18U);
  }
}

BOOST_AUTO_TEST_CASE(a_torn_tail_that_was_acknowledged_is_refused_and_left_as_it_is) {
  ten_batches f;
  const auto wal = wal_of(f.root());
  std::filesystem::resize_file(wal, std::filesystem::file_size(wal) - 1);
  const auto torn = contents(wal);
  for (int again = 0; again < 2; ++again) {
    const auto said = open_refusal(f.root());
    BOOST_TEST(says(said, "ends at position 18"), said);
    BOOST_TEST(says(said, "2 are missing"), said);
    BOOST_TEST((contents(wal) == torn));
  }
}

BOOST_AUTO_TEST_CASE(a_tail_of_zeros_is_passed_over_if_head_is_reached) {
  ten_batches f;
  const auto wal = wal_of(f.root());
  write(wal, contents(wal) + std::string(5000, '\0'));
  BOOST_TEST(f.records() == 20U);
  BOOST_TEST(f.records() == 20U);
}

BOOST_AUTO_TEST_CASE(a_tail_of_zeros_in_place_of_an_acknowledged_batch_is_refused) {
  ten_batches f;
  const auto wal = wal_of(f.root());
  auto bytes = contents(wal);
  bytes.replace(bytes.size() - 400, 400, 400, '\0');
  write(wal, bytes);
  const auto said = open_refusal(f.root());
  BOOST_TEST(says(said, "2 are missing"), said);
}

BOOST_AUTO_TEST_CASE(a_byte_flipped_in_the_middle_of_the_write_ahead_log_is_refused) {
  ten_batches f;
  const auto wal = wal_of(f.root());
  const auto good = contents(wal);
  auto bytes = good;
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  write(wal, bytes);
  const auto said = open_refusal(f.root());
  BOOST_TEST(says(said, "are missing"), said);
  BOOST_TEST(says(said, "the damage: Corruption"), said);
  std::filesystem::remove(f.head());
  BOOST_TEST(says(open_refusal(f.root()), "no HEAD that could prove"));
  BOOST_TEST((contents(wal) == bytes));
  write(wal, good);
  BOOST_TEST(f.records() == 20U);
}

BOOST_AUTO_TEST_CASE(a_write_ahead_log_that_is_gone_is_noticed) {
  ten_batches f;
  std::filesystem::remove(wal_of(f.root()));
  const auto said = open_refusal(f.root());
  BOOST_TEST(says(said, "20 are missing"), said);
}

BOOST_AUTO_TEST_CASE(a_log_that_is_gone_is_not_made_again) {
  ten_batches f;
  std::filesystem::remove_all(f.root() / "log");
  BOOST_TEST(says(open_refusal(f.root()), "20 are missing"));
  BOOST_TEST(!std::filesystem::exists(f.root() / "log"));
}

BOOST_AUTO_TEST_CASE(a_head_that_is_torn_proves_nothing_and_that_can_be_told) {
  ten_batches f;
  write(f.head(), f.before_last.substr(0, 40));
  BOOST_TEST(says(head_file_trouble(look_at_head_file(f.head()), f.head(), 20), "is damaged"));
  BOOST_TEST(f.records() == 20U);
  BOOST_TEST(read_head_file(f.head()).value().position == 20U);
  BOOST_TEST(head_file_trouble(look_at_head_file(f.head()), f.head(), 20) == "");
}

BOOST_AUTO_TEST_CASE(an_old_head_of_this_log_is_accepted_and_one_of_another_log_refused) {
  ten_batches f;
  const auto current = read_head_file(f.head()).value();
  write(f.head(), f.before_last);
  BOOST_TEST(f.records() == 20U);
  for (auto other : {current, parse_head(f.before_last).value()}) {
    other.chain[31] ^= 1;
    write(f.head(), format_head(other));
    const auto said = open_refusal(f.root());
    BOOST_TEST(says(said, "HEAD was written for another log"), said);
  }
  write(f.head(), format_head({.position = 3, .batches = 2, .chain = current.chain}));
  BOOST_TEST(says(open_refusal(f.root()), "no batch follows position 3"));
}

namespace {

/// Five joins and what happens to them, one batch each, with entries of every kind in the index.
void write_receipts(
    event_log& log, const std::function<void()>& before_each = [] {}) {
  for (slot_t i = 0; i < 5; ++i) {
    before_each();
    must_append(log, {joined("queue/s", 3 * i, 3), happened("queue/s", room::room_paused{}),
                      happened("queue/s", room::tickets_ended{.slots = {i, 3 * i + 1}})});
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(a_power_cut_leaves_the_index_of_places_with_its_batches) {
  for (const bool sync : {true, false}) {
    const scratch place;
    {
      const auto opened = open_at(place.data());
      write_receipts(*opened.log);
    }
    power_cut_world world;
    auto opened = open_at(place.data(), {.sync = sync, .env = world.env.get()});
    write_receipts(*opened.log);
    world.files->cut_power();
    opened.log.reset();
    BOOST_TEST((world.files->lose_unsynced() > 0) == !sync);
    opened.directory.reset();
    std::filesystem::remove(place.data() / "HEAD");
    BOOST_TEST(check_index(place.data()) == (sync ? 40U : 20U));
  }
}

// Fails if the index is written by itself, after its batch: the batch is there then, and its places
// are not. (Tried with two writes in rocksdb_log.cpp.)
BOOST_AUTO_TEST_CASE(a_torn_tail_takes_the_places_with_their_batch) {
  const scratch place;
  std::string head;
  std::uintmax_t before = 0;
  {
    const auto opened = open_at(place.data());
    write_receipts(*opened.log, [&] {
      head = contents(place.data() / "HEAD");
      before = std::filesystem::file_size(wal_of(place.data()));
    });
  }
  const auto wal = wal_of(place.data());
  const auto size = std::filesystem::file_size(wal);
  write(place.data() / "HEAD", head);
  BOOST_REQUIRE(size > before + 10);
  for (auto left = size - 1; left > before; left -= std::min<std::uintmax_t>(left - before, 40)) {
    const scratch copy;
    std::filesystem::copy(place.data(), copy.data(), std::filesystem::copy_options::recursive);
    std::filesystem::resize_file(wal_of(copy.data()), left);
    const auto entries = check_index(copy.data());
    BOOST_TEST(entries == 16U, left << " bytes of " << size << ": " << entries);
  }
}
