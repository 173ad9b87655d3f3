#include "bench/load/team.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <stdexcept>
#include <thread>
#include <utility>

namespace usher::load {

namespace {

constexpr std::chrono::milliseconds look_every{50};
constexpr std::size_t warm_up_most = 256; ///< connections; the others are opened when needed

std::atomic<bool> is_stopped{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

/// Requests without a time of their own that are under way at once: more of them would only wait
/// longer.
constexpr std::size_t at_once_most = 1'000;

/// The connections that are left are for what is due.
std::size_t at_once_of(std::size_t connections) {
  return std::clamp<std::size_t>(connections * 3 / 4, 1, at_once_most);
}

} // namespace

void stop_all_runs() {
  is_stopped.store(true, std::memory_order_relaxed);
}

team::team(const target& to, const options& with, watcher watch)
    : board_{with.threads},
      connections_each_{std::max<std::size_t>(with.connections / with.threads, 1)},
      watch_{std::move(watch)} {
  for (std::uint32_t i = 0; i < with.threads; ++i)
    all_.push_back(
        std::make_unique<worker>(to,
                                 engine::options{.connections_max = connections_each_,
                                                 .at_once_max = at_once_of(connections_each_),
                                                 .patience = with.patience},
                                 clock_, board_, i, with.threads));
}

void team::on_each(const std::string& name, const std::function<void(worker&)>& what) {
  std::atomic<std::size_t> left{all_.size()};
  std::vector<std::exception_ptr> troubles(all_.size());
  {
    std::vector<std::jthread> running;
    for (std::size_t i = 0; i < all_.size(); ++i)
      running.emplace_back([&, i] {
        try {
          what(*all_[i]);
        } catch (...) {
          troubles[i] = std::current_exception();
          board_.stop();
        }
        --left;
      });
    watch_over(name, [&] { return left == 0; });
  }
  for (const auto& trouble : troubles)
    if (trouble)
      std::rethrow_exception(trouble);
  for (const auto& each : all_)
    if (!each->runs.gone().empty())
      throw std::runtime_error{"the server is gone: " + std::string{each->runs.gone()}};
  if (board_.is_stopped())
    throw std::runtime_error{"stopped"};
}

phase team::run(std::string name, std::string what, const driver_maker& make) {
  const auto ready = std::min(connections_each_, warm_up_most);
  on_each(name, [&](worker& one) { one.runs.warm_up(ready); });
  std::vector<std::unique_ptr<driver>> drivers;
  for (const auto& each : all_)
    drivers.push_back(make(*each));
  const auto began = clock_.now();
  std::vector<time_ns> ended(all_.size());
  on_each(name, [&](worker& one) {
    one.runs.run(*drivers[one.index]);
    ended[one.index] = clock_.now();
  });
  phase done{std::move(name), std::move(what), seconds(*std::ranges::max_element(ended) - began)};
  for (const auto& each : all_) {
    done.tally.merge(each->runs.take_tally());
    done.lateness.merge(each->runs.take_lateness());
  }
  return done;
}

void team::watch_over(const std::string& name, const std::function<bool()>& is_over) {
  const auto began = clock_.now();
  auto last = began;
  while (!is_over()) {
    std::this_thread::sleep_for(look_every);
    if (is_stopped.load(std::memory_order_relaxed))
      board_.stop();
    const auto now = clock_.now();
    if (!watch_ || now - last < second_ns)
      continue;
    auto seen = board_.look();
    watch_({name, seconds(now - began), seconds(now - last), seen.counts, std::move(seen.recent)});
    last = now;
  }
}

std::uint64_t team::count(stage which) const {
  std::uint64_t found = 0;
  for (const auto& each : all_)
    found += static_cast<std::uint64_t>(std::ranges::count(each->fans.all(), which, &fan::stage));
  return found;
}

} // namespace usher::load
