#pragma once

#include "storage/personal_data.hpp"
#include "storage/rocksdb_log.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

// What the subcommands of `usher audit` share.
namespace usher::config {

/// What the command line gave; one for all subcommands, since only one runs.
struct audit_options {
  std::string data = "./usher-data";
  bool json = false;
  std::size_t limit = 100;
  std::string at;
  std::string show;
  std::string ticket;
  std::vector<std::string> names;
  bool personal_data = false;
  std::string master_key_file;
  std::string admit_per_second;
  std::string max_active;
  std::string max_per_tick;
  std::string admission_ttl;
};

/// A log that was opened for reading, and where it lies.
struct audited {
  const storage::data_directory& directory;
  const storage::rocksdb_log& log;
};

/// The personal data beside the log, with the master key of the environment, if it is given.
[[nodiscard]] std::variant<std::unique_ptr<storage::personal_data>, storage::failure>
read_personal(const storage::data_directory& directory);

/// The master key of `master_key_file`, or else of the environment; none: neither is given.
[[nodiscard]] std::variant<std::optional<storage::secret_key>, storage::failure>
given_master(const audit_options& given);

/// Says why on stderr and gives the exit code of what cannot be read.
int refuse_audit(const std::string& why);

/// See docs/audit.md. All give the exit code.
int audit_verify(const audited& in, const audit_options& given);
int audit_customer(const audited& in, const audit_options& given);
int audit_what_if(const audited& in, const audit_options& given);

} // namespace usher::config
