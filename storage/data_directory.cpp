#include "storage/data_directory.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

namespace usher::storage {

namespace {

std::optional<failure> make_directory(const std::filesystem::path& path) {
  if (::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST)
    return std::nullopt;
  return system_failure("make", path);
}

std::optional<failure> make_all(const std::filesystem::path& root) {
  std::error_code trouble;
  const auto parent = std::filesystem::absolute(root).parent_path();
  std::filesystem::create_directories(parent, trouble);
  if (auto fault = make_directory(root))
    return fault;
  if (auto fault = make_directory(root / "secrets"))
    return fault;
  if (auto fault = sync_directory(root))
    return fault;
  return sync_directory(parent);
}

failure in_use(const std::filesystem::path& root, const file_handle& lock) {
  auto holder = read_file(lock, 20).value_or("");
  while (!holder.empty() && holder.back() == '\n')
    holder.pop_back();
  return {"data directory " + root.string() + " is in use by another usher process (pid " +
          (holder.empty() ? "unknown" : holder) + ")"};
}

} // namespace

std::variant<data_directory, failure> data_directory::open(const std::filesystem::path& root) {
  if (auto fault = make_all(root))
    return std::move(*fault);
  const auto path = root / "LOCK";
  auto lock = open_file(path, O_RDWR | O_CREAT, 0600);
  if (!lock.is_open())
    return system_failure("open", path);
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0)
    return errno == EWOULDBLOCK ? in_use(root, lock) : system_failure("lock", path);
  // The number is a hint for the message above; the lock is what counts.
  if (::ftruncate(lock.get(), 0) != 0 || !write_at(lock, std::to_string(::getpid()) + "\n", 0))
    return system_failure("write", path);
  return data_directory{root, std::move(lock)};
}

std::variant<data_directory, failure>
data_directory::open_read_only(const std::filesystem::path& root) {
  std::error_code trouble;
  if (!std::filesystem::exists(root / "log" / "CURRENT", trouble))
    return failure{"there is no log in " + root.string()};
  return data_directory{root, file_handle{}};
}

} // namespace usher::storage
