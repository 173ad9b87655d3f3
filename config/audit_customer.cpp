#include "config/audit_options.hpp"
#include "config/audit_progress.hpp"
#include "storage/audit/customer_identity.hpp"
#include "storage/audit/story.hpp"
#include "storage/personal_data.hpp"
#include "storage/secrets.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace usher::config {

namespace {

namespace audit = storage::audit;

constexpr std::size_t identity_digits = 32;

/// A key of the data directory, or a sentence that says what is missing.
std::variant<storage::secret_key, std::string> find_key(const storage::data_directory& directory,
                                                        std::string_view name,
                                                        const std::string& what_for) {
  const auto lacks = directory.secrets().string() + "/" + std::string{name};
  if (!std::filesystem::exists(directory.secrets()))
    return lacks + " is not there: a copy without secrets. " + what_for;
  const auto secrets = storage::secret_store::open(directory);
  if (const auto* fault = std::get_if<storage::failure>(&secrets))
    return fault->what;
  const auto key = std::get<storage::secret_store>(secrets).find(name);
  if (const auto* fault = std::get_if<storage::failure>(&key))
    return fault->what;
  if (const auto& found = std::get<std::optional<storage::secret_key>>(key))
    return *found;
  return lacks + " is not there. " + what_for;
}

/// As the events have it: 32 hex digits.
std::optional<identity> read_identity(const std::string& text) {
  const auto bytes = text.size() == identity_digits ? storage::from_hex(text) : std::nullopt;
  identity who;
  if (!bytes)
    return std::nullopt;
  std::copy(bytes->begin(), bytes->end(), who.bytes.begin());
  return who.is_none() ? std::nullopt : std::optional{who};
}

std::variant<audit::identity_in, std::string> who_is(const storage::data_directory& directory,
                                                     const std::string& name) {
  if (const auto known = read_identity(name))
    return audit::identity_in{[who = *known](const show_id&) { return who; }};
  auto key = find_key(directory, storage::identity_key,
                      "Customers are keyed hashes in the events; without that key give the 32 hex "
                      "digits that stand in them.");
  if (auto* lacks = std::get_if<std::string>(&key))
    return std::move(*lacks);
  return audit::identity_in{[key = std::get<storage::secret_key>(key), name](const show_id& show) {
    return audit::customer_identity(key, show, name);
  }};
}

/// Opens what was sealed by this server, bound to the order, or only says whether it was erased;
/// `data` outlives it.
audit::personal_text text_of(const storage::personal_data& data, bool in_clear) {
  return
      [&data, in_clear](const show_id&, const orders::event::order_placed& order) -> std::string {
        const std::string_view bound{reinterpret_cast<const char*>(order.order.bytes.data()),
                                     order.order.bytes.size()};
        const auto tried = data.open(order.customer, bound);
        if (!in_clear)
          return std::holds_alternative<storage::erased_data>(tried) ? "erased" : "sealed";
        if (const auto* opened = std::get_if<storage::opened_data>(&tried))
          return opened->plain;
        return std::holds_alternative<storage::erased_data>(tried) ? "erased" : "cannot be opened";
      };
}

} // namespace

std::variant<std::optional<storage::secret_key>, storage::failure>
given_master(const audit_options& given) {
  if (!given.master_key_file.empty()) {
    auto read = storage::read_secret_key(given.master_key_file);
    if (auto* failed = std::get_if<storage::failure>(&read))
      return storage::failure{"--master-key-file: " + failed->what};
    return std::get<storage::secret_key>(read);
  }
  const auto* hex = std::getenv("USHER_MASTER_KEY");
  const auto key = hex == nullptr ? std::nullopt : storage::secret_key_of(hex);
  if (hex != nullptr && *hex != '\0' && !key)
    return storage::failure{"USHER_MASTER_KEY: expected 64 hex digits in lower case"};
  return key;
}

std::variant<std::unique_ptr<storage::personal_data>, storage::failure>
read_personal(const storage::data_directory& directory) {
  const auto master = given_master({});
  if (const auto* failed = std::get_if<storage::failure>(&master))
    return *failed;
  return storage::read_personal_data(directory,
                                     std::get<std::optional<storage::secret_key>>(master));
}

int audit_customer(const audited& in, const audit_options& given) {
  const auto who = who_is(in.directory, given.names[0]);
  if (const auto* lacks = std::get_if<std::string>(&who))
    return refuse_audit(*lacks);
  audit::personal_text open;
  const auto data = read_personal(in.directory);
  if (const auto* found = std::get_if<std::unique_ptr<storage::personal_data>>(&data))
    open = text_of(**found, given.personal_data);
  else if (given.personal_data)
    return refuse_audit(std::get<storage::failure>(data).what);
  progress shown{in.log.head().position, !given.json, 2};
  const auto told =
      audit::tell_customer(in.log, given.show.empty() ? std::nullopt : std::optional{given.show},
                           std::get<audit::identity_in>(who), open,
                           [&](storage::position_t done) { shown.reached(done); });
  shown.end();
  if (const auto* fault = std::get_if<storage::failure>(&told))
    return refuse_audit(fault->what);
  audit::write_customer(std::cout, std::get<std::vector<audit::customer_in_show>>(told),
                        given.json);
  return 0;
}

} // namespace usher::config
