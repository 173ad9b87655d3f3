#include "storage/customer_key_files.hpp"

#include "storage/files.hpp"

#include <fcntl.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <set>
#include <utility>

namespace usher::storage {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t name_size = 14; ///< of a key's id: its file
static_assert(wrapped_key_size <= key_slot_size && 512 % key_slot_size == 0);

constexpr std::string_view master_known = "the master key of these customer keys";
constexpr std::string_view master_bound_to = "MASTER";
constexpr std::size_t erased_check_size = 4; ///< bytes
constexpr std::size_t erased_line_size = 2 * sizeof(key_id) + 1 + 2 * erased_check_size + 1;

std::string_view text_of(const key_id& id) {
  return {reinterpret_cast<const char*>(id.data()), id.size()};
}

/// A changed digit would be another key, and destroy it.
std::string erased_line(std::string_view id) {
  std::array<char, EVP_MAX_MD_SIZE> hash{};
  if (EVP_Digest(id.data(), id.size(), reinterpret_cast<unsigned char*>(hash.data()), nullptr,
                 EVP_sha256(), nullptr) != 1)
    std::abort(); // for want of memory only
  return to_hex(id) + " " + to_hex({hash.data(), erased_check_size}) + "\n";
}

std::size_t slot_of(const key_id& id) {
  return std::size_t{id[name_size]} << 8 | id[name_size + 1];
}

off_t place_of(const key_id& id) {
  return static_cast<off_t>(key_slot_size * (1 + slot_of(id)));
}

fs::path file_of(const fs::path& directory, const key_id& id) {
  return directory / (to_hex(text_of(id).substr(0, name_size)) + ".keys");
}

/// The slot as it lies on disk; nothing if it cannot be read.
std::optional<std::string> read_slot(const file_handle& file, const key_id& id) {
  std::string slot(key_slot_size, '\0');
  const auto got = ::pread(file.get(), slot.data(), slot.size(), place_of(id));
  return got == static_cast<ssize_t>(slot.size()) ? std::optional{slot} : std::nullopt;
}

bool is_overwritten(std::string_view slot) {
  return slot.find_first_not_of('\0') == std::string_view::npos;
}

bool in_same_file(const key_id& a, const key_id& b) {
  return std::equal(a.begin(), a.begin() + name_size, b.begin());
}

/// Of ids that are all of one file.
std::variant<std::size_t, failure> overwrite_key_slots(const fs::path& directory,
                                                       std::span<const key_id> ids) {
  const auto path = file_of(directory, ids.front());
  const auto file = open_file(path, O_RDWR | O_NOFOLLOW);
  if (!file.is_open())
    return errno == ENOENT ? std::variant<std::size_t, failure>{std::size_t{0}}
                           : system_failure("open", path);
  std::size_t overwritten = 0;
  for (const auto& id : ids) {
    const auto slot = read_slot(file, id);
    if (!slot || slot_of(id) >= customer_keys::keys_a_file)
      continue; // there never was such a key
    if (is_overwritten(*slot))
      continue;
    ++overwritten;
    if (!write_at(file, std::string(key_slot_size, '\0'), place_of(id)))
      return system_failure("write", path);
  }
  // Also if all of them were: the one who did it may have died before this.
  if (::fsync(file.get()) != 0)
    return system_failure("sync", path);
  return overwritten;
}

/// Puts the wrapped key into its slot of `file`.
std::optional<failure> wrap(const secret_key& master, const customer_keys::fresh& made,
                            std::string& file) {
  const std::string_view key{reinterpret_cast<const char*>(made.key.data()), made.key.size()};
  const auto wrapped = seal_behind("", master, key, text_of(made.id));
  if (const auto* failed = std::get_if<failure>(&wrapped))
    return *failed;
  std::ranges::copy(std::get<std::string>(wrapped), file.begin() + place_of(made.id));
  return std::nullopt;
}

} // namespace

bool has_customer_keys(const fs::path& directory) {
  std::error_code trouble;
  return fs::exists(directory / "MASTER", trouble);
}

std::optional<failure> check_master(const fs::path& directory, const secret_key& master) {
  const auto path = directory / "MASTER";
  const auto file = open_file(path, O_RDONLY | O_NOFOLLOW);
  if (!file.is_open())
    return system_failure("open", path);
  auto line = read_file(file, 4096).value_or("");
  if (line.empty() || line.back() != '\n')
    return failure{path.string() + " is damaged: restore it, or the keys cannot be read"};
  line.pop_back();
  const auto known = open_sealed(master, from_hex(line).value_or(""), master_bound_to);
  if (known == master_known)
    return std::nullopt;
  return failure{"the master key is not the one that the keys in " + directory.string() +
                 " were made with. Nothing was changed; give the right one (masterKeyFile, "
                 "USHER_MASTER_KEY or secrets/master)"};
}

std::optional<failure> bind_master(const fs::path& directory, const secret_key& master) {
  std::error_code trouble;
  for (const auto& each : fs::directory_iterator{directory, trouble})
    if (each.path().extension() == ".keys")
      return failure{directory.string() + " has keys, and no MASTER to know their master key by: "
                                          "restore it. Nothing was changed"};
  if (trouble)
    return failure{"cannot read " + directory.string() + ": " + trouble.message()};
  const auto known = seal_behind("", master, master_known, master_bound_to);
  if (const auto* failed = std::get_if<failure>(&known))
    return *failed;
  return write_whole_file(directory / "MASTER", to_hex(std::get<std::string>(known)) + "\n");
}

