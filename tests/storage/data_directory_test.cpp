// The data directory (layout, lock, opening for reading) and the HEAD file beside the log: what it
// reads back, and that nothing but a whole and sound line counts.

#include "storage/head_file.hpp"
#include "tests/storage/support.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

using namespace usher::storage;
using namespace usher::storage::test;

namespace {

mode_t mode_of(const std::filesystem::path& path) {
  struct stat found {};
  BOOST_REQUIRE(::stat(path.c_str(), &found) == 0);
  return found.st_mode & 07777;
}

void write(const std::filesystem::path& path, std::string_view text) {
  std::ofstream{path, std::ios::binary} << text;
}

log_head some_head() {
  log_head head{.position = 1234, .batches = 56, .chain = {}};
  for (std::size_t i = 0; i < head.chain.size(); ++i)
    head.chain[i] = static_cast<std::uint8_t>(i * 7);
  return head;
}

} // namespace

BOOST_AUTO_TEST_CASE(opening_for_writing_makes_a_private_directory) {
  const scratch place;
  const auto directory = must(data_directory::open(place.data()));
  BOOST_TEST(directory.writable());
  BOOST_TEST(mode_of(directory.root()) == 0700U);
  BOOST_TEST(mode_of(directory.secrets()) == 0700U);
}

BOOST_AUTO_TEST_CASE(missing_parents_are_made) {
  const scratch place;
  const auto directory = must(data_directory::open(place.data() / "a" / "b"));
  BOOST_TEST(std::filesystem::exists(directory.secrets()));
}

BOOST_AUTO_TEST_CASE(a_second_opener_is_refused_and_told_who_has_it) {
  const scratch place;
  {
    const auto first = must(data_directory::open(place.data()));
    const auto said = refusal(data_directory::open(place.data()));
    BOOST_TEST(said == "data directory " + place.data().string() +
                           " is in use by another usher process (pid " +
                           std::to_string(::getpid()) + ")");
  }
  must(data_directory::open(place.data()));
}

BOOST_AUTO_TEST_CASE(the_lock_is_not_inherited_by_programs_we_start) {
  const scratch place;
  const auto directory = must(data_directory::open(place.data()));
  const auto wanted = std::filesystem::canonical(directory.lock_file());
  int found = 0;
  for (const auto& entry : std::filesystem::directory_iterator{"/proc/self/fd"}) {
    std::error_code gone;
    if (std::filesystem::read_symlink(entry.path(), gone) != wanted)
      continue;
    ++found;
    const auto flags = ::fcntl(std::stoi(entry.path().filename().string()), F_GETFD);
    BOOST_TEST((flags & FD_CLOEXEC) != 0);
  }
  BOOST_TEST(found == 1);
}

BOOST_AUTO_TEST_CASE(opening_for_reading_needs_a_log_and_no_lock) {
  const scratch place;
  BOOST_TEST(says(refusal(data_directory::open_read_only(place.data())), "there is no log in"));
  BOOST_TEST(!std::filesystem::exists(place.data()));
  const auto writer = open_at(place.data());
  const auto reader = must(data_directory::open_read_only(place.data()));
  BOOST_TEST(!reader.writable());
  BOOST_TEST(says(refusal(rocksdb_log::open(reader)), "opened for reading"));
}

BOOST_AUTO_TEST_CASE(a_head_reads_back_from_its_line_and_from_its_file) {
  BOOST_TEST((parse_head(format_head(some_head())) == some_head()));
  log_head largest{.position = ~0ULL, .batches = ~0ULL, .chain = {}};
  BOOST_TEST((parse_head(format_head(largest)) == largest));
  const scratch place;
  const auto directory = must(data_directory::open(place.data()));
  auto writer = must(head_writer::open(directory.head_file()));
  BOOST_TEST(refusal(writer.write(largest)) == "");
  BOOST_TEST(refusal(writer.write(some_head())) == "");
  BOOST_TEST((read_head_file(directory.head_file()) == some_head()));
}

BOOST_AUTO_TEST_CASE(a_head_that_is_torn_or_changed_anywhere_is_none) {
  const auto line = format_head(some_head());
  for (std::size_t size = 0; size < line.size(); ++size)
    BOOST_TEST(!parse_head(line.substr(0, size)));
  for (std::size_t at = 0; at < line.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      auto changed = line;
      changed[at] = static_cast<char>(changed[at] ^ (1 << bit));
      BOOST_TEST(!parse_head(changed));
    }
  BOOST_TEST(!parse_head(line + "\n"));
  BOOST_TEST(!parse_head(std::string(line.size(), '\0')));
  // Half of the new line over the old one.
  auto torn = format_head({});
  torn.replace(0, 60, line.substr(0, 60));
  BOOST_TEST(!parse_head(torn));
}

BOOST_AUTO_TEST_CASE(a_head_file_that_is_missing_empty_or_huge_is_none) {
  const scratch place;
  const auto directory = must(data_directory::open(place.data()));
  BOOST_TEST(!read_head_file(directory.head_file()));
  write(directory.head_file(), "");
  BOOST_TEST(!read_head_file(directory.head_file()));
  write(directory.head_file(), format_head(some_head()) + std::string(100'000, 'x'));
  BOOST_TEST(!read_head_file(directory.head_file()));
}
