#include "storage/files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace usher::storage {

file_handle::~file_handle() {
  if (descriptor_ >= 0)
    ::close(descriptor_);
}

file_handle::file_handle(file_handle&& other) noexcept
    : descriptor_{std::exchange(other.descriptor_, -1)} {}

file_handle& file_handle::operator=(file_handle&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

file_handle open_file(const std::filesystem::path& path, int flags, mode_t mode) {
  return file_handle{::open(path.c_str(), flags | O_CLOEXEC, mode)};
}

failure system_failure(std::string_view verb, const std::filesystem::path& path) {
  const auto why = std::generic_category().message(errno);
  return {"cannot " + std::string{verb} + " " + path.string() + ": " + why};
}

std::optional<std::string> read_file(const file_handle& file, std::size_t limit) {
  std::string bytes(limit, '\0');
  std::size_t done = 0;
  while (done < limit) {
    const auto got =
        ::pread(file.get(), bytes.data() + done, limit - done, static_cast<off_t>(done));
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return std::nullopt;
    if (got == 0)
      break;
    done += static_cast<std::size_t>(got);
  }
  bytes.resize(done);
  return bytes;
}

bool write_at(const file_handle& file, std::string_view bytes, off_t offset) {
  while (!bytes.empty()) {
    const auto put = ::pwrite(file.get(), bytes.data(), bytes.size(), offset);
    if (put < 0 && errno == EINTR)
      continue;
    if (put <= 0)
      return false;
    bytes.remove_prefix(static_cast<std::size_t>(put));
    offset += put;
  }
  return true;
}

std::optional<failure> write_whole_file(const std::filesystem::path& path, std::string_view bytes) {
  const auto temporary = path.string() + ".new";
  ::unlink(temporary.c_str()); // left by a crash: nobody has used it
  const auto file = open_file(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
  if (!file.is_open() || !write_at(file, bytes, 0) || ::fsync(file.get()) != 0)
    return system_failure("write", temporary);
  if (::rename(temporary.c_str(), path.c_str()) != 0)
    return system_failure("make", path);
  return sync_directory(path.parent_path());
}

std::optional<failure> sync_directory(const std::filesystem::path& path) {
  const auto directory = open_file(path, O_RDONLY | O_DIRECTORY);
  if (!directory.is_open() || ::fsync(directory.get()) != 0)
    return system_failure("sync", path);
  return std::nullopt;
}

std::string to_hex(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string hex;
  hex.reserve(bytes.size() * 2);
  for (const auto byte : bytes) {
    hex.push_back(digits[static_cast<std::uint8_t>(byte) >> 4]);
    hex.push_back(digits[static_cast<std::uint8_t>(byte) & 15]);
  }
  return hex;
}

std::optional<std::string> from_hex(std::string_view hex) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  };
  if (hex.size() % 2 != 0)
    return std::nullopt;
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    const int high = digit(hex[i]);
    const int low = digit(hex[i + 1]);
    if (high < 0 || low < 0)
      return std::nullopt;
    bytes.push_back(static_cast<char>(high << 4 | low));
  }
  return bytes;
}

} // namespace usher::storage
