#include "bench/load/tally.hpp"

#include <algorithm>

namespace usher::load {

void lateness::merge(const lateness& other) {
  sent_late_max = std::max(sent_late_max, other.sent_late_max);
  waiting_max = std::max(waiting_max, other.waiting_max);
}

void tally::add(request_kind kind, const verdict& what, time_ns latency, std::string_view example) {
  auto& its = kinds_[static_cast<std::size_t>(kind)];
  ++answered_;
  switch (what.what) {
  case outcome::fine:
    ++its.fine;
    its.latency.add(latency);
    return;
  case outcome::shed:
    ++its.shed;
    ++shed_;
    its.shed_latency.add(latency);
    return;
  case outcome::refused:
    ++its.refused;
    its.latency.add(latency);
    break;
  case outcome::wrong:
    ++its.wrong;
    ++wrong_;
    break;
  }
  auto& noted = remarks_[{what.what, kind, what.why}];
  if (noted.count++ == 0)
    noted.example = example.substr(0, example_bytes_max);
}

void tally::merge(const tally& other) {
  for (std::size_t kind = 0; kind < request_kinds; ++kind) {
    auto& its = kinds_[kind];
    const auto& theirs = other.kinds_[kind];
    its.fine += theirs.fine;
    its.refused += theirs.refused;
    its.shed += theirs.shed;
    its.wrong += theirs.wrong;
    its.latency.merge(theirs.latency);
    its.shed_latency.merge(theirs.shed_latency);
  }
  for (const auto& [key, theirs] : other.remarks_) {
    auto& noted = remarks_[key];
    if (noted.count == 0)
      noted.example = theirs.example;
    noted.count += theirs.count;
  }
  answered_ += other.answered_;
  wrong_ += other.wrong_;
  shed_ += other.shed_;
}

} // namespace usher::load
