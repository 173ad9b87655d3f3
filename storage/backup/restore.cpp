#include "storage/backup/restore.hpp"

#include "storage/customer_key_files.hpp"
#include "storage/files.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace usher::storage::backup {

namespace {

namespace fs = std::filesystem;

/// The log goes under another name until it is whole. HEAD is there before, and knows of records,
/// so a server that finds it without a log refuses to begin a new one.
constexpr std::string_view log_while_copied = "log.restore";

std::string place_of(const std::string& path) {
  constexpr std::string_view of_log = "log/";
  return path.starts_with(of_log) ? std::string{log_while_copied} + path.substr(of_log.size() - 1)
                                  : path;
}

using outcome = std::variant<restored, damaged, failure>;

std::optional<outcome> copy_all(const manifest& what, const restore_order& wanted,
                                const on_progress& report) {
  counter count{report, step::copy, what.bytes()};
  damaged found;
  std::error_code trouble;
  for (const auto& [path, file] : what.files) {
    const auto to = wanted.data / place_of(path);
    fs::create_directories(to.parent_path(), trouble);
    fs::permissions(to.parent_path(), fs::perms::owner_all, trouble);
    const auto copied = copy_file(wanted.from / path, to, count);
    if (const auto* failed = std::get_if<failure>(&copied))
      return *failed;
    if (std::get<file_entry>(copied) != file)
      found.what.push_back(path + " is not what was written to it: its SHA-256 differs");
  }
  return found.what.empty() ? std::nullopt : std::optional<outcome>{std::move(found)};
}

std::variant<std::vector<key_id>, failure> read_lists(const std::vector<fs::path>& files) {
  std::vector<key_id> all;
  for (const auto& each : files) {
    const auto ids = read_erased_keys(each);
    if (const auto* failed = std::get_if<failure>(&ids))
      return *failed;
    const auto& listed = std::get<std::vector<key_id>>(ids);
    all.insert(all.end(), listed.begin(), listed.end());
  }
  return all;
}

/// Who was erased since the copy was made is erased in it, too.
std::variant<std::size_t, failure> erase_listed(const restore_order& wanted) {
  const auto keys = wanted.data / "customer-keys";
  if (!has_customer_keys(keys))
    return std::size_t{0};
  const auto listed = read_lists(wanted.erased);
  const auto* ids = std::get_if<std::vector<key_id>>(&listed);
  return ids == nullptr ? std::get<failure>(listed) : erase_keys(keys, *ids);
}

outcome fill(const manifest& what, const restore_order& wanted, const on_progress& report) {
  if (auto failed = copy_all(what, wanted, report))
    return std::move(*failed);
  auto erased = erase_listed(wanted);
  if (auto* failed = std::get_if<failure>(&erased))
    return std::move(*failed);
  if (auto failed = sync_all_directories(wanted.data))
    return std::move(*failed);
  if (std::rename((wanted.data / log_while_copied).c_str(), (wanted.data / "log").c_str()) != 0)
    return system_failure("make", wanted.data / "log");
  if (auto failed = sync_directory(wanted.data))
    return std::move(*failed);
  const auto checked = verify(wanted.data, report);
  if (const auto* failed = std::get_if<failure>(&checked))
    return *failed;
  if (std::get<verified>(checked).head != what.head)
    return damaged{{"the log ends elsewhere than backup.json says"}};
  return restored{what, std::get<std::size_t>(erased)};
}

} // namespace

std::variant<restored, damaged, failure> restore(const restore_order& wanted,
                                                 const on_progress& report) {
  auto read = read_manifest_of(wanted.from);
  if (auto* failed = std::get_if<failure>(&read))
    return damaged{{std::move(failed->what)}};
  const auto& what = std::get<manifest>(read);
  if (auto found = differences(what, wanted.from); !found.empty())
    return damaged{std::move(found)};
  std::error_code trouble;
  for (const auto& each : wanted.erased)
    if (!fs::is_regular_file(each, trouble))
      return failure{"there is no list of erased keys at " + each.string()};
  if (auto failed = take_empty_directory(wanted.data))
    return std::move(*failed);
  auto came = fill(what, wanted, report);
  if (!std::holds_alternative<restored>(came))
    remove_contents(wanted.data);
  return came;
}

} // namespace usher::storage::backup
