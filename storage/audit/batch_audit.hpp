#pragma once

#include "storage/audit/findings.hpp"
#include "storage/audit/world.hpp"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace usher::storage::audit {

/// What one event of a desk asks of the batch.
enum class duty : std::uint8_t {
  outcome,    ///< money came: the order is PAID or REFUND_DUE
  surplus,    ///< money came, and the order had its own: it goes back
  refund,     ///< the order is REFUND_DUE: the money goes back
  tickets,    ///< the order is PAID: there are tickets for its seats
  seats_kept, ///< a payment started: the hold lasts as long
  seats_back, ///< a payment took no money: the hold lasts no longer
};

/// What has to stand in one batch because it was decided together. Notes on the way, judges at the
/// end of the batch. A batch may hold several such decisions; ids tell them apart, and of several
/// about one hold the order: what the blocks do comes behind the desk's event.
class batch_audit {
public:
  void hold_placed(const show_id& where, const hold_id& id, const hold& what, const spot& here);
  /// `it`: as it is from now on. The blocks have to hold `gets` and to give back `loses` with it.
  void hold_changed(const show_id& where, const hold_id& id, const hold& it,
                    const std::vector<seat_place>& gets, const std::vector<seat_place>& loses,
                    const spot& here);
  /// `it`: null if it is not known. The blocks may give back what it still has.
  void hold_ended(const show_id& where, const hold_id& id, const hold* it, const spot& here);
  /// After hold_changed or hold_ended: an operator took it away. Of these seats the blocks have to
  /// take all off sale, or `one` at least.
  enum class how_many : std::uint8_t { one, all };
  void hold_withdrawn(const show_id& where, const hold_id& id, std::vector<seat_place> which,
                      how_many many);
  void seats_held(const show_id& where, const block_id& its, const seating::event::seats_held& e,
                  const spot& here);
  void seats_released(const show_id& where, const block_id& its,
                      const seating::event::seats_released& e, const spot& here);
  void seats_sold(const show_id& where, const block_id& its, const seating::event::seats_sold& e,
                  const spot& here);
  void seats_blocked(const show_id& where, const block_id& its,
                     const seating::event::seats_blocked& e);
  /// `which`: those that the order really had.
  void seats_returned(const show_id& where, const block_id& its, const order_id& id,
                      const std::vector<seat_id>& which, const spot& here);
  /// `its_hold`: null for a show without a plan.
  void order_paid(const show_id& where, const order_id& id, const order& it, const hold* its_hold,
                  const spot& here);
  /// Did it become PAID in this batch?
  [[nodiscard]] bool is_paid(const show_id& where, const order_id& id) const {
    return paid_.contains({where, id});
  }
  void order_seats_returned(const show_id& where, const order_id& id,
                            const std::vector<seat_place>& which, const spot& here);
  /// If the batch ends before it is fulfilled, `broken` is reported here.
  void expect(duty what, const show_id& where, const order_id& id, const spot& here, fault broken,
              std::string sentence);
  /// False if nothing expects it.
  bool fulfil(duty what, const show_id& where, const order_id& id);
  /// Its money has to add up at the end of the batch. `it` stays where it is until then.
  void money_moved(const show_id& where, const order_id& id, const order& it, const spot& here);
  /// Places were drawn, and what has to come directly after.
  void places_drawn(const show_id& where, const spot& here) { drawn_.try_emplace(where, here); }
  void opened_as_drawn(const show_id& where) { drawn_.erase(where); }

  void finish();

private:
  template <class Id>
  using key = std::pair<show_id, Id>;
  using seats = std::multiset<seat_place>;

  /// One decision about a hold, and what the blocks did with it.
  struct hold_note {
    spot here;
    std::uint32_t generation = 0; ///< of the hold from then on
    time_ms until = 0;
    bool box_office = false;
    bool ends = false;
    seats gets{};
    seats loses{};
    std::vector<seat_place> to_block{};
    how_many blocked_at_least = how_many::all;
    seats held{};
    seats released{};
  };
  struct sale_note {
    spot here;
    hold_id its_hold;
    std::uint32_t generation = 0; ///< of the hold
    seats which{};
    seats sold{};
  };
  struct promise {
    spot here;
    fault broken;
    std::string sentence;
  };
  struct money_note {
    spot here;
    const order* its_order;
  };
  struct return_note {
    spot here;
    seats by_desk{};
    seats by_blocks{};
  };

  hold_note& note(const show_id& where, const hold_id& id, hold_note what);
  hold_note* latest(const show_id& where, const hold_id& id);
  void judge(const key<hold_id>& id, const hold_note& what) const;
  void judge_withdrawal(const key<hold_id>& id, const hold_note& what) const;
  void judge(const key<order_id>& id, const sale_note& what) const;
  void judge(const key<order_id>& id, const money_note& what) const;

  std::map<key<hold_id>, std::vector<hold_note>> holds_;
  std::map<key<order_id>, sale_note> paid_;
  std::set<key<hold_id>> sold_; ///< holds whose order was paid
  std::map<key<order_id>, return_note> returned_;
  std::set<key<seat_place>> blocked_;
  std::map<std::pair<key<order_id>, duty>, promise> expected_;
  std::map<key<order_id>, money_note> money_;
  std::map<show_id, spot> drawn_;
};

} // namespace usher::storage::audit
