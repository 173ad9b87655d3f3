#pragma once

#include "tests/actors/log_check.hpp"
#include "tests/actors/world.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace usher::testing {

/// A show on which many fans, the seller's staff and operators do whatever comes to their minds,
/// while the power may go at any moment; and a model of what was acknowledged. Whenever all is
/// quiet the log, the boards and the model have to agree.
class sale_of_many : public world {
public:
  static constexpr std::uint32_t max_active = 12;
  static constexpr duration_ms ttl_ms = 20'000;
  static constexpr seat_limits limits{.max_seats = 4, .max_life_ms = 2 * ttl_ms};

  explicit sale_of_many(std::uint64_t seed);

  void run(std::size_t how_many); ///< steps; checks now and then and at the end

  /// What it went through.
  struct tally {
    std::size_t crashes = 0;
    std::size_t sales = 0;
    std::size_t refunds = 0;
    std::size_t refusals = 0;
    std::size_t extended = 0;
    std::size_t added = 0;
    std::size_t single_released = 0;
    std::size_t chosen = 0; ///< holds of seats that nobody named
    std::size_t none_left = 0;
    std::size_t blocked = 0;
    std::size_t withdrawn = 0; ///< holds that lost seats to an operator
    std::size_t unblocked = 0;
    std::size_t counter_sales = 0;
    std::size_t returned = 0;
    std::size_t plans = 0; ///< other seats from then on
    std::size_t plans_refused = 0;
  };
  tally seen;

private:
  /// What somebody does, and how often in comparison.
  struct deed {
    std::size_t weight;
    void (sale_of_many::*what)();
  };
  static const std::vector<deed> deeds;
  void act();

  // Fans.
  void some_join();
  void hold_named();
  void hold_unnamed();
  void extend_one();
  void add_named();
  void add_unnamed();
  void release_one();
  void release_one_seat();
  void order_one();
  void pay_one();
  void cancel_one();
  void one_leaves();

  // Staff, operators and the outside world.
  void confirm_one();
  void sell_some();
  void give_some_back();
  void block_some();
  void unblock_some();
  void change_plan();
  void move_prices();
  void open_or_close();
  void time_passes();
  void all_lapses();
  void power_cut();

  // What was acknowledged (sale_of_many_check.cpp).
  void collect();
  void collect_hold(const orders::answer& what);
  void collect_order(const orders::answer& what);
  void check();
  void check_queue(const runtime::recovered_show& rebuilt) const;
  void check_seats(const runtime::recovered_show& rebuilt) const;
  void check_desk(const orders::state& rebuilt);
  void compare_with_the_live(const order_id& id, const orders::order& rebuilt);

  [[nodiscard]] std::optional<slot_t> somebody();
  [[nodiscard]] std::vector<seat_id> some_seats(std::size_t most);
  [[nodiscard]] unnamed some_ask(std::uint32_t most);
  [[nodiscard]] wish some_wish();

  template <class Map>
  const typename Map::value_type* any_of(const Map& from) {
    return from.empty() ? nullptr
                        : &*std::next(from.begin(),
                                      static_cast<std::ptrdiff_t>(random().below(from.size())));
  }

  /// An answer that is waited for, and what to do with it.
  struct expected_answer {
    reply<orders::answer> answer;
    std::function<void(const orders::answer&)> then;
  };
  void expect(const reply<orders::answer>& answer,
              std::function<void(const orders::answer&)> then) {
    expected_.push_back({answer, std::move(then)});
  }

  std::vector<reply<std::vector<waiting_room::join_answer>>> joins_;
  std::vector<reply<shows::put_answer>> plans_asked_;
  std::vector<expected_answer> expected_;
  std::vector<waiting_room::place> places_;  ///< acknowledged
  std::map<hold_id, orders::hold> holds_;    ///< acknowledged
  std::map<order_id, orders::order> orders_; ///< acknowledged
};

} // namespace usher::testing
