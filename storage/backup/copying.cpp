#include "storage/backup/copying.hpp"

#include "storage/files.hpp"

#include <fcntl.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <utility>

namespace usher::storage::backup {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t piece_bytes = std::size_t{1} << 20;

class hasher {
public:
  hasher() : context_{EVP_MD_CTX_new(), EVP_MD_CTX_free} {
    good_ = context_ && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1;
  }
  void add(std::string_view bytes) {
    good_ = good_ && EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1;
  }
  /// Empty if it could not be made.
  [[nodiscard]] std::string hex() {
    std::string sum(EVP_MAX_MD_SIZE, '\0');
    unsigned size = 0;
    good_ = good_ && EVP_DigestFinal_ex(context_.get(),
                                        reinterpret_cast<unsigned char*>(sum.data()), &size) == 1;
    return good_ ? to_hex(std::string_view{sum}.substr(0, size)) : std::string{};
  }

private:
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
  bool good_ = false;
};

/// Reads the file to its end, piece by piece.
std::variant<file_entry, failure>
read_through(const fs::path& path, counter& count,
             const std::function<std::optional<failure>(std::string_view, std::uint64_t)>& take) {
  const auto file = open_file(path, O_RDONLY | O_NOFOLLOW);
  if (!file.is_open())
    return system_failure("open", path);
  ::posix_fadvise(file.get(), 0, 0, POSIX_FADV_SEQUENTIAL);
  hasher hash;
  file_entry entry;
  std::string piece(piece_bytes, '\0');
  while (true) {
    const auto got =
        ::pread(file.get(), piece.data(), piece.size(), static_cast<off_t>(entry.size));
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return system_failure("read", path);
    if (got == 0)
      break;
    const std::string_view read{piece.data(), static_cast<std::size_t>(got)};
    if (auto failed = take(read, entry.size))
      return std::move(*failed);
    hash.add(read);
    entry.size += read.size();
    if (auto failed = count.add(read.size()))
      return std::move(*failed);
  }
  entry.sha256 = hash.hex();
  if (entry.sha256.empty())
    return failure{"cannot compute SHA-256"};
  return entry;
}

} // namespace

std::string_view to_string(step what) {
  switch (what) {
  case step::checkpoint:
    return "checkpoint";
  case step::copy:
    return "copy";
  case step::verify:
    break;
  }
  return "verify";
}

std::optional<failure> counter::add(std::uint64_t done) {
  now_.done += done;
  if (report_ && !report_(now_))
    return failure{"it was given up"};
  return std::nullopt;
}

std::variant<std::vector<std::string>, failure> files_below(const fs::path& directory) {
  std::vector<std::string> paths;
  std::error_code trouble;
  if (!fs::exists(directory, trouble))
    return paths;
  fs::recursive_directory_iterator each{directory, trouble};
  for (; !trouble && each != fs::recursive_directory_iterator{}; each.increment(trouble))
    if (each->is_regular_file() && each->path().extension() != ".new")
      paths.push_back(each->path().lexically_relative(directory).generic_string());
  if (trouble)
    return failure{"cannot read " + directory.string() + ": " + trouble.message()};
  std::ranges::sort(paths);
  return paths;
}

std::variant<file_entry, failure> copy_file(const fs::path& from, const fs::path& to,
                                            counter& count) {
  const auto file = open_file(to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
  if (!file.is_open())
    return system_failure("make", to);
  auto copied = read_through(
      from, count, [&](std::string_view piece, std::uint64_t at) -> std::optional<failure> {
        if (write_at(file, piece, static_cast<off_t>(at)))
          return std::nullopt;
        return system_failure("write", to);
      });
  if (std::holds_alternative<file_entry>(copied) && ::fsync(file.get()) != 0)
    return system_failure("sync", to);
  // What is read back to verify it should come from the disk.
  ::posix_fadvise(file.get(), 0, 0, POSIX_FADV_DONTNEED);
  return copied;
}

std::variant<file_entry, failure> hash_file(const fs::path& path, counter& count) {
  return read_through(path, count, [](std::string_view, std::uint64_t) { return std::nullopt; });
}

std::optional<failure> take_empty_directory(const fs::path& path) {
  std::error_code trouble;
  if (::mkdir(path.c_str(), 0700) == 0)
    return sync_directory(fs::absolute(path).lexically_normal().parent_path());
  if (errno != EEXIST)
    return system_failure("make", path);
  if (!fs::is_directory(path, trouble))
    return failure{path.string() + " is not a directory"};
  if (!fs::is_empty(path, trouble) || trouble)
    return failure{path.string() + " is not empty. Nothing was changed"};
  if (::chmod(path.c_str(), 0700) != 0)
    return system_failure("change", path);
  return std::nullopt;
}

std::optional<failure> sync_all_directories(const fs::path& path) {
  std::error_code trouble;
  fs::recursive_directory_iterator each{path, trouble};
  for (; !trouble && each != fs::recursive_directory_iterator{}; each.increment(trouble))
    if (each->is_directory())
      if (auto failed = sync_directory(each->path()))
        return failed;
  if (trouble)
    return failure{"cannot read " + path.string() + ": " + trouble.message()};
  return sync_directory(path);
}

void remove_contents(const fs::path& path) {
  std::error_code ignored;
  for (const auto& each : fs::directory_iterator{path, ignored})
    fs::remove_all(each.path(), ignored);
}

} // namespace usher::storage::backup
