#pragma once

#include "tests/system/crash_client.hpp"
#include "tests/system/server_process.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace usher::test::crash {

/// How many crashes a test plays: USHER_CRASH_ROUNDS from the environment, or `usual`.
[[nodiscard]] int rounds_of_run(int usual);

/// A server that makes snapshots often, so that these runs have them. On a small disk it needs
/// another floor of free space, in bytes.
[[nodiscard]] launch crash_launch(std::optional<std::uint64_t> disk_floor = std::nullopt);

/// Waits until there is a snapshot in this data directory, a minute at most. Its thread gives way
/// to everybody: do not call it under load.
[[nodiscard]] bool has_snapshot(const std::filesystem::path& data);

/// Whether the server, by its stderr, began with a snapshot.
[[nodiscard]] bool began_with_snapshot(const server_process& server);

/// Many clients that join, hold the same seats, order, pay and leave at full speed, and all that
/// they know. It outlives the servers that it talks to.
class crowd {
public:
  explicit crowd(std::uint64_t seed);

  /// Makes the two shows.
  void open_shows(std::uint16_t port) const;

  /// All clients at once against the server, while `meanwhile` runs, which has to end the server or
  /// tell the clients to stop. Complaints of clients (an answer that nothing explains) fail the
  /// test case.
  void run(std::uint16_t port, int round, const std::function<void()>& meanwhile);

  /// To be called by `meanwhile`: every client ends what it is doing, and goes.
  void stop();
  /// Until so many more steps than before the run are acknowledged: not before it matters.
  [[nodiscard]] bool is_busy(int steps) const;

  /// What is wrong with the server: see crash::compare. Everything is looked at, or what is not
  /// over and what began in the last two rounds.
  [[nodiscard]] std::vector<std::string> compare(std::uint16_t port, int round,
                                                 bool everything) const;

  [[nodiscard]] int acknowledged() const;
  [[nodiscard]] int turned_away() const; ///< calls that got 503 disk-full
  [[nodiscard]] std::map<step, int> tally() const;
  /// "5442 steps acknowledged; 445 fans paid, 80 cancelled, 645 left"
  [[nodiscard]] std::string summary() const;

  [[nodiscard]] std::mt19937_64& dice() { return dice_; }

private:
  std::mt19937_64 dice_;
  std::vector<std::unique_ptr<client>> clients_;
  int acknowledged_before_ = 0;
};

} // namespace usher::test::crash
