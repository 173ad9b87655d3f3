#pragma once

#include "storage/files.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

// HEAD: where the log ended when the last append was acknowledged, kept outside the database, so
// that a database which lost its end cannot hide that. Written after each commit and not synced: a
// power cut may leave an older one, which bounds what can be noticed.
namespace usher::storage {

/// One line of text of constant length, with a checksum.
[[nodiscard]] std::string format_head(const log_head& head);
/// Nothing if it is torn, damaged, or of another format.
[[nodiscard]] std::optional<log_head> parse_head(std::string_view line);

/// Nothing if there is no file or no sound line in it.
[[nodiscard]] std::optional<log_head> read_head_file(const std::filesystem::path& path);

/// Keeps the file open and writes it in place.
class head_writer {
public:
  [[nodiscard]] static std::variant<head_writer, failure> open(const std::filesystem::path& path);
  [[nodiscard]] std::optional<failure> write(const log_head& head);

private:
  head_writer(std::filesystem::path path, file_handle file)
      : path_{std::move(path)}, file_{std::move(file)} {}

  std::filesystem::path path_;
  file_handle file_;
};

} // namespace usher::storage
