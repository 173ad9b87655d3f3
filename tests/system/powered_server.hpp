#pragma once

#include "actors/payments/sandbox.hpp"
#include "actors/runtime/node.hpp"
#include "actors/runtime/snapshotter.hpp"
#include "http/api/app.hpp"
#include "http/api/router.hpp"
#include "http/server/server.hpp"
#include "storage/personal_data.hpp"
#include "storage/rocksdb_log.hpp"
#include "tests/storage/power_cut.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

// A whole server in this process, as the program wires it, over a log on a disk whose power can go.
namespace usher::test {

/// What a power cut may leave of HEAD, which is synced when the log is opened and then written in
/// place: any line that stood there since. It is not written through RocksDB's file system, so
/// the disk is played here.
class head_history {
public:
  explicit head_history(std::filesystem::path path) : path_{std::move(path)} {}

  void begin();    ///< what stands there now is durable
  void remember(); ///< as it is now
  /// Puts one of them back.
  void restore(std::mt19937_64& dice);

private:
  [[nodiscard]] std::string read() const;

  std::filesystem::path path_;
  std::mutex guard_;
  std::vector<std::string> lines_;
};

/// The log on that disk. Once the power is gone nothing is acknowledged any more, whatever the disk
/// seems to have done.
class powered_log final : public storage::event_log {
public:
  powered_log(storage::event_log& under, storage::test::power_cut_files& files, head_history& heads)
      : under_{under}, files_{files}, heads_{heads} {}

  [[nodiscard]] std::optional<storage::failure>
  append(const std::vector<storage::record>& records) override;
  [[nodiscard]] std::optional<storage::failure>
  replay(storage::position_t from,
         const std::function<bool(const storage::stored_record&)>& visit) const override {
    return under_.replay(from, visit);
  }
  [[nodiscard]] storage::log_head head() const override { return under_.head(); }
  [[nodiscard]] std::variant<std::optional<storage::digest>, storage::failure>
  chain_at(storage::position_t position) const override {
    return under_.chain_at(position);
  }
  [[nodiscard]] std::variant<std::vector<storage::stored_record>, storage::failure>
  records_about(std::string_view subject, std::uint32_t slot, std::size_t limit) const override {
    return under_.records_about(subject, slot, limit);
  }

private:
  storage::event_log& under_;
  storage::test::power_cut_files& files_;
  head_history& heads_;
};

/// Throws a sentence if the data cannot be opened. Its destructor is what a power cut is to its
/// clients: nobody is answered any more.
class powered_server {
public:
  powered_server(const std::filesystem::path& data, storage::test::power_cut_world& disk,
                 head_history& heads, bool sync);

  [[nodiscard]] std::uint16_t port() const { return server_.port(); }
  /// Where the snapshot was taken that it began with; 0: it replayed the whole log.
  [[nodiscard]] storage::position_t began_with_snapshot() const { return newest_snapshot_; }

private:
  struct opened {
    storage::data_directory directory;
    std::unique_ptr<storage::rocksdb_log> log;
    std::unique_ptr<storage::customer_keys> customer_keys;
    storage::secret_key ticket_mac, identity, draw, entry_ticket;
  };
  static opened open(const std::filesystem::path& data, rocksdb::Env* env, bool sync);
  [[nodiscard]] runtime::recovered recover();

  struct quiet : caf::actor_system_config {
    quiet() {
      set("scheduler.max-threads", std::size_t{4});
      set("logger.file-verbosity", caf::atom("quiet"));
      set("logger.console-verbosity", caf::atom("quiet"));
    }
  };

  opened parts_;
  storage::personal_data personal_data_;
  powered_log log_;
  storage::snapshot_files snapshots_;
  storage::position_t newest_snapshot_ = 0;
  runtime::recovered world_;
  process_clock clock_;
  payments::sandbox gateway_;
  quiet config_;
  caf::actor_system system_{config_};
  runtime::node node_;
  runtime::snapshotter snapshotter_;
  http::app app_;
  http::api api_{app_};
  http::server server_;
};

} // namespace usher::test
