// Personal data and its keys: each sealed field has a key of its own, a destroyed key is gone from
// every file and only what it sealed with it, and whatever a crash or a mistake leaves behind loses
// no key and brings none back.
//
// It bites (each tried in a copy): with slots that are noted and not overwritten, with keys that
// are overwritten and not noted, with noted ones forgotten at the start, with keys not bound to
// their slots or fields not bound to their orders, with a key given out twice, with any master key
// taken for the right one, or with a new MASTER made over keys that are there, it fails.

#include "storage/customer_key_files.hpp"
#include "storage/customer_keys_check.hpp"
#include "storage/personal_data.hpp"
#include "storage/sealing.hpp"
#include "tests/storage/support.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <thread>

using namespace usher::storage;
using namespace usher::storage::test;
namespace fs = std::filesystem;

namespace {

constexpr secret_key master{1, 2, 3};
constexpr secret_key shared{9};

std::string read(const fs::path& file) {
  std::ifstream in{file, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

void write(const fs::path& file, const std::string& text) {
  std::ofstream{file, std::ios::binary} << text;
}

/// A data directory whose keys are opened and closed.
struct a_store {
  scratch place;
  data_directory directory = must(data_directory::open(place.data()));
  std::unique_ptr<personal_data> data;

  a_store() { reopen(); }
  void reopen() {
    data.reset();
    data = std::make_unique<personal_data>(shared, must(customer_keys::open(directory, master)));
  }

  std::string seal(const std::string& plain, const std::string& place_of_it = "order-1") {
    return std::get<std::string>(data->seal(plain, place_of_it));
  }
  fs::path keys() const { return directory.customer_keys(); }
  fs::path file_of(const std::string& sealed) const {
    const auto id = *key_of_sealed(sealed);
    return keys() / (to_hex({reinterpret_cast<const char*>(id.data()), 14}) + ".keys");
  }
  /// The bytes that lie in the key's slot.
  std::string slot_of(const std::string& sealed) const {
    const auto id = *key_of_sealed(sealed);
    return read(file_of(sealed)).substr(64U * (1U + (id[14] << 8U | id[15])), 64);
  }
  bool anywhere(const std::string& bytes) const {
    for (const auto& each : fs::recursive_directory_iterator{directory.root()})
      if (each.is_regular_file() && read(each.path()).find(bytes) != std::string::npos)
        return true;
    return false;
  }
  std::size_t destroy(const std::vector<std::string>& sealed) {
    std::vector<key_id> ids;
    for (const auto& each : sealed)
      ids.push_back(*key_of_sealed(each));
    return must(data->keys().destroy(ids));
  }
};

/// "opened: ana", "erased", "unreadable: why".
std::string told(const opening& what) {
  if (const auto* data = std::get_if<opened_data>(&what))
    return "opened: " + data->plain;
  const auto* why = std::get_if<unreadable_data>(&what);
  return why != nullptr ? "unreadable: " + why->why : "erased";
}

bool eventually(const std::function<bool()>& holds) {
  using namespace std::chrono_literals;
  const auto end = std::chrono::steady_clock::now() + 30s;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end)
      return false;
    std::this_thread::sleep_for(5ms);
  }
  return true;
}

} // namespace

BOOST_AUTO_TEST_CASE(what_is_sealed_opens_for_its_place_alone_also_after_a_restart) {
  a_store f;
  const auto sealed = f.seal("ana@example.org");
  BOOST_TEST(sealed.size() == 1U + 16 + 12 + 15 + 16);
  BOOST_TEST(sealed.front() == 2);
  BOOST_TEST(sealed.find("ana@") == std::string::npos);
  BOOST_TEST(told(f.data->open(sealed, "order-1")) == "opened: ana@example.org");
  BOOST_TEST(told(f.data->open(sealed, "order-2")) == "unreadable: it is damaged");
  f.reopen();
  BOOST_TEST(told(f.data->open(sealed, "order-1")) == "opened: ana@example.org");
  const personal_data reader{shared, must(customer_keys::open_read_only(f.directory, master))};
  BOOST_TEST(told(reader.open(sealed, "order-1")) == "opened: ana@example.org");
}

