#include "tests/storage/power_cut.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace usher::storage::test {

namespace {

namespace fs = std::filesystem;

/// RocksDB's own diary and its lock: nothing durable hangs on them.
bool is_let_through(const std::string& path) {
  return fs::path{path}.filename().string().starts_with("LO");
}

} // namespace

class power_cut_files::watched_file final : public rocksdb::FSWritableFileOwnerWrapper {
public:
  watched_file(power_cut_files& files, std::string path,
               std::unique_ptr<rocksdb::FSWritableFile>&& file)
      : FSWritableFileOwnerWrapper{std::move(file)}, files_{files}, path_{std::move(path)} {}

  rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                           rocksdb::IODebugContext* debug) override {
    return noted(target()->Append(data, options, debug), options, debug);
  }
  rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                           const rocksdb::DataVerificationInfo& info,
                           rocksdb::IODebugContext* debug) override {
    return noted(target()->Append(data, options, info, debug), options, debug);
  }

  /// What is written is in the page cache already, where everybody sees it: nothing more to do.
  rocksdb::IOStatus Sync(const rocksdb::IOOptions& options,
                         rocksdb::IODebugContext* debug) override {
    if (files_.fail_syncs_ && path_.ends_with(".log"))
      return rocksdb::IOStatus::IOError("sync refused by the test");
    files_.synced(path_, target()->GetFileSize(options, debug));
    return rocksdb::IOStatus::OK();
  }
  rocksdb::IOStatus Fsync(const rocksdb::IOOptions& options,
                          rocksdb::IODebugContext* debug) override {
    return Sync(options, debug);
  }

private:
  rocksdb::IOStatus noted(rocksdb::IOStatus status, const rocksdb::IOOptions& options,
                          rocksdb::IODebugContext* debug) {
    if (status.ok())
      files_.written(path_, target()->GetFileSize(options, debug));
    return status;
  }

  power_cut_files& files_;
  std::string path_;
};

class power_cut_files::watched_directory final : public rocksdb::FSDirectoryWrapper {
public:
  watched_directory(power_cut_files& files, std::string path,
                    std::unique_ptr<rocksdb::FSDirectory>&& under)
      : FSDirectoryWrapper{std::move(under)}, files_{files}, path_{std::move(path)} {}

  rocksdb::IOStatus Fsync(const rocksdb::IOOptions&, rocksdb::IODebugContext*) override {
    files_.synced_directory(path_);
    return rocksdb::IOStatus::OK();
  }
  rocksdb::IOStatus FsyncWithDirOptions(const rocksdb::IOOptions& options,
                                        rocksdb::IODebugContext* debug,
                                        const rocksdb::DirFsyncOptions&) override {
    return Fsync(options, debug);
  }

private:
  power_cut_files& files_;
  std::string path_;
};

