#include "storage/secrets.hpp"

#include <fcntl.h>
#include <openssl/rand.h>
#include <sys/stat.h>
#include <unistd.h>

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

std::variant<secret_key, failure> read_key(const file_handle& file,
                                           const std::filesystem::path& path) {
  if (auto fault = check_private(file, path, S_IFREG))
    return std::move(*fault);
  secret_key key{};
  const auto size = 2 * key.size() + 1;
  const auto line = read_file(file, size + 1);
  if (!line || line->size() != size || line->back() != '\n')
    return failure{path.string() + " is not a key: 64 hex digits and a newline"};
  const auto bytes = from_hex(std::string_view{*line}.substr(0, size - 1));
  if (!bytes)
    return failure{path.string() + " is not a key: 64 hex digits and a newline"};
  std::copy(bytes->begin(), bytes->end(), key.begin());
  return key;
}

std::variant<secret_key, failure> make_key(const std::filesystem::path& path) {
  secret_key key{};
  if (RAND_bytes(key.data(), static_cast<int>(key.size())) != 1)
    return failure{"no randomness for " + path.string()};
  const auto line = to_hex({reinterpret_cast<const char*>(key.data()), key.size()}) + "\n";
  const auto temporary = path.string() + ".new";
  ::unlink(temporary.c_str()); // left by a crash: nobody has used it
  const auto file = open_file(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
  if (!file.is_open() || !write_at(file, line, 0) || ::fsync(file.get()) != 0)
    return system_failure("write", temporary);
  if (::rename(temporary.c_str(), path.c_str()) != 0)
    return system_failure("make", path);
  if (auto fault = sync_directory(path.parent_path()))
    return std::move(*fault);
  return key;
}

} // namespace

std::variant<secret_store, failure> secret_store::open(const data_directory& directory) {
  const auto path = directory.secrets();
  const auto opened = open_file(path, O_RDONLY | O_DIRECTORY);
  if (!opened.is_open())
    return system_failure("open", path);
  if (auto fault = check_private(opened, path, S_IFDIR))
    return std::move(*fault);
  return secret_store{path, directory.writable()};
}

std::variant<secret_key, failure> secret_store::key(std::string_view name) const {
  const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; };
  if (name.empty() || !std::ranges::all_of(name, plain))
    return failure{"`" + std::string{name} + "` is not a name of a key"};
  const auto path = path_ / name;
  const auto file = open_file(path, O_RDONLY | O_NOFOLLOW);
  if (file.is_open())
    return read_key(file, path);
  if (errno != ENOENT || !writable_)
    return system_failure("open", path);
  return make_key(path);
}

} // namespace usher::storage
