#pragma once

#include "config/audit_command.hpp"
#include "storage/rocksdb_store.hpp"
#include "tests/storage/audit_script.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

// `usher audit` as the command line has it, on a log on disk.
namespace usher::storage::test {

struct outcome {
  int exit_code = -1;
  std::string out;
  std::string err;

  [[nodiscard]] nlohmann::json json() const { return nlohmann::json::parse(out); }
};

/// Parses as main would, with both streams caught.
inline outcome usher_audit(std::vector<std::string> arguments) {
  outcome got;
  CLI::App root{"usher"};
  config::add_audit_commands(root, got.exit_code);
  std::ostringstream out;
  std::ostringstream err;
  auto* const old_out = std::cout.rdbuf(out.rdbuf());
  auto* const old_err = std::cerr.rdbuf(err.rdbuf());
  arguments.insert(arguments.begin(), "audit");
  std::reverse(arguments.begin(), arguments.end()); // as CLI11 wants them
  try {
    root.parse(arguments);
  } catch (const CLI::ParseError& refused) {
    got.err = refused.what();
  }
  std::cout.rdbuf(old_out);
  std::cerr.rdbuf(old_err);
  got.out = out.str();
  got.err += err.str();
  return got;
}

/// A data directory with this log, closed.
struct on_disk {
  explicit on_disk(const script& what) {
    const auto opened = open_at(place.data());
    write(*opened.log, what);
  }
  [[nodiscard]] std::string path() const { return place.data().string(); }

  template <class Change>
  void change(Change how) const {
    store_ptr store;
    BOOST_REQUIRE(open_store(place.data() / "log", {.mode = store_mode::write}, store).ok());
    how(*store);
    BOOST_REQUIRE(store->db->Flush({}, {store->batches, store->streams, store->meta}).ok());
  }

  scratch place;
};

} // namespace usher::storage::test
