#include "storage/secrets.hpp"

#include <fcntl.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <utility>

namespace usher::storage {

namespace {

constexpr mode_t for_others = 0077;

std::optional<failure> check_private(const file_handle& file, const std::filesystem::path& path,
                                     mode_t kind) {
  struct stat found {};
  if (::fstat(file.get(), &found) != 0)
    return system_failure("look at", path);
  if ((found.st_mode & S_IFMT) != kind)
    return failure{path.string() + " is not what it should be (a plain file or directory)"};
  if ((found.st_mode & for_others) != 0)
    return failure{path.string() + " is open to others; it must be for its owner alone"};
  return std::nullopt;
}

constexpr std::size_t key_digits = 64;
constexpr std::size_t check_digits = 16;
constexpr std::size_t key_line = key_digits + 1;
constexpr std::size_t whole_file = key_line + check_digits + 1;

std::string_view view(const secret_key& key) {
  return {reinterpret_cast<const char*>(key.data()), key.size()};
}

/// What shows that no digit of the key was changed into another. Of the key alone, so that a file
/// can be renamed.
std::string check_of(const secret_key& key) {
  constexpr std::string_view constant = "usher key check 1";
  std::string sum(EVP_MAX_MD_SIZE, '\0');
  unsigned size = 0;
  ::HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
         reinterpret_cast<const unsigned char*>(constant.data()), constant.size(),
         reinterpret_cast<unsigned char*>(sum.data()), &size);
  return to_hex(std::string_view{sum}.substr(0, check_digits / 2));
}

struct stored_key {
  secret_key key{};
  bool checked = false; ///< false: written before there were check lines
};

std::variant<stored_key, failure> read_key(const file_handle& file,
                                           const std::filesystem::path& path) {
  if (auto fault = check_private(file, path, S_IFREG))
    return std::move(*fault);
  const auto text = read_file(file, whole_file + 1).value_or("");
  const bool fits = (text.size() == key_line || text.size() == whole_file) &&
                    text[key_digits] == '\n' && text.back() == '\n';
  const auto bytes = fits ? from_hex(std::string_view{text}.substr(0, key_digits)) : std::nullopt;
  if (!bytes)
    return failure{path.string() + " is not a key: a line of 64 hex digits and one of 16 that " +
                   "checks it. Restore the file from a copy"};
  stored_key found;
  std::copy(bytes->begin(), bytes->end(), found.key.begin());
  found.checked = text.size() == whole_file;
  if (found.checked && text.substr(key_line) != check_of(found.key) + "\n")
    return failure{path.string() + " is damaged: its second line does not check its first. " +
                   "Restore the file from a copy"};
  return found;
}

/// Durable when it returns nothing, and the file that was there before or the new one at any time.
std::optional<failure> write_key(const std::filesystem::path& path, const secret_key& key) {
  return write_whole_file(path, to_hex(view(key)) + "\n" + check_of(key) + "\n");
}

std::variant<secret_key, failure> make_key(const std::filesystem::path& path) {
  secret_key key{};
  if (RAND_bytes(key.data(), static_cast<int>(key.size())) != 1)
    return failure{"no randomness for " + path.string()};
  if (auto fault = write_key(path, key))
    return std::move(*fault);
  return key;
}

} // namespace

std::optional<secret_key> secret_key_of(std::string_view hex) {
  const auto bytes = from_hex(hex);
  secret_key key{};
  if (!bytes || bytes->size() != key.size())
    return std::nullopt;
  std::ranges::copy(*bytes, key.begin());
  return key;
}

std::variant<secret_key, failure> read_secret_key(const std::filesystem::path& path) {
  const auto file = open_file(path, O_RDONLY);
  if (!file.is_open())
    return system_failure("open", path);
  auto read = read_key(file, path);
  if (auto* failed = std::get_if<failure>(&read))
    return std::move(*failed);
  return std::get<stored_key>(read).key;
}

std::variant<secret_store, failure> secret_store::open(const data_directory& directory) {
  const auto path = directory.secrets();
  const auto opened = open_file(path, O_RDONLY | O_DIRECTORY);
  if (!opened.is_open())
    return system_failure("open", path);
  if (auto fault = check_private(opened, path, S_IFDIR))
    return std::move(*fault);
  return secret_store{path, directory.writable()};
}

std::variant<std::optional<secret_key>, failure> secret_store::find(std::string_view name) const {
  const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; };
  if (name.empty() || !std::ranges::all_of(name, plain))
    return failure{"`" + std::string{name} + "` is not a name of a key"};
  const auto path = path_ / name;
  const auto file = open_file(path, O_RDONLY | O_NOFOLLOW);
  if (!file.is_open() && errno == ENOENT)
    return std::nullopt;
  if (!file.is_open())
    return system_failure("open", path);
  auto read = read_key(file, path);
  if (auto* failed = std::get_if<failure>(&read))
    return std::move(*failed);
  const auto& found = std::get<stored_key>(read);
  // A key without a check gets one. If that cannot be, the key is as good as it was before.
  if (!found.checked && writable_)
    static_cast<void>(write_key(path, found.key));
  return found.key;
}

std::variant<secret_key, failure> secret_store::key(std::string_view name) const {
  auto found = find(name);
  if (auto* failed = std::get_if<failure>(&found))
    return std::move(*failed);
  if (const auto& key = std::get<std::optional<secret_key>>(found))
    return *key;
  const auto path = path_ / name;
  if (!writable_)
    return failure{"there is no " + path.string() + ", and none is made here"};
  return make_key(path);
}

} // namespace usher::storage
