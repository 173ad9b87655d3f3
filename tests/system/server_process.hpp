#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <sys/types.h>
#include <vector>

// Starts the program that the build made, as somebody at a shell would.
namespace usher::test {

using namespace std::chrono_literals;

/// A directory of its own, removed at the end (unless USHER_KEEP_DATA is set, to look into it).
class scratch_directory {
public:
  scratch_directory();
  ~scratch_directory();
  scratch_directory(scratch_directory&&) = delete;
  scratch_directory& operator=(scratch_directory&&) = delete;

  /// Where a server keeps its data; not made yet.
  [[nodiscard]] std::filesystem::path data() const { return path_ / "data"; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
  std::filesystem::path path_;
};

/// As many open files as the machine allows, for this process and those it starts from now on.
void raise_file_limit();

inline const std::string operator_key = "the-operator-key-of-the-system-tests";

struct launch {
  std::vector<std::string> arguments{};             ///< after the program's name
  std::map<std::string, std::string> environment{}; ///< on top of the test's own
};

struct run_result {
  int exit_code = -1;
  std::string out{};
  std::string err{};
};

/// Runs the program to its end, sixty seconds at most; then it is killed and this throws.
[[nodiscard]] run_result run_usher(const launch& what);

/// `usher serve` on a free port of 127.0.0.1. It does not outlive the test: not the object, and not
/// the thread that made it (so make servers on the main thread). What it wrote on stderr is printed
/// if the test case has failed by the time the object goes.
class server_process {
public:
  /// Starts it and waits until it listens. Throws, with its stderr, if it ends instead.
  explicit server_process(std::filesystem::path data, const launch& more = with_operator_key());
  ~server_process();
  server_process(server_process&&) = delete;
  server_process& operator=(server_process&&) = delete;

  [[nodiscard]] static launch with_operator_key();
  [[nodiscard]] static launch demo();

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] std::string out() const; ///< stdout so far
  [[nodiscard]] std::string err() const; ///< stderr so far

  /// SIGKILL. Throws if the server had ended by itself before.
  void kill9();

  /// SIGSTOP: it does nothing more until it is killed.
  void freeze() const;

  /// Waits until it has ended by itself and says how: "exit code 70", "signal 6". Throws if it does
  /// not within sixty seconds.
  std::string wait_until_it_ends();

  /// SIGTERM, and the exit code. Throws if it does not end in sixty seconds.
  int term();

  /// SIGTERM only; `term` then waits.
  void ask_to_stop() const;

private:
  void wait_until_it_listens();
  void reap();

  std::filesystem::path data_;
  scratch_directory outputs_;
  pid_t pid_ = -1;
  std::uint16_t port_ = 0;
};

} // namespace usher::test
