#pragma once

#include "actors/journal/append.hpp"
#include "storage/codec.hpp"

#include <memory>
#include <string>
#include <vector>

namespace usher::runtime {

/// One event as a journal entry that shows on no board.
template <class Event>
[[nodiscard]] journal::entry entry_of(const Event& happened, const std::string& subject,
                                      const storage::cause& cause, time_ms at) {
  auto encoded = storage::encode(happened);
  return {storage::record{at, subject, std::string{encoded.type}, encoded.schema, cause,
                          std::move(encoded.data)},
          {}};
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
