#include "storage/outbox/courier.hpp"

#include "storage/outbox/schedule.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace usher::storage::outbox {

namespace {

constexpr time_ms never = std::numeric_limits<time_ms>::max();
/// So many failures, and nothing that got through between them: it is the sink and not a show.
constexpr std::uint32_t failures_of_a_sink = 2;

/// The first events of a show, taken off it.
delivery cut(delivery& from, std::size_t most) {
  delivery made{.show = from.show, .events = {}};
  const auto count = std::min(most, from.events.size());
  const auto end = from.events.begin() + static_cast<std::ptrdiff_t>(count);
  made.events.assign(std::make_move_iterator(from.events.begin()), std::make_move_iterator(end));
  from.events.erase(from.events.begin(), end);
  return made;
}

} // namespace

courier::courier(parts with) : parts_{std::move(with)} {
  begin();
}

void courier::begin() {
  auto found = parts_.file.load();
  if (const auto* fault = std::get_if<failure>(&found)) {
    trouble_ = fault->what;
    return;
  }
  auto& loaded = std::get<std::optional<outbox::cursors>>(found);
  is_saved_ = loaded.has_value();
  if (loaded)
    cursors_ = *loaded;
  else if (parts_.from_now)
    set_all(parts_.log->head().position, true);
  saved_ = cursors_;
  check_log();
  find_lanes();
  if (loaded || !trouble_.empty())
    return;
  if (const auto fault = save()) // so that "now" is the same after a crash
    own_trouble(fault->what);
}

/// A log that was restored from a backup, or is another one, has other events at the positions that
/// were delivered. What is right then only an operator knows.
void courier::check_log() {
  trouble_.clear();
  const auto head = parts_.log->head();
  if (cursors_.most() > head.position) {
    trouble_ = "the log ends at position " + std::to_string(head.position) +
               ", and the sink has had position " + std::to_string(cursors_.most()) +
               ": the log is an older one. Reset the sink to a position";
    return;
  }
  if (cursors_.chain_position == 0)
    return;
  const auto chain = parts_.log->chain_at(cursors_.chain_position);
  if (const auto* fault = std::get_if<failure>(&chain))
    trouble_ = fault->what;
  else if (std::get<std::optional<digest>>(chain) != cursors_.chain)
    trouble_ = "the log is another one than before: its chain at position " +
               std::to_string(cursors_.chain_position) +
               " is not what this sink has had. Reset the sink to a position";
}

void courier::find_lanes() {
  lanes_.clear();
  taken_shows_.clear();
  taken_ = cursors_.position;
  for (const auto& [show, its] : cursors_.own)
    if (its < cursors_.position)
      lanes_.try_emplace(show);
}

time_ms courier::step() {
  if (!trouble_.empty() || !cursors_.stopped.empty())
    return never;
  const auto now = parts_.now();
  if (now < paused_until_)
    return paused_until_;
  auto errands = next_errands(now);
  const bool idle = errands.empty();
  if (!idle)
    run(std::move(errands));
  end_piece();
  const bool more = !idle || taken_ < head_.position;
  save_later(now, !more || !cursors_.stopped.empty());
  if (now < paused_until_)
    return paused_until_;
  return more ? now : now + poll_ms;
}

std::vector<courier::errand> courier::next_errands(time_ms now) {
  // While it is not known that the other side is there, one try is enough.
  const auto most = failed_in_a_row_ == 0 ? parts_.to->at_once_max() : 1;
  std::vector<errand> made;
  add_lanes(made, most, now);
  if (made.size() < most && (!taken_shows_.empty() || take_piece()))
    add_taken(made, most);
  return made;
}

void courier::add_lanes(std::vector<errand>& to, std::size_t most, time_ms now) {
  std::vector<std::string> due;
  for (const auto& [show, its] : lanes_)
    if (its.not_before <= now)
      due.push_back(show);
  for (const auto& show : due) {
    if (to.size() == most)
      return;
    if (auto next = next_of_lane(show))
      to.push_back({std::move(*next), true});
  }
}