std::variant<std::vector<customer_keys::fresh>, failure> make_key_file(const fs::path& directory,
                                                                       const secret_key& master) {
  key_id name{};
  if (RAND_bytes(name.data(), name_size) != 1)
    return failure{"no randomness for the keys of customers"};
  std::vector<customer_keys::fresh> made(customer_keys::keys_a_file);
  std::string file{key_file_begins};
  file.resize(key_file_size, '\0');
  for (std::size_t slot = 0; slot < made.size(); ++slot) {
    auto& [id, key] = made[slot];
    id = name;
    id[name_size] = static_cast<std::uint8_t>(slot >> 8);
    id[name_size + 1] = static_cast<std::uint8_t>(slot);
    if (RAND_bytes(key.data(), static_cast<int>(key.size())) != 1)
      return failure{"no randomness for the keys of customers"};
    if (auto failed = wrap(master, made[slot], file))
      return std::move(*failed);
  }
  if (auto failed = write_whole_file(file_of(directory, name), file))
    return std::move(*failed);
  return made;
}

found_key key_in_slot(std::string_view slot, const fs::path& file, const secret_key& master,
                      const key_id& id) {
  if (is_overwritten(slot))
    return destroyed_key{};
  const auto plain = open_sealed(master, slot.substr(0, wrapped_key_size), text_of(id));
  secret_key key{};
  if (!plain || plain->size() != key.size())
    return failure{file.string() + " is damaged at slot " + std::to_string(slot_of(id))};
  std::ranges::copy(*plain, key.begin());
  return key;
}

found_key read_key_slot(const fs::path& directory, const secret_key& master, const key_id& id) {
  const auto path = file_of(directory, id);
  const auto file = open_file(path, O_RDONLY | O_NOFOLLOW);
  if (!file.is_open())
    return errno == ENOENT ? found_key{absent_key{}} : system_failure("open", path);
  if (slot_of(id) >= customer_keys::keys_a_file)
    return absent_key{};
  const auto slot = read_slot(file, id);
  if (!slot)
    return failure{path.string() + " is cut off"};
  return key_in_slot(*slot, path, master, id);
}

std::optional<failure> note_erased_keys(const fs::path& directory, std::span<const key_id> ids) {
  const auto path = directory / "ERASED";
  const auto file = open_file(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0600);
  struct stat found {};
  if (!file.is_open() || ::fstat(file.get(), &found) != 0)
    return system_failure("open", path);
  std::string lines;
  for (const auto& id : ids)
    lines += erased_line(text_of(id));
  // Over what a crash may have left of a line.
  const auto whole = found.st_size - found.st_size % static_cast<off_t>(erased_line_size);
  if (!write_at(file, lines, whole) || ::fsync(file.get()) != 0)
    return system_failure("write", path);
  return sync_directory(directory);
}

std::variant<std::size_t, failure> overwrite_keys(const fs::path& directory,
                                                  std::vector<key_id> ids) {
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  std::size_t overwritten = 0;
  for (auto first = ids.begin(); first != ids.end();) {
    const auto last =
        std::find_if(first, ids.end(), [&](const key_id& id) { return !in_same_file(*first, id); });
    const auto done = overwrite_key_slots(directory, std::span<const key_id>{first, last});
    if (const auto* failed = std::get_if<failure>(&done))
      return *failed;
    overwritten += std::get<std::size_t>(done);
    first = last;
  }
  return overwritten;
}

std::variant<std::size_t, failure> erase_keys(const fs::path& directory, std::vector<key_id> ids) {
  auto noted = read_erased_keys(directory / "ERASED");
  if (auto* failed = std::get_if<failure>(&noted))
    return std::move(*failed);
  const auto& known = std::get<std::vector<key_id>>(noted);
  std::erase_if(ids, [all = std::set<key_id>{known.begin(), known.end()}](const key_id& id) {
    return all.contains(id);
  });
  if (!ids.empty())
    if (auto failed = note_erased_keys(directory, ids))
      return std::move(*failed);
  return overwrite_keys(directory, std::move(ids));
}

std::variant<std::vector<key_id>, failure> read_erased_keys(const fs::path& path) {
  const auto file = open_file(path, O_RDONLY | O_NOFOLLOW);
  if (!file.is_open() && errno == ENOENT)
    return std::vector<key_id>{};
  struct stat found {};
  if (!file.is_open() || ::fstat(file.get(), &found) != 0)
    return system_failure("open", path);
  const auto text = read_file(file, static_cast<std::size_t>(found.st_size));
  if (!text)
    return system_failure("read", path);
  std::vector<key_id> ids;
  for (std::size_t at = 0; at + erased_line_size <= text->size(); at += erased_line_size) {
    const auto line = std::string_view{*text}.substr(at, erased_line_size);
    const auto bytes = from_hex(line.substr(0, 2 * sizeof(key_id)));
    if (!bytes || erased_line(*bytes) != line)
      return failure{path.string() + " is damaged, or no list of erased keys: line " +
                     std::to_string(ids.size() + 1) + ". Restore it from a copy"};
    std::ranges::copy(*bytes, ids.emplace_back().begin());
  }
  return ids;
}

} // namespace usher::storage
