#include "storage/audit/what_if.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace usher::storage::audit {

namespace {

void count_wait(figures& in, const crowd& of, time_ms came, time_ms admitted) {
  in.waits.push_back(admitted - std::max(came, of.opened_at));
  const auto after = admitted - of.opened_at;
  in.last_admission = std::max(in.last_admission.value_or(after), after);
  count_in(in.admitted_by_minute, of.minute_of(admitted), 1);
}

std::optional<duration_ms> after_opening(const crowd& of, std::optional<time_ms> at) {
  return at ? std::optional{*at - of.opened_at} : std::nullopt;
}

distance compare(const crowd& of, const simulated& again) {
  std::vector<duration_ms> off;
  for (std::size_t fan = 0; fan < of.fans.size(); ++fan)
    if (of.fans[fan].admitted != 0 && again.admitted[fan] != 0)
      off.push_back(std::abs(again.admitted[fan] - of.fans[fan].admitted));
  if (off.empty())
    return {};
  std::ranges::sort(off);
  return {off.size(), off[(off.size() - 1) / 2], off.back()};
}

/// The settings that an opening begins with.
waiting_room::settings settings_at_opening(const crowd& of) {
  auto found = of.settings.front().second;
  for (const auto& [at, set] : of.settings)
    if (at <= of.opened_at)
      found = set;
  return found;
}

/// One reader for each show that is asked for.
class readers {
public:
  explicit readers(const std::optional<show_id>& show) : show_{show} {}

  void take(const stored_record& next) {
    const auto where = read_subject(next.subject);
    const bool of_a_show = where && !where->show.empty();
    if (!of_a_show || (show_ && where->show != *show_))
      return;
    const auto read = read_event(next);
    if (const auto* what = std::get_if<any_fact>(&read))
      all_[where->show].take(next, *where, *what); // verify reports what cannot be read
  }

  std::variant<std::pair<show_id, crowd>, failure> finish() && {
    std::map<show_id, crowd> openings;
    for (auto& [id, reader] : all_)
      if (auto found = std::move(reader).finish())
        openings.emplace(id, std::move(*found));
    if (openings.size() == 1)
      return std::pair<show_id, crowd>{openings.begin()->first,
                                       std::move(openings.begin()->second)};
    std::string names;
    for (const auto& [id, found] : openings)
      names += (names.empty() ? "" : ", ") + id;
    if (!openings.empty())
      return failure{"name the show: " + names + " had an opening"};
    return failure{(show_ ? "show " + *show_ : std::string{"no show"}) +
                   (show_ && !all_.contains(*show_) ? " is not in the log"
                                                    : " had an opening that anybody came to")};
  }

private:
  const std::optional<show_id>& show_;
  std::map<show_id, crowd_reader> all_;
};

} // namespace

std::optional<duration_ms> figures::wait_at(unsigned hundredths) const {
  if (waits.empty())
    return std::nullopt;
  const auto rank = (waits.size() * hundredths + 99) / 100;
  return waits[std::max<std::size_t>(rank, 1) - 1];
}

figures figures_of(const crowd& of) {
  figures all{.fans = of.fans.size(),
              .waits = {},
              .last_admission = {},
              .admitted_by_minute = {},
              .sold_by_minute = of.sold_by_minute,
              .sold = of.sold,
              .active_most = of.active_most,
              .sold_out_after = after_opening(of, of.sold_out_at)};
  for (const auto& fan : of.fans)
    if (fan.admitted != 0)
      count_wait(all, of, fan.came, fan.admitted);
  std::ranges::sort(all.waits);
  return all;
}

figures figures_of(const crowd& of, const simulated& what) {
  figures all{.fans = of.fans.size(),
              .waits = {},
              .last_admission = {},
              .admitted_by_minute = {},
              .sold_by_minute = what.sold_by_minute,
              .sold = what.sold,
              .active_most = what.active_most,
              .sold_out_after = after_opening(of, what.sold_out_at)};
  for (std::size_t fan = 0; fan < of.fans.size(); ++fan)
    if (what.admitted[fan] != 0)
      count_wait(all, of, of.fans[fan].came, what.admitted[fan]);
  std::ranges::sort(all.waits);
  return all;
}

what_if_report compare(const crowd& of, const show_id& show, const changes& asked) {
  const auto again = simulate(of, {});
  const auto other = simulate(of, asked);
  return {.show = show,
          .opened_at = of.opened_at,
          .has_seats = of.has_seats,
          .asked = asked,
          .logged = settings_at_opening(of),
          .as_it_was = figures_of(of),
          .as_logged = figures_of(of, again),
          .other = figures_of(of, other),
          .off = compare(of, again),
          .went_on = again.went_on || other.went_on,
          .holds_refused = other.holds_refused};
}

std::variant<what_if_report, failure> what_if(const event_log& log,
                                              const std::optional<show_id>& show,
                                              const changes& asked,
                                              const std::function<void(position_t)>& reached) {
  readers all{show};
  if (auto fault = log.replay(1, [&](const stored_record& next) {
        all.take(next);
        if (reached)
          reached(next.position);
        return true;
      }))
    return std::move(*fault);
  auto found = std::move(all).finish();
  if (auto* fault = std::get_if<failure>(&found))
    return std::move(*fault);
  const auto& [id, of] = std::get<std::pair<show_id, crowd>>(found);
  return compare(of, id, asked);
}

} // namespace usher::storage::audit
