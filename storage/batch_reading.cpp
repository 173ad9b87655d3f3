#include "storage/batch_reading.hpp"

#include <string>
#include <utility>

namespace usher::storage {

namespace {

constexpr std::size_t pieces_ahead = 4;
constexpr std::size_t piece_bytes = std::size_t{256} << 10; ///< of stored batches; then it is full

} // namespace

batch_reading::batch_reading(batch_source next, bool ahead)
    : next_{std::move(next)}, pieces_(ahead ? pieces_ahead : 1) {
  if (!ahead)
    return;
  reader_ = std::thread{[this] { run_reader(); }};
  hasher_thread_ = std::thread{[this] { run_hasher(); }};
}

batch_reading::~batch_reading() {
  if (!reader_.joinable())
    return;
  {
    const std::lock_guard guard{lock_};
    stopped_ = true;
  }
  changed_.notify_all();
  reader_.join();
  hasher_thread_.join();
}

std::variant<const read_batch*, failure> batch_reading::next() {
  if (now_ == nullptr || (at_ == now_->used && !now_->is_last))
    turn_over();
  if (at_ < now_->used)
    return &now_->batches[at_++];
  if (now_->fault)
    return *now_->fault;
  return nullptr;
}

void batch_reading::turn_over() {
  at_ = 0;
  if (!reader_.joinable()) {
    auto& only = pieces_.front();
    only.used = 0;
    only.is_last = !read_one(only);
    if (only.used > 0)
      hash(only.batches.front());
    now_ = &only;
    return;
  }
  std::unique_lock guard{lock_};
  freed_ = taken_;
  changed_.notify_all();
  changed_.wait(guard, [this] { return hashed_ > taken_; });
  now_ = &pieces_[taken_++ % pieces_.size()];
}

void batch_reading::run_reader() {
  for (bool more = true; more;) {
    std::unique_lock guard{lock_};
    changed_.wait(guard, [this] { return stopped_ || filled_ - freed_ < pieces_.size(); });
    if (stopped_)
      return;
    auto& into = pieces_[filled_ % pieces_.size()];
    guard.unlock();
    fill(into);
    more = !into.is_last;
    guard.lock();
    ++filled_;
    changed_.notify_all();
  }
}

void batch_reading::run_hasher() {
  for (bool more = true; more;) {
    std::unique_lock guard{lock_};
    changed_.wait(guard, [this] { return stopped_ || filled_ > hashed_; });
    if (stopped_)
      return;
    auto& of = pieces_[hashed_ % pieces_.size()];
    guard.unlock();
    for (std::size_t i = 0; i < of.used; ++i)
      hash(of.batches[i]);
    more = !of.is_last;
    guard.lock();
    ++hashed_;
    changed_.notify_all();
  }
}

void batch_reading::fill(piece& into) {
  into.used = 0;
  bytes_ = 0;
  while (!into.is_last && bytes_ < piece_bytes)
    into.is_last = !read_one(into);
}

bool batch_reading::read_one(piece& into) {
  auto got = next_();
  if (auto* fault = std::get_if<failure>(&got)) {
    into.fault = std::move(*fault);
    return false;
  }
  const auto& stored = std::get<std::optional<stored_batch>>(got);
  if (!stored)
    return false;
  if (into.used == into.batches.size())
    into.batches.emplace_back();
  auto& read = into.batches[into.used];
  read.key = stored->key;
  if (auto fault = decode_batch(stored->value, read.what)) {
    into.fault =
        failure{"batch filed at position " + std::to_string(stored->key) + ": " + fault->what};
    return false;
  }
  if (const auto first = read.what.first(); first != stored->key) {
    into.fault = failure{"batch filed at position " + std::to_string(stored->key) +
                         " begins at position " + std::to_string(first)};
    return false;
  }
  for (auto& record : read.what.records)
    record.batch_first = stored->key;
  read.value.assign(stored->value);
  bytes_ += stored->value.size();
  ++into.used;
  return true;
}

void batch_reading::hash(read_batch& of) {
  of.chain = hasher_.next(of.what.previous, of.value);
}

} // namespace usher::storage
