#include "bench/load/engine.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <stdexcept>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace usher::load {

namespace {

constexpr std::size_t scratch_bytes = std::size_t{256} * 1024;
constexpr time_ns publish_every = second_ns / 4;
constexpr std::size_t events_max = 256;

} // namespace

engine::engine(const target& to, const options& with, run_clock clock, progress_board& board,
               std::size_t index)
    : to_{to},
      with_{with},
      clock_{clock},
      board_{board},
      index_{index},
      epoll_{::epoll_create1(EPOLL_CLOEXEC)},
      scratch_(scratch_bytes, '\0') {
  if (epoll_ < 0)
    throw std::runtime_error{"the system has no more files to wait with"};
}

engine::~engine() {
  ::close(epoll_);
}

void engine::add(const task& what) {
  if (what.due <= clock_.now())
    ready_.push_back(what);
  else
    later_.push(what);
}

void engine::count(const task& what, const verdict& how, time_ns now, std::string_view example) {
  tally_.add(what.kind, how, now - what.due, example);
  ++counts_.answered;
  if (how.what == outcome::wrong)
    ++counts_.wrong;
  else if (how.what == outcome::shed)
    ++counts_.shed;
  else
    recent_.add(now - what.due);
}

void engine::run(driver& by) {
  ::prctl(PR_SET_TIMERSLACK, 1UL); // of this thread: sleep no longer than asked
  arrival_ = by.next_arrival();
  next_publish_ = clock_.now() + publish_every;
  while (gone_.empty() && !board_.is_stopped() && !by.over(clock_.now())) {
    const auto now = clock_.now();
    fall_due(by, now);
    send_ready(by);
    send_at_once(by);
    if (now >= next_publish_)
      every_so_often(by, now);
    wait(by, next_thing());
  }
  drop_all();
}

time_ns engine::next_thing() const {
  auto next = next_publish_;
  if (arrival_)
    next = std::min(next, arrival_->due);
  if (!later_.empty())
    next = std::min(next, later_.top().due);
  return next;
}

void engine::wait(driver& by, time_ns until) {
  std::array<epoll_event, events_max> events;
  const auto span = std::max<time_ns>(until - clock_.now(), 0);
  const timespec limit{span / second_ns, span % second_ns};
  const int came =
      ::epoll_pwait2(epoll_, events.data(), static_cast<int>(events.size()), &limit, nullptr);
  for (int i = 0; i < came; ++i) {
    const auto& each = events[static_cast<std::size_t>(i)];
    on_event(by, *static_cast<connection*>(each.data.ptr), each.events);
  }
}

/// Whatever is under way or meant to come belongs to the phase that is over.
void engine::drop_all() {
  for (auto& each : connections_)
    if (each.has_work)
      forget(each);
  later_ = {};
  ready_.clear();
  arrival_.reset();
  kept_back_.reset();
  publish();
}

void engine::fall_due(driver& by, time_ns now) {
  while (arrival_ && arrival_->due <= now) {
    ready_.push_back(*arrival_);
    arrival_ = by.next_arrival();
  }
  while (!later_.empty() && later_.top().due <= now) {
    ready_.push_back(later_.top());
    later_.pop();
  }
}

void engine::send_ready(driver& by) {
  while (!ready_.empty()) {
    const auto what = ready_.front();
    const auto now = clock_.now();
    if (now - what.due > with_.patience) {
      ready_.pop_front();
      by.lost(what, "not sent: every connection was busy", now);
    } else if (start(by, what)) {
      ready_.pop_front();
    } else {
      break;
    }
  }
  lateness_.waiting_max = std::max<std::uint64_t>(lateness_.waiting_max, ready_.size());
}

void engine::send_at_once(driver& by) {
  while (ready_.empty() && at_once_ < with_.at_once_max && gone_.empty()) {
    if (!kept_back_)
      kept_back_ = by.next_at_once();
    if (!kept_back_)
      return;
    kept_back_->at_once = true;
    if (!start(by, *kept_back_))
      return;
    kept_back_.reset();
  }
}

bool engine::start(driver& by, const task& what) {
  const auto now = clock_.now();
  auto* on = take_free(now);
  if (on == nullptr)
    on = open_another();
  if (on == nullptr)
    return false;
  on->work = what;
  on->has_work = true;
  ++in_flight_;
  at_once_ += what.at_once ? 1 : 0;
  if (on->now() == connection::state::free)
    send_on(by, *on, now);
  return true;
}

void engine::send_on(driver& by, connection& on, time_ns now) {
  if (on.work.at_once)
    on.work.due = now;
  lateness_.sent_late_max = std::max(lateness_.sent_late_max, now - on.work.due);
  by.write(on.work, on.request);
  ++counts_.sent;
  if (const auto why = on.send(on.work, now); !why.empty())
    on_lost(by, on, why, now);
}

void engine::every_so_often(driver& by, time_ns now) {
  next_publish_ = now + publish_every;
  for (auto& each : connections_) {
    if (now - each.since <= with_.patience)
      continue;
    if (each.now() == connection::state::busy)
      on_lost(by, each, "no answer in time", now);
    else if (each.now() == connection::state::opening)
      on_refused(by, each, "the connection did not open in time", now);
  }
  publish();
}

void engine::publish() {
  counts_.in_flight = in_flight_;
  counts_.waiting = ready_.size();
  board_.publish(index_, counts_, recent_);
}

} // namespace usher::load
