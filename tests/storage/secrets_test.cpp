// Keys of the server and the sealing of personal data: keys stay what they are, files that are not
// right are refused and never replaced; sealed bytes open for the same key and place only.

#include "storage/sealing.hpp"
#include "tests/storage/support.hpp"

#include <sys/stat.h>

#include <fstream>

using namespace usher::storage;
using namespace usher::storage::test;

namespace {

struct a_store {
  scratch place;
  data_directory directory = must(data_directory::open(place.data()));
  secret_store store = must(secret_store::open(directory));

  std::filesystem::path file(std::string_view name) { return directory.secrets() / name; }
};

void write(const std::filesystem::path& path, std::string_view text) {
  std::ofstream{path, std::ios::binary} << text;
  std::filesystem::permissions(path, std::filesystem::perms{0600});
}

} // namespace

BOOST_AUTO_TEST_CASE(a_key_is_made_once_and_stays) {
  a_store f;
  const auto key = must(f.store.key(ticket_mac_key));
  BOOST_TEST((must(f.store.key(ticket_mac_key)) == key));
  BOOST_TEST((must(must(secret_store::open(f.directory)).key(ticket_mac_key)) == key));
  BOOST_TEST((key != secret_key{}));
}

BOOST_AUTO_TEST_CASE(names_have_keys_of_their_own) {
  a_store f;
  const auto mac = must(f.store.key(ticket_mac_key));
  const auto identity = must(f.store.key(identity_key));
  const auto personal = must(f.store.key(personal_data_key));
  BOOST_TEST((mac != identity && identity != personal && mac != personal));
}

BOOST_AUTO_TEST_CASE(a_key_that_need_not_be_there_is_looked_for_and_not_made) {
  a_store f;
  BOOST_TEST(!must(f.store.find(previous_entry_ticket_key)));
  BOOST_TEST(!std::filesystem::exists(f.file(previous_entry_ticket_key)));
  // As an operator changes the key: renamed, the one is found and the other is made anew.
  const auto before = must(f.store.key(entry_ticket_key));
  std::filesystem::rename(f.file(entry_ticket_key), f.file(previous_entry_ticket_key));
  BOOST_TEST((must(f.store.find(previous_entry_ticket_key)) == before));
  BOOST_TEST((must(f.store.key(entry_ticket_key)) != before));
  // One that is there and wrong is not passed over.
  write(f.file(previous_entry_ticket_key), "half a k");
  BOOST_TEST(says(refusal(f.store.find(previous_entry_ticket_key)), "is not a key"));
}

BOOST_AUTO_TEST_CASE(the_file_is_for_the_owner_alone_and_the_temporary_one_is_gone) {
  a_store f;
  must(f.store.key(identity_key));
  struct stat found {};
  BOOST_REQUIRE(::stat(f.file(identity_key).c_str(), &found) == 0);
  BOOST_TEST((found.st_mode & 07777) == 0600U);
  BOOST_TEST(found.st_size == 65 + 17);
  BOOST_TEST(!std::filesystem::exists(f.file("identity.new")));
}

BOOST_AUTO_TEST_CASE(a_temporary_file_left_by_a_crash_is_no_key) {
  a_store f;
  write(f.file("identity.new"), "half a k");
  must(f.store.key(identity_key));
  BOOST_TEST(refusal(f.store.key(identity_key)) == "");
}

