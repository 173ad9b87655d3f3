#include "bench/load/target.hpp"

#include "http/client/base_address.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>
#include <netdb.h>
#include <sys/resource.h>

namespace usher::load {

namespace {

/// For everything but connections: the standard streams, the report, epoll.
constexpr rlim_t other_files = 64;

/// Half of those that one address has: beyond, the system searches long for a free one, and the
/// load stops meanwhile. All that can be told apart if the system does not say.
std::size_t ports() {
  std::ifstream file{"/proc/sys/net/ipv4/ip_local_port_range"};
  std::size_t first = 0;
  std::size_t last = 0;
  return file >> first >> last && last >= first ? (last - first + 1) / 2 : UINT16_MAX;
}

std::size_t files() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_max <= other_files)
    return 1;
  return limit.rlim_max - other_files;
}

} // namespace

std::variant<target, std::string> find_target(const std::string& url) {
  const auto address = http::client::read_base_address(url);
  if (!address || address->tls || !address->prefix.empty())
    return "--server: expected the address of a server without TLS, e.g. http://127.0.0.1:8084";
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int trouble =
          ::getaddrinfo(address->host.c_str(), address->port.c_str(), &hints, &found);
      trouble != 0)
    return "--server: " + address->host + " is not known: " + ::gai_strerror(trouble);
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owned{found, ::freeaddrinfo};
  target made{url, address->host_field(), {}, found->ai_addrlen};
  std::memcpy(&made.address, found->ai_addr, found->ai_addrlen);
  return made;
}

std::size_t connections_possible() {
  return std::min(files(), ports());
}

std::string make_room_for(std::size_t connections) {
  const auto asked = "--connections: " + std::to_string(connections);
  if (connections > files())
    return asked + ", and this process may have files for " + std::to_string(files()) +
           ": ask for fewer, or raise the limit (ulimit -Hn)";
  if (connections > ports())
    return asked + ", and one address has ports for " + std::to_string(ports()) +
           ": ask for fewer, or widen net.ipv4.ip_local_port_range";
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
  }
  return {};
}

} // namespace usher::load
