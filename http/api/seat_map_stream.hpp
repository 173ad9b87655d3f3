#pragma once

#include "http/api/app.hpp"
#include "http/server/exchange.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

namespace usher::http {

/// The seats of one block: all of them first, then what changed, from the maps that everybody
/// shares. Ends when the plan has no such block any more.
class seat_stream : public event_source {
public:
  /// `with` and `show` outlive this. `heard`: the map that a stream before this one told, if any.
  seat_stream(app& with, const shows::show_entry& show, std::string block,
              std::optional<seat_map_version> heard);

  turn look() override;

private:
  /// Looks for news; false if there is no such block.
  bool find_news();

  app& with_;
  const shows::show_entry& show_;
  std::string block_;
  std::optional<seat_map_version> told_;    ///< what the reader knows, once all news are sent
  std::shared_ptr<const seat_events> news_; ///< may be null
  std::size_t sent_ = 0;                    ///< of the news
};

} // namespace usher::http
