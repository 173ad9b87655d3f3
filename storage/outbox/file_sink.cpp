#include "storage/outbox/file_sink.hpp"

#include "actors/basics/rfc3339.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>
#include <utility>
#include <vector>

namespace usher::storage::outbox {

namespace {

/// A disk that is full, or a directory that is not there yet, is looked at again soon.
constexpr duration_ms disk_wait_ms = 5'000;

/// Where the last whole line ends, or nothing if that cannot be read.
std::optional<std::uint64_t> end_of_lines(const file_handle& file, std::uint64_t size) {
  constexpr std::uint64_t block_bytes = 64 * 1024;
  std::string block;
  for (auto end = size; end > 0;) {
    const auto begin = end > block_bytes ? end - block_bytes : 0;
    block.resize(end - begin);
    const auto got = ::pread(file.get(), block.data(), block.size(), static_cast<off_t>(begin));
    if (got != static_cast<ssize_t>(block.size()))
      return std::nullopt;
    if (const auto found = block.rfind('\n'); found != std::string::npos)
      return begin + found + 1;
    end = begin;
  }
  return 0;
}

/// A time that can stand in a file's name everywhere.
std::string mark_of(time_ms at) {
  auto text = write_rfc3339(at);
  std::ranges::replace(text, ':', '-');
  return text;
}

} // namespace

file_sink::file_sink(file_sink_options options, std::function<time_ms()> now)
    : options_{std::move(options)}, now_{std::move(now)} {}

std::optional<failure> file_sink::open() {
  if (file_.is_open())
    return std::nullopt;
  auto file = open_file(options_.path, O_RDWR | O_CREAT, 0600);
  struct stat found {};
  if (!file.is_open() || ::fstat(file.get(), &found) != 0)
    return system_failure("open", options_.path);
  const auto end = end_of_lines(file, static_cast<std::uint64_t>(found.st_size));
  if (!end)
    return system_failure("read", options_.path);
  if (::ftruncate(file.get(), static_cast<off_t>(*end)) != 0)
    return system_failure("cut", options_.path);
  const auto parent = options_.path.parent_path();
  if (auto fault = sync_directory(parent.empty() ? "." : parent))
    return fault;
  file_ = std::move(file);
  size_ = *end;
  is_dirty_ = true; // what was cut, and what another process left unsynced
  return std::nullopt;
}

void file_sink::deliver(const delivery& what, on_outcome done) {
  auto fault = open();
  if (!fault && options_.rotate_bytes != 0 && size_ >= options_.rotate_bytes)
    fault = rotate();
  if (!fault)
    fault = append(what);
  if (fault)
    return done(retry{fault->what, now_() + disk_wait_ms});
  done(delivered{});
}

std::optional<failure> file_sink::append(const delivery& what) {
  std::string lines;
  for (const auto& each : what.events)
    lines.append(each.json).push_back('\n');
  is_dirty_ = true;
  if (write_at(file_, lines, static_cast<off_t>(size_))) {
    size_ += lines.size();
    return std::nullopt;
  }
  auto fault = system_failure("write", options_.path);
  if (::ftruncate(file_.get(), static_cast<off_t>(size_)) != 0)
    file_ = file_handle{}; // the torn line is cut when it is opened again
  return fault;
}

/// After a failure nobody knows what is on the disk, and a second try would say that all is well:
/// so the failure is kept for whoever settles.
void file_sink::sync() {
  if (!is_dirty_ || !file_.is_open())
    return;
  if (::fdatasync(file_.get()) != 0) {
    lost_ = system_failure("sync", options_.path);
    file_ = file_handle{};
  }
  is_dirty_ = false;
}

std::optional<failure> file_sink::settle() {
  if (is_dirty_ && !lost_)
    if (auto fault = open()) // it was closed after a line could not be written
      return fault;
  sync();
  return std::exchange(lost_, std::nullopt);
}

std::filesystem::path file_sink::aside(const std::string& mark) const {
  auto path = options_.path;
  path.replace_filename(options_.path.stem().string() + "-" + mark +
                        options_.path.extension().string());
  return path;
}

std::optional<failure> file_sink::rotate() {
  sync();
  if (lost_)
    return lost_;
  std::error_code trouble;
  auto at = now_();
  while (std::filesystem::exists(aside(mark_of(at)), trouble))
    ++at;
  if (::rename(options_.path.c_str(), aside(mark_of(at)).c_str()) != 0)
    return system_failure("rename", options_.path);
  file_ = file_handle{};
  remove_oldest();
  return open();
}

/// The names are in the order of time. What cannot be removed stays.
void file_sink::remove_oldest() {
  if (options_.keep == 0)
    return;
  const auto begin = options_.path.stem().string() + "-";
  const auto length = aside(mark_of(0)).filename().string().size();
  const auto parent = options_.path.parent_path();
  std::vector<std::filesystem::path> all;
  std::error_code trouble;
  for (const auto& each :
       std::filesystem::directory_iterator{parent.empty() ? "." : parent, trouble}) {
    const auto name = each.path().filename().string();
    if (name.starts_with(begin) && name.size() == length &&
        each.path().extension() == options_.path.extension())
      all.push_back(each.path());
  }
  std::ranges::sort(all);
  for (std::size_t i = 0; i + options_.keep < all.size(); ++i)
    std::filesystem::remove(all[i], trouble);
}

} // namespace usher::storage::outbox
