#pragma once

#include "storage/files.hpp"
#include "storage/outbox/sink.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>

namespace usher::storage::outbox {

struct file_sink_options {
  std::filesystem::path path;     ///< of the file that is being written
  std::uint64_t rotate_bytes = 0; ///< a file of this size is put aside; 0: never
  std::size_t keep = 0;           ///< files put aside that are kept; 0: all
};

/// A file of lines, an event each (NDJSON). `events.ndjson` is put aside as
/// `events-2026-12-31T20-00-00.000Z.ndjson`, by the time when. A last line that a crash tore is
/// cut. Nobody else may write the file. One thread.
class file_sink final : public sink {
public:
  file_sink(file_sink_options options, std::function<time_ms()> now);

  [[nodiscard]] std::size_t events_max() const override { return 1'000; }
  void deliver(const delivery& what, on_outcome done) override;
  [[nodiscard]] std::optional<failure> settle() override;

private:
  [[nodiscard]] std::optional<failure> open();
  [[nodiscard]] std::optional<failure> rotate();
  void sync();
  void remove_oldest();
  [[nodiscard]] std::filesystem::path aside(const std::string& mark) const;
  [[nodiscard]] std::optional<failure> append(const delivery& what);

  file_sink_options options_;
  std::function<time_ms()> now_;
  file_handle file_;
  std::uint64_t size_ = 0;      ///< whole lines
  bool is_dirty_ = false;       ///< not synced
  std::optional<failure> lost_; ///< a sync failed, and nobody was told yet
};

} // namespace usher::storage::outbox
