// The file system that plays power cuts, by itself: what it lets survive and what not. Everything
// that says "not lost in a power cut" rests on it.

#include "tests/storage/power_cut.hpp"
#include "tests/storage/support.hpp"

#include <fstream>
#include <set>

using namespace usher::storage::test;

namespace {

struct a_disk {
  a_disk() {
    std::filesystem::create_directory(path());
    BOOST_REQUIRE(files->NewDirectory(path(), {}, &directory, nullptr).ok());
  }

  [[nodiscard]] std::string path(const std::string& name = {}) const {
    return place.data().string() + (name.empty() ? "" : "/" + name);
  }
  std::unique_ptr<rocksdb::FSWritableFile> make(const std::string& name,
                                                const std::string& content = {}) {
    std::unique_ptr<rocksdb::FSWritableFile> file;
    BOOST_REQUIRE(files->NewWritableFile(path(name), {}, &file, nullptr).ok());
    write(*file, content);
    return file;
  }
  static void write(rocksdb::FSWritableFile& to, const std::string& content) {
    BOOST_REQUIRE(to.Append(content, {}, nullptr).ok());
  }
  static void sync(rocksdb::FSWritableFile& what) { BOOST_REQUIRE(what.Sync({}, nullptr).ok()); }
  void sync_names() { BOOST_REQUIRE(directory->Fsync({}, nullptr).ok()); }
  void move(const std::string& from, const std::string& to) {
    BOOST_REQUIRE(files->RenameFile(path(from), path(to), {}, nullptr).ok());
  }
  void remove(const std::string& name) {
    BOOST_REQUIRE(files->DeleteFile(path(name), {}, nullptr).ok());
  }
  /// "name=content" of each file, in order.
  [[nodiscard]] std::string all() const {
    std::set<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator{place.data()}) {
      std::ifstream file{entry.path(), std::ios::binary};
      found.insert(entry.path().filename().string() + "=" +
                   std::string{std::istreambuf_iterator<char>{file}, {}});
    }
    std::string text;
    for (const auto& each : found)
      text += (text.empty() ? "" : " ") + each;
    return text;
  }

  scratch place;
  std::shared_ptr<power_cut_files> files = std::make_shared<power_cut_files>();
  std::unique_ptr<rocksdb::FSDirectory> directory;
};

} // namespace

BOOST_AUTO_TEST_CASE(bytes_survive_once_they_and_the_name_are_synced) {
  a_disk f;
  const auto both = f.make("both", "one");
  f.sync_names();
  a_disk::sync(*both);
  a_disk::write(*both, "two");
  const auto name_only = f.make("name", "lost");
  f.sync_names();
  const auto bytes_only = f.make("bytes", "kept");
  a_disk::sync(*bytes_only);
  BOOST_TEST(f.files->lose_unsynced() == 3U + 4U);
  BOOST_TEST(f.all() == "both=one name=");
}

BOOST_AUTO_TEST_CASE(names_survive_once_the_directory_is_synced) {
  a_disk f;
  for (const auto* name : {"a", "b", "gone"})
    a_disk::sync(*f.make(name, name));
  f.sync_names();
  f.move("a", "b"); // over another
  f.remove("gone");
  BOOST_TEST(f.all() == "b=a");
  f.files->lose_unsynced();
  BOOST_TEST(f.all() == "a=a b=b gone=gone");
  f.move("a", "b");
  f.remove("gone");
  f.sync_names();
  f.files->lose_unsynced();
  BOOST_TEST(f.all() == "b=a");
}

BOOST_AUTO_TEST_CASE(nothing_that_comes_after_the_cut_survives) {
  a_disk f;
  const auto file = f.make("a", "one");
  a_disk::sync(*file);
  f.sync_names();
  f.files->cut_power();
  BOOST_TEST(!f.files->has_power());
  a_disk::write(*file, "two");
  a_disk::sync(*file);
  a_disk::sync(*f.make("b", "three"));
  f.remove("a");
  f.sync_names();
  f.files->lose_unsynced();
  BOOST_TEST(f.files->has_power());
  BOOST_TEST(f.all() == "a=one");
}

BOOST_AUTO_TEST_CASE(the_cut_comes_within_the_operation_that_was_named) {
  for (const int within : {1, 2, 3, 4}) {
    a_disk f;
    const auto file = f.make("a");
    f.sync_names();
    f.files->cut_power_within(static_cast<std::uint64_t>(within));
    a_disk::write(*file, "one"); // 1
    a_disk::sync(*file);         // 2
    a_disk::write(*file, "two"); // 3
    a_disk::sync(*file);         // 4
    BOOST_TEST(!f.files->has_power());
    f.files->lose_unsynced();
    BOOST_TEST(f.all() == (within <= 2 ? "a=" : "a=one"));
  }
}

BOOST_AUTO_TEST_CASE(with_dice_any_part_of_what_was_not_synced_is_left) {
  auto dice = seeded();
  std::set<std::string> seen;
  for (int i = 0; i < 300; ++i) {
    a_disk f;
    const auto file = f.make("a", "1");
    a_disk::sync(*file);
    f.sync_names();
    a_disk::write(*file, "23");
    f.make("b");
    f.move("b", "c");
    f.files->lose_unsynced(&dice);
    seen.insert(f.all());
  }
  const std::string zero(1, '\0');
  for (const std::string content : {"a=1", "a=12", "a=123"})
    for (const auto* others : {"", " b=", " c="})
      BOOST_TEST(seen.contains(content + others), content << others);
  BOOST_TEST(seen.contains("a=12" + zero));
  BOOST_TEST(seen.contains("a=1" + zero + zero));
  for (const auto& each : seen)
    BOOST_TEST(each.starts_with("a=1")); // what was synced is always there
}
