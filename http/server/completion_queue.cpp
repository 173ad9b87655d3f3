#include "http/server/completion_queue.hpp"

#include "http/server/session.hpp"

#include <boost/asio/post.hpp>
#include <utility>

namespace usher::http {

pending_answer::pending_answer(std::shared_ptr<completion_queue> queue,
                               std::shared_ptr<counters> counts, session& to)
    : queue_(std::move(queue)), counts_(std::move(counts)), to_(&to) {
  ++counts_->in_flight;
}

pending_answer::~pending_answer() {
  if (!sent_)
    --counts_->in_flight;
}

void pending_answer::send(response answer) {
  if (sent_.exchange(true))
    return;
  --counts_->in_flight;
  answer_ = std::move(answer);
  queue_->push(shared_from_this());
}

void pending_answer::deliver() {
  if (to_ != nullptr)
    to_->deliver(answer_);
}

void completion_queue::push(std::shared_ptr<pending_answer> done) {
  const std::lock_guard lock(mutex_);
  if (context_ == nullptr)
    return;
  waiting_.push_back(std::move(done));
  if (waiting_.size() == 1)
    boost::asio::post(*context_, [self = shared_from_this()] { self->drain(); });
}

void completion_queue::drain() {
  std::vector<std::shared_ptr<pending_answer>> done;
  {
    const std::lock_guard lock(mutex_);
    done.swap(waiting_);
  }
  for (const auto& one : done)
    one->deliver();
}

void completion_queue::close() {
  std::vector<std::shared_ptr<pending_answer>> dropped; // declared first: destroyed unlocked
  const std::lock_guard lock(mutex_);
  context_ = nullptr;
  dropped.swap(waiting_);
}

} // namespace usher::http
