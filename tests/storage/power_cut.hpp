#pragma once

#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <vector>

// A file system that knows what was synced, so that a power cut can be played: bytes that were
// written and not synced are gone, and so are files that were made, renamed or deleted without a
// sync of their directory. It can also fail the syncs of the write-ahead log. For files that are
// written from the beginning to the end, as RocksDB's are; its LOG and LOCK are let through.
namespace usher::storage::test {

class power_cut_files final : public rocksdb::FileSystemWrapper {
public:
  power_cut_files();
  ~power_cut_files() override;
  const char* Name() const override { return "power_cut_files"; }

  void fail_syncs(bool on) { fail_syncs_ = on; }

  /// From here on nothing gets durable, though everything seems to work, so that who writes comes
  /// to an end by itself. Then close the log, then call lose_unsynced.
  void cut_power();

  /// Cuts it within the n-th operation from now (a write, a sync, a change of a directory), which
  /// may be done or not; 0: not at all.
  void cut_power_within(std::uint64_t operations);

  [[nodiscard]] bool has_power() const;

  /// Undoes what was not durable. Without dice all of it; with dice any part, as a disk may: of
  /// each file any number of the bytes that were not synced, torn anywhere, now and then with zeros
  /// after them; of each directory the first so many changes. Gives the number of bytes lost; power
  /// is back.
  std::uint64_t lose_unsynced(std::mt19937_64* dice = nullptr);

  // For RocksDB.
  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* result,
                                    rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus ReopenWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                       std::unique_ptr<rocksdb::FSWritableFile>* result,
                                       rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus ReuseWritableFile(const std::string& path, const std::string& old_path,
                                      const rocksdb::FileOptions& options,
                                      std::unique_ptr<rocksdb::FSWritableFile>* result,
                                      rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus RenameFile(const std::string& from, const std::string& to,
                               const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus DeleteFile(const std::string& path, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus NewDirectory(const std::string& path, const rocksdb::IOOptions& options,
                                 std::unique_ptr<rocksdb::FSDirectory>* result,
                                 rocksdb::IODebugContext* debug) override;

private:
  class watched_file;
  class watched_directory;

  struct file {
    std::uint64_t written = 0; ///< when the power went
    std::uint64_t synced = 0;
  };
  /// One that is not durable yet: a file was made, moved or deleted.
  struct change {
    std::string from{};             ///< empty: it was made
    std::string to{};               ///< empty: it was deleted
    std::filesystem::path before{}; ///< what stood in its place, kept; none: nothing did
    bool after_the_cut = false;
  };
  struct directory {
    std::map<std::string, file> files; ///< by name
    std::vector<change> changes;
  };

  /// False: the power is gone. Cuts it when its time has come.
  bool step();
  directory& at(const std::filesystem::path& path);
  void note(const std::filesystem::path& in, change what, bool had_power);
  std::filesystem::path put_aside(const std::filesystem::path& path);
  void written(const std::string& path, std::uint64_t size);
  void synced(const std::string& path, std::uint64_t size);
  void synced_directory(const std::string& path);
  void undo(const std::filesystem::path& in, const change& what);
  static std::uint64_t shorten(const std::filesystem::path& path, const file& it,
                               std::mt19937_64* dice);

  mutable std::mutex guard_;
  std::filesystem::path aside_; ///< deleted files that may come back
  std::uint64_t put_aside_ = 0;
  std::map<std::filesystem::path, directory> directories_;
  std::filesystem::path moved_after_the_cut_; ///< a directory that was made and got its name
  std::uint64_t left_ = 0;                    ///< operations until the cut; 0: none is planned
  bool power_ = true;
  bool fail_syncs_ = false;
};

/// The files and the environment to open a log with.
struct power_cut_world {
  std::shared_ptr<power_cut_files> files = std::make_shared<power_cut_files>();
  std::unique_ptr<rocksdb::Env> env = rocksdb::NewCompositeEnv(files);
};

} // namespace usher::storage::test
