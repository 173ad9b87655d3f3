#pragma once

#include "storage/customer_keys.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

// Trying all keys of personal data: a bit that changed in one shows at its next use only, which
// may be years later, when no good copy of the file is left.
namespace usher::storage {

struct checked_keys {
  std::size_t files = 0;
  std::uint64_t sound = 0;
  std::uint64_t destroyed = 0;
  std::uint64_t damaged = 0;       ///< all that was found
  std::vector<std::string> listed; ///< the first of it: sentences that name the file and the slot
};

/// Whether there is anything to check: `MASTER`, or a file of keys.
[[nodiscard]] bool are_there_customer_keys(const std::filesystem::path& directory);

/// Reads the list of erased keys, and opens every slot of every file of keys, also of those that
/// nobody has used yet, with `master`; changes nothing. May run beside a server. Fails if `master`
/// is not the key that they were made with, or the directory cannot be read. One file at a time is
/// in memory, and `listed_max` sentences.
[[nodiscard]] std::variant<checked_keys, failure>
check_customer_keys(const std::filesystem::path& directory, const secret_key& master,
                    std::size_t listed_max);

} // namespace usher::storage
