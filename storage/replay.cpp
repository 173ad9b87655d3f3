#include "storage/replay.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace usher::storage {

namespace {

std::variant<batch, failure> read(const stored_batch& stored) {
  auto found = decode_batch(stored.value);
  const auto filed = "batch filed at position " + std::to_string(stored.key);
  if (const auto* fault = std::get_if<failure>(&found))
    return failure{filed + ": " + fault->what};
  if (const auto first = std::get<batch>(found).first(); first != stored.key)
    return failure{filed + " begins at position " + std::to_string(first)};
  return found;
}

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
  while (!tail || tail->head().position < end.head.position) {
    auto got = next();
    if (auto* fault = std::get_if<failure>(&got))
      return std::move(*fault);
    const auto& stored = std::get<std::optional<stored_batch>>(got);
    if (!stored)
      break;
    auto found = read(*stored);
    if (auto* fault = std::get_if<failure>(&found))
      return std::move(*fault);
    auto& what = std::get<batch>(found);
    if (!tail)
      tail = log_tail::before(what);
    if (auto fault = tail->check(what, stored->value))
      return fault;
    for (auto& record : what.records) {
      record.batch_first = stored->key;
      if (record.position >= from && !visit(record))
        return std::nullopt;
    }
  }
  if (!tail)
    tail.emplace();
  return compare(*tail, end);
}

} // namespace usher::storage
