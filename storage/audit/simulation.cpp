#include "storage/audit/simulation.hpp"

#include "storage/audit/simulated_lines.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>

namespace usher::storage::audit {

namespace {

/// What is due, besides fans who come. At the same time the first kind goes first.
enum class due_kind : std::uint8_t { phase, settings, outside, give, end, again, back, take };

struct due {
  time_ms at = 0;
  due_kind kind = due_kind::phase;
  std::uint64_t number = 0; ///< in order of planning
  slot_t fan = 0;
  std::size_t entry = 0; ///< of the crowd's list; of a want: its index
  const visit* its = nullptr;

  bool operator>(const due& other) const {
    return std::tie(at, kind, number) > std::tie(other.at, other.kind, other.number);
  }
};

class simulation {
public:
  simulation(const crowd& of, const changes& other)
      : of_{of}, other_{other}, lines_{of}, visits_had_(of.fans.size(), 0) {
    gone_.admitted.assign(of.fans.size(), 0);
    gather_sample();
    plan_the_log();
  }

  simulated run() && {
    now_ = of_.opened_at;
    free_ = of_.seats;
    const auto end = of_.opened_at + simulated_max_ms;
    take_due();
    // Who comes first to a room on standby does not wait for credit.
    credit_micro_ = phase_.standby ? credit_most() : 0;
    credit_at_ = now_;
    for (auto next = next_tick(); next && !gone_.went_on; next = next_tick()) {
      if (*next > end) {
        gone_.went_on = true;
        break;
      }
      on_standby_until(*next);
      now_ = *next;
      take_due();
      admit();
    }
    return std::move(gone_);
  }

private:
  // ---- the log

  /// Those whose visit is known from beginning to end, in order of admission.
  void gather_sample() {
    std::vector<std::pair<time_ms, slot_t>> order;
    for (const auto& [fan, all] : of_.visits)
      if (!all.front().cut_off)
        order.emplace_back(all.front().since, fan);
    std::ranges::sort(order);
    for (const auto& [since, fan] : order)
      sample_.push_back(&of_.visits.at(fan).front());
  }

  void plan(due what) {
    what.number = planned_++;
    due_.push(what);
  }

  void plan_the_log() {
    for (std::size_t i = 0; i < of_.phases.size(); ++i)
      plan({.at = of_.phases[i].at, .kind = due_kind::phase, .entry = i});
    for (std::size_t i = 0; i < of_.settings.size(); ++i)
      plan({.at = of_.settings[i].first, .kind = due_kind::settings, .entry = i});
    for (std::size_t i = 0; i < of_.outside.size(); ++i)
      plan({.at = of_.outside[i].first, .kind = due_kind::outside, .entry = i});
  }

  void set_as_logged(const waiting_room::settings& logged) {
    const auto had = credit();
    set_ = logged;
    if (other_.admit_per_second_micro)
      set_.admit_per_second_micro = *other_.admit_per_second_micro;
    if (other_.max_active)
      set_.max_active = other_.max_active->most;
    if (other_.max_per_tick)
      set_.max_per_tick = other_.max_per_tick->most;
    if (other_.admission_ttl_ms)
      set_.admission_ttl_ms = *other_.admission_ttl_ms;
    set_.tick_ms = std::max<duration_ms>(set_.tick_ms, 1);
    credit_micro_ = std::min(had, credit_most());
    credit_at_ = now_;
  }

  // ---- what is due

  void take_due() {
    while (!due_.empty() && due_.top().at <= now_) {
      const auto next = due_.top();
      due_.pop();
      take(next);
    }
  }

  void take(const due& next) {
    switch (next.kind) {
    case due_kind::phase:
      phase_ = of_.phases[next.entry];
      return;
    case due_kind::settings:
      return set_as_logged(of_.settings[next.entry].second);
    case due_kind::outside:
      free_ += of_.outside[next.entry].second;
      return;
    case due_kind::take:
      return take_seats(next);
    case due_kind::give:
      return give_seats(next);
    case due_kind::end:
      return end(next);
    case due_kind::again:
    case due_kind::back:
      return lines_.stand_again(next.fan);
    }
  }

  void take_seats(const due& next) {
    const auto& wanted = next.its->wants[next.entry];
    const std::int64_t seats = wanted.seats;
    if (of_.has_seats && seats > free_) {
      ++gone_.holds_refused;
      return;
    }
    free_ -= seats;
    held_ += seats;
    plan({.at = next.at + wanted.lasts,
          .kind = due_kind::give,
          .fan = next.fan,
          .entry = next.entry,
          .its = next.its});
  }

  void give_seats(const due& next) {
    const auto& wanted = next.its->wants[next.entry];
    held_ -= wanted.seats;
    if (!wanted.sold) {
      free_ += wanted.seats;
      return;
    }
    gone_.sold += wanted.seats;
    count_in(gone_.sold_by_minute, of_.minute_of(next.at), wanted.seats);
    if (of_.has_seats && free_ <= 0 && held_ == 0 && !gone_.sold_out_at)
      gone_.sold_out_at = next.at;
  }

  void end(const due& next) {
    --active_;
    lines_.at(next.fan) = fan_state::gone;
    const bool for_the_first_time = visits_had_[next.fan] == 1;
    if (next.its->again_after && for_the_first_time)
      plan({.at = next.at + *next.its->again_after, .kind = due_kind::again, .fan = next.fan});
  }

  // ---- ticks

