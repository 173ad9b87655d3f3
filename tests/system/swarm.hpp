#pragma once

#include "tests/http/raw_client.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

// Many connections served by few threads: each thread sends a request on all of its connections and
// then reads all answers, so that hundreds of requests are under way at any time.
namespace usher::test {

class swarm {
public:
  swarm(std::uint16_t port, std::size_t threads, std::size_t connections_per_thread);

  /// `count` requests. Both functions are called from several threads, each index once. Throws if a
  /// connection was lost.
  void exchange(std::size_t count, const std::function<std::string(std::size_t)>& request,
                const std::function<void(std::size_t, const answer&)>& take);

private:
  std::vector<std::vector<raw_client>> connections_; ///< of each thread
};

} // namespace usher::test
