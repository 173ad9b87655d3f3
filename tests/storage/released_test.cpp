// Logs that released versions wrote (tests/storage/released) open for ever: for writing, with all
// that is checked on the way, the world that the actors start with, and a clean audit. What they
// have was counted when they were made. That a log which says something else fails is shown by
// other counts.

#include "actors/runtime/recovered.hpp"
#include "storage/audit/auditor.hpp"
#include "storage/audit/room.hpp"
#include "tests/storage/support.hpp"

#include <fstream>
#include <map>
#include <sstream>

using namespace usher;
using namespace usher::storage;
using namespace usher::storage::test;

namespace {

const std::filesystem::path released{USHER_SOURCE_DIR "/tests/storage/released"};

std::vector<std::filesystem::path> versions() {
  std::vector<std::filesystem::path> all;
  for (const auto& entry : std::filesystem::directory_iterator{released})
    if (entry.is_directory())
      all.push_back(entry.path());
  return all;
}

/// A copy that may be written. Keys are for their owner alone, which a checkout forgets.
void copy_to(const std::filesystem::path& version, const std::filesystem::path& data) {
  namespace fs = std::filesystem;
  fs::copy(version / "data", data, fs::copy_options::recursive);
  for (const auto& entry : fs::recursive_directory_iterator{data})
    fs::permissions(entry.path(), entry.is_directory()
                                      ? fs::perms::owner_all
                                      : fs::perms::owner_read | fs::perms::owner_write);
}

using counts = std::map<std::string, int>;

counts counted(const event_log& log) {
  counts all;
  for (const auto& one : all_of(log))
    ++all[one.type];
  return all;
}

counts known(const std::filesystem::path& version) {
  counts all;
  std::ifstream file{version / "events.txt"};
  BOOST_REQUIRE(file.is_open());
  int count = 0;
  for (std::string type; file >> type >> count;)
    all.emplace(type, count);
  return all;
}

std::string text(const counts& all) {
  std::string lines;
  for (const auto& [type, count] : all)
    lines += type + " " + std::to_string(count) + "\n";
  return lines;
}

/// A line a show: who came, what is sold, which orders there are.
std::string summary_of(const audit::world& what) {
  std::ostringstream lines;
  for (const auto& id : what.by_number) {
    const auto& it = what.shows.at(id);
    std::map<std::string, int> orders;
    for (const auto& [order, its] : it.orders)
      ++orders[std::string{to_string(its.is)}];
    std::size_t sold = 0;
    for (const auto& [name, block] : it.blocks)
      sold += block.counts[static_cast<std::size_t>(audit::seat_state::sold)];
    lines << id << " " << audit::status_of(it.room) << " joined " << it.room.joined() << " sold "
          << sold;
    for (const auto& [state, count] : orders)
      lines << " " << state << " " << count;
    lines << "\n";
  }
  for (const auto& [gateway, its] : what.breakers)
    lines << gateway << " " << to_string(its.is) << "\n";
  return lines.str();
}

std::string contents(const std::filesystem::path& path) {
  std::ifstream file{path};
  return {std::istreambuf_iterator<char>{file}, {}};
}

std::string violations(const audit::auditor& with) {
  std::string all;
  for (const auto& one : with.found().listed())
    all += std::to_string(one.position) + " " + one.sentence + "\n";
  return all;
}

} // namespace

BOOST_AUTO_TEST_CASE(there_is_a_log_of_the_first_version) {
  BOOST_TEST(std::filesystem::exists(released / "0.1.0" / "data" / "log" / "CURRENT"));
}

BOOST_AUTO_TEST_CASE(a_log_of_every_released_version_opens_and_says_what_it_said) {
  for (const auto& version : versions())
    BOOST_TEST_CONTEXT(version.filename().string()) {
      const scratch place;
      copy_to(version, place.data());
      const auto opened = open_at(place.data());
      const auto before = opened.log->head();
      BOOST_TEST(refusal(opened.log->verify_files()) == "");
      BOOST_TEST(text(counted(*opened.log)) == text(known(version)));
      audit::auditor auditor;
      BOOST_TEST(refusal(opened.log->replay(1, [&](const stored_record& next) {
                   auditor.take(next);
                   return true;
                 })) == "");
      auditor.finish();
      BOOST_TEST(violations(auditor) == "");
      BOOST_TEST(summary_of(auditor.seen()) == contents(version / "state.txt"));
      BOOST_TEST((opened.log->head() == before));
    }
}

BOOST_AUTO_TEST_CASE(the_actors_start_with_what_it_tells_and_it_goes_on) {
  for (const auto& version : versions())
    BOOST_TEST_CONTEXT(version.filename().string()) {
      const scratch place;
      copy_to(version, place.data());
      {
        const auto opened = open_at(place.data());
        const auto world = must(runtime::recover(*opened.log, {}));
        BOOST_TEST(world.shows.size() == static_cast<std::size_t>(known(version)["show_created"]));
        must_append(*opened.log, {fact("block/sale/A", "goes on")});
      }
      BOOST_TEST(replay_refusal(*open_at(place.data()).log) == "");
    }
}

// Without it the counts above could be compared with nothing.
BOOST_AUTO_TEST_CASE(the_counts_are_of_that_log) {
  for (const auto& version : versions()) {
    auto all = known(version);
    BOOST_TEST(all.size() > 40U);
    ++all["order_paid"];
    const scratch place;
    copy_to(version, place.data());
    BOOST_TEST(text(counted(*open_at(place.data()).log)) != text(all));
  }
}
