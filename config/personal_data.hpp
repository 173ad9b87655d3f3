#pragma once

#include "config/settings.hpp"
#include "storage/personal_data.hpp"

#include <memory>
#include <variant>

namespace usher::config {

/// What a server seals and opens personal data with: its customer keys, under the master key that
/// the settings name, or the one in `secrets/`, which is made on first use.
[[nodiscard]] std::variant<std::unique_ptr<storage::personal_data>, storage::failure>
open_personal_data(const settings& with, const storage::data_directory& directory);

} // namespace usher::config