namespace {

std::string contents(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

} // namespace

// A digit that became another is still a digit: only the second line can tell.
BOOST_AUTO_TEST_CASE(any_bit_that_changes_in_a_key_file_is_noticed_and_the_file_left_alone) {
  a_store f;
  must(f.store.key(ticket_mac_key));
  const auto good = contents(f.file(ticket_mac_key));
  for (std::size_t at = 0; at < good.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      auto changed = good;
      changed[at] = static_cast<char>(changed[at] ^ 1 << bit);
      write(f.file(ticket_mac_key), changed);
      const auto said = refusal(f.store.key(ticket_mac_key));
      BOOST_TEST(says(said, "secrets/ticket-mac is "), at << ": " << said);
      BOOST_TEST(says(said, "Restore the file"), said);
      BOOST_TEST(contents(f.file(ticket_mac_key)) == changed);
    }
  write(f.file(ticket_mac_key), good);
  BOOST_TEST(refusal(f.store.key(ticket_mac_key)) == "");
}

BOOST_AUTO_TEST_CASE(a_key_of_before_the_check_is_accepted_and_gets_one) {
  a_store f;
  const auto key = must(f.store.key(identity_key));
  const auto now = contents(f.file(identity_key));
  write(f.file(identity_key), now.substr(0, 65));
  BOOST_TEST((must(f.store.key(identity_key)) == key));
  BOOST_TEST(contents(f.file(identity_key)) == now);
  // So does one that need not be there.
  std::filesystem::rename(f.file(identity_key), f.file(previous_entry_ticket_key));
  write(f.file(previous_entry_ticket_key), now.substr(0, 65));
  BOOST_TEST((must(f.store.find(previous_entry_ticket_key)) == key));
  BOOST_TEST(contents(f.file(previous_entry_ticket_key)) == now);
}

BOOST_AUTO_TEST_CASE(a_file_that_others_may_read_is_refused) {
  a_store f;
  must(f.store.key(ticket_mac_key));
  for (const auto mode : {0640U, 0604U, 0660U, 0620U}) {
    std::filesystem::permissions(f.file(ticket_mac_key), std::filesystem::perms{mode});
    BOOST_TEST(says(refusal(f.store.key(ticket_mac_key)), "open to others"));
  }
  std::filesystem::permissions(f.file(ticket_mac_key), std::filesystem::perms{0400});
  BOOST_TEST(refusal(f.store.key(ticket_mac_key)) == "");
}

BOOST_AUTO_TEST_CASE(a_directory_that_others_may_enter_is_refused) {
  a_store f;
  std::filesystem::permissions(f.directory.secrets(), std::filesystem::perms{0750});
  BOOST_TEST(says(refusal(secret_store::open(f.directory)), "open to others"));
}

BOOST_AUTO_TEST_CASE(a_file_that_is_no_key_is_refused_and_left_alone) {
  a_store f;
  const std::string good(64, 'a');
  for (const auto& text : {std::string{}, good, good + "a\n", good.substr(1) + "\n",
                           good.substr(1) + "G\n", good + "\n\n", std::string(65, '\0')}) {
    write(f.file(personal_data_key), text);
    BOOST_TEST(says(refusal(f.store.key(personal_data_key)), "is not a key"));
    BOOST_TEST(std::filesystem::file_size(f.file(personal_data_key)) == text.size());
  }
}

BOOST_AUTO_TEST_CASE(names_that_lead_elsewhere_are_refused) {
  a_store f;
  for (const auto* name : {"", "..", "../LOCK", "a/b", "A", "ticket-mac.new"})
    BOOST_TEST(says(refusal(f.store.key(name)), "is not a name of a key"));
  std::filesystem::create_symlink(f.directory.lock_file(), f.file("linked"));
  BOOST_TEST(refusal(f.store.key("linked")) != "");
}

BOOST_AUTO_TEST_CASE(a_reader_makes_no_keys) {
  scratch place;
  {
    const auto writer = open_at(place.data());
    must(must(secret_store::open(*writer.directory)).key(ticket_mac_key));
  }
  const auto file = place.data() / "secrets" / ticket_mac_key;
  const auto old = contents(file).substr(0, 65);
  write(file, old);
  const auto directory = must(data_directory::open_read_only(place.data()));
  const auto store = must(secret_store::open(directory));
  BOOST_TEST(refusal(store.key(ticket_mac_key)) == "");
  BOOST_TEST(contents(file) == old);
  BOOST_TEST(refusal(store.key(identity_key)) != "");
  BOOST_TEST(!std::filesystem::exists(directory.secrets() / identity_key));
}

namespace {

constexpr secret_key key_one{1, 2, 3};
constexpr secret_key key_two{3, 2, 1};

} // namespace

BOOST_AUTO_TEST_CASE(sealed_data_opens_with_the_same_key_and_place) {
  for (const auto& plain :
       {std::string{}, std::string{"eva@example.org"}, std::string(5000, 'x')}) {
    const auto sealed = must(seal(key_one, plain, "order-1"));
    BOOST_TEST(sealed.size() == 1 + 12 + plain.size() + 16);
    BOOST_TEST((unseal(key_one, sealed, "order-1") == plain));
    BOOST_TEST(!unseal(key_two, sealed, "order-1"));
    BOOST_TEST(!unseal(key_one, sealed, "order-2"));
  }
}

BOOST_AUTO_TEST_CASE(sealing_twice_gives_different_bytes) {
  BOOST_TEST(must(seal(key_one, "a", "")) != must(seal(key_one, "a", "")));
}

BOOST_AUTO_TEST_CASE(sealed_bytes_that_were_changed_or_cut_do_not_open) {
  const auto sealed = must(seal(key_one, "personal", "here"));
  for (std::size_t i = 0; i < sealed.size(); ++i) {
    auto changed = sealed;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    BOOST_TEST(!unseal(key_one, changed, "here"));
    BOOST_TEST(!unseal(key_one, sealed.substr(0, i), "here"));
  }
}
