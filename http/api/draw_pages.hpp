#pragma once

#include "actors/shows/registry.hpp"

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace usher::http {

/// What GET …/waiting-room/draw answers: written once for each state of a draw, and shared by all
/// who ask. A million tickets in two tiers make megabytes of it. Thread-safe.
class draw_pages {
public:
  struct page {
    std::shared_ptr<const waiting_room::draw_notice> of;
    std::string body;
    std::string etag;
  };

  /// Null if the show has no draw.
  [[nodiscard]] std::shared_ptr<const page> of(const shows::show_entry& show);

private:
  std::mutex mutex_;
  std::unordered_map<show_number, std::shared_ptr<const page>> pages_;
};

} // namespace usher::http
