#pragma once

#include "storage/event_log.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

// How far a sink is: durable, and never ahead of what was delivered.
namespace usher::storage::outbox {

/// Of a show, all events up to its cursor are delivered. Its cursor is its own, if it has one, else
/// `position`: whoever keeps pace has none, so this stays small however many shows there are.
struct cursors {
  position_t position = 0;
  digest chain{}; ///< of the log, up to `chain_position`: tells whether it is the same log
  position_t chain_position = 0;                        ///< 0: none is known
  std::map<std::string, position_t, std::less<>> own{}; ///< behind `position`, or ahead of it
  std::string stopped{}; ///< why nothing is sent until an operator says so; empty: it is

  [[nodiscard]] position_t of(std::string_view show) const;
  /// Up to here everything is delivered, of every show.
  [[nodiscard]] position_t least() const;
  /// The furthest of all.
  [[nodiscard]] position_t most() const;

  bool operator==(const cursors&) const = default;
};

/// The bytes of a cursor file: a line with the checksum of the rest, then JSON.
[[nodiscard]] std::string write_cursors(const cursors& what);
/// Nothing if they are torn, damaged, or of another format.
[[nodiscard]] std::optional<cursors> read_cursors(std::string_view bytes);

/// `<directory>/<sink>.cursors`. One writer.
class cursor_file {
public:
  cursor_file(const std::filesystem::path& directory, const std::string& sink);

  /// None if there is no such file: a new sink. A damaged one is a failure, not a beginning.
  [[nodiscard]] std::variant<std::optional<cursors>, failure> load() const;

  /// Durable on return, the new ones or, after a crash or a failure, the ones before.
  [[nodiscard]] std::optional<failure> save(const cursors& what) const;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
  std::filesystem::path path_;
};

/// A larger file is none of ours.
inline constexpr std::size_t cursor_file_bytes_max = std::size_t{64} * 1024 * 1024;

} // namespace usher::storage::outbox
