#include "storage/memory_log.hpp"

#include "storage/log_format.hpp"
#include "storage/receipts.hpp"
#include "storage/replay.hpp"

#include <cstdlib>
#include <iterator>
#include <utility>

namespace usher::storage {

void memory_log::fail_append(std::uint64_t nth, failed_append leaves) {
  appends_until_failure_ = nth;
  leaves_ = leaves;
}

void memory_log::keep(const prepared_batch& next) {
  {
    const std::lock_guard lock{guard_};
    values_.emplace(next.what.first(), next.value);
    for (const auto& record : next.what.records)
      for (auto& key : place_keys(record))
        places_.insert(std::move(key));
    tail_.accept(next);
  }
  if (sync_)
    durable_ = next.head.position;
}

std::optional<failure> memory_log::append(const std::vector<record>& records) {
  if (failed_)
    return failure{"the log has failed before and takes nothing more"};
  if (records.empty())
    return std::nullopt;
  auto next = tail_.prepare(records, epoch_);
  if (auto* fault = std::get_if<failure>(&next)) {
    failed_ = true;
    return std::move(*fault);
  }
  if (appends_until_failure_ > 0 && --appends_until_failure_ == 0) {
    failed_ = true;
    if (leaves_ == failed_append::written)
      unknown_ = std::move(std::get<prepared_batch>(next));
    return failure{"the append failed, as planned"};
  }
  keep(std::get<prepared_batch>(next));
  return std::nullopt;
}

log_head memory_log::head() const {
  const std::lock_guard lock{guard_};
  return tail_.head();
}

std::variant<std::optional<digest>, failure> memory_log::chain_at(position_t position) const {
  if (position == 0)
    return digest{};
  const std::lock_guard lock{guard_};
  auto found = batch_with(position);
  if (auto* fault = std::get_if<failure>(&found))
    return std::move(*fault);
  const auto& what = std::get<batch>(found);
  if (what.last() != position)
    return std::nullopt;
  return chain_hasher{}.next(what.previous, values_.at(what.first()));
}

std::optional<failure>
memory_log::replay(position_t from, const std::function<bool(const stored_record&)>& visit) const {
  std::unique_lock lock{guard_};
  const auto end = tail_.end();
  auto next = values_.upper_bound(from);
  if (next != values_.begin())
    next = std::prev(next);
  lock.unlock();
  return replay_batches(
      from, end,
      [&]() -> std::variant<std::optional<stored_batch>, failure> {
        const std::lock_guard guard{guard_};
        if (next == values_.end())
          return std::nullopt;
        const auto& [key, value] = *next++;
        return stored_batch{.key = key, .value = value};
      },
      visit);
}

std::variant<batch, failure> memory_log::batch_with(position_t position) const {
  const auto next = values_.upper_bound(position);
  if (next == values_.begin())
    return failure{"there is no record at position " + std::to_string(position)};
  return decode_batch(std::prev(next)->second);
}

std::variant<std::vector<stored_record>, failure>
memory_log::records_about(std::string_view subject, std::uint32_t slot, std::size_t limit) const {
  const std::lock_guard lock{guard_};
  const auto last_key_up_to =
      [this](const std::string& key) -> std::variant<std::optional<std::string>, failure> {
    const auto next = places_.upper_bound(key);
    return next == places_.begin() ? std::nullopt : std::optional{*std::prev(next)};
  };
  return storage::records_about(
      {.last_key_up_to = last_key_up_to,
       .batch_with = [this](position_t position) { return batch_with(position); }},
      subject, slot, limit);
}

void memory_log::forget_beyond(position_t durable) {
  const std::lock_guard lock{guard_};
  values_.erase(values_.upper_bound(durable), values_.end());
  std::erase_if(places_, [&](const std::string& key) {
    const auto entry = read_place_key(key);
    return !entry || entry->position > durable;
  });
}

void memory_log::crash() {
  if (unknown_) {
    keep(*unknown_);
    durable_ = unknown_->head.position;
  }
  forget_beyond(durable_);
  tail_ = log_tail{};
  for (const auto& [key, value] : values_) {
    const auto read = decode_batch(value);
    const auto* const what = std::get_if<batch>(&read);
    if (what == nullptr || tail_.check(*what, chain_hasher{}.next(what->previous, value)))
      std::abort(); // our own bytes
  }
  epoch_ = tail_.epoch() + 1;
  failed_ = false;
  appends_until_failure_ = 0;
  unknown_.reset();
}

} // namespace usher::storage
