#pragma once

#include "storage/batch.hpp"
#include "storage/files.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// Snapshots as files: caches of what the log tells. Each stands for the log up to one position, and
// can be read only by the program that wrote it. Whatever is wrong with one, it is as good as none.
namespace usher::storage {

/// Raised when the frame around the content changes.
inline constexpr std::uint32_t snapshot_format = 1;

/// So many of the newest are kept.
inline constexpr std::size_t snapshots_kept = 2;

/// Where a snapshot was taken: its content is the fold of the log up to here.
struct snapshot_mark {
  position_t position = 0; ///< the last of a batch
  digest chain{};          ///< after that batch
  bool operator==(const snapshot_mark&) const = default;
};

/// SHA-256 over what it was given so far.
class running_digest {
public:
  running_digest();
  ~running_digest();
  running_digest(running_digest&&) noexcept;
  running_digest& operator=(running_digest&&) noexcept;
  void add(std::string_view bytes);
  [[nodiscard]] digest finish(); ///< once

private:
  struct context;
  std::unique_ptr<context> context_;
};

/// A snapshot that is being written, beside those that are there; it takes its name in finish().
/// Dropped before that, or after a failure, it leaves nothing.
class snapshot_writer {
public:
  ~snapshot_writer();
  snapshot_writer(snapshot_writer&&) noexcept = default;
  snapshot_writer& operator=(snapshot_writer&&) = delete;

  /// The next bytes of the content. After a failure, which finish() tells, it does nothing.
  void put(std::string_view bytes);

  /// Durable when it returns nothing.
  [[nodiscard]] std::optional<failure> finish();

private:
  friend class snapshot_files;
  snapshot_writer(std::filesystem::path path, std::uint64_t free_bytes_min);
  void write(std::string_view bytes);

  std::filesystem::path path_;
  std::uint64_t free_bytes_min_;
  file_handle file_;
  off_t size_ = 0;
  off_t synced_ = 0;
  running_digest sum_;
  std::optional<failure> failed_;
};

/// The content of a snapshot that was found sound.
class snapshot_reader {
public:
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  /// Fills `into` with the next bytes; false if they cannot be read.
  [[nodiscard]] bool take(char* into, std::size_t bytes);

private:
  friend class snapshot_files;
  snapshot_reader(file_handle file, std::uint64_t bytes) : file_{std::move(file)}, bytes_{bytes} {}

  file_handle file_;
  std::uint64_t bytes_;
  off_t next_ = 0;
};

/// The snapshots of one data directory, `<position, 20 digits>.snapshot`. One thread at a time;
/// anybody may delete files at any time.
class snapshot_files {
public:
  /// `program`: names whoever can read what it writes.
  snapshot_files(std::filesystem::path directory, const digest& program);

  /// Positions of those there are, the newest first, whatever is in them.
  [[nodiscard]] std::vector<position_t> positions() const;

  [[nodiscard]] std::filesystem::path path_of(position_t position) const;

  /// Reads all of it once and checks that it is whole, of this format and program, and where `log`
  /// was: the chain there has to be the log's. A failure says what is wrong.
  [[nodiscard]] std::variant<snapshot_reader, failure> open(position_t position,
                                                            const event_log& log) const;

  /// Makes the directory if it is missing. Nothing is written that would leave less than
  /// `free_bytes_min` free.
  [[nodiscard]] std::variant<snapshot_writer, failure> create(const snapshot_mark& mark,
                                                              std::uint64_t free_bytes_min) const;

  /// Deletes all but this one and those of the newest before it, and what was not finished. What
  /// stands beyond it is of no use to this log.
  void prune(position_t newest) const;

private:
  std::filesystem::path directory_;
  digest program_;
};

} // namespace usher::storage
