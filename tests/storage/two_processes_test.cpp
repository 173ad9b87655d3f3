// Two processes and one data directory: a second writer is refused, an audit reads beside a writer,
// and a writer killed with SIGKILL at any moment has lost nothing that it acknowledged. The other
// process is storage_log_writer.

#include "tests/storage/support.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

using namespace usher;
using namespace usher::storage;
using namespace usher::storage::test;

namespace {

/// storage_log_writer as a child; its lines can be read.
class writer {
public:
  writer(const std::filesystem::path& data, const std::string& appends, const std::string& bytes) {
    int ends[2];
    BOOST_REQUIRE(::pipe(ends) == 0);
    child_ = ::fork();
    BOOST_REQUIRE(child_ >= 0);
    if (child_ == 0) {
      ::dup2(ends[1], STDOUT_FILENO);
      ::close(ends[0]);
      ::close(ends[1]);
      ::execl(USHER_LOG_WRITER, USHER_LOG_WRITER, data.c_str(), appends.c_str(), bytes.c_str(),
              nullptr);
      ::_exit(3);
    }
    ::close(ends[1]);
    lines_ = ::fdopen(ends[0], "r");
  }
  writer(const writer&) = delete;
  writer& operator=(const writer&) = delete;
  ~writer() {
    if (lines_ != nullptr)
      std::fclose(lines_);
    if (child_ > 0) {
      ::kill(child_, SIGKILL);
      ::waitpid(child_, nullptr, 0);
    }
  }

  /// Without the newline; empty at the end.
  std::string line() {
    char text[1024];
    if (std::fgets(text, sizeof text, lines_) == nullptr)
      return "";
    std::string read{text};
    if (read.ends_with('\n'))
      read.pop_back();
    return read;
  }

  /// The last position it acknowledged before it was gone.
  position_t kill_and_drain(position_t last) {
    ::kill(child_, SIGKILL);
    for (auto more = line(); !more.empty(); more = line())
      last = std::stoull(more);
    ::waitpid(child_, nullptr, 0);
    child_ = 0;
    return last;
  }

  int exit_code() {
    int status = 0;
    ::waitpid(child_, &status, 0);
    child_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  [[nodiscard]] pid_t pid() const { return child_; }

private:
  pid_t child_ = 0;
  std::FILE* lines_ = nullptr;
};

} // namespace

BOOST_AUTO_TEST_CASE(another_process_cannot_open_the_directory_while_we_write) {
  const scratch place;
  const auto ours = open_at(place.data());
  writer other{place.data(), "1", "1"};
  const auto said = other.line();
  BOOST_TEST(says(said, "is in use by another usher process (pid " + std::to_string(::getpid())),
             said);
  BOOST_TEST(other.exit_code() == 1);
}

BOOST_AUTO_TEST_CASE(we_cannot_open_the_directory_while_another_process_writes) {
  const scratch place;
  writer other{place.data(), "1000000", "1"};
  BOOST_REQUIRE(other.line() == "2");
  const auto said = refusal(data_directory::open(place.data()));
  BOOST_TEST(says(said, "(pid " + std::to_string(other.pid()) + ")"), said);
}

BOOST_AUTO_TEST_CASE(a_writer_that_was_killed_has_lost_nothing_it_acknowledged) {
  auto random = seeded();
  const scratch place;
  position_t known = 0;
  for (int round = 0; round < 8; ++round) {
    writer victim{place.data(), "1000000", "500"};
    auto acknowledged = known;
    for (auto more = 1 + random() % 40; more > 0; --more)
      acknowledged = std::stoull(victim.line());
    acknowledged = victim.kill_and_drain(acknowledged);
    const auto ours = open_at(place.data());
    const auto found = all_of(*ours.log).size();
    // One append more may have become durable before its line was printed.
    BOOST_TEST((found == acknowledged || found == acknowledged + 2),
               found << " found, " << acknowledged << " acknowledged");
    known = found;
  }
}

// Enough bytes that the writer flushes its memory and deletes write-ahead logs meanwhile.
BOOST_AUTO_TEST_CASE(an_audit_reads_a_sound_log_beside_a_process_that_writes) {
  const scratch place;
  writer busy{place.data(), "1200", "65536"};
  BOOST_REQUIRE(busy.line() == "2");
  position_t acknowledged = 2;
  int readings = 0;
  while (acknowledged < 2400) {
    const auto directory = must(data_directory::open_read_only(place.data()));
    const auto audit = must(rocksdb_log::open_read_only(directory));
    BOOST_REQUIRE(audit->head().position >= acknowledged);
    BOOST_REQUIRE(all_of(*audit).size() == audit->head().position);
    ++readings;
    const auto seen = audit->head().position;
    while (acknowledged < seen + 40 && acknowledged < 2400)
      acknowledged = std::stoull(busy.line());
  }
  BOOST_TEST(busy.exit_code() == 0);
  BOOST_TEST(readings > 2);
  BOOST_TEST(all_of(*open_at(place.data()).log).size() == 2400U);
}
