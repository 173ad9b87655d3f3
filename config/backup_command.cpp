#include "config/backup_command.hpp"

#include "config/admin/put_json.hpp"
#include "config/backup_report.hpp"
#include "storage/backup/make.hpp"
#include "storage/head_file.hpp"
#include "storage/rocksdb_log.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <utility>

namespace usher::config {

namespace {

namespace backup = storage::backup;
using nlohmann::json;

constexpr int problem = 1;
constexpr int cannot = 2;
constexpr std::chrono::milliseconds look_every{200};

constexpr const char* backup_help = R"(Examples:
  of a running server, which writes it to its own machine's disk (the key is an administrator's):
    USHER_OPERATOR_KEY=... usher backup --to /backups/monday --server http://127.0.0.1:8084
  of a stopped server:
    usher backup --to /backups/monday --data ./usher-data

The copy is synced and then read to its end: hashes, the log's chain, and every rule by the audit. backup.json,
written last, lists all of it; a directory without one is no backup. A backup has the server's secrets, unless
--without-secrets, so keep it as secret as the server. The keys of personal data are in it only with
--with-customer-keys, because erasing somebody later does not reach into a backup: docs/backup.md.
Exit codes: 0 done; 1 the copy is as good as the log, in which the audit finds violations; 2 cannot, or bad usage.)";

struct options {
  std::string to;
  std::string data;
  std::string server = "http://127.0.0.1:8084";
  bool without_secrets = false;
  bool with_customer_keys = false;
  bool json = false;
};

int refuse(const std::string& why) {
  std::cerr << "usher backup: " << why << "\n";
  return cannot;
}

time_ms wall_time() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

int backup_stopped(const options& given) {
  auto directory = storage::data_directory::open_read_only(given.data);
  if (const auto* failed = std::get_if<storage::failure>(&directory))
    return refuse(failed->what);
  directory = storage::data_directory::open(given.data);
  if (const auto* failed = std::get_if<storage::failure>(&directory))
    return refuse(failed->what + ". Of a running server: usher backup --to DIR --server URL");
  const auto& root = std::get<storage::data_directory>(directory);
  const auto head = storage::look_at_head_file(root.head_file()); // opening the log writes it anew
  const auto opened = storage::rocksdb_log::open(root);
  if (const auto* failed = std::get_if<storage::failure>(&opened))
    return refuse(failed->what);
  const auto& log = *std::get<std::unique_ptr<storage::rocksdb_log>>(opened);
  const auto trouble = storage::head_file_trouble(head, root.head_file(), log.head().position);
  if (!trouble.empty())
    std::cerr << "usher backup: " << trouble
              << ". It was written anew, for a log that ends at position " << log.head().position
              << "\n";
  progress_line shown{!given.json};
  const auto made =
      backup::make(log, root, {given.to, !given.without_secrets, given.with_customer_keys},
                   wall_time(), [&](const backup::progress& at) {
                     shown.at(to_string(at.step), at.done, at.total);
                     return true;
                   });
  shown.end();
  if (const auto* failed = std::get_if<storage::failure>(&made))
    return refuse(failed->what);
  const auto& what = std::get<backup::manifest>(made);
  report_backup(std::cout, given.to, what, given.json);
  return what.violations == 0 ? 0 : problem;
}

/// The server's account of its backup, or nothing (said on stderr).
json ask_server(const options& given, const char* method, const std::string& body) {
  const auto* key = std::getenv("USHER_OPERATOR_KEY");
  const auto got = send_json(method, server_address(given.server) + "/v1/backup",
                             key == nullptr ? "" : key, body);
  if (const auto* none = std::get_if<no_answer>(&got)) {
    refuse(printable("no answer from " + given.server + ": " + none->why) +
           "\nOf a stopped server: usher backup --to DIR --data DIR");
    return {};
  }
  const auto& answer = std::get<http_answer>(got);
  if (answer.status != 200 && answer.status != 202) {
    refuse(refusal_text(answer));
    return {};
  }
  auto told = json::parse(answer.body, nullptr, false);
  if (!told.is_object() || !told.contains("status"))
    refuse("the server's answer has an unusual form");
  return told.is_object() && told.contains("status") ? told : json{};
}

int backup_running(const options& given) {
  const json wanted{{"to", given.to},
                    {"secrets", !given.without_secrets},
                    {"customerKeys", given.with_customer_keys}};
  auto told =
      ask_server(given, "POST", wanted.dump(-1, ' ', false, json::error_handler_t::replace));
  progress_line shown{!given.json};
  while (told.is_object() && told["status"] == "RUNNING") {
    shown.at(told.value("step", ""), told.value("done", std::uint64_t{0}),
             told.value("total", std::uint64_t{0}));
    std::this_thread::sleep_for(look_every);
    told = ask_server(given, "GET", "");
  }
  shown.end();
  if (!told.is_object())
    return cannot;
  if (told["status"] != "DONE" || told.value("to", "") != given.to)
    return refuse(printable(told.value("reason", "the server knows of no such backup (any more)")));
  report_backup(std::cout, told, given.json);
  return told.value("violations", std::uint64_t{0}) == 0 ? 0 : problem;
}

int run(const options& given, bool named_server) {
  if (!given.data.empty() && named_server)
    return refuse("--data is for a stopped server, --server for a running one; give one");
  if (!given.data.empty())
    return backup_stopped(given);
  if (!std::filesystem::path{given.to}.is_absolute())
    return refuse("--to takes an absolute path, which the server writes to on its own machine");
  return backup_running(given);
}

} // namespace

void add_backup_commands(CLI::App& root, int& exit_code) {
  auto* const command = root.add_subcommand(
      "backup", "Copy everything durable of a running or a stopped server, and check the copy");
  command->footer(backup_help);
  const auto given = std::make_shared<options>();
  command->add_option("--to", given->to, "Where the copy goes: a directory, empty or missing")
      ->type_name("DIR")
      ->required();
  command->add_option("--data", given->data, "The data directory of a stopped server")
      ->type_name("DIR");
  auto* const server =
      command->add_option("--server", given->server, "Where a running server listens")
          ->type_name("URL")
          ->capture_default_str();
  command->add_flag("--without-secrets", given->without_secrets,
                    "Leave secrets/ out; keep a copy of it elsewhere");
  command->add_flag("--with-customer-keys", given->with_customer_keys,
                    "Copy the keys of personal data, too");
  command->add_flag("--json", given->json, "For machines: one JSON object");
  command->callback([given, server, &exit_code] { exit_code = run(*given, server->count() > 0); });
  add_restore_command(root, exit_code);
}

} // namespace usher::config
