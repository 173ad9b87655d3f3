// Cursors as they lie on the disk, and when a delivery is tried again. A file is whole or it is
// none: every byte of it is changed, and every beginning of it is tried; whoever reads it never
// gets other cursors than those that were saved.

#include "storage/outbox/cursors.hpp"
#include "storage/outbox/schedule.hpp"

#include "tests/storage/support.hpp"

#include <fstream>

using namespace usher;
using namespace usher::storage;
using namespace usher::storage::outbox;
using namespace usher::storage::test;

namespace {

outbox::cursors some() {
  outbox::cursors made{.position = 1200, .chain_position = 1190, .stopped = "HTTP 410"};
  made.chain.fill(0x5a);
  made.own = {{"hamlet", 17}, {"/system", 1'000'000'000'000}};
  return made;
}

/// A directory that is there, and the file of a sink in it.
struct on_disk {
  on_disk() { std::filesystem::create_directories(place.data()); }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream{place.data() / name, std::ios::binary} << bytes;
  }
  scratch place;
  cursor_file file{place.data(), "shop"};
};

} // namespace

BOOST_AUTO_TEST_CASE(what_is_saved_is_loaded) {
  const on_disk it;
  BOOST_TEST(!must(it.file.load()).has_value());
  for (const auto& each : {outbox::cursors{}, some()}) {
    BOOST_TEST(refusal(it.file.save(each)) == "");
    BOOST_TEST((must(it.file.load()) == each));
  }
}

BOOST_AUTO_TEST_CASE(a_file_with_any_byte_changed_or_missing_is_refused) {
  const auto bytes = write_cursors(some());
  BOOST_TEST((read_cursors(bytes) == some()));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    auto changed = bytes;
    changed[i] ^= 1;
    BOOST_TEST(!read_cursors(changed), "byte " << i);
    BOOST_TEST(!read_cursors(bytes.substr(0, i)), "cut at " << i);
  }
  BOOST_TEST(!read_cursors(bytes + "\n"));
}

BOOST_AUTO_TEST_CASE(a_damaged_file_is_a_failure_and_not_a_new_beginning) {
  const on_disk it;
  for (const std::string bytes : {"", "\n", "usher-cursors 2 00\n{}\n"}) {
    it.write("shop.cursors", bytes);
    BOOST_TEST(says(refusal(it.file.load()), "damaged"), bytes);
  }
}

BOOST_AUTO_TEST_CASE(a_crash_at_any_step_of_saving_leaves_the_old_or_the_new) {
  // The steps: the new file grows, is synced, takes the old one's name.
  const on_disk it;
  outbox::cursors old{.position = 5};
  BOOST_TEST(refusal(it.file.save(old)) == "");
  const auto bytes = write_cursors(some());
  for (std::size_t grown = 0; grown <= bytes.size(); grown += 17) {
    it.write("shop.cursors.new", bytes.substr(0, grown));
    BOOST_TEST((must(it.file.load()) == old));
  }
  BOOST_TEST(refusal(it.file.save(some())) == "");
  BOOST_TEST((must(it.file.load()) == some()));
}

BOOST_AUTO_TEST_CASE(a_directory_that_is_not_there_is_a_failure_with_its_name) {
  const scratch place;
  const cursor_file file{place.data() / "none", "shop"};
  BOOST_TEST(says(refusal(file.save({})), "none"));
}

BOOST_AUTO_TEST_CASE(a_show_has_its_own_cursor_or_the_common_one) {
  const auto all = some();
  BOOST_TEST(all.of("hamlet") == 17U);
  BOOST_TEST(all.of("macbeth") == 1200U);
  BOOST_TEST(all.least() == 17U);
  BOOST_TEST(all.most() == 1'000'000'000'000U);
}

BOOST_AUTO_TEST_CASE(the_waits_are_those_of_the_schedule_and_then_the_longest_for_ever) {
  constexpr duration_ms s = 1'000;
  constexpr duration_ms m = 60 * s;
  constexpr duration_ms h = 60 * m;
  const duration_ms waits[]{5 * s,  5 * m,  30 * m, 2 * h,  5 * h, 10 * h,
                            14 * h, 20 * h, 24 * h, 24 * h, 24 * h};
  std::uint32_t failures = 0;
  for (const auto wait : waits) {
    ++failures;
    BOOST_TEST(retry_wait_ms(failures, 0) == wait, failures);
    // With jitter: never sooner, a tenth later at most, and not always the same.
    const auto most = wait + wait / 10;
    BOOST_TEST(retry_wait_ms(failures, static_cast<std::uint64_t>(wait / 10)) == most);
    BOOST_TEST(retry_wait_ms(failures, ~std::uint64_t{0}) <= most);
  }
  BOOST_TEST(retry_wait_ms(0, 0) == 5 * s);
  BOOST_TEST(retry_wait_ms(~std::uint32_t{0}, 0) == 24 * h);
}
