#include "storage/replay.hpp"

#include "storage/batch_reading.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace usher::storage {

namespace {

/// From so many records on they are read ahead: it pays, and a thread costs nothing beside it.
constexpr position_t read_ahead_min = 10'000;

std::optional<failure> compare(const log_tail& reached, const log_end& end) {
  if (reached.head().position != end.head.position)
    return failure{"the log ends at position " + std::to_string(reached.head().position) +
                   " and should end at " + std::to_string(end.head.position)};
  if (reached.head().chain != end.head.chain)
    return failure{"the last batch, up to position " + std::to_string(reached.head().position) +
                   ", is not the one that the head of the chain was made of"};
  if (!reached.from_the_start())
    return std::nullopt;
  if (reached.head().batches != end.head.batches)
    return failure{"the log has " + std::to_string(reached.head().batches) +
                   " batches and should have " + std::to_string(end.head.batches)};
  if (reached.versions() != end.versions)
    return failure{"the index of subjects does not agree with the batches"};
  return std::nullopt;
}

} // namespace

std::optional<failure> replay_batches(position_t from, const log_end& end, const batch_source& next,
                                      const std::function<bool(const stored_record&)>& visit) {
  from = std::max<position_t>(from, 1);
  if (from > end.head.position + 1)
    return failure{"position " + std::to_string(from) + " is beyond the end of the log, " +
                   std::to_string(end.head.position)};
  std::optional<log_tail> tail;
  if (from == 1)
    tail.emplace();
  batch_reading reading{next, end.head.position + 1 - from >= read_ahead_min};
  while (!tail || tail->head().position < end.head.position) {
    auto got = reading.next();
    if (auto* fault = std::get_if<failure>(&got))
      return std::move(*fault);
    const auto* const found = std::get<const read_batch*>(got);
    if (found == nullptr)
      break;
    if (!tail)
      tail = log_tail::before(found->what);
    if (auto fault = tail->check(found->what, found->chain))
      return fault;
    for (const auto& record : found->what.records)
      if (record.position >= from && !visit(record))
        return std::nullopt;
  }
  if (!tail)
    tail.emplace();
  return compare(*tail, end);
}

} // namespace usher::storage
