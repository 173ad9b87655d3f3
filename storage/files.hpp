#pragma once

#include "storage/event_log.hpp"

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

// The little of POSIX that storage needs, with failures as values.
namespace usher::storage {

/// Owns a file descriptor; -1: none.
class file_handle {
public:
  explicit file_handle(int descriptor = -1) : descriptor_{descriptor} {}
  ~file_handle();
  file_handle(file_handle&& other) noexcept;
  file_handle& operator=(file_handle&& other) noexcept;

  [[nodiscard]] int get() const { return descriptor_; }
  [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }

private:
  int descriptor_;
};

/// Opens with O_CLOEXEC added; errno tells why when it is not open.
[[nodiscard]] file_handle open_file(const std::filesystem::path& path, int flags, mode_t mode = 0);

/// "cannot <verb> <path>: <what errno says>"
[[nodiscard]] failure system_failure(std::string_view verb, const std::filesystem::path& path);

/// Up to `limit` bytes from the beginning; nothing if it cannot be read.
[[nodiscard]] std::optional<std::string> read_file(const file_handle& file, std::size_t limit);

/// Writes all of it at `offset`.
[[nodiscard]] bool write_at(const file_handle& file, std::string_view bytes, off_t offset);

/// Makes a file (0600) of these bytes that is there as a whole or not at all, also after a crash:
/// it is written beside (`<path>.new`) and renamed. One that is there is replaced.
[[nodiscard]] std::optional<failure> write_whole_file(const std::filesystem::path& path,
                                                      std::string_view bytes);

/// Makes names in a directory durable (creations, renames).
[[nodiscard]] std::optional<failure> sync_directory(const std::filesystem::path& path);

[[nodiscard]] std::string to_hex(std::string_view bytes);
/// Lower case only; nothing if it is not hex.
[[nodiscard]] std::optional<std::string> from_hex(std::string_view hex);

} // namespace usher::storage
