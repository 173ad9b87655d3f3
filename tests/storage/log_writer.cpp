// Appends to the log of a data directory and prints a line with the position after each append that
// was acknowledged. For tests that need a second process.
//
//     storage_log_writer <directory> <appends> <bytes per record>

#include "storage/rocksdb_log.hpp"

#include <cstdio>
#include <string>
#include <variant>

using namespace usher::storage;

namespace {

int refuse(const failure& fault) {
  std::printf("refused: %s\n", fault.what.c_str());
  return 1;
}

} // namespace

int main(int count, char** arguments) {
  if (count != 4)
    return 2;
  const auto directory = data_directory::open(arguments[1]);
  if (const auto* fault = std::get_if<failure>(&directory))
    return refuse(*fault);
  auto log = rocksdb_log::open(std::get<data_directory>(directory));
  if (const auto* fault = std::get_if<failure>(&log))
    return refuse(*fault);
  auto& opened = *std::get<std::unique_ptr<rocksdb_log>>(log);
  const auto appends = std::stoul(arguments[2]);
  std::string data(std::stoul(arguments[3]), 'x');
  for (unsigned long i = 0; i < appends; ++i) {
    for (auto& byte : data) // so that it does not compress
      byte = static_cast<char>(byte * 31 + 7 + static_cast<int>(i));
    const auto fault = opened.append(
        {{.at = 1, .subject = "queue/s", .type = "t", .schema = 1, .cause = {}, .data = data},
         {.at = 1, .subject = "desk/s", .type = "t", .schema = 1, .cause = {}, .data = "d"}});
    if (fault)
      return refuse(*fault);
    std::printf("%llu\n", static_cast<unsigned long long>(opened.head().position));
    std::fflush(stdout);
  }
  return 0;
}
