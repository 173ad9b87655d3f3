#include "config/personal_data.hpp"

#include "storage/customer_keys.hpp"

#include <optional>
#include <utility>

namespace usher::config {

namespace {

using storage::failure;
using made = std::variant<std::unique_ptr<storage::personal_data>, failure>;

/// The one that the settings name, if they do.
std::variant<std::optional<storage::secret_key>, failure> given_master(const settings& with) {
  if (!with.master_key.empty() && !with.master_key_file.empty())
    return failure{"masterKey and masterKeyFile are both given; give one"};
  if (!with.master_key.empty()) {
    if (auto key = storage::secret_key_of(with.master_key))
      return key;
    return failure{"masterKey: expected 64 hex digits in lower case"};
  }
  if (with.master_key_file.empty())
    return std::nullopt;
  auto read = storage::read_secret_key(with.master_key_file);
  if (auto* failed = std::get_if<failure>(&read))
    return failure{"masterKeyFile: " + failed->what};
  return std::get<storage::secret_key>(read);
}

std::variant<storage::secret_key, failure> master_of(const settings& with,
                                                     const storage::secret_store& secrets) {
  const auto given = given_master(with);
  if (const auto* failed = std::get_if<failure>(&given))
    return *failed;
  const auto& key = std::get<std::optional<storage::secret_key>>(given);
  return key ? *key : secrets.key(storage::master_key);
}

} // namespace

made open_personal_data(const settings& with, const storage::data_directory& directory) {
  const auto opened = storage::secret_store::open(directory);
  if (const auto* failed = std::get_if<failure>(&opened))
    return *failed;
  const auto& secrets = std::get<storage::secret_store>(opened);
  const auto shared = secrets.find(storage::personal_data_key);
  if (const auto* failed = std::get_if<failure>(&shared))
    return *failed;
  const auto master = master_of(with, secrets);
  if (const auto* failed = std::get_if<failure>(&master))
    return *failed;
  auto keys = storage::customer_keys::open(directory, std::get<storage::secret_key>(master));
  if (auto* failed = std::get_if<failure>(&keys))
    return std::move(*failed);
  return std::make_unique<storage::personal_data>(
      std::get<std::optional<storage::secret_key>>(shared),
      std::get<std::unique_ptr<storage::customer_keys>>(std::move(keys)));
}

} // namespace usher::config
