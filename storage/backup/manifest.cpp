#include "storage/backup/manifest.hpp"

#include "storage/files.hpp"

#include <fcntl.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace usher::storage::backup {

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr std::uint64_t format = 1;
constexpr std::size_t manifest_bytes_max = std::size_t{64} << 20;
constexpr std::size_t sha256_digits = 64;

std::string_view view(const digest& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A relative path that stays below.
bool stays_below(const std::string& path) {
  const fs::path parts{path};
  return !path.empty() && parts.is_relative() && path.find('\0') == std::string::npos &&
         std::ranges::none_of(parts, [](const fs::path& each) {
           return each == ".." || each == "." || each.empty();
         });
}

bool is_note_of_rocksdb(const std::string& path) {
  return path.starts_with("log/LOG");
}

bool is_sha256(const std::string& text) {
  return text.size() == sha256_digits && from_hex(text);
}

/// Throws json::exception, or a sentence, if it does not fit.
manifest from_json(const ordered_json& body) {
  if (body.at("format").get<std::uint64_t>() != format)
    throw std::runtime_error{"it is of another format than " + std::to_string(format)};
  manifest what;
  what.made_at = body.at("madeAtMs").get<time_ms>();
  what.head.position = body.at("position").get<position_t>();
  what.head.batches = body.at("batches").get<std::uint64_t>();
  const auto chain = from_hex(body.at("chain").get<std::string>());
  if (!chain || chain->size() != what.head.chain.size())
    throw std::runtime_error{"`chain` is no SHA-256"};
  std::ranges::copy(*chain, what.head.chain.begin());
  what.violations = body.at("violations").get<std::uint64_t>();
  what.secrets = body.at("secrets").get<bool>();
  what.customer_keys = body.at("customerKeys").get<bool>();
  for (const auto& each : body.at("files")) {
    const auto path = each.at("path").get<std::string>();
    file_entry entry{each.at("size").get<std::uint64_t>(), each.at("sha256").get<std::string>()};
    if (!stays_below(path) || !is_sha256(entry.sha256))
      throw std::runtime_error{"the file `" + path + "` is not one that a backup has"};
    if (!what.files.emplace(path, std::move(entry)).second)
      throw std::runtime_error{"the file `" + path + "` is listed twice"};
  }
  return what;
}

} // namespace

std::uint64_t manifest::bytes() const {
  std::uint64_t sum = 0;
  for (const auto& [path, file] : files)
    sum += file.size;
  return sum;
}

std::string write_manifest(const manifest& what) {
  ordered_json body{{"format", format},
                    {"madeAtMs", what.made_at},
                    {"position", what.head.position},
                    {"batches", what.head.batches},
                    {"chain", to_hex(view(what.head.chain))},
                    {"violations", what.violations},
                    {"secrets", what.secrets},
                    {"customerKeys", what.customer_keys}};
  auto files = ordered_json::array();
  for (const auto& [path, file] : what.files)
    files.push_back({{"path", path}, {"size", file.size}, {"sha256", file.sha256}});
  body["files"] = std::move(files);
  return body.dump(1) + "\n";
}

std::variant<manifest, failure> read_manifest(std::string_view text) {
  try {
    return from_json(ordered_json::parse(text));
  } catch (const std::exception& trouble) {
    return failure{std::string{manifest_name} + " is damaged: " + trouble.what()};
  }
}

std::variant<manifest, failure> read_manifest_of(const fs::path& directory) {
  const auto path = directory / manifest_name;
  const auto file = open_file(path, O_RDONLY);
  if (!file.is_open())
    return errno == ENOENT || errno == ENOTDIR
               ? failure{"there is no " + path.string() +
                         ": it is no backup, or one that was not finished"}
               : system_failure("open", path);
  const auto text = read_file(file, manifest_bytes_max);
  return text ? read_manifest(*text) : system_failure("read", path);
}

std::vector<std::string> differences(const manifest& what, const fs::path& directory) {
  std::vector<std::string> found;
  std::error_code trouble;
  for (const auto& [path, file] : what.files) {
    const auto size = fs::is_regular_file(directory / path, trouble)
                          ? fs::file_size(directory / path, trouble)
                          : std::uintmax_t{0};
    if (!fs::is_regular_file(directory / path, trouble))
      found.push_back(path + " is missing");
    else if (trouble || size != file.size)
      found.push_back(path + " has " + std::to_string(size) + " bytes instead of " +
                      std::to_string(file.size));
  }
  fs::recursive_directory_iterator each{directory, trouble};
  for (; !trouble && each != fs::recursive_directory_iterator{}; each.increment(trouble)) {
    const auto path = each->path().lexically_relative(directory).generic_string();
    if (!each->is_directory() && path != manifest_name && !is_note_of_rocksdb(path) &&
        !what.files.contains(path))
      found.push_back(path + " is there and belongs to no backup");
  }
  if (trouble)
    found.push_back("cannot read " + directory.string() + ": " + trouble.message());
  std::ranges::sort(found);
  return found;
}

} // namespace usher::storage::backup
