#pragma once

#include "bench/load/joining.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace usher::load {

enum class choice : std::uint8_t {
  best, ///< the server chooses the best there are
  map,  ///< the fan reads the seat map and takes free seats at random, next to each other
};

struct crowd_plan {
  joining_plan joins;
  double watching = 1; ///< share of the fans who ask at the advised pace while they wait; the
                       ///< others come back when their turn was said to come
  std::uint8_t seats_most = 2; ///< each wants 1 to so many
  choice chooses = choice::best;
  bool buys = true;            ///< or is content with being let in
  bool ends_when_sold = false; ///< or when every fan has bought or given up
  time_ns deadline = 0;        ///< then it ends in any case
};

/// Fans join, wait, are let in, hold seats, order and pay; or stop at a step before.
class crowd final : public joining {
public:
  crowd(world& in, worker& of, const crowd_plan& plan);

  void write(task& what, std::string& to) override;
  void answered(const task& what, const answer& got, time_ns sent, time_ns now) override;
  void lost(const task& what, std::string_view why, time_ns now) override;
  [[nodiscard]] bool over(time_ns now) const override;

private:
  /// What a fan has got while buying.
  struct basket {
    std::vector<seat_number> asked; ///< by name
    std::string hold;
    hold_told held; ///< its text is `hold`
    std::string order;
    int tries = 0;
  };

  void joined(std::uint32_t who, const ticket_told& told, time_ns now) override;
  void stayed_outside(std::uint32_t who) override;

  void wait(std::uint32_t who, const ticket_told& told, time_ns now, bool first);
  void enter(std::uint32_t who, time_ns now);
  void next(std::uint32_t who, request_kind kind, time_ns now);
  void finish(std::uint32_t who, stage how);

  verdict on_poll(const task& what, const answer& got, time_ns now);
  verdict on_map(const task& what, const answer& got, time_ns now);
  verdict on_hold(const task& what, const answer& got, time_ns now);
  verdict on_order(const task& what, const answer& got, time_ns now);
  verdict on_pay(const task& what, const answer& got, time_ns now);
  void on_no_seat(std::uint32_t who, time_ns now);

  crowd_plan plan_;
  std::unordered_map<std::uint32_t, basket> baskets_; ///< of those who are buying
  std::uint32_t finished_ = 0;
  bool sold_out_ = false; ///< the server says so
};

} // namespace usher::load
