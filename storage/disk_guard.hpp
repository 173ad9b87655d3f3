#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

// A disk that fills up is noticed before it is full: RocksDB ends the process inside a write that
// finds no space. Below a floor of free space new writes are refused at the edge; what is under way
// still fits.
namespace usher::storage {

struct disk_space {
  std::uint64_t total_bytes = 0;
  std::uint64_t free_bytes = 0; ///< for processes without privileges
};

/// Of the file system that holds `path`; nothing if it cannot be asked.
[[nodiscard]] std::optional<disk_space> space_of(const std::filesystem::path& path);

/// The floor where none is chosen: a twentieth of the file system, within these bounds.
inline constexpr std::uint64_t disk_floor_bytes_least = std::uint64_t{64} << 20;
inline constexpr std::uint64_t disk_floor_bytes_most = std::uint64_t{1} << 30;
[[nodiscard]] std::uint64_t automatic_floor_bytes(std::uint64_t total_bytes);

/// Space set aside in the file `BALLAST`, so that a server can open its log on a disk that somebody
/// else has filled: opening writes.
inline constexpr std::uint64_t ballast_bytes_most = std::uint64_t{64} << 20;

struct disk_guard_options {
  std::filesystem::path directory;
  std::uint64_t floor_bytes = 0; ///< 0: nothing is ever refused, and there is no ballast
  std::chrono::milliseconds every{250};
  /// Called from the guard's thread, or from the constructor, when it begins or ceases to refuse.
  std::function<void(bool accepts, const disk_space& now)> on_change{};
  /// Asked instead of the file system, by tests.
  std::function<std::optional<disk_space>(const std::filesystem::path&)> look = space_of;
};

/// Looks at the free space from a thread of its own. Accepts writes from the beginning unless there
/// is too little; after a refusal it accepts again when the floor and an eighth of it are free. If
/// the file system cannot be asked, what was last known stands. Gives up the ballast when it begins
/// to refuse before anything was written (in the constructor), and lays it in again when there is
/// room for it. Its readers may be on any thread.
class disk_guard {
public:
  explicit disk_guard(disk_guard_options with);
  ~disk_guard(); ///< ends the thread
  disk_guard(const disk_guard&) = delete;
  disk_guard& operator=(const disk_guard&) = delete;

  [[nodiscard]] bool accepts_writes() const { return accepts_; }
  /// The same, for whoever is to look at it for as long as the guard lives.
  [[nodiscard]] const std::atomic<bool>& flag() const { return accepts_; }
  [[nodiscard]] std::uint64_t free_bytes() const { return free_bytes_; }
  [[nodiscard]] std::uint64_t floor_bytes() const { return with_.floor_bytes; }

private:
  [[nodiscard]] std::filesystem::path ballast() const { return with_.directory / "BALLAST"; }
  [[nodiscard]] std::uint64_t ballast_bytes() const;
  void look();
  void lay_in_ballast(const disk_space& now);
  void run();

  disk_guard_options with_;
  std::atomic<bool> accepts_{true};
  std::atomic<std::uint64_t> free_bytes_{0};
  std::mutex mutex_;
  std::condition_variable wake_;
  bool ending_ = false; ///< under mutex_
  std::thread thread_;
};

} // namespace usher::storage
