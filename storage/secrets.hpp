#pragma once

#include "storage/data_directory.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <variant>

namespace usher::storage {

using secret_key = std::array<std::uint8_t, 32>;

/// Names in use. A key that is lost cannot be made again: tickets, identities and sealed data of
/// the log depend on them.
inline constexpr std::string_view ticket_mac_key = "ticket-mac"; ///< MAC of tickets
inline constexpr std::string_view identity_key = "identity";     ///< keyed hashes of customers
inline constexpr std::string_view personal_data_key =
    "personal-data"; ///< sealed those of older logs
inline constexpr std::string_view master_key =
    "master";                                        ///< wraps the keys of customers, unless given
inline constexpr std::string_view draw_key = "draw"; ///< the seeds of all draws come from it
inline constexpr std::string_view entry_ticket_key = "entry-ticket"; ///< signs entry tickets
/// Signed them before: made by renaming the file of the one above. Need not be there.
inline constexpr std::string_view previous_entry_ticket_key = "entry-ticket-previous";

/// A key that lies elsewhere, in a file as those below.
[[nodiscard]] std::variant<secret_key, failure> read_secret_key(const std::filesystem::path& file);

/// 64 hex digits; nothing if it is not that.
[[nodiscard]] std::optional<secret_key> secret_key_of(std::string_view hex);

/// Keys of the server, one file each in `secrets/` (0600): a line of 64 hex digits, and a line of
/// 16 that checks it, so that a key which changed on the disk is not used. Files without the second
/// line are older: they are accepted, and get it when they are read for writing. Keys are in no
/// event and no log.
class secret_store {
public:
  /// Fails if anybody but the owner may enter the directory. Keeps the path only: `directory` need
  /// not outlive it, but keys are made only while its lock is held.
  [[nodiscard]] static std::variant<secret_store, failure> open(const data_directory& directory);

  /// The key of this name (`a-z` and `-`). Made at random on first use, and durable before it is
  /// returned; in a directory opened for reading a missing key is a failure. A file of another
  /// size, with other content, that does not fit its check, or that others may read is a failure
  /// too, never replaced.
  [[nodiscard]] std::variant<secret_key, failure> key(std::string_view name) const;

  /// The same, but a key that is not there is none, and is not made.
  [[nodiscard]] std::variant<std::optional<secret_key>, failure> find(std::string_view name) const;

private:
  secret_store(std::filesystem::path path, bool writable)
      : path_{std::move(path)}, writable_{writable} {}

  std::filesystem::path path_;
  bool writable_;
};

} // namespace usher::storage