  /// As long as nobody waits, or nobody can be admitted, ticks are passed over.
  std::optional<time_ms> next_tick() {
    if (admits() && has_room() && lines_.first(now_))
      return now_ + set_.tick_ms;
    const auto next = std::min(due_.empty() ? never : due_.top().at, lines_.comes_next(now_));
    if (next == never)
      return std::nullopt;
    const auto ticks = (std::max(next, now_ + 1) - now_ + set_.tick_ms - 1) / set_.tick_ms;
    return now_ + ticks * set_.tick_ms;
  }

  [[nodiscard]] bool admits() const {
    return phase_.admits && (!of_.has_seats || free_ > 0) && set_.admit_per_second_micro > 0;
  }
  [[nodiscard]] bool has_room() const { return !set_.max_active || active_ < *set_.max_active; }

  /// On standby who comes while nobody waits is admitted at once.
  void on_standby_until(time_ms tick) {
    while (phase_.standby && admits() && !lines_.first(now_)) {
      const auto next = lines_.comes_next(now_);
      if (next >= tick)
        return;
      now_ = next;
      take_due();
      if (phase_.standby)
        admit();
    }
  }

  // ---- who is next

  /// Passed over, if nobody has heard of the fan for long.
  bool is_silent(slot_t fan) {
    const auto found = of_.silences.find(fan);
    if (found == of_.silences.end())
      return false;
    for (const auto& one : found->second) {
      const auto from = std::max(one.from, of_.opened_at) + set_.absent_after_ms;
      if (now_ < from || now_ >= one.until)
        continue;
      const bool in_time = one.until != never && one.until < now_ + set_.claim_ttl_ms;
      lines_.at(fan) = in_time ? fan_state::silent : fan_state::gone;
      if (in_time)
        plan({.at = one.until, .kind = due_kind::back, .fan = fan});
      return true;
    }
    return false;
  }

  // ---- admitting

  [[nodiscard]] std::uint64_t credit_most() const {
    return set_.admit_per_second_micro * static_cast<std::uint64_t>(set_.tick_ms) / 1000 + 999'999;
  }
  /// Fans in millionths: at most what one tick brings, and what is left of a fan.
  [[nodiscard]] std::uint64_t credit() const {
    constexpr duration_ms full_after_ms = 24LL * 60 * 60 * 1000;
    const auto passed =
        static_cast<std::uint64_t>(std::clamp<duration_ms>(now_ - credit_at_, 0, full_after_ms));
    return std::min(credit_most(), credit_micro_ + set_.admit_per_second_micro * passed / 1000);
  }

  void admit() {
    if (!admits())
      return;
    const auto has = credit();
    auto most = has / 1'000'000;
    if (set_.max_active)
      most = std::min<std::uint64_t>(most,
                                     active_ < *set_.max_active ? *set_.max_active - active_ : 0);
    if (set_.max_per_tick)
      most = std::min<std::uint64_t>(most, *set_.max_per_tick);
    std::uint64_t admitted = 0;
    while (admitted < most) {
      const auto next = lines_.first(now_);
      if (!next)
        break;
      if (is_silent(*next))
        continue;
      let_in(*next);
      ++admitted;
    }
    if (admitted == 0)
      return;
    credit_micro_ = has - admitted * 1'000'000;
    credit_at_ = now_;
    gone_.active_most = std::max<std::uint64_t>(gone_.active_most, active_);
  }

  /// What the fan does, and from where on it is not known.
  const visit& behaviour_of(slot_t fan) {
    static const visit nothing{};
    const auto found = of_.visits.find(fan);
    if (found != of_.visits.end())
      return found->second[std::min<std::size_t>(visits_had_[fan], found->second.size() - 1)];
    if (sample_.empty())
      return nothing;
    return *sample_[next_sample_++ % sample_.size()];
  }

  /// How long it lasts under these settings.
  [[nodiscard]] duration_ms stay_of(const visit& its) const {
    const auto own = set_.admission_ttl_ms;
    const bool holds =
        std::ranges::any_of(its.wants, [&](const want& one) { return one.after < own; });
    const auto kept = holds ? std::max(own, its.kept) : own;
    return its.to_the_end ? kept : std::min(its.stay, holds ? its.stay : own);
  }

  void let_in(slot_t fan) {
    const auto& its = behaviour_of(fan);
    lines_.at(fan) = fan_state::in;
    if (gone_.admitted[fan] == 0)
      gone_.admitted[fan] = now_;
    ++visits_had_[fan];
    ++active_;
    const auto stay = stay_of(its);
    plan({.at = now_ + stay, .kind = due_kind::end, .fan = fan, .its = &its});
    for (std::size_t i = 0; i < its.wants.size(); ++i)
      if (its.wants[i].after <= stay)
        plan({.at = now_ + its.wants[i].after,
              .kind = due_kind::take,
              .fan = fan,
              .entry = i,
              .its = &its});
  }

  const crowd& of_;
  const changes& other_;
  simulated_lines lines_;
  std::vector<std::uint8_t> visits_had_;
  std::vector<const visit*> sample_;
  std::size_t next_sample_ = 0;
  std::priority_queue<due, std::vector<due>, std::greater<>> due_;
  std::uint64_t planned_ = 0;
  simulated gone_;
  time_ms now_ = 0;
  room_phase phase_;
  waiting_room::settings set_;
  std::uint64_t credit_micro_ = 0;
  time_ms credit_at_ = 0;
  std::uint64_t active_ = 0;
  std::int64_t free_ = 0;
  std::int64_t held_ = 0;
};

} // namespace

simulated simulate(const crowd& of, const changes& other) {
  return simulation{of, other}.run();
}

} // namespace usher::storage::audit
