#include "http/sandbox/webhooks.hpp"

#include "http/sandbox/courier.hpp"

#include <charconv>
#include <future>
#include <utility>

namespace usher::sandbox {

namespace {

time_ms now_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

} // namespace

std::variant<webhook_target, std::string> read_webhook_target(std::string_view url) {
  constexpr std::string_view scheme = "http://";
  const std::string wanted = "expected http://HOST:PORT/PATH, not '" + std::string{url} + "'";
  if (!url.starts_with(scheme))
    return wanted;
  url.remove_prefix(scheme.size());
  const auto slash = url.find('/');
  auto path = slash == std::string_view::npos ? std::string_view{} : url.substr(slash);
  while (path.ends_with('/'))
    path.remove_suffix(1);
  const auto authority = url.substr(0, slash);
  const auto colon = authority.rfind(':');
  const auto host = authority.substr(0, colon);
  const auto port = colon == std::string_view::npos ? "80" : authority.substr(colon + 1);
  std::uint16_t number = 0;
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), number);
  const bool good = error == std::errc{} && end == port.data() + port.size() && number != 0;
  if (!good || host.empty() || path.find_first_of("?# ") != std::string_view::npos)
    return wanted;
  return webhook_target{std::string{host}, std::string{port}, std::string{path}};
}

post_office::post_office(secrets with, std::string base)
    : with_{std::move(with)},
      base_{std::move(base)},
      courier_{std::make_unique<courier>()},
      thread_{[this] { work(); }} {}

post_office::~post_office() {
  stop();
}

void post_office::set_target(std::optional<webhook_target> to) {
  const std::lock_guard lock{mutex_};
  to_ = std::move(to);
}

void post_office::post(notice what) {
  const auto due = clock::now() + std::chrono::milliseconds{what.wait_ms};
  put(due, {.what = std::move(what)});
}

void post_office::post_and_wait(notice what) {
  const auto told = std::make_shared<std::promise<void>>();
  auto heard = told->get_future();
  const auto due = clock::now() + std::chrono::milliseconds{what.wait_ms};
  put(due, {.what = std::move(what), .done = [told] { told->set_value(); }});
  heard.wait_for(2 * answer_max);
}

void post_office::later(std::int64_t wait_ms, std::function<void()> what) {
  put(clock::now() + std::chrono::milliseconds{wait_ms}, {.run = std::move(what)});
}

void post_office::put(clock::time_point due, item what) {
  std::unique_lock lock{mutex_};
  const bool wanted = what.run || (to_ && queue_.size() < queue_max);
  if (stopping_ || !wanted) {
    lock.unlock();
    if (what.done)
      what.done();
    return;
  }
  queue_.emplace(due, std::move(what));
  changed_.notify_one();
}

void post_office::work() {
  std::unique_lock lock{mutex_};
  while (!stopping_) {
    if (queue_.empty()) {
      changed_.wait(lock);
      continue;
    }
    const auto first = queue_.begin();
    if (first->first > clock::now()) {
      changed_.wait_until(lock, clock::time_point{first->first});
      continue;
    }
    auto next = std::move(first->second);
    queue_.erase(first);
    const auto to = to_;
    lock.unlock();
    if (next.run)
      next.run();
    else if (to)
      deliver(std::move(next), *to);
    else if (next.done)
      next.done();
    lock.lock();
  }
}

void post_office::deliver(item next, const webhook_target& to) {
  std::uint64_t generation = 0;
  {
    const std::lock_guard lock{mutex_};
    generation = generation_;
  }
  const auto target = to.path + "/" + std::string{to_string(next.what.by)} + next.what.query;
  const auto headers = sign(next.what, with_, base_, now_ms() - next.what.older_ms);
  const auto outcome = courier_->carry(to, target, headers, next.what.body, answer_max);
  ++next.tries;
  const bool taken = outcome.status / 100 == 2;
  const bool given_up = !taken && (next.what.forged || next.tries == tries_max);
  std::unique_lock lock{mutex_};
  if (generation != generation_ || stopping_) {
    lock.unlock();
  } else if (taken || given_up) {
    list_.push_back({next.what.by, next.what.type, next.what.event_id, next.what.forged, next.tries,
                     outcome.status, outcome.trouble, given_up});
    if (list_.size() > list_max)
      list_.pop_front();
    lock.unlock();
  } else {
    const auto pause = first_pause * (1 << (next.tries - 1));
    queue_.emplace(clock::now() + pause, std::move(next));
    return;
  }
  if (next.done)
    next.done();
}

std::deque<sent> post_office::list() const {
  const std::lock_guard lock{mutex_};
  return list_;
}

void post_office::reset() {
  std::multimap<clock::time_point, item> dropped;
  {
    const std::lock_guard lock{mutex_};
    ++generation_;
    dropped.swap(queue_);
    list_.clear();
  }
  for (const auto& [due, each] : dropped)
    if (each.done)
      each.done();
}

void post_office::stop() {
  {
    const std::lock_guard lock{mutex_};
    stopping_ = true;
    changed_.notify_one();
  }
  courier_->stop();
  if (thread_.joinable())
    thread_.join();
  reset();
}

} // namespace usher::sandbox
