#include "storage/outbox/piece.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace usher::storage::outbox {

namespace {

class reader {
public:
  reader(const event_log& log, position_t after, const selection& wanted, std::size_t events_max)
      : log_{log}, wanted_{wanted}, events_max_{events_max} {
    made_.last = after;
  }

  /// False when the piece is full, or something is wrong: the record is not in it then.
  bool take(const stored_record& next, bool included) {
    const bool same_batch = next.batch_first == batch_first_;
    if (!same_batch && !end_batch(next.batch_first - 1))
      return false;
    batch_first_ = next.batch_first;
    const bool is_wanted = wanted_.wants(next.type);
    // What is not wanted is passed over to the end of the batch, which the last event carries.
    if (is_full() && (is_wanted || !same_batch))
      return false;
    ++records_;
    if (is_wanted) {
      if (!end_record({}))
        return false;
      waiting_ = next;
      included_ = included;
      events_ += included ? 1 : 0;
      bytes_ += included ? next.data.size() : 0;
    }
    made_.last = next.position;
    return true;
  }

  /// The log was read to its end, which is a batch's too. `whole`: nothing was held back.
  std::variant<piece, failure> finish(bool whole) {
    if (!fault_)
      static_cast<void>(whole ? end_batch(made_.last) : end_record({}));
    if (fault_)
      return std::move(*fault_);
    return std::move(made_);
  }

private:
  [[nodiscard]] bool is_full() const {
    return events_ >= events_max_ || bytes_ >= piece_bytes_max || records_ >= piece_records_max;
  }

  /// The batch before ends at `last`: its last wanted event says so.
  bool end_batch(position_t last) {
    if (!waiting_)
      return true;
    if (!included_)
      return end_record({});
    const auto chain = log_.chain_at(last);
    if (const auto* fault = std::get_if<failure>(&chain)) {
      fault_ = *fault;
      return false;
    }
    const auto& found = std::get<std::optional<digest>>(chain);
    return end_record(found ? std::optional{log_head{.position = last, .chain = *found}}
                            : std::nullopt);
  }

  /// Writes out the wanted record that waited for what comes behind it.
  bool end_record(std::optional<log_head> anchor) {
    if (!waiting_)
      return true;
    const auto record = *std::exchange(waiting_, std::nullopt);
    if (!included_)
      return true;
    using sealed = cloud_event_options::sealed;
    auto line =
        cloud_event(record, {.personal = wanted_.personal_data ? sealed::opened : sealed::left_out,
                             .open = wanted_.open,
                             .anchor = std::move(anchor)});
    if (auto* fault = std::get_if<failure>(&line)) {
      fault_ = std::move(*fault);
      return false;
    }
    add(record, std::move(std::get<std::string>(line)));
    return true;
  }

  void add(const stored_record& record, std::string line) {
    const std::string show{show_of(record.subject)};
    const auto [at, is_new] = index_.try_emplace(show, made_.shows.size());
    if (is_new)
      made_.shows.push_back({.show = show, .events = {}});
    made_.shows[at->second].events.push_back(
        {.position = record.position, .at = record.at, .json = std::move(line)});
    if (made_.first_at == 0)
      made_.first_at = record.at;
  }

  const event_log& log_;
  const selection& wanted_;
  std::size_t events_max_;
  piece made_;
  std::map<std::string, std::size_t> index_;
  std::optional<stored_record> waiting_; ///< wanted, and perhaps the last of its batch
  bool included_ = false;                ///< is `waiting_` to go out?
  position_t batch_first_ = 0;
  std::size_t records_ = 0;
  std::size_t events_ = 0;
  std::size_t bytes_ = 0;
  std::optional<failure> fault_;
};

} // namespace

bool selection::wants(std::string_view type) const {
  return types.empty() || std::ranges::find(types, type) != types.end();
}

std::variant<piece, failure>
read_piece(const event_log& log, position_t after, position_t end, const selection& wanted,
           const std::function<bool(std::string_view show, position_t position)>& includes,
           std::size_t events_max) {
  if (after >= end)
    return piece{.shows = {}, .last = after};
  reader all{log, after, wanted, events_max};
  bool whole = true;
  auto broken = log.replay(after + 1, [&](const stored_record& next) {
    if (next.position > end)
      return false;
    whole = all.take(next, includes(show_of(next.subject), next.position));
    return whole;
  });
  if (broken)
    return std::move(*broken);
  return all.finish(whole);
}

} // namespace usher::storage::outbox
