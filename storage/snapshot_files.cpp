#include "storage/snapshot_files.hpp"

#include "storage/disk_guard.hpp"

#include <openssl/evp.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>

#include <system_error>
#include <utility>

namespace usher::storage {

namespace {

constexpr std::string_view extension = ".snapshot";
constexpr std::string_view unfinished = ".snapshot.new";
constexpr std::size_t digits = 20; // of 2^64 - 1

/// What the file begins with; the content follows, then a SHA-256 of all before it.
struct header {
  std::array<char, 8> magic{'u', 's', 'h', 'e', 'r', 's', 'n', 'p'};
  std::uint32_t format = snapshot_format;
  std::uint32_t unused = 0;
  digest program{};
  position_t position = 0;
  digest chain{};
};
static_assert(std::is_trivially_copyable_v<header> && sizeof(header) == 8 + 8 + 32 + 8 + 32);

constexpr std::size_t sum_bytes = sizeof(digest);
constexpr std::size_t piece_bytes = std::size_t{1} << 20;

/// So much is written at most before it is synced: a sync of the log must not have to wait for a
/// hundred megabytes of somebody else.
constexpr off_t synced_every = 4 << 20;

std::string_view view(const auto& object) {
  return {reinterpret_cast<const char*>(&object), sizeof object};
}

bool read_at(const file_handle& file, char* into, std::size_t bytes, off_t offset) {
  while (bytes > 0) {
    const auto got = ::pread(file.get(), into, bytes, offset);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    into += got;
    bytes -= static_cast<std::size_t>(got);
    offset += got;
  }
  return true;
}

std::optional<position_t> position_in(const std::string& name) {
  if (name.size() != digits + extension.size() || !name.ends_with(extension))
    return std::nullopt;
  position_t position = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + digits, position);
  return error == std::errc{} && end == name.data() + digits ? std::optional{position}
                                                             : std::nullopt;
}

/// The names in a directory; none if it cannot be read.
std::vector<std::string> names_in(const std::filesystem::path& directory) {
  std::vector<std::string> names;
  std::error_code trouble;
  for (std::filesystem::directory_iterator entry{directory, trouble}, end; !trouble && entry != end;
       entry.increment(trouble))
    names.push_back(entry->path().filename().string());
  return names;
}

/// Whether the last bytes of the file are the sum of all before them.
bool adds_up(const file_handle& file, off_t size) {
  running_digest sum;
  std::string piece;
  const auto end = size - static_cast<off_t>(sum_bytes);
  for (off_t at = 0; at < end; at += static_cast<off_t>(piece.size())) {
    piece.resize(static_cast<std::size_t>(std::min<off_t>(end - at, piece_bytes)));
    if (!read_at(file, piece.data(), piece.size(), at))
      return false;
    sum.add(piece);
  }
  digest expected{};
  return read_at(file, reinterpret_cast<char*>(expected.data()), sum_bytes, end) &&
         sum.finish() == expected;
}

std::optional<failure> compare(const header& found, const digest& program, position_t position,
                               const event_log& log) {
  if (found.magic != header{}.magic)
    return failure{"it is not a snapshot"};
  if (found.format != snapshot_format)
    return failure{"it has format " + std::to_string(found.format) + ", and this program knows " +
                   std::to_string(snapshot_format)};
  if (found.program != program)
    return failure{"another version of the program wrote it"};
  if (found.position != position)
    return failure{"it is of another position than its name says"};
  if (position > log.head().position)
    return failure{"it is of a position beyond the end of the log"};
  const auto chain = log.chain_at(position);
  if (const auto* fault = std::get_if<failure>(&chain))
    return *fault;
  if (std::get<0>(chain) != found.chain)
    return failure{"it was taken of another log"};
  return std::nullopt;
}

} // namespace

// ---- running_digest

struct running_digest::context {
  EVP_MD_CTX* of = EVP_MD_CTX_new();
  context() = default;
  context(const context&) = delete;
  context& operator=(const context&) = delete;
  ~context() { EVP_MD_CTX_free(of); }
};

running_digest::running_digest() : context_{std::make_unique<context>()} {
  EVP_DigestInit_ex(context_->of, EVP_sha256(), nullptr);
}
running_digest::~running_digest() = default;
running_digest::running_digest(running_digest&&) noexcept = default;
running_digest& running_digest::operator=(running_digest&&) noexcept = default;

void running_digest::add(std::string_view bytes) {
  EVP_DigestUpdate(context_->of, bytes.data(), bytes.size());
}

digest running_digest::finish() {
  digest sum{};
  EVP_DigestFinal_ex(context_->of, sum.data(), nullptr);
  return sum;
}

