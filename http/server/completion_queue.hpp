#pragma once

#include "http/server/exchange.hpp"

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace usher::http {

class session;
class completion_queue;

/// What all I/O threads of a server count together. Outlives the server while answers are pending.
struct counters {
  std::atomic<std::size_t> connections{0};
  std::atomic<std::size_t> refusals{0}; ///< connections over the cap that are being told so
  std::atomic<std::size_t> in_flight{0};
  std::atomic<std::size_t> streams{0};
};

/// One deferred answer on its way back to its session.
class pending_answer final : public late_answer,
                             public std::enable_shared_from_this<pending_answer> {
public:
  pending_answer(std::shared_ptr<completion_queue> queue, std::shared_ptr<counters> counts,
                 session& to);
  ~pending_answer() override;
  pending_answer(const pending_answer&) = delete;
  pending_answer& operator=(const pending_answer&) = delete;

  /// Any thread. The first one wins.
  void send(response answer) override;

  /// The session is gone or has answered otherwise. Its I/O thread only, as is deliver.
  void forget() { to_ = nullptr; }
  void deliver();

private:
  std::shared_ptr<completion_queue> queue_;
  std::shared_ptr<counters> counts_;
  session* to_; ///< touched on the session's I/O thread only
  std::atomic<bool> sent_{false};
  response answer_;
};

/// Answers from other threads for the sessions of one I/O thread: however many come while the
/// thread is busy, it is woken once. Outlives its io_context while answers are pending.
class completion_queue : public std::enable_shared_from_this<completion_queue> {
public:
  explicit completion_queue(boost::asio::io_context& context) : context_(&context) {}

  /// Any thread. Dropped after close.
  void push(std::shared_ptr<pending_answer> done);

  /// The io_context is about to end.
  void close();

private:
  void drain();

  std::mutex mutex_;
  boost::asio::io_context* context_;                     ///< null once closed
  std::vector<std::shared_ptr<pending_answer>> waiting_; ///< not empty: drain is posted
};

} // namespace usher::http
