#pragma once

#include "storage/audit/findings.hpp"
#include "storage/audit/world.hpp"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace usher::storage::audit {

/// What has to stand in one batch because it was decided together. Notes on the way, judges at the
/// end of the batch. A batch may hold several such decisions; ids tell them apart.
class batch_audit {
public:
  void hold_placed(const show_id& where, const hold_id& id, const hold& what, const spot& here);
  void hold_ended(const show_id& where, const hold_id& id);
  void seats_held(const show_id& where, const block_id& its, const seating::event::seats_held& e,
                  const spot& here);
  void seats_released(const show_id& where, const hold_id& id, const spot& here);
  void seats_sold(const show_id& where, const block_id& its, const seating::event::seats_sold& e,
                  const spot& here);
  /// `seats`: those of its hold; empty for a show without a plan.
  void order_paid(const show_id& where, const order_id& id, const std::vector<seat_place>& seats,
                  const spot& here);
  void refund_due(const show_id& where, const order_id& id);
  /// An attempt of an order that had no money was approved.
  void money_came(const show_id& where, const order_id& id, const spot& here);
  /// Places were drawn, and what has to come directly after.
  void places_drawn(const show_id& where, const spot& here) { drawn_.try_emplace(where, here); }
  void opened_as_drawn(const show_id& where) { drawn_.erase(where); }

  void finish();

private:
  template <class Id>
  using key = std::pair<show_id, Id>;
  using seats = std::multiset<seat_place>;
  struct note {
    spot here;
    seats which;
  };

  std::map<key<hold_id>, note> placed_;
  std::map<key<hold_id>, note> held_;
  std::map<key<hold_id>, spot> released_;
  std::set<key<hold_id>> ended_;
  std::map<key<order_id>, note> paid_;
  std::map<key<order_id>, note> sold_;
  std::set<key<order_id>> refund_due_;
  std::map<key<order_id>, spot> money_came_;
  std::map<show_id, spot> drawn_;
};

} // namespace usher::storage::audit