/// Nothing when it caught up, or cannot be read.
std::optional<delivery> courier::next_of_lane(const std::string& show) {
  auto& cursor = cursors_.own.at(show);
  const auto is_it = [&](std::string_view of, position_t) { return of == show; };
  auto read =
      read_piece(*parts_.log, cursor, taken_, parts_.wanted, is_it, parts_.to->events_max());
  if (const auto* fault = std::get_if<failure>(&read)) {
    own_trouble(fault->what);
    return std::nullopt;
  }
  auto& found = std::get<piece>(read);
  if (!found.shows.empty())
    return std::move(found.shows.front());
  cursor = std::max(cursor, found.last);
  if (cursor >= taken_)
    lanes_.erase(show); // its cursor goes with the end of the piece
  return std::nullopt;
}

bool courier::take_piece() {
  head_ = parts_.log->head();
  const auto includes = [this](std::string_view show, position_t position) {
    if (lanes_.contains(show))
      return false;
    const auto ahead = cursors_.own.find(show);
    return ahead == cursors_.own.end() || position > ahead->second;
  };
  auto read = read_piece(*parts_.log, taken_, head_.position, parts_.wanted, includes);
  if (const auto* fault = std::get_if<failure>(&read)) {
    own_trouble(fault->what);
    return false;
  }
  auto& found = std::get<piece>(read);
  taken_ = found.last;
  taken_first_at_ = found.first_at;
  taken_shows_ = {std::make_move_iterator(found.shows.begin()),
                  std::make_move_iterator(found.shows.end())};
  return !taken_shows_.empty();
}

void courier::add_taken(std::vector<errand>& to, std::size_t most) {
  for (auto& each : taken_shows_) {
    if (to.size() == most)
      break;
    to.push_back({cut(each, parts_.to->events_max()), false});
  }
}

void courier::run(std::vector<errand> errands) {
  std::vector<delivery> given;
  for (auto& each : errands)
    given.push_back(std::move(each.what));
  const auto outcomes = parts_.ask(given);
  const auto now = parts_.now();
  bool any_through = false;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (!outcomes[i]) {
      forget_taken(); // nobody waited for it: what is not known to be delivered is not
      continue;
    }
    errands[i].what = std::move(given[i]);
    note(errands[i], *outcomes[i], now);
    any_through = any_through || std::holds_alternative<delivered>(*outcomes[i]);
  }
  if (any_through)
    failed_in_a_row_ = 0;
  if (failed_in_a_row_ < failures_of_a_sink)
    return;
  // Until the next of them may be tried; those whose time has come wait for what it finds.
  paused_until_ = never;
  for (const auto& [show, its] : lanes_)
    if (its.not_before > now)
      paused_until_ = std::min(paused_until_, its.not_before);
}

void courier::note(const errand& which, const outcome& what, time_ms now) {
  if (std::holds_alternative<delivered>(what))
    return note_delivered(which);
  auto& behind = fall_behind(which);
  if (const auto* left = std::get_if<gone>(&what)) {
    cursors_.stopped = left->why.empty() ? "gone" : left->why;
    return note_error(cursors_.stopped, now);
  }
  const auto& again = std::get<retry>(what);
  ++failures_;
  ++failed_in_a_row_;
  ++behind.failures;
  behind.not_before = again.not_before
                          ? std::clamp(*again.not_before, now + wait_min_ms, now + wait_max_ms)
                          : now + retry_wait_ms(behind.failures, parts_.random());
  note_error(again.why, now);
}

void courier::note_delivered(const errand& which) {
  delivered_ += which.what.events.size();
  if (!which.of_lane)
    return;
  cursors_.own[which.what.show] = which.what.events.back().position;
  lanes_[which.what.show] = {};
}

/// From here on the show is read from the log by itself, beginning with these events.
courier::lane& courier::fall_behind(const errand& which) {
  const auto& first = which.what.events.front();
  auto& behind = lanes_[which.what.show];
  behind.oldest_at = first.at;
  if (!which.of_lane) {
    cursors_.own[which.what.show] = first.position - 1;
    std::erase_if(taken_shows_, [&](const delivery& each) { return each.show == which.what.show; });
  }
  return behind;
}

void courier::note_error(const std::string& what, time_ms now) {
  last_error_ = what;
  last_error_at_ = now;
}

/// Once nothing of the piece is to be delivered, the common cursor stands at its end.
void courier::end_piece() {
  std::erase_if(taken_shows_, [](const delivery& each) { return each.events.empty(); });
  if (!taken_shows_.empty())
    return;
  taken_first_at_ = 0;
  cursors_.position = taken_;
  std::erase_if(cursors_.own, [this](const auto& each) {
    return !lanes_.contains(each.first) && each.second <= cursors_.position;
  });
  if (taken_ == head_.position && taken_ != 0) {
    cursors_.chain_position = head_.position;
    cursors_.chain = head_.chain;
  }
}

