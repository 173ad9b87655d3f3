#include "actors/waiting_room/admission_meter.hpp"

#include <algorithm>

namespace usher::waiting_room {
namespace {

constexpr int count_bits = 24;
constexpr std::uint64_t count_max = (1ULL << count_bits) - 1;

std::int64_t second_of(time_ms at) {
  return std::max<time_ms>(at, 0) / 1000;
}

} // namespace

void admission_meter::start(time_ms at) {
  for (auto& bucket : buckets_)
    bucket.store(0, std::memory_order_relaxed);
  started_s_.store(second_of(at), std::memory_order_relaxed);
}

void admission_meter::queue_forms(time_ms at) {
  started_s_.store(second_of(at), std::memory_order_relaxed);
}

void admission_meter::count(std::uint32_t fans, time_ms at) {
  const auto second = static_cast<std::uint64_t>(second_of(at));
  auto& bucket = buckets_[second % buckets_.size()];
  const auto old = bucket.load(std::memory_order_relaxed);
  const auto so_far = old >> count_bits == second ? old & count_max : 0;
  const auto total = std::min<std::uint64_t>(so_far + fans, count_max);
  bucket.store(second << count_bits | total, std::memory_order_relaxed);
}

std::optional<std::uint64_t> admission_meter::per_second_micro(time_ms now) const {
  const auto end = second_of(now); // not whole yet: left out
  const auto begin = std::max(end - window_s, started_s_.load(std::memory_order_relaxed));
  if (end - begin < least_s)
    return std::nullopt;
  std::uint64_t fans = 0;
  for (const auto& bucket : buckets_) {
    const auto seen = bucket.load(std::memory_order_relaxed);
    const auto second = static_cast<std::int64_t>(seen >> count_bits);
    if (second >= begin && second < end)
      fans += seen & count_max;
  }
  if (fans == 0)
    return std::nullopt;
  return fans * 1'000'000 / static_cast<std::uint64_t>(end - begin);
}

} // namespace usher::waiting_room
