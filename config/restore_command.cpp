#include "config/backup_command.hpp"
#include "config/backup_report.hpp"
#include "storage/backup/restore.hpp"
#include "storage/files.hpp"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace usher::config {

namespace {

namespace backup = storage::backup;
using nlohmann::json;

constexpr int problem = 1;
constexpr int cannot = 2;

constexpr const char* restore_help = R"(Example:
  usher restore --from /backups/monday --data ./usher-data && usher serve --data ./usher-data

The data directory has to be missing or empty. The backup is compared with its backup.json, copied, synced, and the
copy is read to its end, as at the backup. Do not start a restored server while the old one runs: both would sell.
With keys of personal data in the backup, give the ERASED list of the server that was lost, or the copy that was kept of
it, with --erased: whoever was erased since the backup is erased again. docs/backup.md.
Exit codes: 0 restored; 1 the backup is not complete, or damaged (each fault is named, nothing is left in the data
directory), or the audit finds violations in it; 2 cannot, or bad usage.)";

struct options {
  backup::restore_order wanted;
  std::vector<std::string> erased;
  std::string from;
  std::string data;
  bool json = false;
};

int refuse(const std::string& why) {
  std::cerr << "usher restore: " << why << "\n";
  return cannot;
}

int report(const backup::damaged& found, bool as_json) {
  if (as_json)
    std::cout << json{{"status", "DAMAGED"}, {"faults", found.what}}.dump() << "\n";
  for (const auto& each : found.what)
    std::cerr << "usher restore: " << each << "\n";
  return problem;
}

int report(const backup::restored& done, const options& given) {
  if (given.json) {
    std::cout << json{{"status", "RESTORED"},
                      {"data", given.data},
                      {"position", done.from.head.position},
                      {"violations", done.from.violations},
                      {"secrets", done.from.secrets},
                      {"customerKeys", done.from.customer_keys},
                      {"keysErased", done.keys_erased}}
                     .dump()
              << "\n";
  } else {
    std::cout << "restored to " << given.data << ": " << done.from.head.position
              << " events, checked to the head\n";
    if (done.keys_erased > 0)
      std::cout << done.keys_erased << " keys of customers were erased again\n";
    if (!done.from.secrets)
      std::cout << "without secrets: put a copy of secrets/ there before the server starts, or "
                   "tickets and customers are not known again\n";
    if (!done.from.customer_keys)
      std::cout
          << "without the keys of personal data: e-mail addresses of earlier orders cannot be "
             "read, unless you put a copy of customer-keys/ there\n";
  }
  return done.from.violations == 0 ? 0 : problem;
}

int run(options& given) {
  given.wanted.from = given.from;
  given.wanted.data = given.data;
  given.wanted.erased.assign(given.erased.begin(), given.erased.end());
  progress_line shown{!given.json};
  const auto came = backup::restore(given.wanted, [&](const backup::progress& at) {
    shown.at(to_string(at.step), at.done, at.total);
    return true;
  });
  shown.end();
  if (const auto* failed = std::get_if<storage::failure>(&came))
    return refuse(failed->what);
  if (const auto* found = std::get_if<backup::damaged>(&came))
    return report(*found, given.json);
  return report(std::get<backup::restored>(came), given);
}

} // namespace

void add_restore_command(CLI::App& root, int& exit_code) {
  auto* const command =
      root.add_subcommand("restore", "Make a data directory of a backup, and check it");
  command->footer(restore_help);
  const auto given = std::make_shared<options>();
  command->add_option("--from", given->from, "The backup")->type_name("DIR")->required();
  command->add_option("--data", given->data, "The data directory: empty or missing")
      ->type_name("DIR")
      ->required();
  command
      ->add_option("--erased", given->erased,
                   "A list of keys that were erased since (customer-keys/ERASED); may be repeated")
      ->type_name("FILE");
  command->add_flag("--json", given->json, "For machines: one JSON object");
  command->callback([given, &exit_code] { exit_code = run(*given); });
}

} // namespace usher::config