BOOST_AUTO_TEST_CASE(every_field_has_a_key_of_its_own) {
  a_store f;
  std::set<key_id> ids;
  for (int i = 0; i < 100; ++i)
    ids.insert(*key_of_sealed(f.seal("the same")));
  f.reopen();
  for (int i = 0; i < 100; ++i)
    ids.insert(*key_of_sealed(f.seal("the same")));
  BOOST_TEST(ids.size() == 200U);
}

BOOST_AUTO_TEST_CASE(a_destroyed_key_is_in_no_file_and_the_others_stay) {
  a_store f;
  const auto ana = f.seal("ana@example.org");
  const auto bo = f.seal("bo@example.org");
  const auto wrapped = f.slot_of(ana).substr(0, 60);
  BOOST_TEST(f.anywhere(wrapped));
  BOOST_TEST(f.destroy({ana}) == 1U);
  BOOST_TEST(!f.anywhere(wrapped));
  BOOST_TEST(f.slot_of(ana) == std::string(64, '\0'));
  const auto check = [&] {
    BOOST_TEST(told(f.data->open(ana, "order-1")) == "erased");
    BOOST_TEST(told(f.data->open(bo, "order-1")) == "opened: bo@example.org");
  };
  check();
  BOOST_TEST(f.destroy({ana}) == 0U);
  BOOST_TEST(f.destroy({ana, bo, bo}) == 1U);
  BOOST_TEST(told(f.data->open(bo, "order-1")) == "erased");
  f.reopen();
  BOOST_TEST(told(f.data->open(ana, "order-1")) == "erased");
  BOOST_TEST(must(read_erased_keys(f.keys() / "ERASED")).size() == 2U);
}

BOOST_AUTO_TEST_CASE(an_open_server_and_a_reader_beside_it_see_at_once_that_a_key_is_gone) {
  a_store f;
  const auto ana = f.seal("ana");
  const personal_data reader{shared, must(customer_keys::open_read_only(f.directory, master))};
  f.destroy({ana});
  BOOST_TEST(told(reader.open(ana, "order-1")) == "erased");
}

BOOST_AUTO_TEST_CASE(another_master_key_is_refused_and_changes_nothing) {
  a_store f;
  const auto sealed = f.seal("ana");
  f.data.reset();
  const auto contents = [&] {
    std::map<std::string, std::string> all;
    for (const auto& each : fs::directory_iterator{f.keys()})
      all[each.path().filename()] = read(each.path());
    return all;
  };
  const auto before = contents();
  secret_key other = master;
  other[31] = 1;
  BOOST_TEST(
      says(refusal(customer_keys::open(f.directory, other)), "is not the one that the keys"));
  BOOST_TEST(
      says(refusal(customer_keys::open_read_only(f.directory, other)), "Nothing was changed"));
  BOOST_TEST((contents() == before));
  f.reopen();
  BOOST_TEST(told(f.data->open(sealed, "order-1")) == "opened: ana");
}

BOOST_AUTO_TEST_CASE(keys_without_their_master_file_are_never_bound_to_another_key) {
  for (const std::string left : {"", "half a l", "00\n"}) {
    a_store f;
    const auto sealed = f.seal("ana");
    f.data.reset();
    const auto kept = read(f.keys() / "MASTER");
    fs::remove(f.keys() / "MASTER");
    if (!left.empty())
      write(f.keys() / "MASTER", left);
    BOOST_TEST(refusal(customer_keys::open(f.directory, master)) != "");
    BOOST_TEST(read(f.keys() / "MASTER") == left);
    write(f.keys() / "MASTER", kept);
    f.reopen();
    BOOST_TEST(told(f.data->open(sealed, "order-1")) == "opened: ana");
  }
}

BOOST_AUTO_TEST_CASE(what_a_crash_leaves_of_a_file_that_is_being_made_is_no_key) {
  a_store f;
  const auto sealed = f.seal("ana");
  f.data.reset();
  write(f.keys() / "MASTER.new", "half");
  write(f.keys() / "00112233445566778899aabbccdd.keys.new", "usher-keys 1\n");
  f.reopen();
  BOOST_TEST(told(f.data->open(sealed, "order-1")) == "opened: ana");
  // And one that is there, and cut off, as no order of writes leaves it.
  fs::resize_file(f.file_of(sealed), 100);
  BOOST_TEST(says(told(f.data->open(sealed, "order-1")), "is cut off"));
}

