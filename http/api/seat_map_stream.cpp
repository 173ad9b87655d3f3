#include "http/api/seat_map_stream.hpp"

#include <chrono>
#include <utility>

namespace usher::http {

namespace {

using namespace std::chrono_literals;

constexpr auto pace = 1s;
constexpr auto soonest = 0ms; // the next tick

} // namespace

seat_stream::seat_stream(app& with, const shows::show_entry& show, std::string block,
                         std::optional<seat_map_version> heard)
    : with_{with}, show_{show}, block_{std::move(block)}, told_{heard} {}

event_source::turn seat_stream::look() {
  turn made;
  made.next = pace;
  if (!news_ && !find_news()) {
    made.last = true;
    return made;
  }
  if (!news_)
    return made;
  made.bytes = (*news_)[sent_++];
  if (sent_ == news_->size())
    news_.reset();
  else
    made.next = soonest;
  return made;
}

bool seat_stream::find_news() {
  const auto map = with_.maps.of(show_, with_.clock->now());
  const auto block = map ? map->find_block(block_) : std::nullopt;
  if (!block)
    return false;
  auto found = map->events_of(*block, told_);
  told_ = map->version();
  sent_ = 0;
  if (!found->empty())
    news_ = std::move(found);
  return true;
}

} // namespace usher::http
