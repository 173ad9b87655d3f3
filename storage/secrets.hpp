#pragma once

#include "storage/data_directory.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <variant>

namespace usher::storage {

using secret_key = std::array<std::uint8_t, 32>;

/// Names in use. A key that is lost cannot be made again: tickets, identities and sealed data of
/// the log depend on them.
inline constexpr std::string_view ticket_mac_key = "ticket-mac"; ///< MAC of tickets
inline constexpr std::string_view identity_key = "identity";     ///< keyed hashes of customers
inline constexpr std::string_view personal_data_key = "personal-data"; ///< seals personal data
inline constexpr std::string_view draw_key = "draw"; ///< the seeds of all draws come from it

/// Keys of the server, one file each in `secrets/` (64 hex digits and a newline, 0600). They are in
/// no event and no log.
class secret_store {
public:
  /// Fails if anybody but the owner may enter the directory. Keeps the path only: `directory` need
  /// not outlive it, but keys are made only while its lock is held.
  [[nodiscard]] static std::variant<secret_store, failure> open(const data_directory& directory);

  /// The key of this name (`a-z` and `-`). Made at random on first use, and durable before it is
  /// returned; in a directory opened for reading a missing key is a failure. A file of another
  /// size, with other content, or that others may read is a failure too, never replaced.
  [[nodiscard]] std::variant<secret_key, failure> key(std::string_view name) const;

private:
  secret_store(std::filesystem::path path, bool writable)
      : path_{std::move(path)}, writable_{writable} {}

  std::filesystem::path path_;
  bool writable_;
};

} // namespace usher::storage
