#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <mutex>
#include <utility>

namespace usher::http::client {

/// The event loop of a client thread, and the way into it.
class loop {
public:
  /// False once it is closed: then `what` is not called.
  template <class F>
  [[nodiscard]] bool post(F what) {
    const std::lock_guard lock{mutex_};
    if (closed_)
      return false;
    boost::asio::post(context_, std::move(what));
    return true;
  }

  /// `last` is called after everything that was posted. False if it was closed before.
  template <class F>
  bool close(F last) {
    const std::lock_guard lock{mutex_};
    if (closed_)
      return false;
    closed_ = true;
    boost::asio::post(context_, std::move(last));
    return true;
  }

  [[nodiscard]] boost::asio::io_context& context() { return context_; }

private:
  boost::asio::io_context context_{1};
  std::mutex mutex_;
  bool closed_ = false;
};

} // namespace usher::http::client
