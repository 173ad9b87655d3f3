// A bit that changes on the disk, in every file that a real server has written: each SST, the
// write-ahead log, MANIFEST, CURRENT and so on, HEAD, each key of the server, each file of customer
// keys, each snapshot; at the beginning, in the middle, at the end, and anywhere. Either it is
// found, when a server opens the data or by `usher audit verify`, which say where; or it is proven
// harmless: then the log that is read has the same bytes as before, record for record, and so has
// the one that a server leaves that started on it. A log that opens with fewer or other events is
// what must never be. The table of what became of each flip is printed. USHER_CRASH_ROUNDS makes it
// more flips.
//
// The end of the write-ahead log may hold a batch that was durable and that nobody had been told
// of. A flip in there looks like a torn write, and the batch is dropped: that is right.

#include "tests/system/box_office.hpp"
#include "tests/system/crash_crowd.hpp"
#include "tests/system/server_process.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <thread>

using namespace usher::test;

namespace {

namespace fs = std::filesystem;

/// What is done with a file of this kind.
struct kind {
  std::string name;
  bool verified = false;        ///< `usher audit verify` reads it
  bool read_by_opening = false; ///< a server may change or drop it when it opens the data
  bool never_harmless = false;  ///< but for a batch at the end that nobody was told of
  bool compared = false;        ///< what a server says that started on it is compared, too
};

std::optional<kind> kind_of(const fs::path& relative) {
  const auto name = relative.filename().string();
  const auto folder = relative.has_parent_path() ? relative.begin()->string() : std::string{};
  if (folder == "log") {
    if (name.ends_with(".sst"))
      return kind{"SST", true, false, false};
    if (name.ends_with(".log"))
      return kind{"WAL", true, true, true};
    if (name.starts_with("MANIFEST"))
      return kind{"MANIFEST", true, true, true};
    if (name == "CURRENT")
      return kind{"CURRENT", true, true, true};
    if (name == "IDENTITY" || name.starts_with("OPTIONS"))
      return kind{name.substr(0, name.find('-')), true, true, false};
    return std::nullopt; // LOG, LOCK: nothing of what is stored
  }
  if (name == "HEAD")
    return kind{"HEAD", true, true, true, true};
  if (folder == "secrets")
    return kind{"secret", false, true, true};
  if (folder == "customer-keys")
    return kind{"customer-keys", true, true, true};
  if (folder == "snapshots")
    return kind{"snapshot", false, true, false, true};
  return std::nullopt; // LOCK, BALLAST
}

/// What the program said, in one line.
struct finding {
  bool found = false;
  std::string said;
};

std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  if (text.size() > 150)
    text = "…" + text.substr(text.size() - 150);
  return text;
}

finding verify(const fs::path& data) {
  const auto got = run_usher({.arguments = {"audit", "verify", "--data", data.string()}});
  return {got.exit_code != 0, got.exit_code == 0 ? "" : one_line(got.out + got.err)};
}

/// Every record, byte for byte as JSON: a line each, in the order of the positions.
std::string exported(const fs::path& data) {
  const auto got = run_usher({.arguments = {"audit", "export", "--data", data.string()}});
  return got.exit_code == 0 ? got.out : "cannot be read: " + got.err;
}

/// Without a floor there is no ballast to copy.
launch without_ballast() {
  return crash::crash_launch(0);
}

/// A server starts on it, `then` looks at it, and it is killed; or it does not start, and says why.
finding serve(const fs::path& data, const std::function<void(std::uint16_t)>& then) {
  try {
    server_process server{data, without_ballast()};
    then(server.port());
    server.kill9();
    return {};
  } catch (const std::exception& refusal) {
    return {true, one_line(refusal.what())};
  }
}

constexpr int lives = 3;