BOOST_AUTO_TEST_CASE(a_key_that_was_noted_and_not_overwritten_is_gone_after_the_next_start) {
  a_store f;
  const auto ana = f.seal("ana");
  const auto bo = f.seal("bo");
  const auto as_it_was = read(f.file_of(ana));
  BOOST_TEST(f.destroy({ana}) == 1U);
  f.data.reset();
  write(f.file_of(ana), as_it_was);
  const auto line = read(f.keys() / "ERASED");
  write(f.keys() / "ERASED", line + line.substr(0, 7)); // the second line was cut off
  f.reopen();
  BOOST_TEST(told(f.data->open(ana, "order-1")) == "erased");
  BOOST_TEST(told(f.data->open(bo, "order-1")) == "opened: bo");
  BOOST_TEST(f.destroy({bo}) == 1U);
  BOOST_TEST(must(read_erased_keys(f.keys() / "ERASED")).size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_list_that_is_none_is_refused) {
  a_store f;
  f.data.reset();
  for (const std::string& text : {std::string(41, 'g') + "\n", std::string(42, 'a')}) {
    write(f.keys() / "ERASED", text);
    BOOST_TEST(says(refusal(customer_keys::open(f.directory, master)), "line 1"));
    BOOST_TEST(read(f.keys() / "ERASED") == text);
  }
}

BOOST_AUTO_TEST_CASE(a_changed_digit_in_the_list_destroys_no_other_key) {
  a_store f;
  const auto ana = f.seal("ana");
  const auto bo = f.seal("bo");
  BOOST_TEST(f.destroy({ana}) == 1U);
  f.data.reset();
  const auto sound = read(f.keys() / "ERASED");
  for (std::size_t at = 0; at < sound.size(); ++at)
    for (const char instead : {'0', '1'}) {
      auto changed = sound;
      changed[at] = changed[at] == instead ? '2' : instead;
      write(f.keys() / "ERASED", changed);
      BOOST_TEST(says(refusal(customer_keys::open(f.directory, master)), "line 1"));
      BOOST_TEST(must(check_customer_keys(f.keys(), master, 10)).damaged == 1U);
    }
  write(f.keys() / "ERASED", sound);
  f.reopen();
  BOOST_TEST(told(f.data->open(bo, "order-1")) == "opened: bo");
}

BOOST_AUTO_TEST_CASE(a_damaged_key_opens_nothing_and_can_be_destroyed) {
  a_store f;
  const auto ana = f.seal("ana");
  auto bytes = read(f.file_of(ana));
  const auto id = *key_of_sealed(ana);
  bytes[64U * (1U + (id[14] << 8U | id[15])) + 20] ^= 1;
  write(f.file_of(ana), bytes);
  BOOST_TEST(says(told(f.data->open(ana, "order-1")), "is damaged at slot"));
  BOOST_TEST(f.destroy({ana}) == 1U);
  BOOST_TEST(told(f.data->open(ana, "order-1")) == "erased");
}

// A key is bound to its id, so one that was destroyed cannot be brought back under another.
BOOST_AUTO_TEST_CASE(a_key_that_was_put_into_another_slot_opens_nothing) {
  a_store f;
  const auto ana = f.seal("ana");
  const auto bo = f.seal("bo");
  BOOST_REQUIRE(f.file_of(ana) == f.file_of(bo));
  auto bytes = read(f.file_of(ana));
  const auto id = *key_of_sealed(ana);
  bytes.replace(64U * (1U + (id[14] << 8U | id[15])), 64, f.slot_of(bo));
  write(f.file_of(ana), bytes);
  BOOST_TEST(says(told(f.data->open(ana, "order-1")), "is damaged at slot"));
  BOOST_TEST(told(f.data->open(bo, "order-1")) == "opened: bo");
}

BOOST_AUTO_TEST_CASE(ids_that_are_nobodys_destroy_nothing) {
  a_store f;
  const auto ana = f.seal("ana");
  auto other_file = *key_of_sealed(ana);
  other_file[0] ^= 1;
  auto no_slot = *key_of_sealed(ana);
  no_slot[14] = 0xff;
  BOOST_TEST(must(f.data->keys().destroy(std::vector{other_file, no_slot})) == 0U);
  BOOST_TEST(!fs::exists(f.keys() / "ERASED"));
  BOOST_TEST(told(f.data->open(ana, "order-1")) == "opened: ana");
  // What was sealed by a server whose keys are elsewhere is not erased, and not readable.
  auto foreign = ana;
  foreign[1] ^= 1;
  BOOST_TEST(told(f.data->open(foreign, "order-1")) == "unreadable: its key is not here");
}

BOOST_AUTO_TEST_CASE(keys_are_made_while_they_are_taken_and_all_differ) {
  a_store f;
  std::set<key_id> ids;
  std::set<secret_key> keys;
  std::size_t taken = 0;
  while (taken < 4 * customer_keys::keys_a_file)
    if (const auto fresh = f.data->keys().take()) {
      ++taken;
      ids.insert(fresh->id);
      keys.insert(fresh->key);
    }
  BOOST_TEST(ids.size() == taken);
  BOOST_TEST(keys.size() == taken);
}

BOOST_AUTO_TEST_CASE(without_a_key_ready_nothing_is_sealed_until_there_is_one_again) {
  a_store f;
  const auto aside = f.place.data() / "aside";
  fs::rename(f.keys(), aside);
  std::size_t sealed = 0;
  std::string why;
  while (sealed < 10 * customer_keys::keys_a_file) {
    const auto tried = f.data->seal("ana", "order-1");
    if (const auto* none = std::get_if<no_key_ready>(&tried)) {
      why = none->why;
      if (!why.empty())
        break;
    } else {
      ++sealed;
    }
  }
  BOOST_TEST(says(why, "cannot write"));
  BOOST_TEST(sealed <= customer_keys::ready_least + customer_keys::keys_a_file);
  fs::rename(aside, f.keys());
  BOOST_TEST(eventually(
      [&] { return std::holds_alternative<std::string>(f.data->seal("ana", "order-1")); }));
  BOOST_TEST(f.data->keys().trouble() == "");
}

BOOST_AUTO_TEST_CASE(a_directory_for_reading_makes_and_destroys_nothing) {
  a_store f;
  const auto ana = f.seal("ana");
  const auto reader = must(customer_keys::open_read_only(f.directory, master));
  BOOST_TEST(!reader->take());
  BOOST_TEST(says(refusal(reader->destroy(std::vector{*key_of_sealed(ana)})), "for reading"));
  BOOST_TEST(told(f.data->open(ana, "order-1")) == "opened: ana");
  // A copy without keys has none, and gets none.
  const scratch elsewhere;
  const auto copy = must(data_directory::open(elsewhere.data()));
  must(customer_keys::open_read_only(copy, master));
  BOOST_TEST(!fs::exists(copy.customer_keys()));
}

BOOST_AUTO_TEST_CASE(older_logs_stay_readable_with_their_one_key) {
  a_store f;
  const auto old = must(seal(shared, "ana", "order-1"));
  BOOST_TEST(told(f.data->open(old, "order-1")) == "opened: ana");
  BOOST_TEST(!key_of_sealed(old));
  BOOST_TEST(told(opener_with(shared)(old, "order-1")) == "opened: ana");
  BOOST_TEST(says(told(opener_with(master)(old, "order-1")), "another server"));
  const personal_data without{std::nullopt,
                              must(customer_keys::open_read_only(f.directory, master))};
  BOOST_TEST(says(told(without.open(old, "order-1")), "personal-data is not here"));
  for (const std::string text :
       {"", "\3aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "\2"})
    BOOST_TEST(says(told(f.data->open(text, "order-1")), "unreadable"));
}

BOOST_AUTO_TEST_CASE(files_are_for_their_owner_alone) {
  a_store f;
  f.destroy({f.seal("ana")});
  struct stat found {};
  BOOST_REQUIRE(::stat(f.keys().c_str(), &found) == 0);
  BOOST_TEST((found.st_mode & 07777) == 0700U);
  auto seen = 0;
  for (const auto& each : fs::directory_iterator{f.keys()}) {
    BOOST_TEST_INFO(each.path());
    // The thread that makes keys writes a file beside its place and renames it: that name goes.
    if (::stat(each.path().c_str(), &found) != 0) {
      BOOST_TEST(errno == ENOENT);
      continue;
    }
    ++seen;
    BOOST_TEST((found.st_mode & 07777) == 0600U);
  }
  BOOST_TEST(seen > 0);
}
