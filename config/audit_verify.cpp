#include "config/audit_options.hpp"
#include "config/audit_progress.hpp"
#include "storage/audit/auditor.hpp"
#include "storage/audit/report.hpp"
#include "storage/head_file.hpp"
#include "storage/secrets.hpp"

#include <filesystem>
#include <iostream>
#include <optional>
#include <variant>

namespace usher::config {

namespace {

namespace audit = storage::audit;
using storage::failure;
using storage::secret_key;

/// The one in `secrets/`; none: a copy without it, or a server that is given its master key.
std::variant<std::optional<secret_key>, failure> own_master(const storage::data_directory& in) {
  std::error_code trouble;
  if (!std::filesystem::exists(in.secrets() / storage::master_key, trouble))
    return std::nullopt;
  const auto secrets = storage::secret_store::open(in);
  if (const auto* failed = std::get_if<failure>(&secrets))
    return *failed;
  return std::get<storage::secret_store>(secrets).find(storage::master_key);
}

/// `master`: what was given, if anything.
void check_keys(const audited& in, std::optional<secret_key> master, std::size_t limit,
                audit::verdict& into) {
  const auto keys = in.directory.customer_keys();
  if (!storage::are_there_customer_keys(keys))
    return;
  if (!master) {
    const auto own = own_master(in.directory);
    if (const auto* failed = std::get_if<failure>(&own))
      return into.damage.push_back(failed->what);
    master = std::get<std::optional<secret_key>>(own);
  }
  if (!master) {
    into.keys_not_checked = "their master key is not here. Give it with --master-key-file FILE, "
                            "or USHER_MASTER_KEY";
    return;
  }
  auto checked = storage::check_customer_keys(keys, *master, limit);
  if (const auto* failed = std::get_if<failure>(&checked))
    return into.damage.push_back(failed->what);
  into.keys = std::get<storage::checked_keys>(std::move(checked));
}

} // namespace

int audit_verify(const audited& in, const audit_options& given) {
  const auto master = given_master(given);
  if (const auto* wrong = std::get_if<failure>(&master))
    return refuse_audit(wrong->what);
  audit::auditor auditor{given.limit};
  progress shown{in.log.head().position, !given.json};
  shown.now("checking the files");
  audit::verdict verdict{in.log.head(), 0, in.log.verify_files()};
  const auto head = in.directory.head_file();
  if (auto trouble = storage::head_file_trouble(storage::look_at_head_file(head), head,
                                                in.log.head().position);
      !trouble.empty())
    verdict.damage.push_back(std::move(trouble));
  shown.now("checking the keys of personal data");
  check_keys(in, std::get<std::optional<secret_key>>(master), given.limit, verdict);
  if (!verdict.broken) {
    verdict.broken = in.log.replay(1, [&](const storage::stored_record& next) {
      auditor.take(next);
      ++verdict.read;
      shown.reached(next.position);
      return true;
    });
    if (!verdict.broken)
      auditor.finish(); // a batch that was cut off would be judged unjustly
  }
  shown.end();
  verdict.money = audit::money_of(auditor.seen());
  audit::write_verdict(std::cout, verdict, auditor.found(), given.json);
  return verdict.exit_code(auditor.found());
}

} // namespace usher::config
