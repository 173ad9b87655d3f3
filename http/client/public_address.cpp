#include "http/client/public_address.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace usher::http::client {

namespace {

namespace ip = boost::asio::ip;

struct network {
  std::uint32_t begin;
  int bits;
};

constexpr std::uint32_t v4(std::uint32_t a, std::uint32_t b, std::uint32_t c = 0) {
  return a << 24 | b << 16 | c << 8;
}

/// RFC 6890 and its registry, and multicast.
constexpr std::array not_public_v4{
    network{v4(0, 0), 8},          // this network
    network{v4(10, 0), 8},         // private
    network{v4(100, 64), 10},      // shared by carriers
    network{v4(127, 0), 8},        // this machine
    network{v4(169, 254), 16},     // link-local, and metadata of clouds
    network{v4(172, 16), 12},      // private
    network{v4(192, 0, 0), 24},    // protocols
    network{v4(192, 0, 2), 24},    // documentation
    network{v4(192, 88, 99), 24},  // relays of 6to4
    network{v4(192, 168), 16},     // private
    network{v4(198, 18), 15},      // benchmarks
    network{v4(198, 51, 100), 24}, // documentation
    network{v4(203, 0, 113), 24},  // documentation
    network{v4(224, 0), 4},        // multicast
    network{v4(240, 0), 4},        // reserved, broadcast
};

bool is_public_v4(std::uint32_t address) {
  return std::ranges::none_of(not_public_v4, [&](const network& each) {
    return address >> (32 - each.bits) == each.begin >> (32 - each.bits);
  });
}

bool is_public_v6(const ip::address_v6::bytes_type& b) {
  const auto starts = [&](std::initializer_list<int> bytes) {
    return std::equal(bytes.begin(), bytes.end(), b.begin());
  };
  const std::uint32_t last = v4(b[12], b[13], b[14]) | b[15];
  if (starts({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff})) // IPv4 in IPv6
    return is_public_v4(last);
  if (starts({0x00, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0})) // IPv4 behind a translator
    return is_public_v4(last);
  const bool global = (b[0] & 0xe0) == 0x20;                  // 2000::/3
  const bool special = starts({0x20, 0x01}) && b[2] < 0x02;   // 2001::/23, tunnels and protocols
  const bool tunnel = starts({0x20, 0x02});                   // 2002::/16, IPv4 inside
  const bool example = starts({0x20, 0x01, 0x0d, 0xb8}) ||    // 2001:db8::/32
                       (starts({0x3f, 0xff}) && b[2] < 0x10); // 3fff::/20
  return global && !special && !tunnel && !example;
}

} // namespace

bool is_public(const ip::address& which) {
  return which.is_v4() ? is_public_v4(which.to_v4().to_uint())
                       : is_public_v6(which.to_v6().to_bytes());
}

ip::tcp::resolver::results_type public_ones(const ip::tcp::resolver::results_type& all) {
  std::vector<ip::tcp::endpoint> kept;
  for (const auto& each : all)
    if (is_public(each.endpoint().address()))
      kept.push_back(each.endpoint());
  if (kept.empty())
    return {};
  return ip::tcp::resolver::results_type::create(kept.begin(), kept.end(), all.begin()->host_name(),
                                                 all.begin()->service_name());
}

} // namespace usher::http::client
