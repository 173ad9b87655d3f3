#include "storage/outbox/workers.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <random>
#include <thread>
#include <utility>

namespace usher::storage::outbox {

namespace {

/// So long an operator's order waits for the deliveries that are on their way. Then it is carried
/// out, and what becomes of them does not count any more: they will be sent again.
constexpr std::chrono::seconds order_wait{1};

/// What becomes of a round of deliveries. Outlives whoever waits: an outcome may come late.
struct round {
  explicit round(std::size_t count) : outcomes(count), missing{count} {}

  std::vector<std::optional<outcome>> outcomes;
  std::size_t missing;
};

} // namespace

class workers::worker {
public:
  worker(const parts& with, sink_setup setup)
      : name{std::move(setup.name)},
        kind{std::move(setup.kind)},
        now_{with.now},
        warn_{with.warn},
        sink_{std::move(setup.to)},
        courier_{{.log = with.log,
                  .to = sink_.get(),
                  .file = cursor_file{with.directory, name},
                  .wanted = std::move(setup.wanted),
                  .from_now = setup.from_now,
                  .now = with.now,
                  .random = std::mt19937_64{std::random_device{}()},
                  .ask = [this](const std::vector<delivery>& all) { return ask(all); }}},
        view_{courier_.view()},
        thread_{[this] { run(); }} {}

  void stop() {
    {
      const std::lock_guard lock{shared_->mutex};
      shared_->stopping = true;
      shared_->woken.notify_all();
    }
    if (thread_.joinable())
      thread_.join();
  }

  /// What to do, which gives what to tell once everybody can see it.
  using task = std::function<std::function<void()>(courier&)>;

  void order(task what) {
    const std::lock_guard lock{shared_->mutex};
    orders_.push_back(std::move(what));
    shared_->woken.notify_all();
  }

  [[nodiscard]] courier_view view() const {
    const std::lock_guard lock{shared_->mutex};
    return view_;
  }

  const std::string name;
  const std::string kind;

private:
  /// What late outcomes still reach.
  struct shared {
    std::mutex mutex;
    std::condition_variable woken;
    bool stopping = false;
  };

  void run() {
    time_ms wake_at = 0;
    for (;;) {
      task next;
      {
        std::unique_lock lock{shared_->mutex};
        wait_until(lock, wake_at);
        // The next events of a show go out when the ones before are no longer on their way.
        shared_->woken.wait(lock, [this] { return has_to_do() || going_->missing == 0; });
        if (shared_->stopping)
          return;
        if (!orders_.empty()) {
          next = std::move(orders_.front());
          orders_.pop_front();
        }
      }
      std::function<void()> tell;
      if (next)
        tell = next(courier_);
      wake_at = next ? 0 : courier_.step();
      publish();
      if (tell)
        tell();
    }
  }

  void wait_until(std::unique_lock<std::mutex>& lock, time_ms wake_at) {
    // The clock that is waited for may be moved, so it is looked at now and then.
    for (auto left = wake_at - now_(); left > 0 && !has_to_do(); left = wake_at - now_())
      shared_->woken.wait_for(lock, std::chrono::milliseconds{std::min(left, poll_ms)},
                              [this] { return has_to_do(); });
  }

  /// Under the mutex.
  [[nodiscard]] bool has_to_do() const { return shared_->stopping || !orders_.empty(); }

  void publish() {
    auto view = courier_.view();
    const bool is_news = view.last_error != view_.last_error || view.state != view_.state;
    if (is_news && warn_ && !view.last_error.empty())
      warn_(name, view.last_error);
    const std::lock_guard lock{shared_->mutex};
    view_ = std::move(view);
  }

  std::vector<std::optional<outcome>> ask(const std::vector<delivery>& all) {
    going_ = std::make_shared<round>(all.size());
    for (std::size_t i = 0; i < all.size(); ++i)
      sink_->deliver(all[i], [going = going_, i, shared = shared_](outcome what) {
        const std::lock_guard lock{shared->mutex};
        going->outcomes[i] = std::move(what);
        if (--going->missing == 0)
          shared->woken.notify_all();
      });
    std::unique_lock lock{shared_->mutex};
    const auto is_done = [this] { return going_->missing == 0 || shared_->stopping; };
    shared_->woken.wait(lock, [&] { return is_done() || !orders_.empty(); });
    if (!is_done())
      shared_->woken.wait_for(lock, order_wait, is_done);
    return going_->outcomes;
  }

  std::function<time_ms()> now_;
  std::function<void(const std::string&, const std::string&)> warn_;
  std::shared_ptr<shared> shared_ = std::make_shared<shared>();
  std::unique_ptr<sink> sink_;
  outbox::courier courier_; ///< of the thread
  /// The last; what is in it is under the mutex.
  std::shared_ptr<round> going_ = std::make_shared<round>(0);
  std::deque<task> orders_; ///< under the mutex, as the next
  courier_view view_;
  std::thread thread_; // the last: it uses all the others
};

workers::workers(parts with) : log_{with.log} {
  std::error_code trouble; // shows when the cursors are saved
  std::filesystem::create_directories(with.directory, trouble);
  std::filesystem::permissions(with.directory, std::filesystem::perms::owner_all, trouble);
  for (auto& each : with.sinks)
    all_.push_back(std::make_unique<worker>(with, std::move(each)));
}

workers::~workers() {
  stop();
}

void workers::stop() {
  for (const auto& each : all_)
    each->stop();
}

std::vector<sink_view> workers::look() const {
  std::vector<sink_view> made;
  for (const auto& each : all_) {
    made.push_back({.name = each->name, .kind = each->kind, .now = each->view()});
    auto& view = made.back();
    const auto least = view.now.cursors.least();
    const auto end = log_->head().position;
    view.lag_events = end > least ? end - least : 0;
  }
  return made;
}

workers::worker* workers::find(std::string_view sink) const {
  const auto found =
      std::ranges::find_if(all_, [&](const auto& each) { return each->name == sink; });
  return found == all_.end() ? nullptr : found->get();
}

bool workers::reset(std::string_view sink, std::optional<std::string> show,
                    std::optional<position_t> to, on_done done) {
  auto* const which = find(sink);
  if (which == nullptr)
    return false;
  which->order([show = std::move(show), to, done = std::move(done)](courier& its) {
    return [done, refusal = its.reset(show, to)] { done(refusal); };
  });
  return true;
}

bool workers::resume(std::string_view sink, on_done done) {
  auto* const which = find(sink);
  if (which == nullptr)
    return false;
  which->order([done = std::move(done)](courier& its) {
    return [done, refusal = its.resume()] { done(refusal); };
  });
  return true;
}

} // namespace usher::storage::outbox
