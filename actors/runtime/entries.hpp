#pragma once

#include "actors/journal/append.hpp"
#include "storage/codec.hpp"
#include "storage/receipts.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace usher::runtime {

/// One event as a journal entry that shows on no board. An event of a waiting room gets its places
/// in the index of receipts.
template <class Event>
[[nodiscard]] journal::entry entry_of(const Event& happened, const std::string& subject,
                                      const storage::cause& cause, time_ms at) {
  auto encoded = storage::encode(happened);
  storage::record made{
      at, subject, std::string{encoded.type}, encoded.schema, cause, std::move(encoded.data)};
  if constexpr (requires { storage::places_of(happened); }) {
    auto [places, joins] = storage::places_of(happened);
    made.places = std::move(places);
    made.joins = joins;
  }
  return {std::move(made), {}};
}

/// Events as journal entries, published on `board` once they are durable.
template <class Event, class Board>
[[nodiscard]] std::vector<journal::entry>
entries_of(const std::vector<Event>& events, const std::shared_ptr<Board>& board,
           const std::string& subject, const storage::cause& cause, time_ms at) {
  std::vector<journal::entry> entries;
  entries.reserve(events.size());
  for (const auto& happened : events) {
    entries.push_back(entry_of(happened, subject, cause, at));
    entries.back().publish = [board, happened, at] { board->publish(happened, at); };
  }
  return entries;
}

} // namespace usher::runtime
