#include "tests/system/mounted_disk.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sched.h>
#include <stdexcept>
#include <sys/mount.h>
#include <unistd.h>
#include <utility>

namespace usher::test {

namespace {

std::string reason(const std::string& what) {
  return what + ": " + std::strerror(errno);
}

/// Who is not root becomes root of a namespace, where tmpfs may be mounted.
bool become_root_of_ones_own() {
  const auto uid = ::getuid();
  const auto gid = ::getgid();
  if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0)
    return false;
  std::ofstream{"/proc/self/setgroups"} << "deny";
  std::ofstream{"/proc/self/uid_map"} << "0 " << uid << " 1";
  std::ofstream{"/proc/self/gid_map"} << "0 " << gid << " 1";
  return ::getuid() == 0;
}

bool runs(const std::string& command) {
  return std::system((command + " >/dev/null 2>&1").c_str()) == 0;
}

void must_run(const std::string& command) {
  if (!runs(command))
    throw std::runtime_error("this failed: " + command);
}

} // namespace

std::string why_nothing_can_be_mounted() {
  if (::geteuid() == 0 ? ::unshare(CLONE_NEWNS) != 0 : !become_root_of_ones_own())
    return reason("not root, and no namespace to be root in");
  if (::mount("", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
    return reason("mounts cannot be made private");
  return {};
}

std::string why_there_is_no_ext4() {
  for (const std::string program : {"mkfs.ext4", "mount", "umount"})
    if (!runs("PATH=$PATH:/usr/sbin:/sbin command -v " + program))
      return "there is no " + program;
  if (!std::filesystem::exists("/dev/loop-control"))
    return "there are no loop devices";
  return {};
}

mounted_disk mounted_disk::in_memory(const std::filesystem::path& at, std::uint64_t bytes) {
  std::filesystem::create_directories(at);
  const auto options = "size=" + std::to_string(bytes);
  if (::mount("tmpfs", at.c_str(), "tmpfs", 0, options.c_str()) != 0)
    throw std::runtime_error(reason("cannot mount " + at.string()));
  return mounted_disk{at};
}

mounted_disk mounted_disk::ext4(const std::filesystem::path& at, const std::filesystem::path& image,
                                std::uint64_t bytes) {
  std::filesystem::create_directories(at);
  if (!std::filesystem::exists(image)) {
    std::ofstream{image};
    std::filesystem::resize_file(image, bytes);
    must_run("PATH=$PATH:/usr/sbin:/sbin mkfs.ext4 -q -F " + image.string());
  }
  // What is not synced stays away from the device for as long as possible.
  must_run("mount -o loop,commit=300 " + image.string() + " " + at.string());
  return mounted_disk{at};
}

mounted_disk::mounted_disk(mounted_disk&& other) noexcept : at_{std::exchange(other.at_, {})} {}

mounted_disk::~mounted_disk() {
  if (!at_.empty() && ::umount2(at_.c_str(), 0) != 0)
    ::umount2(at_.c_str(), MNT_DETACH);
}

} // namespace usher::test
