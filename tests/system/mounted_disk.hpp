#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

// File systems of their own for tests that fill a disk or take it away. They are mounted in a mount
// namespace of the test's own, and so go with it whatever happens.
namespace usher::test {

/// Call it before there are threads. Why nothing can be mounted here; empty: it can.
[[nodiscard]] std::string why_nothing_can_be_mounted();
/// Why there can be no ext4 in a file; empty: it can. After the one above.
[[nodiscard]] std::string why_there_is_no_ext4();

/// Mounted at a directory of its own, as long as it lives.
class mounted_disk {
public:
  /// In memory.
  static mounted_disk in_memory(const std::filesystem::path& at, std::uint64_t bytes);
  /// ext4 in the file `image`, which is made if it is missing; otherwise what is in it is mounted
  /// as after a power cut.
  static mounted_disk ext4(const std::filesystem::path& at, const std::filesystem::path& image,
                           std::uint64_t bytes);

  mounted_disk(mounted_disk&& other) noexcept;
  mounted_disk& operator=(mounted_disk&&) = delete;
  ~mounted_disk();

  [[nodiscard]] std::filesystem::path data() const { return at_ / "data"; }
  [[nodiscard]] const std::filesystem::path& at() const { return at_; }

private:
  explicit mounted_disk(std::filesystem::path at) : at_{std::move(at)} {}

  std::filesystem::path at_;
};

} // namespace usher::test
