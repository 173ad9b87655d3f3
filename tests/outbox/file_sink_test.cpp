// The file sink: what it writes, where it cuts a line that a crash tore, how files are put aside,
// and that what cannot be written is tried again.

#include "storage/outbox/file_sink.hpp"

#include "tests/storage/support.hpp"

#include <csignal>
#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <iterator>

using namespace usher;
using namespace usher::storage;
using namespace usher::storage::outbox;
using namespace usher::storage::test;

namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

struct file_world {
  explicit file_world(std::uint64_t rotate = 0, std::size_t keep = 0)
      : options{.path = place.data() / "events.ndjson", .rotate_bytes = rotate, .keep = keep} {
    std::filesystem::create_directories(place.data());
  }

  [[nodiscard]] file_sink open() {
    return file_sink{options, [this] { return now; }};
  }

  /// All files, the oldest first.
  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& each : std::filesystem::directory_iterator{place.data()})
      names.push_back(each.path().filename().string());
    std::ranges::sort(names);
    return names;
  }

  scratch place;
  time_ms now = 1'767'225'600'000;
  file_sink_options options;
};

delivery of(const std::vector<std::string>& lines) {
  delivery made{.show = "a", .events = {}};
  for (const auto& each : lines)
    made.events.push_back({.position = 1, .at = 1, .json = each});
  return made;
}

std::string give(file_sink& to, const std::vector<std::string>& lines) {
  std::string said;
  to.deliver(of(lines), [&](const outcome& what) {
    const auto* again = std::get_if<retry>(&what);
    said = again == nullptr ? "delivered" : again->why;
  });
  return said;
}

} // namespace

BOOST_AUTO_TEST_CASE(each_event_is_a_line_and_a_restart_goes_on_behind_it) {
  file_world world;
  {
    auto sink = world.open();
    BOOST_TEST(give(sink, {"1", "22"}) == "delivered");
    BOOST_TEST(refusal(sink.settle()) == "");
  }
  auto sink = world.open();
  BOOST_TEST(give(sink, {"333"}) == "delivered");
  BOOST_TEST(text_of(world.options.path) == "1\n22\n333\n");
}

BOOST_AUTO_TEST_CASE(a_torn_last_line_is_cut_wherever_it_was_torn) {
  const std::string whole = "{\"id\":\"0/1\"}\n";
  const std::string last = "{\"id\":\"0/2\"}\n" + std::string(100'000, 'x');
  for (const std::size_t torn : {std::size_t{0}, std::size_t{1}, std::size_t{12}, std::size_t{13},
                                 std::size_t{14}, std::size_t{70'000}, last.size()}) {
    file_world world;
    std::ofstream{world.options.path} << whole << last.substr(0, torn);
    auto sink = world.open();
    BOOST_TEST(give(sink, {"next"}) == "delivered");
    const auto kept = torn > 12 ? last.substr(0, 13) : "";
    BOOST_TEST(text_of(world.options.path) == whole + kept + "next\n", "torn after " << torn);
  }
  file_world world;
  std::ofstream{world.options.path} << "no line at all";
  auto sink = world.open();
  BOOST_TEST(give(sink, {"next"}) == "delivered");
  BOOST_TEST(text_of(world.options.path) == "next\n");
}

BOOST_AUTO_TEST_CASE(full_files_are_put_aside_by_the_time_and_only_so_many_kept) {
  file_world world{10, 2};
  auto sink = world.open();
  for (int i = 0; i < 5; ++i) {
    BOOST_TEST(give(sink, {"line " + std::to_string(i), "more"}) == "delivered");
    world.now += i == 2 ? 0 : 60'000; // two in the same millisecond
  }
  BOOST_TEST(refusal(sink.settle()) == "");
  auto found = world.files();
  BOOST_TEST(found.size() == 3U);
  BOOST_TEST(found.back() == "events.ndjson");
  BOOST_TEST(text_of(world.options.path) == "line 4\nmore\n");
  BOOST_TEST(text_of(world.place.data() / found[1]) == "line 3\nmore\n");
  BOOST_TEST(text_of(world.place.data() / found[0]) == "line 2\nmore\n");
}

BOOST_AUTO_TEST_CASE(all_files_are_kept_unless_a_number_is_set_and_others_are_left_alone) {
  file_world world{1, 0};
  std::ofstream{world.place.data() / "events-mine.ndjson"} << "mine";
  auto sink = world.open();
  for (int i = 0; i < 5; ++i)
    BOOST_TEST(give(sink, {"x"}) == "delivered");
  BOOST_TEST(world.files().size() == 6U);
  world.options.keep = 1;
  auto again = world.open();
  BOOST_TEST(give(again, {"x"}) == "delivered");
  BOOST_TEST(world.files().size() == 3U);
  BOOST_TEST(text_of(world.place.data() / "events-mine.ndjson") == "mine");
}

BOOST_AUTO_TEST_CASE(a_directory_that_is_not_there_is_tried_again_soon) {
  file_world world;
  std::filesystem::remove_all(world.place.data());
  auto sink = world.open();
  std::optional<time_ms> when;
  sink.deliver(of({"x"}), [&](const outcome& what) { when = std::get<retry>(what).not_before; });
  BOOST_TEST((when == world.now + 5'000));
  std::filesystem::create_directories(world.place.data());
  BOOST_TEST(give(sink, {"x"}) == "delivered");
}

BOOST_AUTO_TEST_CASE(a_disk_without_space_leaves_whole_lines_and_is_tried_again) {
  file_world world;
  auto sink = world.open();
  BOOST_TEST(give(sink, {"first"}) == "delivered");
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  ::getrlimit(RLIMIT_FSIZE, &old);
  const rlimit small{20, old.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  BOOST_TEST(says(give(sink, {"second, which is too long for it"}), "cannot write"));
  const auto between = text_of(world.options.path);
  ::setrlimit(RLIMIT_FSIZE, &old);
  BOOST_TEST(between == "first\n");
  BOOST_TEST(refusal(sink.settle()) == "");
  BOOST_TEST(give(sink, {"second, which is too long for it"}) == "delivered");
  BOOST_TEST(text_of(world.options.path) == "first\nsecond, which is too long for it\n");
}