std::optional<failure> courier::save() {
  if (auto fault = parts_.to->settle()) {
    // Nobody knows what of it is on the disk: from the last cursors that are certain.
    cursors_ = saved_;
    find_lanes();
    return fault;
  }
  if (auto fault = parts_.file.save(cursors_))
    return fault;
  saved_ = cursors_;
  is_saved_ = true;
  saved_at_ = parts_.now();
  return std::nullopt;
}

void courier::save_later(time_ms now, bool at_once) {
  if ((is_saved_ && cursors_ == saved_) || (!at_once && now - saved_at_ < poll_ms))
    return;
  if (const auto fault = save())
    own_trouble(fault->what);
}

void courier::forget_taken() {
  taken_shows_.clear();
  taken_ = cursors_.position;
  taken_first_at_ = 0;
}

void courier::own_trouble(const std::string& what) {
  const auto now = parts_.now();
  note_error(what, now);
  ++failures_;
  paused_until_ = now + own_trouble_wait_ms;
}

std::optional<std::string> courier::fault_of_reset(const std::optional<std::string>& show,
                                                   std::optional<position_t> to) const {
  if (show && !trouble_.empty())
    return "Reset all of the sink: " + trouble_ + ".";
  if (!to)
    return std::nullopt;
  const auto end = parts_.log->head().position;
  const auto most = trouble_.empty() ? (show ? cursors_.of(*show) : cursors_.position) : end;
  if (*to <= std::min(most, end))
    return std::nullopt;
  return "expected at most " + std::to_string(std::min(most, end)) +
         ", where the cursor is; only \"now\" skips events";
}

/// `skips`: also shows that are further behind.
void courier::set_all(position_t to, bool skips) {
  std::erase_if(cursors_.own, [&](const auto& each) { return skips || each.second >= to; });
  cursors_.position = to;
  const auto chain = parts_.log->chain_at(to);
  const auto* known = std::get_if<std::optional<digest>>(&chain);
  const bool anchored = to != 0 && known != nullptr && known->has_value();
  cursors_.chain_position = anchored ? to : 0;
  cursors_.chain = anchored ? **known : digest{};
}

std::optional<std::string> courier::reset(const std::optional<std::string>& show,
                                          std::optional<position_t> to) {
  if (auto fault = fault_of_reset(show, to))
    return fault;
  const auto target = to ? *to : parts_.log->head().position;
  forget_taken();
  if (show)
    cursors_.own[*show] = target;
  else
    set_all(target, !to || !trouble_.empty());
  if (show && target == cursors_.position)
    cursors_.own.erase(*show);
  trouble_.clear();
  find_lanes();
  failed_in_a_row_ = 0;
  paused_until_ = 0;
  if (const auto fault = save())
    return fault->what;
  return std::nullopt;
}

std::optional<std::string> courier::resume() {
  if (!trouble_.empty())
    begin();
  if (!trouble_.empty())
    return trouble_;
  cursors_.stopped.clear();
  for (auto& [show, its] : lanes_)
    its = {.oldest_at = its.oldest_at};
  failed_in_a_row_ = 0;
  paused_until_ = 0;
  if (const auto fault = save())
    return fault->what;
  return std::nullopt;
}

courier_view courier::view() const {
  courier_view made{.cursors = cursors_,
                    .last_error = trouble_.empty() ? last_error_ : trouble_,
                    .last_error_at = last_error_at_,
                    .delivered = delivered_,
                    .failures = failures_};
  const auto older = [](time_ms a, time_ms b) { return a == 0 ? b : b == 0 ? a : std::min(a, b); };
  made.oldest_at = taken_first_at_;
  time_ms next = 0;
  for (const auto& [show, its] : lanes_) {
    made.oldest_at = older(made.oldest_at, its.oldest_at);
    if (its.failures > 0)
      next = older(next, its.not_before);
  }
  if (!trouble_.empty() || !cursors_.stopped.empty()) {
    made.state = sink_state::stopped;
    if (trouble_.empty())
      made.last_error = cursors_.stopped;
  } else if (const auto at = std::max(next, paused_until_); next != 0 || at > parts_.now()) {
    made.state = sink_state::retrying;
    made.next_try_at = at;
  }
  return made;
}

} // namespace usher::storage::outbox