/// Data that a server wrote in three lives: SSTs of every column family, and a write-ahead log.
class written_data {
public:
  explicit written_data(std::uint64_t seed) : crowd_{seed} {
    for (int life = 1; life <= lives; ++life) {
      server_process server{place_.data(), without_ballast()};
      if (life == 1)
        crowd_.open_shows(server.port());
      if (life == lives)
        BOOST_TEST(crash::has_snapshot(data())); // of the lives before
      crowd_.run(server.port(), life, [&] {
        BOOST_TEST(eventually([&] { return crowd_.is_busy(150); }));
        server.kill9();
      });
    }
    BOOST_REQUIRE(!verify(data()).found);
    before_ = exported(data());
    BOOST_REQUIRE(before_.size() > 10'000U);
    std::ifstream head{data() / "HEAD"};
    std::string name;
    std::string format;
    BOOST_REQUIRE((head >> name >> format >> acknowledged_) && acknowledged_ > 0);
  }

  [[nodiscard]] fs::path data() const { return place_.data(); }
  [[nodiscard]] const std::string& before() const { return before_; }
  /// Nothing that anybody was told of is missing, and nothing is another. The time after the crash
  /// may have added something.
  [[nodiscard]] bool is_kept_in(const std::string& now) const {
    return now.starts_with(acknowledged());
  }
  /// The fans know it too.
  void compare(std::uint16_t port, const std::string& where) const {
    for (const auto& each : crowd_.compare(port, lives, true))
      BOOST_ERROR(where << ": " << each);
  }
  [[nodiscard]] std::mt19937_64& dice() { return crowd_.dice(); }

  /// Relative to the data directory, in order.
  [[nodiscard]] std::vector<fs::path> files() const {
    std::vector<fs::path> all;
    for (const auto& entry : fs::recursive_directory_iterator{data()})
      if (entry.is_regular_file() && entry.file_size() > 0)
        all.push_back(fs::relative(entry.path(), data()));
    std::ranges::sort(all);
    return all;
  }

  /// A copy to do what one likes with.
  [[nodiscard]] fs::path copy() const {
    const auto to = place_.path() / "flipped";
    fs::remove_all(to);
    fs::copy(data(), to, fs::copy_options::recursive);
    return to;
  }

private:
  [[nodiscard]] std::string acknowledged() const {
    std::size_t end = 0;
    for (auto lines = acknowledged_; lines > 0; --lines)
      end = before_.find('\n', end) + 1;
    return before_.substr(0, end);
  }

  scratch_directory place_;
  crash::crowd crowd_;
  std::string before_;
  std::ptrdiff_t acknowledged_ = 0; ///< records, as HEAD has it
};

void flip(const fs::path& file, std::uintmax_t at, unsigned bit) {
  std::fstream bytes{file, std::ios::in | std::ios::out | std::ios::binary};
  bytes.seekg(static_cast<std::streamoff>(at));
  const auto byte = bytes.get();
  bytes.seekp(static_cast<std::streamoff>(at));
  bytes.put(static_cast<char>(byte ^ (1 << bit)));
}

std::set<std::uintmax_t> places_in(const fs::path& file, std::mt19937_64& dice) {
  const auto size = fs::file_size(file);
  std::set<std::uintmax_t> places{0, size / 2, size - 1};
  for (int more = crash::rounds_of_run(20) / 10; more > 0; --more)
    places.insert(dice() % size);
  return places;
}

class flips {
public:
  explicit flips(written_data& of) : of_{of} {}

  void in(const fs::path& file, const kind& what) {
    for (const auto at : places_in(of_.data() / file, of_.dice()))
      one(file, what, at, static_cast<unsigned>(of_.dice()() % 8));
  }

  void print() const {
    std::cerr << rows_.str();
    for (const auto& [name, counts] : sums_)
      std::cerr << std::setw(14) << name << ": " << counts[0] << " found by verify, " << counts[1]
                << " found at open, " << counts[2] << " proven harmless\n";
  }
  [[nodiscard]] const std::map<std::string, std::array<int, 3>>& sums() const { return sums_; }

private:
  void one(const fs::path& file, const kind& what, std::uintmax_t at, unsigned bit) {
    const auto where =
        file.string() + " byte " + std::to_string(at) + " bit " + std::to_string(bit);
    const auto data = of_.copy();
    flip(data / file, at, bit);
    finding by_verify;
    if (what.verified)
      by_verify = verify(data);
    if (!by_verify.found)
      BOOST_TEST(of_.is_kept_in(exported(data)),
                 where << ": verify takes it, and it is another log");
    const bool whole = exported(data) == of_.before();
    // What opening might drop it must not drop, whatever verify has said.
    finding at_open;
    if (what.read_by_opening || !by_verify.found) {
      at_open = serve(data, [&](std::uint16_t port) {
        if (what.compared)
          of_.compare(port, where);
      });
      if (!at_open.found)
        BOOST_TEST(of_.is_kept_in(exported(data)),
                   where << ": a server has started, and it is another log");
    }
    if (what.never_harmless && whole)
      BOOST_TEST((by_verify.found || at_open.found), where << ": nobody has noticed");
    note(where, what, by_verify, at_open);
  }

  void note(const std::string& where, const kind& what, const finding& by_verify,
            const finding& at_open) {
    auto& sum = sums_[what.name];
    ++(by_verify.found ? sum[0] : at_open.found ? sum[1] : sum[2]);
    const bool harmless = !by_verify.found && !at_open.found;
    for (const auto& said : {by_verify.said, at_open.said})
      BOOST_TEST(said.find("signal") == std::string::npos, where << ": " << said);
    rows_ << std::setw(14) << what.name << "  " << where << "  "
          << (harmless ? "harmless: all that was acknowledged is there, as it was" : "")
          << by_verify.said << (at_open.found ? "  [open] " + at_open.said : "") << "\n";
  }

  written_data& of_;
  std::ostringstream rows_;
  std::map<std::string, std::array<int, 3>> sums_;
};

} // namespace

BOOST_AUTO_TEST_CASE(a_flipped_bit_is_found_or_harmless_in_every_file) {
  written_data of{seed_of_run(20'261'161)};
  flips done{of};
  std::set<std::string> kinds;
  for (const auto& file : of.files())
    if (const auto what = kind_of(file)) {
      kinds.insert(what->name);
      done.in(file, *what);
    }
  done.print();
  for (const auto* needed :
       {"SST", "WAL", "MANIFEST", "CURRENT", "HEAD", "secret", "customer-keys", "snapshot"})
    BOOST_TEST(kinds.contains(needed), needed);
  for (const auto* needed : {"SST", "WAL", "MANIFEST", "HEAD", "customer-keys"})
    BOOST_TEST(done.sums().at(needed)[0] > 0);
}
