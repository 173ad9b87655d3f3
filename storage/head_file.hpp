#pragma once

#include "storage/files.hpp"

#include <cstdint>
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

enum class head_file_state : std::uint8_t {
  sound,
  missing, ///< or empty: nothing was ever written to it
  damaged, ///< or cannot be read
};
/// May be asked beside a server that writes: a line that is being written is none that is damaged.
[[nodiscard]] head_file_state look_at_head_file(const std::filesystem::path& path);

/// What to tell an operator of a HEAD in this state, beside a log that ends at `end`; empty:
/// nothing is wrong. It is made before the first record and goes with each copy of the log, so it
/// may be missing only while the log is empty.
[[nodiscard]] std::string head_file_trouble(head_file_state found,
                                            const std::filesystem::path& path, position_t end);

/// Keeps the file open and writes it in place.
class head_writer {
public:
  [[nodiscard]] static std::variant<head_writer, failure> open(const std::filesystem::path& path);
  [[nodiscard]] std::optional<failure> write(const log_head& head);
  /// Makes the file and its name durable, with the line that is in it. Once is enough: a power cut
  /// then leaves a HEAD, perhaps an older one, and a log whose tail is torn can be opened.
  [[nodiscard]] std::optional<failure> sync() const;

private:
  head_writer(std::filesystem::path path, file_handle file)
      : path_{std::move(path)}, file_{std::move(file)} {}

  std::filesystem::path path_;
  file_handle file_;
};

} // namespace usher::storage
