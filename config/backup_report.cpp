#include "config/backup_report.hpp"

#include "config/admin/put_json.hpp"
#include "storage/files.hpp"

#include <unistd.h>

#include <iostream>
#include <ostream>
#include <string>

namespace usher::config {

using nlohmann::json;

progress_line::progress_line(bool wanted)
    : shows_{wanted && isatty(2) == 1},
      next_{std::chrono::steady_clock::now() + std::chrono::seconds{1}} {}

void progress_line::at(std::string_view step, std::uint64_t done, std::uint64_t total) {
  const auto now = std::chrono::steady_clock::now();
  if (!shows_ || now < next_)
    return;
  next_ = now + std::chrono::milliseconds{200};
  shown_ = true;
  std::cerr << "\r\x1b[K" << step;
  if (total > 0)
    std::cerr << " " << done * 100 / total << " %";
  std::cerr << std::flush;
}

void progress_line::end() {
  if (shown_)
    std::cerr << "\r\x1b[K" << std::flush;
  shown_ = false;
}

void report_backup(std::ostream& out, const std::filesystem::path& to,
                   const storage::backup::manifest& what, bool as_json) {
  const std::string_view chain{reinterpret_cast<const char*>(what.head.chain.data()),
                               what.head.chain.size()};
  report_backup(out,
                json{{"status", "DONE"},
                     {"to", to.string()},
                     {"position", what.head.position},
                     {"chain", storage::to_hex(chain)},
                     {"files", what.files.size()},
                     {"bytes", what.bytes()},
                     {"violations", what.violations},
                     {"secrets", what.secrets},
                     {"customerKeys", what.customer_keys}},
                as_json);
}

void report_backup(std::ostream& out, const json& told, bool as_json) {
  if (as_json) {
    out << told.dump() << "\n";
    return;
  }
  const auto count = [&](const char* name) {
    return std::to_string(told.value(name, std::uint64_t{0}));
  };
  out << printable("backup in " + told.value("to", "") + ": " + count("position") + " events, " +
                   count("files") + " files, " + count("bytes") + " bytes")
      << "\nchecked to its head, chain " << printable(told.value("chain", "")) << "\n";
  if (told.value("violations", std::uint64_t{0}) > 0)
    out << "the audit finds " << count("violations")
        << " violations in this log: usher audit verify --data lists them\n";
  out << (told.value("secrets", false)
              ? "with the server's secrets: keep it as secret as the server\n"
              : "without secrets: a restored server needs a copy of secrets/ before it starts\n")
      << (told.value("customerKeys", false)
              ? "with the keys of personal data: keep the list ERASED up to date, docs/backup.md\n"
              : "without the keys of personal data\n");
}

} // namespace usher::config
