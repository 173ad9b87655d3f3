#pragma once

#include "storage/backup/make.hpp"
#include "storage/customer_keys.hpp"

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace usher::storage::backup {

struct restore_order {
  std::filesystem::path from;
  std::filesystem::path data; ///< empty or missing
  std::vector<std::filesystem::path>
      erased; ///< lists (`ERASED`) to play onto the keys of customers
};

/// What is wrong with a backup, a sentence each; the data directory was not touched, or is empty
/// again.
struct damaged {
  std::vector<std::string> what;
};

struct restored {
  manifest from;
  std::size_t keys_erased = 0;
};

/// Copies a backup that is as its manifest says into an empty directory, synced, and reads the copy
/// as backup::make does. Until all of it is there no server can open the directory.
[[nodiscard]] std::variant<restored, damaged, failure> restore(const restore_order& wanted,
                                                               const on_progress& report);

} // namespace usher::storage::backup
