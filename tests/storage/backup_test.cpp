// Backup and restore of a data directory: a copy has all that was acknowledged before it was asked
// for and is what it says it is; whatever is wrong with one is named, and nothing of it is
// restored.
//
// It bites (each tried in a copy): with a restore into a directory that is not empty, with files
// that do not belong there, other SHA-256s, paths that lead out or another end of the log accepted,
// with the list of erased keys left aside, customer keys always copied, or what a failure leaves
// not removed, it fails; so it does with the log under its own name while it is copied. The flush
// before a checkpoint is not among them: leaving it out changes nothing, as appends are synced.

#include "storage/backup/job.hpp"
#include "storage/backup/restore.hpp"
#include "storage/codec.hpp"
#include "storage/customer_key_files.hpp"
#include "storage/personal_data.hpp"
#include "tests/storage/support.hpp"

#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

using namespace usher;
using namespace usher::storage;
using namespace usher::storage::test;
namespace fs = std::filesystem;

namespace {

constexpr secret_key master{1, 2, 3};

std::string read(const fs::path& file) {
  std::ifstream in{file, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

void write(const fs::path& file, const std::string& text) {
  std::ofstream{file, std::ios::binary} << text;
}

/// An event that the audit has nothing to say about.
record a_key(int number) {
  access::event::key_created e;
  e.id = "k" + std::to_string(number);
  auto made = encode(access::any_event{e});
  return {.at = 1000,
          .subject = "keys",
          .type = std::string{made.type},
          .schema = made.schema,
          .cause = {.request = "", .who = "usher"},
          .data = std::move(made.data)};
}

struct a_server {
  scratch place;
  open_log opened = open_at(place.data());
  fs::path target = place.data().parent_path() / "backup";
  fs::path restored = place.data().parent_path() / "restored";

  a_server() {
    BOOST_TEST(refusal(must(secret_store::open(*opened.directory)).key(identity_key)) == "");
    for (int i = 0; i < 50; ++i)
      must_append(*opened.log, {a_key(2 * i), a_key(2 * i + 1)});
  }

  std::variant<backup::manifest, failure> make(bool secrets = true, bool keys = false) {
    return backup::make(*opened.log, *opened.directory, {target, secrets, keys}, 1234, {});
  }
  /// "restored", or what is wrong, sentence by sentence.
  std::string restore(std::vector<fs::path> erased = {}) {
    const auto came = backup::restore({target, restored, std::move(erased)}, {});
    if (const auto* failed = std::get_if<failure>(&came))
      return "failure: " + failed->what;
    std::string all;
    if (const auto* found = std::get_if<backup::damaged>(&came))
      for (const auto& each : found->what)
        all += each + "\n";
    return all.empty() ? "restored" : all;
  }
};

/// The files of a directory with what is in them.
std::map<std::string, std::string> contents(const fs::path& directory) {
  std::map<std::string, std::string> all;
  for (const auto& each : fs::recursive_directory_iterator{directory})
    if (each.is_regular_file())
      all[each.path().lexically_relative(directory).generic_string()] = read(each.path());
  return all;
}

fs::path a_table_of(const fs::path& directory) {
  for (const auto& each : fs::directory_iterator{directory / "log"})
    if (each.path().extension() == ".sst")
      return each.path();
  BOOST_FAIL("no table");
  return {};
}

} // namespace

BOOST_AUTO_TEST_CASE(a_backup_is_restored_as_it_was_and_goes_on) {
  a_server f;
  const auto made = must(f.make());
  BOOST_TEST((made.head == f.opened.log->head()));
  BOOST_TEST(made.violations == 0U);
  BOOST_TEST(made.files.contains("HEAD"));
  BOOST_TEST(made.files.contains("secrets/identity"));
  BOOST_TEST((must(backup::read_manifest_of(f.target)) == made));
  must_append(*f.opened.log, {a_key(1000)}); // is not in it
  BOOST_TEST(f.restore() == "restored");
  BOOST_TEST(read(f.restored / "secrets/identity") == read(f.place.data() / "secrets/identity"));
  const auto again = open_at(f.restored);
  BOOST_TEST((again.log->head() == made.head));
  BOOST_TEST(all_of(*again.log).size() == 100U);
  must_append(*again.log, {a_key(1001)});
  BOOST_TEST(refusal(again.log->verify_files()) == "");
}

BOOST_AUTO_TEST_CASE(a_backup_reads_as_a_data_directory) {
  a_server f;
  const auto made = must(f.make());
  const auto directory = must(data_directory::open_read_only(f.target));
  const auto log = must(rocksdb_log::open_read_only(directory));
  BOOST_TEST((log->head() == made.head));
  BOOST_TEST(f.restore() == "restored"); // reading it has not made another of it
}

BOOST_AUTO_TEST_CASE(nobody_else_may_read_it) {
  a_server f;
  must(f.make());
  BOOST_TEST(f.restore() == "restored");
  for (const auto& root : {f.target, f.restored}) {
    struct stat found {};
    BOOST_REQUIRE(::stat(root.c_str(), &found) == 0);
    BOOST_TEST((found.st_mode & 07777) == 0700U);
    for (const auto& each : fs::recursive_directory_iterator{root}) {
      if (each.path().filename().string().starts_with("LOG"))
        continue; // RocksDB's own notes
      BOOST_REQUIRE(::stat(each.path().c_str(), &found) == 0);
      BOOST_TEST_INFO(each.path());
      BOOST_TEST((found.st_mode & 07777) == (each.is_directory() ? 0700U : 0600U));
    }
  }
}

BOOST_AUTO_TEST_CASE(secrets_can_be_left_out_and_customer_keys_are) {
  a_server f;
  personal_data data{std::nullopt, must(customer_keys::open(*f.opened.directory, master))};
  const auto made = must(f.make(false, false));
  for (const auto& [path, file] : made.files)
    BOOST_TEST((path == "HEAD" || path.starts_with("log/")), path);
  BOOST_TEST(f.restore() == "restored");
}

BOOST_AUTO_TEST_CASE(who_was_erased_since_the_backup_is_erased_again_with_the_list) {
  a_server f;
  personal_data data{std::nullopt, must(customer_keys::open(*f.opened.directory, master))};
  const auto ana = std::get<std::string>(data.seal("ana", "1"));
  const auto bo = std::get<std::string>(data.seal("bo", "1"));
  const auto cem = std::get<std::string>(data.seal("cem", "1"));
  must(data.keys().destroy(std::vector{*key_of_sealed(cem)}));
  const auto made = must(f.make(true, true));
  BOOST_TEST(made.customer_keys);
  must(data.keys().destroy(std::vector{*key_of_sealed(ana)}));

  const auto list = f.opened.directory->customer_keys() / "ERASED";
  BOOST_TEST(says(f.restore({f.place.data() / "nothing"}), "failure: there is no list"));
  BOOST_TEST(f.restore({list}) == "restored");
  const auto directory = must(data_directory::open(f.restored));
  // Already before any server opens them.
  const auto slots = must(customer_keys::open_read_only(directory, master));
  BOOST_TEST(std::holds_alternative<destroyed_key>(slots->find(*key_of_sealed(ana))));
  const personal_data again{std::nullopt, must(customer_keys::open(directory, master))};
  BOOST_TEST(std::holds_alternative<erased_data>(again.open(ana, "1")));
  BOOST_TEST(std::holds_alternative<erased_data>(again.open(cem, "1")));
  BOOST_TEST(std::holds_alternative<opened_data>(again.open(bo, "1")));
}

BOOST_AUTO_TEST_CASE(whatever_is_wrong_with_a_backup_is_named_and_nothing_is_restored) {
  struct wrong {
    std::string what;
    std::function<void(const a_server&)> make;
    std::string said;
  };
  const auto swap_byte = [](const fs::path& file, std::size_t at) {
    auto bytes = read(file);
    bytes.at(at) ^= 1;
    write(file, bytes);
  };
  const wrong all[]{
      {"no manifest", [](const auto& f) { fs::remove(f.target / "backup.json"); },
       "it is no backup, or one that was not finished"},
      {"half a manifest",
       [](const auto& f) {
         const auto text = read(f.target / "backup.json");
         write(f.target / "backup.json", text.substr(0, text.size() / 2));
       },
       "backup.json is damaged"},
      {"a path out of it",
       [](const auto& f) {
         auto text = read(f.target / "backup.json");
         text.replace(text.find("\"HEAD\""), 6, "\"../HEAD\"");
         write(f.target / "backup.json", text);
       },
       "`../HEAD` is not one"},
      {"another format",
       [](const auto& f) {
         auto text = read(f.target / "backup.json");
         text.replace(text.find("\"format\": 1"), 11, "\"format\": 2");
         write(f.target / "backup.json", text);
       },
       "another format"},
      {"another end",
       [](const auto& f) {
         auto text = read(f.target / "backup.json");
         text.replace(text.find("\"position\": 100"), 15, "\"position\": 101");
         write(f.target / "backup.json", text);
       },
       "ends elsewhere"},
      {"a file that is missing", [](const auto& f) { fs::remove(f.target / "secrets/identity"); },
       "secrets/identity is missing"},
      {"a file too many", [](const auto& f) { write(f.target / "log/000099.sst", "x"); },
       "log/000099.sst is there and belongs to no backup"},
      {"a file that is cut off", [](const auto& f) { fs::resize_file(f.target / "HEAD", 100); },
       "HEAD has 100 bytes instead of 137"},
      {"a byte of a key", [&](const auto& f) { swap_byte(f.target / "secrets/identity", 5); },
       "secrets/identity is not what was written to it"},
      {"a byte of a table", [&](const auto& f) { swap_byte(a_table_of(f.target), 60); },
       ".sst is not what was written to it"},
      {"a byte of HEAD", [&](const auto& f) { swap_byte(f.target / "HEAD", 30); },
       "HEAD is not what was written to it"},
  };
  for (const auto& each : all) {
    a_server f;
    must(f.make());
    each.make(f);
    const auto said = f.restore();
    BOOST_TEST_INFO(each.what << ": " << said);
    BOOST_TEST(says(said, each.said));
    BOOST_TEST((!fs::exists(f.restored) || fs::is_empty(f.restored)));
  }
}

BOOST_AUTO_TEST_CASE(only_an_empty_place_is_written_to) {
  a_server f;
  fs::create_directories(f.target);
  write(f.target / "mine", "precious");
  BOOST_TEST(says(refusal(f.make()), "is not empty"));
  BOOST_TEST((contents(f.target) == std::map<std::string, std::string>{{"mine", "precious"}}));
  fs::remove(f.target / "mine");
  must(f.make());
  fs::create_directories(f.restored);
  write(f.restored / "mine", "precious");
  BOOST_TEST(says(f.restore(), "is not empty"));
  BOOST_TEST((contents(f.restored) == std::map<std::string, std::string>{{"mine", "precious"}}));
  f.target = f.place.data() / "inside";
  BOOST_TEST(says(refusal(f.make()), "lies in the data directory"));
  f.target = f.place.data() / "no/such/place";
  BOOST_TEST(refusal(f.make()) != "");
  BOOST_TEST(!fs::exists(f.place.data() / "no"));
  f.target = f.place.data().parent_path() / "file";
  write(f.target, "x");
  BOOST_TEST(refusal(f.make()) != "");
  BOOST_TEST(read(f.target) == "x");
}

BOOST_AUTO_TEST_CASE(a_backup_that_is_given_up_leaves_nothing) {
  for (const auto when : {backup::step::copy, backup::step::verify}) {
    a_server f;
    for (int i = 0; i < 5000; i += 100) {
      std::vector<record> some;
      for (int j = 0; j < 100; ++j)
        some.push_back(a_key(1000 + i + j));
      must_append(*f.opened.log, some);
    }
    const auto made = backup::make(*f.opened.log, *f.opened.directory, {f.target}, 1,
                                   [&](const backup::progress& at) { return at.step != when; });
    BOOST_TEST(says(refusal(made), "given up"));
    BOOST_TEST(fs::is_empty(f.target));
    BOOST_TEST(!fs::exists(f.place.data() / "checkpoint"));
  }
}

BOOST_AUTO_TEST_CASE(a_restore_that_a_crash_cut_off_is_not_taken_for_a_new_server) {
  a_server f;
  must(f.make());
  BOOST_TEST(f.restore() == "restored");
  fs::rename(f.restored / "log", f.restored / "log.restore");
  BOOST_TEST(open_refusal(f.restored) != "");
}

// What a crash in the middle of copying leaves: HEAD, which knows of records, and no log.
BOOST_AUTO_TEST_CASE(until_all_of_it_is_copied_a_restored_directory_has_no_log) {
  a_server f;
  must(f.make());
  const auto crashed = f.place.data().parent_path() / "crashed";
  const auto came = backup::restore({f.target, f.restored, {}}, [&](const backup::progress& at) {
    if (at.step == backup::step::copy && at.done < at.total) {
      BOOST_TEST(!fs::exists(f.restored / "log"));
      fs::remove_all(crashed);
      fs::copy(f.restored, crashed, fs::copy_options::recursive);
    }
    return true;
  });
  BOOST_TEST(std::holds_alternative<backup::restored>(came));
  BOOST_TEST(says(open_refusal(crashed), "100 are missing: there is no"), open_refusal(crashed));
}

BOOST_AUTO_TEST_CASE(a_copy_has_what_was_acknowledged_before_it_while_others_append) {
  a_server f;
  std::atomic<bool> stop{false};
  std::atomic<position_t> acknowledged{f.opened.log->head().position};
  std::thread writer{[&] {
    for (int i = 10'000; !stop; ++i) {
      if (f.opened.log->append({a_key(i)}))
        std::abort();
      acknowledged = f.opened.log->head().position;
    }
  }};
  position_t last = 0;
  for (int round = 0; round < 3; ++round) {
    f.target = f.place.data().parent_path() / ("backup-" + std::to_string(round));
    const position_t before = acknowledged;
    const auto made = f.make();
    BOOST_TEST(refusal(made) == "");
    if (const auto* good = std::get_if<backup::manifest>(&made)) {
      BOOST_TEST(good->head.position >= before);
      BOOST_TEST(good->head.position > last);
      BOOST_TEST(good->violations == 0U);
      last = good->head.position;
    }
  }
  stop = true;
  writer.join();
  BOOST_TEST(f.restore() == "restored");
}

BOOST_AUTO_TEST_CASE(a_job_makes_one_at_a_time_and_tells_what_came_of_it) {
  a_server f;
  fs::create_directories(f.place.data() / "checkpoint"); // left by a crash
  backup_job job{*f.opened.log, *f.opened.directory, [] { return time_ms{1}; }};
  BOOST_TEST(!fs::exists(f.place.data() / "checkpoint"));
  BOOST_TEST(!job.now());
  const auto wait = [&] {
    while (std::holds_alternative<backup_job::running>(job.now()->what))
      std::this_thread::sleep_for(std::chrono::milliseconds{2});
    return std::get<backup_job::outcome>(job.now()->what);
  };
  BOOST_TEST(job.start({f.target}));
  const bool both = job.start({f.target}); // unless the first is done already
  BOOST_TEST((!both || !std::holds_alternative<backup::manifest>(wait())));
  static_cast<void>(wait());
  fs::remove_all(f.target);
  BOOST_TEST(job.start({f.target}));
  BOOST_TEST(std::holds_alternative<backup::manifest>(wait()));
  BOOST_TEST(job.start({f.target}));
  BOOST_TEST(says(refusal(wait()), "is not empty"));
}
