#include "tests/system/server_process.hpp"

#include <boost/test/results_collector.hpp>
#include <boost/test/unit_test.hpp>

#include <charconv>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace usher::test {

namespace {

constexpr auto patience = 60s;

std::string read_all(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

std::vector<std::string> environment_of(const launch& what) {
  std::vector<std::string> all;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view text{*each};
    if (!what.environment.contains(std::string{text.substr(0, text.find('='))}))
      all.emplace_back(text);
  }
  for (const auto& [name, value] : what.environment)
    all.push_back(name + "=" + value);
  return all;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (auto& text : texts)
    pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// Everything is made ready before the fork: the child of a program with threads may do little.
pid_t start(const launch& what, const std::filesystem::path& out,
            const std::filesystem::path& err) {
  std::vector<std::string> arguments{USHER_PROGRAM};
  arguments.insert(arguments.end(), what.arguments.begin(), what.arguments.end());
  auto environment = environment_of(what);
  const auto argv = pointers_to(arguments);
  const auto envp = pointers_to(environment);
  const auto parent = ::getpid();
  const auto pid = ::fork();
  if (pid < 0)
    throw std::runtime_error("cannot fork");
  if (pid > 0)
    return pid;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) // it died before the line above
    ::_exit(126);
  const int to_out = ::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int to_err = ::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (::dup2(to_out, STDOUT_FILENO) < 0 || ::dup2(to_err, STDERR_FILENO) < 0)
    ::_exit(126);
  // The test's own connections do not belong to the server: it would keep them open.
  ::close_range(3, ~0U, 0);
  ::execve(argv[0], argv.data(), envp.data());
  ::_exit(127);
}

/// How the process ended, or nothing if it still runs.
std::optional<int> ended(pid_t pid) {
  int how = 0;
  const auto got = ::waitpid(pid, &how, WNOHANG);
  return got == pid ? std::optional{how} : std::nullopt;
}

std::string how_it_ended(int how) {
  if (WIFEXITED(how))
    return "exit code " + std::to_string(WEXITSTATUS(how));
  return "signal " + std::to_string(WTERMSIG(how));
}

std::optional<int> wait_for_end(pid_t pid) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (std::chrono::steady_clock::now() < deadline) {
    if (const auto how = ended(pid))
      return how;
    std::this_thread::sleep_for(2ms);
  }
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
  return std::nullopt;
}

bool the_test_case_fails() {
  namespace ut = boost::unit_test;
  if (std::uncaught_exceptions() > 0)
    return true;
  const auto& now = ut::framework::current_test_case();
  return !ut::results_collector.results(now.p_id).passed();
}

} // namespace

scratch_directory::scratch_directory() {
  auto name = (std::filesystem::temp_directory_path() / "usher-system-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    throw std::runtime_error("cannot make " + name);
  path_ = name;
}

scratch_directory::~scratch_directory() {
  if (std::getenv("USHER_KEEP_DATA") != nullptr) {
    std::cerr << "kept: " << path_ << "\n";
    return;
  }
  std::error_code trouble;
  std::filesystem::remove_all(path_, trouble);
}

void raise_file_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
  }
}

run_result run_usher(const launch& what) {
  const scratch_directory outputs;
  const auto out = outputs.path() / "out";
  const auto err = outputs.path() / "err";
  const auto how = wait_for_end(start(what, out, err));
  if (!how || !WIFEXITED(*how))
    throw std::runtime_error("usher " + (how ? "ended with " + how_it_ended(*how) : "hangs") +
                             "; it said: " + read_all(err));
  return {WEXITSTATUS(*how), read_all(out), read_all(err)};
}

launch server_process::with_operator_key() {
  return {.environment = {{"USHER_OPERATOR_KEY", operator_key}}};
}

launch server_process::demo() {
  return {.arguments = {"--demo"}};
}

server_process::server_process(std::filesystem::path data, const launch& more)
    : data_{std::move(data)} {
  launch all{{"serve", "--data", data_.string(), "--listen", "127.0.0.1:0"}, more.environment};
  all.arguments.insert(all.arguments.end(), more.arguments.begin(), more.arguments.end());
  pid_ = start(all, outputs_.path() / "out", outputs_.path() / "err");
  try {
    wait_until_it_listens();
  } catch (...) {
    reap(); // no destructor will
    throw;
  }
}

server_process::~server_process() {
  reap();
  if (the_test_case_fails())
    std::cerr << "--- stderr of the server ---\n" << err() << "---\n";
}

void server_process::reap() {
  if (pid_ <= 0)
    return;
  ::kill(pid_, SIGKILL);
  ::waitpid(std::exchange(pid_, -1), nullptr, 0);
}

std::string server_process::out() const {
  return read_all(outputs_.path() / "out");
}
std::string server_process::err() const {
  return read_all(outputs_.path() / "err");
}

void server_process::wait_until_it_listens() {
  constexpr std::string_view says = "usher listens on http://127.0.0.1:";
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (std::chrono::steady_clock::now() < deadline) {
    const auto how = ended(pid_); // before reading, so that nothing is missed
    const auto text = out();
    if (const auto at = text.find(says); at != std::string::npos && text.back() == '\n') {
      const auto* from = text.data() + at + says.size();
      std::from_chars(from, text.data() + text.size(), port_);
      return;
    }
    if (how) {
      pid_ = -1;
      throw std::runtime_error("the server did not start: " + how_it_ended(*how) +
                               "; it said: " + err());
    }
    std::this_thread::sleep_for(2ms);
  }
  throw std::runtime_error("the server does not listen; it said: " + err());
}

void server_process::kill9() {
  if (const auto how = ended(pid_)) {
    pid_ = -1;
    throw std::runtime_error("the server ended by itself: " + how_it_ended(*how) +
                             "; it said: " + err());
  }
  reap();
}

void server_process::freeze() const {
  ::kill(pid_, SIGSTOP);
}

std::string server_process::wait_until_it_ends() {
  const auto how = wait_for_end(std::exchange(pid_, -1));
  if (!how)
    throw std::runtime_error("the server does not end; it said: " + err());
  return how_it_ended(*how);
}

void server_process::ask_to_stop() const {
  ::kill(pid_, SIGTERM);
}

int server_process::term() {
  ask_to_stop();
  const auto how = wait_for_end(std::exchange(pid_, -1));
  if (!how || !WIFEXITED(*how))
    throw std::runtime_error("the server, asked to stop, " +
                             (how ? "ended with " + how_it_ended(*how) : "does not") +
                             "; it said: " + err());
  return WEXITSTATUS(*how);
}

} // namespace usher::test
