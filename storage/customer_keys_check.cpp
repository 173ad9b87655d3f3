#include "storage/customer_keys_check.hpp"

#include "storage/customer_key_files.hpp"
#include "storage/files.hpp"

#include <fcntl.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace usher::storage {

namespace {

namespace fs = std::filesystem;

/// In order of their names; one that is being made has another extension.
std::variant<std::vector<fs::path>, failure> key_files_in(const fs::path& directory) {
  std::vector<fs::path> files;
  std::error_code trouble;
  fs::directory_iterator each{directory, trouble};
  for (; !trouble && each != fs::directory_iterator{}; each.increment(trouble))
    if (each->path().extension() == ".keys")
      files.push_back(each->path());
  if (trouble)
    return failure{"cannot read " + directory.string() + ": " + trouble.message()};
  std::ranges::sort(files);
  return files;
}

/// The id of the first key in a file of this name.
std::optional<key_id> first_key_of(const fs::path& file) {
  const auto name = from_hex(file.stem().string());
  key_id id{};
  if (!name || name->size() + 2 != id.size())
    return std::nullopt;
  std::ranges::copy(*name, id.begin());
  return id;
}

bool begins_well(std::string_view file) {
  const auto header = file.substr(0, key_slot_size);
  return header.starts_with(key_file_begins) &&
         header.find_first_not_of('\0', key_file_begins.size()) == std::string_view::npos;
}

class checker {
public:
  checker(const fs::path& directory, const secret_key& master, std::size_t listed_max)
      : directory_{directory}, master_{master}, listed_max_{listed_max} {}

  void take(const fs::path& path) {
    ++found_.files;
    const auto first = first_key_of(path);
    if (!first)
      return damaged(path.string() + " is not named as a file of keys is");
    const auto file = open_file(path, O_RDONLY | O_NOFOLLOW);
    const auto bytes = file.is_open() ? read_file(file, key_file_size + 1) : std::nullopt;
    if (!bytes)
      return damaged(system_failure("read", path).what);
    if (bytes->size() < key_file_size)
      damaged(path.string() + " is cut off: it has " + std::to_string(bytes->size()) +
              " bytes instead of " + std::to_string(key_file_size));
    else if (bytes->size() > key_file_size)
      damaged(path.string() + " is longer than a file of keys is");
    if (!begins_well(*bytes))
      damaged(path.string() + " does not begin as a file of keys does");
    take_slots(*bytes, path, *first);
  }

  void take_list(const fs::path& path) {
    const auto erased = read_erased_keys(path);
    if (const auto* failed = std::get_if<failure>(&erased))
      damaged(failed->what);
  }

  checked_keys finish() { return std::move(found_); }

private:
  void take_slots(std::string_view file, const fs::path& path, key_id id) {
    for (std::size_t slot = 0; slot < customer_keys::keys_a_file; ++slot) {
      const auto bytes = file.substr(std::min(file.size(), key_slot_size * (1 + slot)));
      if (bytes.size() < key_slot_size)
        return;
      id[id.size() - 2] = static_cast<std::uint8_t>(slot >> 8);
      id[id.size() - 1] = static_cast<std::uint8_t>(slot);
      take_slot(bytes.substr(0, key_slot_size), path, id, slot);
    }
  }

  void take_slot(std::string_view bytes, const fs::path& path, const key_id& id, std::size_t slot) {
    auto key = key_in_slot(bytes, path, master_, id);
    // A server may have been about to overwrite it.
    if (std::holds_alternative<failure>(key))
      key = read_key_slot(directory_, master_, id);
    if (std::holds_alternative<destroyed_key>(key)) {
      ++found_.destroyed;
    } else if (const auto* failed = std::get_if<failure>(&key)) {
      damaged(failed->what);
    } else if (std::holds_alternative<absent_key>(key)) {
      damaged(path.string() + " went away while it was checked");
    } else if (bytes.find_first_not_of('\0', wrapped_key_size) != std::string_view::npos) {
      damaged(path.string() + " is damaged at slot " + std::to_string(slot) +
              ", behind the key, which still opens");
    } else {
      ++found_.sound;
    }
  }

  void damaged(std::string sentence) {
    ++found_.damaged;
    if (found_.listed.size() < listed_max_)
      found_.listed.push_back(std::move(sentence));
  }

  const fs::path& directory_;
  const secret_key& master_;
  std::size_t listed_max_;
  checked_keys found_;
};

} // namespace

bool are_there_customer_keys(const fs::path& directory) {
  const auto files = key_files_in(directory);
  const auto* found = std::get_if<std::vector<fs::path>>(&files);
  return has_customer_keys(directory) || (found != nullptr && !found->empty());
}

std::variant<checked_keys, failure>
check_customer_keys(const fs::path& directory, const secret_key& master, std::size_t listed_max) {
  if (auto failed = check_master(directory, master))
    return std::move(*failed);
  const auto files = key_files_in(directory);
  if (const auto* failed = std::get_if<failure>(&files))
    return *failed;
  checker all{directory, master, listed_max};
  all.take_list(directory / "ERASED");
  for (const auto& each : std::get<std::vector<fs::path>>(files))
    all.take(each);
  return all.finish();
}

} // namespace usher::storage
