// What `usher audit verify` checks beside the log: every slot of every file of customer keys, and
// that HEAD is there and sound. Whatever changed is named, with its file and slot, and is exit code
// 1; what is as it should be, or cannot be checked, is told and passes.
//
// It bites (each tried in a copy): with the bytes behind a key, the last slot, or the beginning of
// a file not looked at, with every HEAD taken for sound, or a missing one for right, it fails.

#include "storage/customer_key_files.hpp"
#include "storage/customer_keys_check.hpp"
#include "storage/head_file.hpp"
#include "tests/storage/audit_command_line.hpp"
#include "tests/storage/audit_sale.hpp"

#include <fstream>
#include <iterator>

using namespace usher;
using namespace usher::storage;
using namespace usher::storage::test;
namespace fs = std::filesystem;

namespace {

constexpr secret_key master{1, 2, 3};
constexpr std::size_t all_slots = customer_keys::keys_a_file;

std::string read(const fs::path& file) {
  std::ifstream in{file, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

void write(const fs::path& file, const std::string& bytes) {
  std::ofstream{file, std::ios::binary | std::ios::trunc} << bytes;
}

/// A file as secrets are: for its owner alone.
void write_key(const fs::path& path, const secret_key& key) {
  fs::create_directories(path.parent_path());
  fs::permissions(path.parent_path(), fs::perms::owner_all);
  write(path, to_hex({reinterpret_cast<const char*>(key.data()), key.size()}) + "\n");
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
}

/// A sale, and two files of keys; of the first file, slots 0 and 1023 are destroyed.
struct with_keys : on_disk {
  with_keys() : on_disk{a_sale()} {
    fs::create_directory(keys());
    BOOST_REQUIRE(!bind_master(keys(), master));
    for (int i = 0; i < 2; ++i)
      must(make_key_file(keys(), master));
    for (const auto& each : fs::directory_iterator{keys()})
      if (each.path().extension() == ".keys")
        files.push_back(each.path());
    std::ranges::sort(files);
    auto bytes = read(files[0]);
    bytes.replace(key_slot_size, key_slot_size, key_slot_size, '\0');
    bytes.replace(all_slots * key_slot_size, key_slot_size, key_slot_size, '\0');
    write(files[0], bytes);
  }

  [[nodiscard]] fs::path keys() const { return place.data() / "customer-keys"; }
  [[nodiscard]] checked_keys checked(std::size_t listed_max = 100) const {
    return must(check_customer_keys(keys(), master, listed_max));
  }
  /// Verified with the master key in a file of its own.
  [[nodiscard]] outcome verified(bool as_json = false) const {
    const auto file = place.data().parent_path() / "elsewhere" / "master";
    write_key(file, master);
    std::vector<std::string> line{"verify", "--data", path(), "--master-key-file", file.string()};
    if (as_json)
      line.emplace_back("--json");
    return usher_audit(line);
  }

  std::vector<fs::path> files;
};

std::size_t place_of(std::size_t slot, std::size_t byte) {
  return key_slot_size * (1 + slot) + byte;
}

/// The file with one bit changed, for as long as this lives.
class flipped {
public:
  flipped(const fs::path& file, std::size_t byte, int bit) : file_{file}, good_{read(file)} {
    auto bytes = good_;
    bytes.at(byte) = static_cast<char>(bytes[byte] ^ (1 << bit));
    write(file, bytes);
  }
  flipped(const flipped&) = delete;
  flipped& operator=(const flipped&) = delete;
  ~flipped() { write(file_, good_); }

private:
  fs::path file_;
  std::string good_;
};

} // namespace

BOOST_AUTO_TEST_CASE(sound_keys_and_destroyed_ones_are_counted_and_nothing_else) {
  const with_keys f;
  const auto found = f.checked();
  BOOST_TEST(found.files == 2U);
  BOOST_TEST(found.sound == 2 * all_slots - 2);
  BOOST_TEST(found.destroyed == 2U);
  BOOST_TEST(found.damaged == 0U);
  BOOST_TEST(found.listed.empty());
}

BOOST_AUTO_TEST_CASE(a_flipped_bit_anywhere_in_a_slot_is_found_with_its_file_and_slot) {
  const with_keys f;
  // Nonce, key, tag, the zeros behind; the first slots, the last one, and one that was destroyed.
  for (const std::size_t slot : {std::size_t{1}, std::size_t{500}, all_slots - 2, all_slots - 1})
    for (const std::size_t byte : {0U, 11U, 12U, 30U, 43U, 44U, 59U, 60U, 63U})
      for (const int bit : {0, 7}) {
        const flipped one{f.files[0], place_of(slot, byte), bit};
        const auto found = f.checked();
        BOOST_TEST_INFO("slot " << slot << " byte " << byte << " bit " << bit);
        BOOST_TEST(found.damaged == 1U);
        BOOST_REQUIRE(found.listed.size() == 1U);
        BOOST_TEST(says(found.listed[0] + " ",
                        f.files[0].string() + " is damaged at slot " + std::to_string(slot)),
                   found.listed[0]);
        BOOST_TEST(found.sound + found.destroyed == 2 * all_slots - 1);
      }
  BOOST_TEST(f.checked().damaged == 0U);
}

BOOST_AUTO_TEST_CASE(all_damage_is_counted_and_the_first_of_it_listed) {
  const with_keys f;
  const flipped one{f.files[0], place_of(7, 20), 3};
  const flipped two{f.files[1], place_of(8, 20), 3};
  const flipped three{f.files[1], place_of(9, 20), 3};
  const auto found = f.checked(2);
  BOOST_TEST(found.damaged == 3U);
  BOOST_REQUIRE(found.listed.size() == 2U);
  BOOST_TEST(says(found.listed[0], f.files[0].string() + " is damaged at slot 7"));
  BOOST_TEST(says(found.listed[1], f.files[1].string() + " is damaged at slot 8"));
}

BOOST_AUTO_TEST_CASE(a_file_that_is_not_what_it_should_be_is_named) {
  const with_keys f;
  const auto good = read(f.files[1]);
  const auto said = [&](const std::string& bytes) {
    write(f.files[1], bytes);
    const auto found = f.checked();
    write(f.files[1], good);
    return found.listed.size() == 1 ? found.listed[0] : "";
  };
  const auto name = f.files[1].string();
  BOOST_TEST(says(said(good.substr(0, 1000)), name + " is cut off: it has 1000 bytes"));
  BOOST_TEST(says(said(good + "x"), name + " is longer"));
  for (const std::size_t byte : {0U, 12U, 13U, 63U}) {
    auto bytes = good;
    bytes[byte] = static_cast<char>(bytes[byte] ^ 1);
    BOOST_TEST(says(said(bytes), name + " does not begin"));
  }
  BOOST_TEST(said(good) == "");
  fs::copy_file(f.files[1], f.keys() / "mine.keys");
  BOOST_TEST(f.checked().damaged == 1U);
  fs::remove(f.keys() / "mine.keys");
  // Under another name no key opens: it is bound to its id. One that was not finished is none.
  fs::copy_file(f.files[1], f.keys() / (std::string(28, '0') + ".keys"));
  BOOST_TEST(f.checked().damaged == all_slots);
  fs::remove(f.keys() / (std::string(28, '0') + ".keys"));
  write(f.keys() / (std::string(28, '0') + ".keys.new"), "half");
  BOOST_TEST(f.checked().damaged == 0U);
}

BOOST_AUTO_TEST_CASE(verify_tells_of_damaged_keys_and_ends_with_1) {
  const with_keys f;
  auto got = f.verified();
  BOOST_TEST(got.exit_code == 0);
  BOOST_TEST(says(got.out, "keys of personal data: 2046 sound, 2 destroyed, 0 damaged, in 2 files"),
             got.out);
  const flipped one{f.files[0], place_of(17, 20), 3};
  got = f.verified();
  BOOST_TEST(got.exit_code == 1);
  BOOST_TEST(says(got.out, "damage: " + f.files[0].string() + " is damaged at slot 17\n"), got.out);
  BOOST_TEST(!says(got.out, "clean\n"), got.out);
  got = f.verified(true);
  BOOST_TEST(got.exit_code == 1);
  const auto told = got.json();
  BOOST_TEST(told["clean"] == false);
  BOOST_TEST(told["violationCount"] == 0);
  BOOST_TEST(told["damageCount"] == 1);
  BOOST_TEST(told["damage"][0] == f.files[0].string() + " is damaged at slot 17");
  BOOST_TEST(told["customerKeys"]["damaged"] == 1);
  BOOST_TEST(told["customerKeys"]["sound"] == 2045);
}

BOOST_AUTO_TEST_CASE(the_master_key_may_lie_in_secrets) {
  const with_keys f;
  write_key(f.place.data() / "secrets" / "master", master);
  auto got = usher_audit({"verify", "--data", f.path(), "--json"});
  BOOST_TEST(got.exit_code == 0, got.out);
  BOOST_TEST(got.json()["customerKeys"]["sound"] == 2046);
  write(f.place.data() / "secrets" / "master", "damaged");
  got = usher_audit({"verify", "--data", f.path()});
  BOOST_TEST(got.exit_code == 1);
  BOOST_TEST(says(got.out, "secrets/master is not a key"), got.out);
}

BOOST_AUTO_TEST_CASE(without_a_master_key_it_says_that_keys_were_not_checked_and_passes) {
  const with_keys f;
  const flipped one{f.files[0], place_of(17, 20), 3};
  const auto got = usher_audit({"verify", "--data", f.path()});
  BOOST_TEST(got.exit_code == 0);
  BOOST_TEST(says(got.out, "keys of personal data were not checked: their master key is not here. "
                           "Give it with --master-key-file FILE"),
             got.out);
  const auto told = usher_audit({"verify", "--data", f.path(), "--json"}).json();
  BOOST_TEST(told["clean"] == true);
  BOOST_TEST(told["customerKeys"].is_null());
  BOOST_TEST(says(told["customerKeysNotChecked"].get<std::string>(), "--master-key-file"));
}

BOOST_AUTO_TEST_CASE(a_copy_without_keys_has_nothing_to_say_of_them) {
  const on_disk log{a_sale()};
  BOOST_TEST(!says(usher_audit({"verify", "--data", log.path()}).out, "keys"));
}

BOOST_AUTO_TEST_CASE(keys_that_cannot_be_checked_with_the_key_that_is_there_do_not_pass) {
  const with_keys f;
  {
    const flipped one{f.keys() / "MASTER", 40, 0};
    const auto got = f.verified();
    BOOST_TEST(got.exit_code == 1);
    BOOST_TEST(says(got.out, "damage: the master key is not the one that the keys in"), got.out);
  }
  fs::remove(f.keys() / "MASTER");
  const auto got = f.verified();
  BOOST_TEST(got.exit_code == 1);
  BOOST_TEST(says(got.out, "MASTER"), got.out);
  const auto no_file =
      usher_audit({"verify", "--data", f.path(), "--master-key-file", "/no/such/file"});
  BOOST_TEST(no_file.exit_code == 2);
  BOOST_TEST(says(no_file.err, "--master-key-file: cannot open /no/such/file"), no_file.err);
}

BOOST_AUTO_TEST_CASE(a_head_that_is_damaged_or_missing_is_named_and_is_1) {
  const on_disk log{a_sale()};
  const auto head = log.place.data() / "HEAD";
  const auto good = read(head);
  for (const std::size_t byte : {0U, 20U, 60U, 100U, 125U, 136U}) {
    const flipped one{head, byte, 2};
    const auto got = usher_audit({"verify", "--data", log.path()});
    BOOST_TEST(got.exit_code == 1);
    BOOST_TEST(says(got.out, "damage: " + head.string() + " is damaged: whether the log"), got.out);
  }
  write(head, good.substr(0, 40));
  auto got = usher_audit({"verify", "--data", log.path(), "--json"});
  BOOST_TEST(got.exit_code == 1);
  BOOST_TEST(says(got.json()["damage"][0].get<std::string>(), head.string() + " is damaged"));
  fs::remove(head);
  got = usher_audit({"verify", "--data", log.path()});
  BOOST_TEST(got.exit_code == 1);
  BOOST_TEST(says(got.out, "damage: " + head.string() + " is missing"), got.out);
  write(head, good);
  BOOST_TEST(usher_audit({"verify", "--data", log.path()}).exit_code == 0);
}

BOOST_AUTO_TEST_CASE(beside_an_empty_log_head_may_be_missing_and_not_damaged) {
  const scratch place;
  static_cast<void>(open_at(place.data()));
  const auto head = place.data() / "HEAD";
  BOOST_TEST((look_at_head_file(head) == head_file_state::sound));
  for (const bool empty : {true, false}) { // as a crash in the first start leaves it
    fs::remove(head);
    if (empty)
      write(head, "");
    BOOST_TEST((look_at_head_file(head) == head_file_state::missing));
    BOOST_TEST(usher_audit({"verify", "--data", place.data().string()}).exit_code == 0);
  }
  write(head, "usher-head 1 0000");
  BOOST_TEST((look_at_head_file(head) == head_file_state::damaged));
  BOOST_TEST(usher_audit({"verify", "--data", place.data().string()}).exit_code == 1);
}
