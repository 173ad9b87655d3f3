#include "tests/system/swarm.hpp"

#include "tests/system/server_process.hpp"

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <thread>

namespace usher::test {

swarm::swarm(std::uint16_t port, std::size_t threads, std::size_t connections_per_thread)
    : connections_(threads) {
  raise_file_limit();
  for (auto& own : connections_)
    for (std::size_t i = 0; i < connections_per_thread; ++i)
      own.push_back(raw_client::to(port));
}

void swarm::exchange(std::size_t count, const std::function<std::string(std::size_t)>& request,
                     const std::function<void(std::size_t, const answer&)>& take) {
  const auto threads = connections_.size();
  std::vector<std::exception_ptr> troubles(threads);
  const auto run = [&](std::size_t thread) {
    auto& own = connections_[thread];
    // This thread's share is thread, thread + threads, thread + 2 threads, …
    for (auto first = thread; first < count; first += own.size() * threads) {
      const auto here = std::min(own.size(), (count - first + threads - 1) / threads);
      for (std::size_t i = 0; i < here; ++i)
        if (!own[i].send(request(first + i * threads)))
          throw std::runtime_error("the server cut a connection");
      for (std::size_t i = 0; i < here; ++i) {
        const auto got = own[i].read();
        if (!got)
          throw std::runtime_error("the server closed instead of answering");
        take(first + i * threads, *got);
      }
    }
  };
  std::vector<std::thread> running;
  for (std::size_t thread = 0; thread < threads; ++thread)
    running.emplace_back([&, thread] {
      try {
        run(thread);
      } catch (...) {
        troubles[thread] = std::current_exception();
      }
    });
  for (auto& each : running)
    each.join();
  for (const auto& trouble : troubles)
    if (trouble)
      std::rethrow_exception(trouble);
}

} // namespace usher::test
