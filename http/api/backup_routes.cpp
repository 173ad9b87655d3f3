#include "http/api/fields.hpp"
#include "http/api/routes.hpp"
#include "storage/backup/job.hpp"

#include <spdlog/spdlog.h>

#include <filesystem>
#include <utility>

namespace usher::http {

namespace {

constexpr std::size_t path_bytes_max = 4096;

std::optional<storage::backup::order> read_order(call& at) {
  return read_checked(at, [](const json& body, std::vector<fault>& faults) {
    fields from{body, faults};
    from.refuse_others({"to", "secrets", "customerKeys"});
    from.require("to");
    storage::backup::order wanted;
    wanted.to = from.text("to", path_bytes_max).value_or("");
    wanted.secrets = from.boolean("secrets").value_or(true);
    wanted.customer_keys = from.boolean("customerKeys").value_or(false);
    const auto& path = wanted.to.native();
    if (from.has("to") && (!wanted.to.is_absolute() || path.find('\0') != std::string::npos))
      from.add_fault("to", "expected an absolute path on the server's machine");
    return wanted;
  });
}

ordered_json state_json(const storage::backup_job::state& state) {
  ordered_json body{{"status", "RUNNING"}, {"to", state.to.string()}};
  if (const auto* running = std::get_if<storage::backup_job::running>(&state.what)) {
    body["step"] = to_string(running->at.step);
    body["done"] = running->at.done;
    body["total"] = running->at.total;
    return body;
  }
  const auto& came = std::get<storage::backup_job::outcome>(state.what);
  if (const auto* failed = std::get_if<storage::failure>(&came)) {
    body["status"] = "FAILED";
    body["reason"] = failed->what;
    return body;
  }
  const auto& made = std::get<storage::backup::manifest>(came);
  body["status"] = "DONE";
  body["position"] = made.head.position;
  body["chain"] = to_hex(made.head.chain);
  body["files"] = made.files.size();
  body["bytes"] = made.bytes();
  body["violations"] = made.violations;
  body["secrets"] = made.secrets;
  body["customerKeys"] = made.customer_keys;
  return body;
}

/// Null, and answered, if this server makes none.
storage::backup_job* backups_of(call& at) {
  if (at.with.backups == nullptr)
    send_problem(at, 503, "not-offered", "This server makes no backups.");
  return at.with.backups;
}

} // namespace

namespace handlers {

void start_backup(call& at) {
  const auto wanted = read_order(at);
  if (!wanted)
    return;
  auto* const backups = backups_of(at);
  if (backups == nullptr)
    return;
  if (!backups->start(*wanted))
    return send_problem(at, 409, "backup-under-way",
                        "A backup is under way; GET /v1/backup tells how far it is.");
  spdlog::info("a backup to {} was begun by {}", wanted->to.string(), who(*at.from));
  send_json(at, 202, state_json(*backups->now()), "Location: /v1/backup\r\n");
}

void get_backup(call& at) {
  const auto* const backups = backups_of(at);
  if (backups == nullptr)
    return;
  const auto state = backups->now();
  send_json(at, 200, state ? state_json(*state) : ordered_json{{"status", "NONE"}},
            "Cache-Control: no-store\r\n");
}

} // namespace handlers

} // namespace usher::http
