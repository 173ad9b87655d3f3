#pragma once

#include "storage/backup/manifest.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <string_view>

// What `usher backup` and `usher restore` say.
namespace usher::config {

/// One line on stderr that changes, for a person at a terminal who waits longer than a second.
class progress_line {
public:
  explicit progress_line(bool wanted);
  ~progress_line() { end(); }
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;

  void at(std::string_view step, std::uint64_t done, std::uint64_t total);
  void end();

private:
  bool shows_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point next_;
};

void report_backup(std::ostream& out, const std::filesystem::path& to,
                   const storage::backup::manifest& what, bool as_json);
/// As a server tells it.
void report_backup(std::ostream& out, const nlohmann::json& told, bool as_json);

} // namespace usher::config