power_cut_files::power_cut_files() : FileSystemWrapper{rocksdb::FileSystem::Default()} {
  auto name = (fs::temp_directory_path() / "usher-aside-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    throw std::runtime_error{"cannot make " + name};
  aside_ = name;
}

power_cut_files::~power_cut_files() {
  std::error_code ignored;
  fs::remove_all(aside_, ignored);
}

void power_cut_files::cut_power() {
  const std::lock_guard lock{guard_};
  power_ = false;
}

void power_cut_files::cut_power_within(std::uint64_t operations) {
  const std::lock_guard lock{guard_};
  left_ = operations;
}

bool power_cut_files::has_power() const {
  const std::lock_guard lock{guard_};
  return power_;
}

bool power_cut_files::step() {
  const bool had = power_;
  if (left_ > 0 && --left_ == 0)
    power_ = false;
  return had;
}

/// A log is made as `log.new` and then moved as a whole, which RocksDB does not know of.
power_cut_files::directory& power_cut_files::at(const fs::path& path) {
  const fs::path as_made = path.string() + ".new";
  if (directories_.contains(as_made) && !fs::exists(as_made)) {
    auto moved = directories_.extract(as_made);
    moved.key() = path;
    directories_.insert(std::move(moved));
    if (!power_)
      moved_after_the_cut_ = path;
  }
  return directories_[path];
}

void power_cut_files::note(const fs::path& in, change what, bool had_power) {
  what.after_the_cut = !had_power;
  at(in).changes.push_back(std::move(what));
}

fs::path power_cut_files::put_aside(const fs::path& path) {
  if (!fs::exists(path))
    return {};
  auto kept = aside_ / std::to_string(put_aside_++);
  fs::rename(path, kept);
  return kept;
}

void power_cut_files::written(const std::string& path, std::uint64_t size) {
  const std::lock_guard lock{guard_};
  const fs::path whole{path};
  if (step())
    at(whole.parent_path()).files[whole.filename()].written = size;
}

void power_cut_files::synced(const std::string& path, std::uint64_t size) {
  const std::lock_guard lock{guard_};
  const fs::path whole{path};
  if (step() && power_)
    at(whole.parent_path()).files[whole.filename()] = {size, size};
}

void power_cut_files::synced_directory(const std::string& path) {
  const std::lock_guard lock{guard_};
  if (!step() || !power_)
    return;
  auto& changes = at(path).changes;
  for (const auto& each : changes)
    if (!each.before.empty())
      fs::remove(each.before);
  changes.clear();
}

rocksdb::IOStatus power_cut_files::NewWritableFile(const std::string& path,
                                                   const rocksdb::FileOptions& options,
                                                   std::unique_ptr<rocksdb::FSWritableFile>* result,
                                                   rocksdb::IODebugContext* debug) {
  if (is_let_through(path))
    return target()->NewWritableFile(path, options, result, debug);
  const std::lock_guard lock{guard_};
  const fs::path whole{path};
  const auto before = put_aside(whole);
  std::unique_ptr<rocksdb::FSWritableFile> under;
  auto status = target()->NewWritableFile(path, options, &under, debug);
  if (!status.ok())
    return status;
  const bool had_power = step();
  at(whole.parent_path()).files[whole.filename()] = {};
  note(whole.parent_path(), {.to = whole.filename(), .before = before}, had_power);
  *result = std::make_unique<watched_file>(*this, path, std::move(under));
  return status;
}

rocksdb::IOStatus power_cut_files::ReopenWritableFile(const std::string&,
                                                      const rocksdb::FileOptions&,
                                                      std::unique_ptr<rocksdb::FSWritableFile>*,
                                                      rocksdb::IODebugContext*) {
  return rocksdb::IOStatus::NotSupported("the test does not follow files that are opened again");
}

rocksdb::IOStatus power_cut_files::ReuseWritableFile(const std::string&, const std::string&,
                                                     const rocksdb::FileOptions&,
                                                     std::unique_ptr<rocksdb::FSWritableFile>*,
                                                     rocksdb::IODebugContext*) {
  return rocksdb::IOStatus::NotSupported("the test does not follow files that are used again");
}

rocksdb::IOStatus power_cut_files::RenameFile(const std::string& from, const std::string& to,
                                              const rocksdb::IOOptions& options,
                                              rocksdb::IODebugContext* debug) {
  if (is_let_through(from))
    return target()->RenameFile(from, to, options, debug);
  const std::lock_guard lock{guard_};
  const fs::path old_path{from};
  const fs::path new_path{to};
  const auto before = put_aside(new_path);
  auto status = target()->RenameFile(from, to, options, debug);
  if (!status.ok())
    return status;
  const bool had_power = step();
  auto& files = at(new_path.parent_path()).files;
  if (auto moved = files.extract(old_path.filename())) {
    files.erase(new_path.filename());
    moved.key() = new_path.filename();
    files.insert(std::move(moved));
  }
  note(new_path.parent_path(), {old_path.filename(), new_path.filename(), before}, had_power);
  return status;
}

rocksdb::IOStatus power_cut_files::DeleteFile(const std::string& path,
                                              const rocksdb::IOOptions& options,
                                              rocksdb::IODebugContext* debug) {
  if (is_let_through(path) || !fs::exists(path))
    return target()->DeleteFile(path, options, debug);
  const std::lock_guard lock{guard_};
  const fs::path whole{path};
  const auto before = put_aside(whole);
  const bool had_power = step();
  note(whole.parent_path(), {.from = whole.filename(), .before = before}, had_power);
  return rocksdb::IOStatus::OK();
}

rocksdb::IOStatus power_cut_files::NewDirectory(const std::string& path,
                                                const rocksdb::IOOptions& options,
                                                std::unique_ptr<rocksdb::FSDirectory>* result,
                                                rocksdb::IODebugContext* debug) {
  std::unique_ptr<rocksdb::FSDirectory> under;
  auto status = target()->NewDirectory(path, options, &under, debug);
  const auto plain = path.ends_with('/') ? path.substr(0, path.size() - 1) : path;
  if (status.ok())
    *result = std::make_unique<watched_directory>(*this, plain, std::move(under));
  return status;
}

void power_cut_files::undo(const fs::path& in, const change& what) {
  auto& files = directories_[in].files;
  if (!what.to.empty() && !what.from.empty()) {
    fs::rename(in / what.to, in / what.from);
    if (auto moved = files.extract(what.to)) {
      moved.key() = what.from;
      files.insert(std::move(moved));
    }
  } else if (!what.to.empty()) {
    fs::remove(in / what.to);
    files.erase(what.to);
  }
  if (!what.before.empty())
    fs::rename(what.before, in / (what.to.empty() ? what.from : what.to));
}

/// Gives the number of bytes lost.
std::uint64_t power_cut_files::shorten(const fs::path& path, const file& it,
                                       std::mt19937_64* dice) {
  if (!fs::exists(path))
    return 0;
  const auto below = [&](std::uint64_t n) { return dice == nullptr ? 0 : (*dice)() % n; };
  const auto kept = it.synced + below(it.written - it.synced + 1);
  fs::resize_file(path, kept);
  if (it.written > kept && below(4) == 1) // the file had grown, and its blocks were not written
    fs::resize_file(path, it.written);
  return it.written - kept;
}

std::uint64_t power_cut_files::lose_unsynced(std::mt19937_64* dice) {
  const std::lock_guard lock{guard_};
  std::uint64_t lost = 0;
  for (auto& [path, its] : directories_) {
    auto& changes = its.changes;
    const auto first_ghost = std::ranges::find(changes, true, &change::after_the_cut);
    const auto real = static_cast<std::uint64_t>(first_ghost - changes.begin());
    const auto kept = dice == nullptr ? 0 : (*dice)() % (real + 1);
    while (changes.size() > kept) {
      undo(path, changes.back());
      changes.pop_back();
    }
    for (const auto& each : changes)
      if (!each.before.empty())
        fs::remove(each.before);
    for (const auto& [name, known] : its.files)
      lost += shorten(path / name, known, dice);
  }
  if (!moved_after_the_cut_.empty())
    fs::rename(moved_after_the_cut_, moved_after_the_cut_.string() + ".new");
  moved_after_the_cut_.clear();
  directories_.clear();
  left_ = 0;
  power_ = true;
  return lost;
}

} // namespace usher::storage::test