// ---- snapshot_writer

snapshot_writer::snapshot_writer(std::filesystem::path path, std::uint64_t free_bytes_min)
    : path_{std::move(path)}, free_bytes_min_{free_bytes_min} {
  file_ = open_file(path_ += ".new", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (!file_.is_open())
    failed_ = system_failure("write", path_);
}

snapshot_writer::~snapshot_writer() {
  if (file_.is_open())
    ::unlink(path_.c_str());
}

void snapshot_writer::put(std::string_view bytes) {
  sum_.add(bytes);
  write(bytes);
}

void snapshot_writer::write(std::string_view bytes) {
  if (failed_)
    return;
  const auto space = free_bytes_min_ > 0 ? space_of(path_) : std::nullopt;
  if (space && space->free_bytes < free_bytes_min_ + bytes.size())
    failed_ = failure{"cannot write " + path_.string() + ": the disk has too little space"};
  else if (!write_at(file_, bytes, size_))
    failed_ = system_failure("write", path_);
  size_ += static_cast<off_t>(bytes.size());
  if (failed_ || size_ - synced_ < synced_every)
    return;
  synced_ = size_;
  if (::fdatasync(file_.get()) != 0)
    failed_ = system_failure("sync", path_);
}

std::optional<failure> snapshot_writer::finish() {
  const auto sum = sum_.finish();
  write(view(sum));
  if (!failed_ && ::fsync(file_.get()) != 0)
    failed_ = system_failure("sync", path_);
  auto name = path_;
  name.replace_extension(); // .new
  if (!failed_ && ::rename(path_.c_str(), name.c_str()) != 0)
    failed_ = system_failure("rename", path_);
  if (failed_)
    return failed_;
  file_ = file_handle{};
  return sync_directory(path_.parent_path());
}

// ---- snapshot_reader

bool snapshot_reader::take(char* into, std::size_t bytes) {
  const auto at = static_cast<off_t>(sizeof(header)) + next_;
  next_ += static_cast<off_t>(bytes);
  return read_at(file_, into, bytes, at);
}

// ---- snapshot_files

snapshot_files::snapshot_files(std::filesystem::path directory, const digest& program)
    : directory_{std::move(directory)}, program_{program} {}

std::vector<position_t> snapshot_files::positions() const {
  std::vector<position_t> found;
  for (const auto& name : names_in(directory_))
    if (const auto position = position_in(name))
      found.push_back(*position);
  std::sort(found.rbegin(), found.rend());
  return found;
}

std::filesystem::path snapshot_files::path_of(position_t position) const {
  const auto number = std::to_string(position);
  return directory_ / (std::string(digits - number.size(), '0') + number + std::string{extension});
}

std::variant<snapshot_reader, failure> snapshot_files::open(position_t position,
                                                            const event_log& log) const {
  auto file = open_file(path_of(position), O_RDONLY);
  struct stat about {};
  if (!file.is_open() || ::fstat(file.get(), &about) != 0)
    return system_failure("read", path_of(position));
  constexpr auto around = sizeof(header) + sum_bytes;
  header found;
  if (about.st_size < static_cast<off_t>(around) ||
      !read_at(file, reinterpret_cast<char*>(&found), sizeof found, 0))
    return failure{"it is too short"};
  if (auto fault = compare(found, program_, position, log))
    return std::move(*fault);
  if (!adds_up(file, about.st_size))
    return failure{"its bytes do not add up"};
  return snapshot_reader{std::move(file), static_cast<std::uint64_t>(about.st_size) - around};
}

std::variant<snapshot_writer, failure> snapshot_files::create(const snapshot_mark& mark,
                                                              std::uint64_t free_bytes_min) const {
  if (::mkdir(directory_.c_str(), 0700) != 0 && errno != EEXIST)
    return system_failure("make", directory_);
  snapshot_writer fresh{path_of(mark.position), free_bytes_min};
  header begins;
  begins.program = program_;
  begins.position = mark.position;
  begins.chain = mark.chain;
  fresh.put(view(begins));
  if (fresh.failed_)
    return *fresh.failed_;
  return fresh;
}

void snapshot_files::prune(position_t newest) const {
  std::error_code ignored; // it is there the next time
  for (const auto& name : names_in(directory_))
    if (name.ends_with(unfinished))
      std::filesystem::remove(directory_ / name, ignored);
  std::size_t kept = 0;
  for (const auto position : positions())
    if (position > newest || ++kept > snapshots_kept)
      std::filesystem::remove(path_of(position), ignored);
}

} // namespace usher::storage
