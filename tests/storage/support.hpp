#pragma once

#include "storage/rocksdb_log.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <variant>
#include <vector>

// What the tests of storage share.
namespace usher::storage::test {

/// A directory that goes away with the test.
class scratch {
public:
  scratch() {
    auto name = (std::filesystem::temp_directory_path() / "usher-test-XXXXXX").string();
    BOOST_REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;
  ~scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] std::filesystem::path data() const { return path_ / "data"; }

private:
  std::filesystem::path path_;
};

/// The value, or a failed test that says why there is none.
template <class T>
T must(std::variant<T, failure> result) {
  if (const auto* fault = std::get_if<failure>(&result))
    BOOST_FAIL(fault->what);
  return std::move(std::get<T>(result));
}

/// What it says when it fails; empty when it does not.
template <class T>
std::string refusal(const std::variant<T, failure>& result) {
  const auto* fault = std::get_if<failure>(&result);
  return fault == nullptr ? "" : fault->what;
}
inline std::string refusal(const std::optional<failure>& result) {
  return result ? result->what : "";
}

inline bool says(const std::string& sentence, const std::string& part) {
  return sentence.find(part) != std::string::npos;
}

inline record fact(const std::string& subject, const std::string& data, time_ms at = 1000) {
  return {.at = at,
          .subject = subject,
          .type = "seats_held",
          .schema = 1,
          .cause = {.request = "r-1", .who = "fan"},
          .data = data};
}

/// An open data directory and its log; closing one closes both.
struct open_log {
  std::unique_ptr<data_directory> directory;
  std::unique_ptr<rocksdb_log> log;
};

inline open_log open_at(const std::filesystem::path& root, const rocksdb_options& options = {}) {
  open_log opened;
  opened.directory = std::make_unique<data_directory>(must(data_directory::open(root)));
  opened.log = must(rocksdb_log::open(*opened.directory, options));
  return opened;
}

/// Why the log at `root` does not open for writing; empty if it does.
inline std::string open_refusal(const std::filesystem::path& root) {
  const auto directory = must(data_directory::open(root));
  return refusal(rocksdb_log::open(directory));
}

inline std::vector<stored_record> all_of(const event_log& log, position_t from = 1) {
  std::vector<stored_record> records;
  const auto fault = log.replay(from, [&](const stored_record& record) {
    records.push_back(record);
    return true;
  });
  BOOST_TEST(refusal(fault) == "");
  return records;
}

inline std::string replay_refusal(const event_log& log) {
  return refusal(log.replay(1, [](const stored_record&) { return true; }));
}

inline void must_append(event_log& log, const std::vector<record>& records) {
  const auto fault = log.append(records);
  BOOST_REQUIRE_MESSAGE(!fault, refusal(fault));
}

/// From USHER_SEED, or new; printed, so that a failure can be seen again.
inline std::mt19937_64 seeded() {
  const char* given = std::getenv("USHER_SEED");
  const std::uint64_t seed =
      given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device{}();
  BOOST_TEST_MESSAGE("USHER_SEED=" << seed);
  std::cout << "USHER_SEED=" << seed << '\n';
  return std::mt19937_64{seed};
}

} // namespace usher::storage::test
