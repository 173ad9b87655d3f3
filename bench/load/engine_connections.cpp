#include "bench/load/engine.hpp"

#include <algorithm>
#include <array>
#include <sys/epoll.h>

// The engine's connections: opened when one more is needed, kept, and opened again when lost.
namespace usher::load {

namespace {

/// The server closes a connection that is idle for 30 s: one that nearly was is not trusted.
constexpr time_ns idle_max = 20 * second_ns;
constexpr int refused_in_a_row_max = 100;
constexpr std::size_t opening_max = 256; ///< while warming up: a listener's queue is short
constexpr time_ns warm_up_max = 10 * second_ns;

/// While warming up there is nothing to write and nothing to lose.
class no_driver final : public driver {
  void write(task& /*what*/, std::string& /*to*/) override {}
  void answered(const task& /*what*/, const answer& /*got*/, time_ns /*sent*/,
                time_ns /*now*/) override {}
  void lost(const task& /*what*/, std::string_view /*why*/, time_ns /*now*/) override {}
  [[nodiscard]] bool over(time_ns /*now*/) const override { return true; }
};

} // namespace

void engine::warm_up(std::size_t connections) {
  no_driver nobody;
  const auto give_up = clock_.now() + warm_up_max;
  while (gone_.empty() && clock_.now() < give_up) {
    auto opening = static_cast<std::size_t>(std::ranges::count(
        connections_, connection::state::opening, [](const auto& each) { return each.now(); }));
    while (usable_ < connections && opening < opening_max && open_another() != nullptr)
      ++opening;
    if (opening == 0)
      return;
    wait(nobody, clock_.now() + second_ns / 10);
  }
}

connection* engine::take_free(time_ns now) {
  while (!free_.empty()) {
    auto* const one = free_.back();
    free_.pop_back();
    if (one->now() != connection::state::free || one->has_work)
      continue; // closed meanwhile, or closed and opened again
    if (now - one->since < idle_max)
      return one;
    forget(*one);
  }
  return nullptr;
}

connection* engine::open_another() {
  if (usable_ >= with_.connections_max)
    return nullptr;
  if (closed_.empty())
    closed_.push_back(&connections_.emplace_back());
  auto* const one = closed_.back();
  if (const auto why = one->open(to_, epoll_, clock_.now()); !why.empty()) {
    note_refused(why);
    return nullptr;
  }
  closed_.pop_back();
  ++usable_;
  return one;
}

void engine::on_event(driver& by, connection& on, std::uint32_t events) {
  const auto now = clock_.now();
  if (on.now() == connection::state::closed)
    return; // by what an earlier event led to
  if (on.now() == connection::state::opening) {
    if (const auto why = on.opened(now); !why.empty())
      return on_refused(by, on, why, now);
    refused_in_a_row_ = 0;
    if (on.has_work)
      return send_on(by, on, now);
    free_.push_back(&on);
    return;
  }
  if ((events & EPOLLOUT) != 0)
    if (const auto why = on.send_rest(); !why.empty())
      return on_lost(by, on, why, now);
  if ((events & ~static_cast<std::uint32_t>(EPOLLOUT)) == 0)
    return;
  const auto sent = on.since;
  switch (on.receive(scratch_, now)) {
  case connection::heard::nothing:
    return;
  case connection::heard::answer:
    return on_answer(by, on, sent, now);
  case connection::heard::lost:
    return on_lost(by, on, on.why(), now);
  }
}

void engine::on_answer(driver& by, connection& on, time_ns sent, time_ns now) {
  on.has_work = false;
  --in_flight_;
  at_once_ -= on.work.at_once ? 1 : 0;
  by.answered(on.work, on.got(), sent, now);
  if (on.got().closes)
    forget(on);
  else
    free_.push_back(&on);
}

void engine::on_lost(driver& by, connection& on, std::string_view why, time_ns now) {
  const auto what = on.work;
  const bool had_work = on.has_work;
  forget(on);
  if (had_work)
    by.lost(what, why, now);
}

void engine::on_refused(driver& by, connection& on, std::string_view why, time_ns now) {
  note_refused(why);
  on_lost(by, on, why, now);
}

void engine::note_refused(std::string_view why) {
  if (++refused_in_a_row_ >= refused_in_a_row_max)
    gone_ = why;
}

/// Closes it, and whatever was on it is no longer under way.
void engine::forget(connection& on) {
  if (std::exchange(on.has_work, false)) {
    --in_flight_;
    at_once_ -= on.work.at_once ? 1 : 0;
  }
  on.close();
  closed_.push_back(&on);
  --usable_;
}

} // namespace usher::load
