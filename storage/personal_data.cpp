#include "storage/personal_data.hpp"

#include "actors/basics/overloaded.hpp"
#include "storage/customer_key_files.hpp"
#include "storage/sealing.hpp"

#include <algorithm>
#include <utility>

namespace usher::storage {

namespace {

constexpr char shared_version = 1;
constexpr char own_version = 2;
constexpr std::size_t own_header_size = 1 + sizeof(key_id);

std::string header_of(const key_id& id) {
  std::string header{own_version};
  header.append(reinterpret_cast<const char*>(id.data()), id.size());
  return header;
}

opening with_shared(const secret_key& key, std::string_view sealed, std::string_view associated) {
  auto plain = unseal(key, sealed, associated);
  if (!plain)
    return unreadable_data{"it is damaged, or was sealed by another server"};
  return opened_data{std::move(*plain)};
}

} // namespace

opener opener_with(const secret_key& shared) {
  return [shared](std::string_view sealed, std::string_view associated) {
    return with_shared(shared, sealed, associated);
  };
}

std::optional<key_id> key_of_sealed(std::string_view sealed) {
  if (sealed.size() < own_header_size || sealed.front() != own_version)
    return std::nullopt;
  key_id id{};
  std::copy_n(sealed.begin() + 1, id.size(), id.begin());
  return id;
}

std::variant<std::string, no_key_ready, failure> personal_data::seal(std::string_view plain,
                                                                     std::string_view associated) {
  const auto fresh = keys_->take();
  if (!fresh)
    return no_key_ready{keys_->trouble()};
  auto sealed = seal_behind(header_of(fresh->id), fresh->key, plain, associated);
  if (auto* failed = std::get_if<failure>(&sealed))
    return std::move(*failed);
  return std::get<std::string>(std::move(sealed));
}

opening personal_data::open(std::string_view sealed, std::string_view associated) const {
  if (sealed.starts_with(shared_version))
    return shared_ ? with_shared(*shared_, sealed, associated)
                   : opening{unreadable_data{"the key personal-data is not here"}};
  const auto id = key_of_sealed(sealed);
  if (!id)
    return unreadable_data{"it is damaged, or was sealed by a newer usher"};
  return std::visit(
      overloaded{[&](const secret_key& key) -> opening {
                   auto plain = open_sealed(key, sealed.substr(own_header_size), associated);
                   if (!plain)
                     return unreadable_data{"it is damaged"};
                   return opened_data{std::move(*plain)};
                 },
                 [](destroyed_key) -> opening { return erased_data{}; },
                 [](absent_key) -> opening { return unreadable_data{"its key is not here"}; },
                 [](const failure& failed) -> opening { return unreadable_data{failed.what}; }},
      keys_->find(*id));
}

namespace {

/// None, too, if there is no directory of secrets: a copy without.
std::variant<std::optional<secret_key>, failure> look_for(const data_directory& directory,
                                                          std::string_view name) {
  std::error_code trouble;
  if (!std::filesystem::exists(directory.secrets(), trouble))
    return std::nullopt;
  const auto secrets = secret_store::open(directory);
  if (const auto* failed = std::get_if<failure>(&secrets))
    return *failed;
  return std::get<secret_store>(secrets).find(name);
}

} // namespace

std::variant<std::unique_ptr<personal_data>, failure>
read_personal_data(const data_directory& directory, std::optional<secret_key> master) {
  const auto shared = look_for(directory, personal_data_key);
  if (const auto* failed = std::get_if<failure>(&shared))
    return *failed;
  if (!master) {
    const auto own = look_for(directory, master_key);
    if (const auto* failed = std::get_if<failure>(&own))
      return *failed;
    master = std::get<std::optional<secret_key>>(own);
  }
  if (!master && has_customer_keys(directory.customer_keys()))
    return failure{"there is no " + (directory.secrets() / master_key).string() +
                   ": give the master key of the server (USHER_MASTER_KEY)"};
  auto keys = customer_keys::open_read_only(directory, master.value_or(secret_key{}));
  if (auto* failed = std::get_if<failure>(&keys))
    return std::move(*failed);
  return std::make_unique<personal_data>(std::get<std::optional<secret_key>>(shared),
                                         std::get<std::unique_ptr<customer_keys>>(std::move(keys)));
}

} // namespace usher::storage
