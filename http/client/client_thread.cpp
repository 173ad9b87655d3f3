#include "http/client/client_thread.hpp"

#include "http/client/loop.hpp"
#include "http/client/pool.hpp"

#include <boost/asio/executor_work_guard.hpp>

#include <list>
#include <mutex>
#include <thread>

namespace usher::http::client {

struct client_thread::parts {
  parts() : work{boost::asio::make_work_guard(events.context())} {
    thread = std::thread{[this] { events.context().run(); }};
  }

  client::loop events;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work;
  std::mutex mutex; ///< guards the list; what is in it belongs to the thread
  std::list<pool> pools;
  std::thread thread;
};

client_thread::client_thread() : parts_{std::make_unique<parts>()} {}

client_thread::~client_thread() {
  stop();
}

sender& client_thread::open(const origin_options& options) {
  const std::lock_guard lock{parts_->mutex};
  return parts_->pools.emplace_back(parts_->events, options);
}

void client_thread::stop() {
  const bool closed_now = parts_->events.close([this] {
    const std::lock_guard lock{parts_->mutex};
    for (auto& each : parts_->pools)
      each.stop();
    parts_->work.reset();
  });
  if (closed_now)
    parts_->thread.join();
}

} // namespace usher::http::client
