// Snapshots as files: what is written is found again, whatever is wrong with one is noticed and
// said, and then the one before it is taken, or the whole log. The thread that makes them, while
// somebody else appends.
//
// It bites (each tried in a copy): with a sum that is not compared, with a chain, a program or a
// position that is not, with only one snapshot kept, or with the older one not tried after a bad
// one, it fails.
#include "actors/runtime/snapshotter.hpp"

#include "actors/runtime/snapshot/content.hpp"
#include "actors/runtime/snapshot/program.hpp"
#include "storage/memory_log.hpp"
#include "tests/snapshots/history.hpp"
#include "tests/snapshots/same.hpp"
#include "tests/storage/support.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>
#include <mutex>
#include <random>
#include <thread>

using namespace usher;
using namespace usher::test;
using storage::failure;
using storage::position_t;
using storage::test::must;
using storage::test::refusal;
using storage::test::says;

namespace {

constexpr storage::digest this_program{1};
constexpr std::size_t header_bytes = 88;

const std::vector<storage::record>& history() {
  static const auto made = long_history(1, 60);
  return made;
}

/// Appends [from, to) of the history in batches of three.
void append(storage::event_log& log, std::size_t from, std::size_t to,
            const std::vector<storage::record>& all = history()) {
  while (from < to) {
    const auto next = std::min(from + 3, to);
    BOOST_REQUIRE_EQUAL(refusal(log.append({all.begin() + static_cast<std::ptrdiff_t>(from),
                                            all.begin() + static_cast<std::ptrdiff_t>(next)})),
                        "");
    from = next;
  }
}

runtime::recovered recovered_of(const storage::event_log& log, runtime::fold from = {}) {
  return must(runtime::recover(log, {}, std::move(from)));
}

void take(const storage::snapshot_files& files, const storage::event_log& log) {
  auto world = recovered_of(log);
  const auto head = log.head();
  auto file = must(files.create({head.position, head.chain}, 0));
  runtime::snapshot::writer io{[&](std::string_view bytes) { file.put(bytes); }};
  runtime::snapshot::write(io, world);
  BOOST_REQUIRE_EQUAL(refusal(file.finish()), "");
}

std::string read_all(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

void write_all(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream{path, std::ios::binary | std::ios::trunc} << bytes;
}

/// The same with a sum that fits.
std::string summed(std::string bytes) {
  bytes.resize(bytes.size() - sizeof(storage::digest));
  storage::running_digest sum;
  sum.add(bytes);
  const auto end = sum.finish();
  return bytes.append(reinterpret_cast<const char*>(end.data()), end.size());
}

std::string with_byte(std::string bytes, std::size_t at, int change = 0x40) {
  bytes[at] = static_cast<char>(bytes[at] ^ change);
  return bytes;
}

/// A log in memory with two snapshots, `older` and `newer`, and some events behind them.
struct two_snapshots {
  two_snapshots() {
    append(log, 0, 120);
    take(files, log);
    append(log, 120, 240);
    take(files, log);
    append(log, 240, history().size());
    whole = recovered_of(log);
  }

  runtime::fold newest() {
    warnings.clear();
    return runtime::newest_snapshot(files, log,
                                    [this](const std::string& why) { warnings.push_back(why); });
  }

  /// The newer one is ignored, for this reason; what is recovered is the same.
  void check_ignored(const std::string& reason) {
    auto found = newest();
    BOOST_TEST(found.at == older);
    BOOST_REQUIRE_EQUAL(warnings.size(), 1U);
    BOOST_TEST(says(warnings[0], files.path_of(newer).string()), warnings[0]);
    BOOST_TEST(says(warnings[0], reason), warnings[0] << " does not say " << reason);
    const auto world = recovered_of(log, std::move(found));
    BOOST_TEST(difference(whole, world, whole.last_at) == "");
  }

  static constexpr position_t older = 120;
  static constexpr position_t newer = 240;
  storage::test::scratch place;
  storage::snapshot_files files{place.data(), this_program};
  storage::memory_log log;
  runtime::recovered whole;
  std::vector<std::string> warnings;
};

bool eventually(const std::function<bool()>& it_is_so) {
  for (int tries = 0; tries < 6'000; ++tries) {
    if (it_is_so())
      return true;
    std::this_thread::sleep_for(std::chrono::milliseconds{10});
  }
  return false;
}

/// What a thread warned of.
class heard {
public:
  runtime::snapshot_warning sink() {
    return [this](const std::string& what) {
      const std::lock_guard lock{mutex_};
      all_ += what + "\n";
    };
  }
  [[nodiscard]] std::string all() const {
    const std::lock_guard lock{mutex_};
    return all_;
  }

private:
  mutable std::mutex mutex_;
  std::string all_;
};

} // namespace

BOOST_FIXTURE_TEST_CASE(the_newest_is_taken_and_leads_to_what_the_whole_log_tells, two_snapshots) {
  auto found = newest();
  BOOST_TEST(found.at == newer);
  BOOST_TEST(warnings.empty());
  const auto world = recovered_of(log, std::move(found));
  BOOST_TEST(difference(whole, world, whole.last_at) == "");
}

BOOST_FIXTURE_TEST_CASE(without_any_it_is_the_whole_log, two_snapshots) {
  std::filesystem::remove_all(place.data());
  auto found = newest();
  BOOST_TEST(found.at == 0U);
  BOOST_TEST(warnings.empty());
  const auto world = recovered_of(log, std::move(found));
  BOOST_TEST(difference(whole, world, whole.last_at) == "");
}

BOOST_FIXTURE_TEST_CASE(a_file_that_ends_anywhere_is_ignored, two_snapshots) {
  const auto path = files.path_of(newer);
  const auto good = read_all(path);
  for (std::size_t size = 0; size < good.size(); size += size < 160 ? 1 : good.size() / 40) {
    write_all(path, good.substr(0, size));
    BOOST_TEST_CONTEXT(size << " bytes")
    check_ignored(size < header_bytes + 32 ? "too short" : "do not add up");
  }
  write_all(path, good + "x");
  check_ignored("do not add up");
}

BOOST_FIXTURE_TEST_CASE(a_file_with_any_byte_changed_is_ignored, two_snapshots) {
  const auto path = files.path_of(newer);
  const auto good = read_all(path);
  for (std::size_t at = 0; at < good.size(); at += at < header_bytes ? 1 : good.size() / 60) {
    write_all(path, with_byte(good, at));
    BOOST_TEST_CONTEXT("byte " << at)
    check_ignored("is ignored");
  }
  write_all(path, with_byte(good, good.size() - 1));
  check_ignored("do not add up");
}

BOOST_FIXTURE_TEST_CASE(what_is_whole_but_not_for_this_program_and_log_is_ignored, two_snapshots) {
  const auto path = files.path_of(newer);
  const auto good = read_all(path);
  const std::vector<std::pair<std::size_t, std::string>> cases{
      {0, "not a snapshot"},   {8, "has format 65"},         {16, "another version"},
      {47, "another version"}, {48, "than its name says"},   {56, "another log"},
      {87, "another log"},     {header_bytes, "is ignored"},
  };
  for (const auto& [at, reason] : cases) {
    write_all(path, summed(with_byte(good, at)));
    BOOST_TEST_CONTEXT("byte " << at)
    check_ignored(reason);
  }
  storage::snapshot_files others{place.data(), storage::digest{2}};
  write_all(path, good);
  BOOST_TEST(says(refusal(others.open(newer, log)), "another version"));
}

BOOST_FIXTURE_TEST_CASE(a_snapshot_under_another_name_is_ignored, two_snapshots) {
  std::filesystem::copy_file(files.path_of(newer), files.path_of(newer + 3));
  BOOST_TEST(newest().at == newer);
  BOOST_TEST_REQUIRE(warnings.size() == 1U);
  BOOST_TEST(says(warnings[0], "than its name says"), warnings[0]);
}

BOOST_FIXTURE_TEST_CASE(a_snapshot_of_another_log_is_ignored, two_snapshots) {
  storage::memory_log another;
  append(another, 0, 400, long_history(2, 60));
  BOOST_TEST(newest().at == newer);
  const auto found = runtime::newest_snapshot(
      files, another, [this](const std::string& why) { warnings.push_back(why); });
  BOOST_TEST(found.at == 0U);
  BOOST_TEST_REQUIRE(warnings.size() == 2U);
  BOOST_TEST(says(warnings[0], "another log"), warnings[0]);
  BOOST_TEST(says(warnings[1], "another log"), warnings[1]);
}

BOOST_FIXTURE_TEST_CASE(a_snapshot_within_a_batch_or_beyond_the_log_is_ignored, two_snapshots) {
  for (const auto at : {newer + 1, log.head().position + 1}) {
    auto file = must(files.create({at, log.head().chain}, 0));
    BOOST_REQUIRE_EQUAL(refusal(file.finish()), "");
  }
  BOOST_TEST(newest().at == newer);
  BOOST_TEST_REQUIRE(warnings.size() == 2U);
  BOOST_TEST(says(warnings[0], "beyond the end"), warnings[0]);
  BOOST_TEST(says(warnings[1], "another log"), warnings[1]);
}

BOOST_FIXTURE_TEST_CASE(two_are_kept_and_nothing_that_is_unfinished_or_beyond, two_snapshots) {
  {
    auto dropped = must(files.create({500, {}}, 0));
    dropped.put("not finished");
    BOOST_TEST(std::filesystem::exists(files.path_of(500).string() + ".new"));
  }
  BOOST_TEST(!std::filesystem::exists(files.path_of(500).string() + ".new"));
  write_all(files.path_of(600).string() + ".new", "the process died");
  write_all(files.path_of(700), "of another log");
  write_all(place.data() / "README", "not ours");
  take(files, log);
  const auto end = log.head().position;
  BOOST_TEST((files.positions() == std::vector<position_t>{700, end, newer, older}));
  files.prune(end);
  BOOST_TEST((files.positions() == std::vector<position_t>{end, newer}));
  BOOST_TEST(!std::filesystem::exists(files.path_of(600).string() + ".new"));
  BOOST_TEST(std::filesystem::exists(place.data() / "README"));
}

// The sum keeps damaged content away from the reader; should it ever get there, it does no harm.
BOOST_FIXTURE_TEST_CASE(content_that_nobody_wrote_does_no_harm, two_snapshots) {
  auto content = read_all(files.path_of(newer));
  content = content.substr(header_bytes, content.size() - header_bytes - 32);
  std::mt19937 dice{7};
  std::size_t refused = 0;
  for (int round = 0; round < 1'500; ++round) {
    auto spoiled = content;
    for (auto changes = 1 + dice() % 3; changes > 0; --changes)
      spoiled[dice() % spoiled.size()] = static_cast<char>(dice() % 2 == 0 ? dice() : 0xff);
    std::size_t next = 0;
    runtime::snapshot::reader io{[&](char* into, std::size_t size) {
                                   std::memcpy(into, spoiled.data() + next, size);
                                   next += size;
                                   return true;
                                 },
                                 spoiled.size()};
    if (std::holds_alternative<failure>(runtime::snapshot::read(io)))
      ++refused;
  }
  BOOST_TEST(refused > 50U);
}

BOOST_AUTO_TEST_CASE(the_program_has_a_name) {
  const auto name = runtime::snapshot::program_name();
  BOOST_TEST_REQUIRE(name.has_value());
  BOOST_TEST((*name != storage::digest{}));
  BOOST_TEST((name == runtime::snapshot::program_name()));
}

BOOST_AUTO_TEST_CASE(the_thread_makes_them_on_disk_while_the_log_grows) {
  const storage::test::scratch place;
  heard warnings;
  auto opened = storage::test::open_at(place.data());
  const storage::snapshot_files files{opened.directory->snapshots(), this_program};
  {
    runtime::snapshotter maker{*opened.log, files, {.every_events = 20}, warnings.sink(), 0};
    for (std::size_t done = 0; done < history().size(); done += 60) {
      append(*opened.log, done, std::min(done + 60, history().size()));
      const auto made = maker.made();
      if (done < 300)
        BOOST_TEST_REQUIRE(eventually([&] { return maker.made() > made; }));
      // Whichever is the newest now, it leads to the same.
      auto found = runtime::newest_snapshot(files, *opened.log, warnings.sink());
      const auto begun = found.at;
      const auto short_way =
          runtime::fold_on(std::move(found), *opened.log, [](position_t) { return true; });
      const auto whole = runtime::fold_on({}, *opened.log, [](position_t) { return true; });
      const auto& world = must(whole).world;
      BOOST_TEST(difference(world, must(short_way).world, world.last_at) == "", "from " << begun);
    }
    BOOST_TEST(eventually([&] { return maker.position() + 20 > opened.log->head().position; }));
    BOOST_TEST(maker.failed() == 0U);
  }
  BOOST_TEST(warnings.all() == "");
  const auto head = opened.log->head();
  opened = {};
  opened = storage::test::open_at(place.data()); // as after a crash
  auto found = runtime::newest_snapshot(files, *opened.log, warnings.sink());
  BOOST_TEST(found.at + 20 > head.position);
  const auto world = recovered_of(*opened.log, std::move(found));
  const auto whole = recovered_of(*opened.log);
  BOOST_TEST(difference(whole, world, whole.last_at) == "");
  BOOST_TEST(warnings.all() == "");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_written_is_a_warning_and_tried_again) {
  const storage::test::scratch place;
  storage::memory_log log;
  heard warnings;
  write_all(place.data(), "where the directory should be");
  runtime::snapshotter maker{
      log, {place.data(), this_program}, {.every_events = 20}, warnings.sink(), 0};
  append(log, 0, 30);
  BOOST_TEST_REQUIRE(eventually([&] { return maker.failed() == 1U; }));
  BOOST_TEST(eventually([&] { return says(warnings.all(), "no snapshot could be made"); }));
  std::filesystem::remove(place.data());
  append(log, 30, 60);
  BOOST_TEST(eventually([&] { return maker.position() == 60U; }));
  BOOST_TEST(maker.failed() == 1U);
}

BOOST_FIXTURE_TEST_CASE(nothing_is_written_on_a_disk_that_is_nearly_full, two_snapshots) {
  const auto refused =
      files.create({log.head().position, log.head().chain}, std::uint64_t{1} << 60);
  BOOST_TEST(says(refusal(refused), "too little space"), refusal(refused));
  BOOST_TEST(files.positions().size() == 2U);
}

BOOST_AUTO_TEST_CASE(it_ends_when_it_is_told_whatever_it_is_at) {
  const storage::test::scratch place;
  storage::memory_log log;
  heard warnings;
  append(log, 0, history().size());
  for (int round = 0; round < 20; ++round) {
    const runtime::snapshotter maker{
        log, {place.data(), this_program}, {.every_events = 1}, warnings.sink(), 0};
    std::this_thread::sleep_for(std::chrono::milliseconds{245 + round});
  }
  BOOST_TEST(warnings.all() == "");
}
