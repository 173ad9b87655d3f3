#include "storage/head_file.hpp"

#include "storage/batch.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <utility>

namespace usher::storage {

namespace {

constexpr std::string_view head_name = "usher-head 1 ";
constexpr std::size_t number_digits = 20; // of 2^64 - 1
constexpr std::size_t chain_digits = 64;
constexpr std::size_t check_digits = 16;
constexpr std::size_t checked_size = head_name.size() + 2 * (number_digits + 1) + chain_digits + 1;
constexpr std::size_t line_size = checked_size + check_digits + 1;

std::string padded(std::uint64_t value) {
  const auto digits = std::to_string(value);
  return std::string(number_digits - digits.size(), '0') + digits;
}

std::string_view view(const digest& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The first 8 bytes of SHA-256 of 32 zero bytes and the text.
std::string check_of(std::string_view text) {
  const auto sum = chain_hasher{}.next(digest{}, text);
  return to_hex(view(sum).substr(0, check_digits / 2));
}

std::optional<std::uint64_t> number(std::string_view digits) {
  std::uint64_t value = 0;
  const auto* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  return error == std::errc{} && stop == end ? std::optional{value} : std::nullopt;
}

} // namespace

std::string format_head(const log_head& head) {
  auto line = std::string{head_name} + padded(head.position) + " " + padded(head.batches) + " " +
              to_hex(view(head.chain)) + " ";
  return line + check_of(line) + "\n";
}

std::optional<log_head> parse_head(std::string_view line) {
  if (line.size() != line_size || !line.starts_with(head_name) ||
      line.substr(checked_size) != check_of(line.substr(0, checked_size)) + "\n")
    return std::nullopt;
  line.remove_prefix(head_name.size());
  const auto position = number(line.substr(0, number_digits));
  const auto batches = number(line.substr(number_digits + 1, number_digits));
  const auto chain = from_hex(line.substr(2 * (number_digits + 1), chain_digits));
  if (!position || !batches || !chain)
    return std::nullopt;
  log_head head{.position = *position, .batches = *batches, .chain = {}};
  std::copy(chain->begin(), chain->end(), head.chain.begin());
  return head;
}

std::optional<log_head> read_head_file(const std::filesystem::path& path) {
  const auto file = open_file(path, O_RDONLY);
  if (!file.is_open())
    return std::nullopt;
  const auto line = read_file(file, line_size + 1);
  return line ? parse_head(*line) : std::nullopt;
}

head_file_state look_at_head_file(const std::filesystem::path& path) {
  constexpr int readings_max = 20;
  std::optional<std::string> before;
  for (int reading = 0; reading < readings_max; ++reading) {
    const auto file = open_file(path, O_RDONLY);
    if (!file.is_open())
      return errno == ENOENT ? head_file_state::missing : head_file_state::damaged;
    auto line = read_file(file, line_size + 1);
    if (!line)
      return head_file_state::damaged;
    if (parse_head(*line))
      return head_file_state::sound;
    if (line == before) // nobody is writing to it
      return line->empty() ? head_file_state::missing : head_file_state::damaged;
    before = std::move(line);
  }
  return head_file_state::damaged;
}

std::string head_file_trouble(head_file_state found, const std::filesystem::path& path,
                              position_t end) {
  if (found == head_file_state::sound || (found == head_file_state::missing && end == 0))
    return {};
  return path.string() + (found == head_file_state::missing ? " is missing" : " is damaged") +
         ": whether the log has lost its end cannot be told by it";
}

std::variant<head_writer, failure> head_writer::open(const std::filesystem::path& path) {
  auto file = open_file(path, O_WRONLY | O_CREAT, 0600);
  if (!file.is_open())
    return system_failure("open", path);
  return head_writer{path, std::move(file)};
}

std::optional<failure> head_writer::write(const log_head& head) {
  if (write_at(file_, format_head(head), 0))
    return std::nullopt;
  return system_failure("write", path_);
}

std::optional<failure> head_writer::sync() const {
  if (::fsync(file_.get()) != 0)
    return system_failure("sync", path_);
  return sync_directory(path_.parent_path());
}

} // namespace usher::storage
