#include "storage/log_tail.hpp"

#include <utility>

namespace usher::storage {

namespace {

failure at_batch(const batch& found, const std::string& what) {
  return {"batch at position " + std::to_string(found.first()) + ": " + what};
}

} // namespace

log_tail::log_tail(log_head head, version_map versions, std::uint64_t epoch)
    : head_{head}, versions_{std::move(versions)}, epoch_{epoch} {}

log_tail log_tail::before(const batch& next) {
  log_tail tail;
  if (next.first() == 1)
    return tail;
  tail.head_ = {.position = next.first() - 1, .batches = 0, .chain = next.previous};
  tail.epoch_ = next.epoch;
  tail.from_the_start_ = false;
  return tail;
}

std::variant<prepared_batch, failure> log_tail::prepare(const std::vector<record>& records,
                                                        std::uint64_t epoch) {
  prepared_batch next{
      .what = {.shard = 0, .epoch = epoch, .previous = head_.chain, .records = {}},
      .value = {},
      .head = {.position = head_.position, .batches = head_.batches + 1, .chain = {}}};
  version_map moved;
  next.what.records.reserve(records.size());
  for (const auto& record : records) {
    // NUL ends the subject in the keys of `streams`.
    if (record.subject.empty() || record.subject.find('\0') != std::string::npos)
      return failure{"a subject is empty or has a NUL byte in it"};
    const auto known = versions_.find(record.subject);
    auto& version = moved.try_emplace(record.subject, known == versions_.end() ? 0 : known->second)
                        .first->second;
    next.what.records.push_back({record, ++next.head.position, ++version});
  }
  next.value = encode_batch(next.what);
  if (next.value.size() > batch_bytes_max)
    return failure{"a batch of " + std::to_string(next.value.size()) + " bytes is too large"};
  next.head.chain = hasher_.next(head_.chain, next.value);
  return next;
}

void log_tail::accept(const prepared_batch& next) {
  for (const auto& record : next.what.records)
    versions_[record.subject] = record.version;
  head_ = next.head;
  epoch_ = next.what.epoch;
}

std::optional<failure> log_tail::check(const batch& next, const digest& chain) {
  if (next.shard != 0)
    return at_batch(next, "it belongs to shard " + std::to_string(next.shard));
  if (next.first() != head_.position + 1)
    return at_batch(next, "position " + std::to_string(head_.position + 1) + " should come here");
  if (next.previous != head_.chain)
    return at_batch(next, "the chain is broken: what stands before it is not what stood there");
  if (next.epoch < epoch_)
    return at_batch(next, "the epoch goes back");
  for (const auto& record : next.records) {
    const auto [last, is_new] = versions_.try_emplace(record.subject, 0);
    if (is_new && !from_the_start_ && record.version > 0)
      last->second = record.version - 1;
    if (record.version != last->second + 1)
      return failure{"position " + std::to_string(record.position) + ": " + record.subject +
                     " goes from version " + std::to_string(last->second) + " to " +
                     std::to_string(record.version)};
    last->second = record.version;
  }
  head_ = {.position = next.last(), .batches = head_.batches + 1, .chain = chain};
  epoch_ = next.epoch;
  return std::nullopt;
}

} // namespace usher::storage
