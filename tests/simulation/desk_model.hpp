#pragma once

#include "actors/orders/event.hpp"
#include "tests/simulation/queue_model.hpp"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace usher::simulation {

/// One desk's holds, orders and money, as naively as they can be.
class desk_model {
public:
  enum class state : std::uint8_t { open, sold, ended };

  struct hold {
    std::optional<slot_t> owner;
    bool box_office = false;
    std::set<seat_id> seats;
    std::set<seat_id> returned;
    time_ms until = 0;
    std::uint32_t generation = 1;
    state is = state::open;
    order_id order;
  };
  struct refund {
    std::string gateway;
    std::string reference;
    std::int64_t amount_minor = 0;
    orders::refund_cause cause = orders::refund_cause::asked;
    std::optional<orders::refund_outcome> outcome;
  };
  struct order {
    hold_id hold;
    std::int64_t total_minor = 0;
    time_ms until = 0;
    bool paid = false;
    bool due = false;
    bool counter = false;                       ///< sold over the counter
    bool over = false;                          ///< expired or cancelled, whatever came later
    std::map<payment_id, std::string> attempts; ///< and their gateways
    std::set<payment_id> open;                  ///< attempts whose outcome is unknown
    std::int64_t came_minor = 0;                ///< money that is on record
    std::map<refund_id, refund> refunds;
  };
  /// Of a gateway: has it taken so much under this reference?
  using money_check =
      std::function<bool(const std::string& gateway, const std::string& reference, std::int64_t)>;

  void take(const orders::any_event& happened, time_ms at, const queue_model* room);
  /// What can only be judged when all of a batch is there.
  void end_of_batch();

  [[nodiscard]] const std::map<hold_id, hold>& holds() const { return holds_; }
  [[nodiscard]] const std::map<order_id, order>& orders() const { return orders_; }

  money_check has_taken;
  std::uint32_t seats_max = 0; ///< of one admission; 0: no limit

private:
  void on(const orders::event::hold_placed& e);
  void on(const orders::event::hold_changed& e);
  void on(const orders::event::hold_ended& e);
  void on(const orders::event::order_placed& e);
  void on(const orders::event::payment_started& e);
  void on(const orders::event::payment_settled& e);
  void on(const orders::event::payment_reported& e);
  void on(const orders::event::order_paid& e);
  void on(const orders::event::order_refund_due& e);
  void on(const orders::event::order_expired& e);
  void on(const orders::event::order_cancelled& e);
  void on(const orders::event::order_seats_returned& e);
  void on(const orders::event::refund_started& e);
  void on(const orders::event::refund_settled& e);
  template <class Other>
  void on(const Other&) {}

  void money_came(order& to, const std::string& gateway, const std::string& reference,
                  std::int64_t amount_minor);
  void check_admitted(const std::optional<slot_t>& owner, bool box_office);
  void check_number_of_seats(const hold& its);
  void once(const std::optional<orders::idempotency>& asked, const id128& made);
  hold& known(const hold_id& id);
  order& known(const order_id& id);

  time_ms at_ = 0;
  const queue_model* room_ = nullptr;
  std::map<hold_id, hold> holds_;
  std::map<order_id, order> orders_;
  std::map<id128, id128> keys_;
  std::set<order_id> touched_;
};

} // namespace usher::simulation
