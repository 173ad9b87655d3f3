#include "storage/disk_guard.hpp"

#include "storage/files.hpp"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>
#include <utility>

namespace usher::storage {

std::optional<disk_space> space_of(const std::filesystem::path& path) {
  struct statvfs seen {};
  if (statvfs(path.c_str(), &seen) != 0)
    return std::nullopt;
  return disk_space{std::uint64_t{seen.f_blocks} * seen.f_frsize,
                    std::uint64_t{seen.f_bavail} * seen.f_frsize};
}

std::uint64_t automatic_floor_bytes(std::uint64_t total_bytes) {
  return std::clamp(total_bytes / 20, disk_floor_bytes_least, disk_floor_bytes_most);
}

disk_guard::disk_guard(disk_guard_options with) : with_{std::move(with)} {
  look();
  if (!accepts_) {
    std::error_code ignored; // there may be none
    std::filesystem::remove(ballast(), ignored);
  }
  thread_ = std::thread{[this] { run(); }};
}

disk_guard::~disk_guard() {
  {
    const std::lock_guard lock{mutex_};
    ending_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

std::uint64_t disk_guard::ballast_bytes() const {
  return std::min(ballast_bytes_most, with_.floor_bytes / 2);
}

void disk_guard::look() {
  const auto now = with_.look(with_.directory);
  if (!now)
    return;
  free_bytes_ = now->free_bytes;
  const bool before = accepts_;
  const auto wanted = with_.floor_bytes + (before ? 0 : with_.floor_bytes / 8);
  const bool accepts = now->free_bytes >= wanted;
  accepts_ = accepts;
  if (accepts != before && with_.on_change)
    with_.on_change(accepts, *now);
  if (accepts)
    lay_in_ballast(*now);
}

void disk_guard::lay_in_ballast(const disk_space& now) {
  const auto bytes = ballast_bytes();
  std::error_code trouble;
  if (bytes == 0 || now.free_bytes < 2 * (with_.floor_bytes + bytes) ||
      std::filesystem::exists(ballast(), trouble) || trouble)
    return;
  const auto file = open_file(ballast(), O_CREAT | O_EXCL | O_WRONLY, 0600);
  if (file.is_open() && posix_fallocate(file.get(), 0, static_cast<off_t>(bytes)) != 0)
    std::filesystem::remove(ballast(), trouble);
}

void disk_guard::run() {
  std::unique_lock lock{mutex_};
  while (!wake_.wait_for(lock, with_.every, [this] { return ending_; })) {
    lock.unlock();
    look();
    lock.lock();
  }
}

} // namespace usher::storage
