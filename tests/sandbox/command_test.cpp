// `usher sandbox-gateway` as a process: its first line, its exit codes, SIGTERM.

#include "tests/sandbox/client.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <csignal>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>

namespace {

using usher::test::ask;

/// The program with stdout in a pipe; it does not outlive the test.
class program {
public:
  explicit program(std::vector<std::string> arguments) {
    std::array<int, 2> pipe{};
    if (::pipe(pipe.data()) != 0)
      throw std::runtime_error{"no pipe"};
    arguments.insert(arguments.begin(), {USHER_PROGRAM, "sandbox-gateway"});
    std::vector<char*> texts;
    for (auto& each : arguments)
      texts.push_back(each.data());
    texts.push_back(nullptr);
    id_ = ::fork();
    if (id_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      ::dup2(pipe[1], STDOUT_FILENO);
      ::close(pipe[0]);
      ::execv(texts[0], texts.data());
      ::_exit(127);
    }
    ::close(pipe[1]);
    out_ = pipe[0];
  }
  ~program() {
    if (id_ > 0) {
      ::kill(id_, SIGKILL);
      ::waitpid(id_, nullptr, 0);
    }
    ::close(out_);
  }
  program(program&&) = delete;
  program& operator=(program&&) = delete;

  std::string line() {
    std::string got;
    for (char c = 0; ::read(out_, &c, 1) == 1 && c != '\n';)
      got.push_back(c);
    return got;
  }
  void terminate() { ::kill(id_, SIGTERM); }
  int exit_code() {
    int status = 0;
    ::waitpid(id_, &status, 0);
    id_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

private:
  pid_t id_ = -1;
  int out_ = -1;
};

std::uint16_t port_of(const std::string& line) {
  return static_cast<std::uint16_t>(std::stoi(line.substr(line.rfind(':') + 1)));
}

} // namespace

BOOST_AUTO_TEST_CASE(it_says_where_it_listens_serves_and_ends_in_order) {
  program gateway{{"--listen", "127.0.0.1:0"}};
  const auto line = gateway.line();
  BOOST_TEST(line.starts_with("usher sandbox-gateway: listening on http://127.0.0.1:"));
  BOOST_TEST(ask(port_of(line), "GET", "/ledger").status == 200);
  usher::test::socket_to idle{port_of(line)};
  gateway.terminate();
  BOOST_TEST(gateway.exit_code() == 0);
}

BOOST_AUTO_TEST_CASE(a_taken_port_is_1_and_bad_usage_2) {
  program first{{"--listen", "127.0.0.1:0"}};
  const auto line = first.line();
  const auto taken = "127.0.0.1:" + std::to_string(port_of(line));
  BOOST_TEST(program({"--listen", taken}).exit_code() == 1);
  BOOST_TEST(program({"--webhooks", "https://a", "--listen", "127.0.0.1:0"}).exit_code() == 1);
  BOOST_TEST(program({"--listen", "nowhere"}).exit_code() == 2);
  BOOST_TEST(program({"--no-such-flag"}).exit_code() == 2);
}
