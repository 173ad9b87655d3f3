#pragma once

#include "tests/system/sell_out_world.hpp"

#include <string>
#include <vector>

namespace usher::test::sell_out {

/// Some seats that a fan would like.
struct ask {
  json body;
  std::vector<std::string> wanted{};     ///< if they are named
  std::uint32_t quantity = 0;            ///< if they are not: of any of these sections,
  std::vector<std::uint32_t> sections{}; ///< in whatever groups
};

/// One fan, from the join to a paid order: chooses, changes its mind, gives back and comes again.
class fan {
public:
  fan(world& shared, async_client& server) : shared_{shared}, server_{server} {}

  /// Until it has paid, or all is sold. Throws a sentence if an answer cannot be explained.
  task<void> visit();

private:
  task<api_answer> call(std::string kind, std::string method, std::string path, json body,
                        header_map headers);
  task<bool> enter();
  task<void> shop();
  task<bool> place_hold();
  task<void> change_mind();
  task<void> hold_again(ask wanted, std::string key);
  task<void> extend();
  task<void> add();
  task<void> release_one();
  task<void> release_all();
  task<void> place_order();
  task<void> cancel();
  task<void> pay();
  task<void> leave();
  task<void> wait_for_another_try();

  [[nodiscard]] ask choose(std::uint32_t quantity_max);
  [[nodiscard]] ask best(std::uint32_t quantity);
  [[nodiscard]] ask named(std::uint32_t quantity, std::uint32_t sections);
  void refused(const ask& wanted, const api_answer& got);
  void has_now(const api_answer& got);
  void gave_back(const std::vector<std::string>& seats);
  [[nodiscard]] std::string key(const std::string& of);
  [[nodiscard]] std::string hold_path() const;
  [[noreturn]] void unexpected(const std::string& doing, const api_answer& got) const;

  world& shared_;
  async_client& server_;
  std::uint32_t number_ = 0;
  std::string ticket_;
  std::string hold_;
  std::string expires_at_;
  std::vector<std::string> seats_; ///< of the hold
  std::string order_;
  span last_; ///< call
  std::uint32_t keys_ = 0;
  std::uint32_t refusals_ = 0;
};

/// A place in front of the counter: fan after fan, on one connection, until all is sold.
task<void> serve_fans(world& shared, async_client& server);

} // namespace usher::test::sell_out
