#include "storage/outbox/cursors.hpp"

#include "storage/batch.hpp"
#include "storage/files.hpp"

#include <nlohmann/json.hpp>

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace usher::storage::outbox {

namespace {

using nlohmann::json;

constexpr std::string_view name_and_format = "usher-cursors 1 ";

std::string_view view(const digest& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string check_of(std::string_view text) {
  return to_hex(view(chain_hasher{}.next(digest{}, text)).substr(0, 8));
}

std::optional<cursors> of_json(const json& from) {
  cursors made;
  made.position = from.at("position").get<position_t>();
  made.chain_position = from.at("chainPosition").get<position_t>();
  made.stopped = from.at("stopped").get<std::string>();
  made.own = from.at("shows").get<decltype(made.own)>();
  const auto chain = from_hex(from.at("chain").get<std::string>());
  if (!chain || chain->size() != made.chain.size())
    return std::nullopt;
  std::copy(chain->begin(), chain->end(), made.chain.begin());
  return made;
}

} // namespace

position_t cursors::of(std::string_view show) const {
  const auto found = own.find(show);
  return found == own.end() ? position : found->second;
}

position_t cursors::least() const {
  auto least = position;
  for (const auto& [show, its] : own)
    least = std::min(least, its);
  return least;
}

position_t cursors::most() const {
  auto most = std::max(position, chain_position);
  for (const auto& [show, its] : own)
    most = std::max(most, its);
  return most;
}

std::string write_cursors(const cursors& what) {
  const json body{{"position", what.position},
                  {"chain", to_hex(view(what.chain))},
                  {"chainPosition", what.chain_position},
                  {"shows", what.own},
                  {"stopped", what.stopped}};
  const auto text = body.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
  return std::string{name_and_format} + check_of(text) + "\n" + text;
}

std::optional<cursors> read_cursors(std::string_view bytes) {
  const auto end = bytes.find('\n');
  if (end == std::string_view::npos)
    return std::nullopt;
  const auto text = bytes.substr(end + 1);
  if (bytes.substr(0, end) != std::string{name_and_format} + check_of(text))
    return std::nullopt;
  const auto body = json::parse(text, nullptr, false);
  try {
    return of_json(body);
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

cursor_file::cursor_file(const std::filesystem::path& directory, const std::string& sink)
    : path_{directory / (sink + ".cursors")} {}

std::variant<std::optional<cursors>, failure> cursor_file::load() const {
  const auto file = open_file(path_, O_RDONLY);
  if (!file.is_open()) {
    if (errno == ENOENT)
      return std::nullopt;
    return system_failure("open", path_);
  }
  std::error_code unknown;
  const auto size = std::filesystem::file_size(path_, unknown);
  if (unknown || size > cursor_file_bytes_max)
    return failure{path_.string() + " is no cursor file"};
  const auto bytes = read_file(file, size);
  if (!bytes)
    return system_failure("read", path_);
  auto found = read_cursors(*bytes);
  if (!found)
    return failure{path_.string() +
                   " is damaged: what this sink has had is not known. Reset it to a position"};
  return found;
}

std::optional<failure> cursor_file::save(const cursors& what) const {
  return write_whole_file(path_, write_cursors(what));
}

} // namespace usher::storage::outbox
