#pragma once

#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

// A file system that knows what was synced, so that a power cut can be played: everything that was
// written and not synced is gone. It can also fail the syncs of the write-ahead log.
namespace usher::storage::test {

class power_cut_files final : public rocksdb::FileSystemWrapper {
public:
  power_cut_files() : FileSystemWrapper{rocksdb::FileSystem::Default()} {}
  const char* Name() const override { return "power_cut_files"; }

  void fail_syncs(bool on) { fail_syncs_ = on; }

  /// From here on nothing gets durable. Then close the log, then call lose_unsynced.
  void cut_power() {
    const std::lock_guard lock{guard_};
    power_ = false;
  }

  /// Cuts every file to what was synced of it. Gives the number of bytes lost; power is back.
  std::uint64_t lose_unsynced() {
    const std::lock_guard lock{guard_};
    std::uint64_t lost = 0;
    for (const auto& [path, synced] : synced_) {
      std::error_code gone;
      const auto size = std::filesystem::file_size(path, gone);
      if (gone || size <= synced)
        continue;
      lost += size - synced;
      std::filesystem::resize_file(path, synced);
    }
    synced_.clear();
    power_ = true;
    return lost;
  }

  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* result,
                                    rocksdb::IODebugContext* debug) override {
    std::unique_ptr<rocksdb::FSWritableFile> file;
    auto status = target()->NewWritableFile(path, options, &file, debug);
    if (!status.ok())
      return status;
    remember(path, 0);
    *result = std::make_unique<watched_file>(*this, path, std::move(file));
    return status;
  }

  rocksdb::IOStatus RenameFile(const std::string& from, const std::string& to,
                               const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override {
    {
      const std::lock_guard lock{guard_};
      if (auto moved = synced_.extract(from)) {
        synced_.erase(to);
        moved.key() = to;
        synced_.insert(std::move(moved));
      }
    }
    return target()->RenameFile(from, to, options, debug);
  }

private:
  class watched_file final : public rocksdb::FSWritableFileOwnerWrapper {
  public:
    watched_file(power_cut_files& files, std::string path,
                 std::unique_ptr<rocksdb::FSWritableFile>&& file)
        : FSWritableFileOwnerWrapper{std::move(file)}, files_{files}, path_{std::move(path)} {}

    rocksdb::IOStatus Sync(const rocksdb::IOOptions& options,
                           rocksdb::IODebugContext* debug) override {
      if (files_.fail_syncs_ && path_.ends_with(".log"))
        return rocksdb::IOStatus::IOError("sync refused by the test");
      auto status = target()->Sync(options, debug);
      if (status.ok())
        files_.remember(path_, target()->GetFileSize(options, debug));
      return status;
    }
    rocksdb::IOStatus Fsync(const rocksdb::IOOptions& options,
                            rocksdb::IODebugContext* debug) override {
      return Sync(options, debug);
    }

  private:
    power_cut_files& files_;
    std::string path_;
  };

  void remember(const std::string& path, std::uint64_t synced) {
    const std::lock_guard lock{guard_};
    if (power_)
      synced_[path] = synced;
    else
      synced_.try_emplace(path, 0);
  }

  std::mutex guard_;
  std::map<std::string, std::uint64_t> synced_;
  bool power_ = true;
  bool fail_syncs_ = false;
};

/// The files and the environment to open a log with.
struct power_cut_world {
  std::shared_ptr<power_cut_files> files = std::make_shared<power_cut_files>();
  std::unique_ptr<rocksdb::Env> env = rocksdb::NewCompositeEnv(files);
};

} // namespace usher::storage::test
