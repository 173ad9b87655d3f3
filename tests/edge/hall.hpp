#pragma once

#include "actors/shows/registry.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

// A show's plan and its boards, without actors: what happens to the seats is told to the boards
// directly.
namespace usher::test {

class hall {
public:
  hall& category(const std::string& id) {
    plan_.categories.push_back({id, id, 100});
    return *this;
  }
  /// Seats `ROW-1` … `ROW-count`; the row has the block's id.
  hall& block(const std::string& id, const std::string& category, std::uint32_t count) {
    plan_.blocks.push_back({.id = id, .category = category, .rows = {}});
    return add_board(names(id + "-", count));
  }
  hall& area(const std::string& id, const std::string& category, std::uint32_t capacity) {
    plan_.blocks.push_back({.id = id, .category = category, .rows = {}, .capacity = capacity});
    return add_board(names(id + ":", capacity));
  }
  hall& without_last_block() {
    plan_.blocks.pop_back();
    boards_.pop_back();
    return *this;
  }

  /// Another description each time, as after a PUT.
  [[nodiscard]] std::shared_ptr<const shows::published> published() const {
    auto made = std::make_shared<shows::published>();
    made->what.plan = plan_;
    made->boards = boards_;
    return made;
  }

  void plan(std::size_t block, std::vector<seat_id> seats) {
    tell(block, seating::event::block_planned{std::move(seats)});
  }
  void hold(std::size_t block, std::vector<seat_id> seats) {
    tell(block, seating::event::seats_held{{}, std::move(seats), 1'000'000, 1});
  }
  void release(std::size_t block, std::vector<seat_id> seats) {
    tell(block, seating::event::seats_released{{}, std::move(seats), 1});
  }
  void sell(std::size_t block, std::vector<seat_id> seats) {
    tell(block, seating::event::seats_sold{{}, {}, std::move(seats), 1});
  }
  void take_off_sale(std::size_t block, std::vector<seat_id> seats) {
    tell(block, seating::event::seats_blocked{std::move(seats), ""});
  }

  [[nodiscard]] static std::vector<seat_id> names(const std::string& front, std::uint32_t count) {
    std::vector<seat_id> made;
    for (std::uint32_t n = 1; n <= count; ++n)
      made.push_back(front + std::to_string(n));
    return made;
  }

private:
  hall& add_board(std::vector<seat_id> seats) {
    boards_.push_back(std::make_shared<seating::board>());
    plan(boards_.size() - 1, std::move(seats));
    return *this;
  }
  void tell(std::size_t block, const seating::any_event& happened) {
    boards_[block]->publish(happened, 1);
  }

  shows::plan plan_;
  std::vector<std::shared_ptr<seating::board>> boards_;
};

} // namespace usher::test
