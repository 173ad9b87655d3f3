#include "storage/audit/desk_audit.hpp"

#include "storage/audit/names.hpp"
#include "storage/audit/room_audit.hpp"
#include "storage/audit/seats_audit.hpp"

#include <algorithm>
#include <utility>

namespace usher::storage::audit {

namespace {

namespace event = orders::event;
using orders::hold_end;
using orders::payment_outcome;

/// How old a description may be that a command on its way was checked against.
constexpr duration_ms on_the_way_ms = 60'000;

std::uint32_t max_seats_at(const show& where, time_ms at) {
  auto most = where.max_seats;
  for (const auto& earlier : where.earlier_limits)
    if (at < earlier.changed_at + on_the_way_ms)
      most = std::max(most, earlier.max_seats);
  return most;
}

class desk_audit {
public:
  desk_audit(show& where, const show_id& id, batch_audit& together, const spot& here)
      : show_{where}, id_{id}, together_{together}, here_{here} {}

  void take(const event::hold_placed& e) {
    if (show_.holds.contains(e.hold))
      report(fault::hold_placed_twice, named(e.hold) + " was placed before.");
    if (const auto why = no_admission(show_.room, e.owner, at()); !why.empty())
      report(fault::hold_without_admission, named(e.hold) + " was placed, but " + why + ".");
    judge_max_seats(e);
    hold fresh;
    fresh.owner = e.owner;
    fresh.until = e.until;
    fresh.total.currency = e.currency;
    for (const auto& seat : e.seats) {
      fresh.seats.emplace_back(seat.block, seat.id);
      fresh.total.amount_minor += seat.price_minor;
    }
    together_.hold_placed(id_, e.hold, fresh, here_);
    if (e.owner)
      show_.holds_of[*e.owner].insert(e.hold);
    show_.holds[e.hold] = std::move(fresh);
  }

  void take(const event::hold_ended& e) {
    together_.hold_ended(id_, e.hold);
    const auto found = show_.holds.find(e.hold);
    if (found == show_.holds.end()) {
      report(fault::hold_unknown, named(e.hold) + " ended and is not there, or had ended before.");
      return;
    }
    auto& it = found->second;
    const auto* its_order = order_of(it);
    if (it.ended || it.sold)
      report(fault::hold_ended_wrongly, named(e.hold) + " ended, but it had ended or is sold.");
    else if (its_order != nullptr && is_under_way(*its_order))
      report(fault::hold_ended_wrongly, named(e.hold) + " ended while its order is " +
                                            std::string{to_string(its_order->is)} + ".");
    // Lost seats end a hold, too, whatever its time.
    const bool lost = its_order != nullptr && its_order->is == order_state::refund_due;
    if (e.reason == hold_end::expired && at() < it.until && !lost)
      report(fault::hold_expired_early,
             named(e.hold) + " expired and lasts until " + time_text(it.until) + ".");
    if (its_order != nullptr)
      it.ended = true; // late money may still sell its seats
    else
      forget(found);
  }

  void take(const event::order_placed& e) {
    if (show_.orders.contains(e.order))
      report(fault::order_placed_twice, named(e.order) + " was placed before.");
    if (const auto why = no_admission(show_.room, e.owner, at()); !why.empty())
      report(fault::order_without_admission, named(e.order) + " was placed, but " + why + ".");
    if (!e.hold.is_none())
      judge_hold_of(e);
    order fresh;
    fresh.owner = e.owner;
    fresh.hold = e.hold;
    fresh.hold_ref = e.hold_ref;
    fresh.total = e.total;
    fresh.until = e.until;
    if (e.hold.is_none())
      show_.orders_of_ref[e.hold_ref].push_back(e.order);
    show_.orders[e.order] = std::move(fresh);
  }

  void take(const event::payment_started& e) {
    auto* it = find(e.order);
    if (it == nullptr)
      return;
    if (it->is != order_state::pending || at() >= it->until || it->attempts.contains(e.payment))
      report(fault::payment_not_allowed, "A payment of " + named(e.order) + " started, which is " +
                                             std::string{to_string(it->is)} + " until " +
                                             time_text(it->until) + ".");
    it->attempts.try_emplace(e.payment, false);
    if (it->is == order_state::pending)
      it->is = order_state::paying;
  }

  void take(const event::payment_settled& e) {
    auto* it = find(e.order);
    if (it == nullptr)
      return;
    const auto attempt = it->attempts.find(e.payment);
    if (attempt == it->attempts.end()) {
      report(fault::payment_unknown,
             "A payment of " + named(e.order) + " is settled that never started.");
      return;
    }
    if (std::exchange(attempt->second, true))
      report(fault::payment_settled_twice,
             "A payment of " + named(e.order) + " is settled that was settled before.");
    if (e.outcome == payment_outcome::approved && !it->has_money())
      together_.money_came(id_, e.order, here_);
    else if (e.outcome != payment_outcome::approved && it->is == order_state::paying)
      it->is = order_state::pending;
  }

  void take(const event::order_paid& e) {
    auto* it = find(e.order);
    if (it == nullptr)
      return;
    judge_first_money(e.order, *it);
    it->is = order_state::paid;
    const auto its = show_.holds.find(it->hold);
    if (its == show_.holds.end()) {
      together_.order_paid(id_, e.order, {}, here_);
      return;
    }
    its->second.sold = true;
    together_.order_paid(id_, e.order, its->second.seats, here_);
  }

  void take(const event::order_refund_due& e) {
    auto* it = find(e.order);
    if (it == nullptr)
      return;
    judge_first_money(e.order, *it);
    if (!is_lost(e.order, *it))
      report(fault::refund_not_due,
             named(e.order) + " is REFUND_DUE, but everything it was for could be had.");
    it->is = order_state::refund_due;
    together_.refund_due(id_, e.order);
  }

  void take(const event::order_expired& e) {
    auto* it = find(e.order);
    if (it == nullptr)
      return;
    judge_pending(e.order, *it, "expired");
    if (at() < it->until)
      report(fault::order_expired_early,
             named(e.order) + " expired and lasts until " + time_text(it->until) + ".");
    it->is = order_state::expired;
  }

  void take(const event::order_cancelled& e) {
    auto* it = find(e.order);
    if (it == nullptr)
      return;
    judge_pending(e.order, *it, "was cancelled");
    it->is = order_state::cancelled;
  }

private:
  static bool is_under_way(const order& it) {
    return it.is == order_state::pending || it.is == order_state::paying;
  }

  [[nodiscard]] time_ms at() const { return here_.at(); }
  void report(fault what, std::string sentence) const { here_.report(what, std::move(sentence)); }

  [[nodiscard]] std::string named(const hold_id& hold) const {
    return reference_text("hold", show_.number, hold);
  }
  [[nodiscard]] std::string named(const order_id& order) const {
    return reference_text("order", show_.number, order);
  }

  order* find(const order_id& which) {
    const auto found = show_.orders.find(which);
    if (found != show_.orders.end())
      return &found->second;
    report(fault::order_unknown, named(which) + " was never placed.");
    return nullptr;
  }

  [[nodiscard]] const order* order_of(const hold& it) const {
    const auto found = show_.orders.find(it.order);
    return it.order.is_none() || found == show_.orders.end() ? nullptr : &found->second;
  }

  /// The hold has seats: sold, or in time, or with an order that may be paid.
  [[nodiscard]] bool has_seats(const hold& it) const {
    if (it.sold)
      return true;
    const auto* its_order = order_of(it);
    return !it.ended && (at() < it.until || (its_order != nullptr && its_order->is_open(at())));
  }

  void judge_max_seats(const event::hold_placed& e) const {
    auto seats = e.seats.size();
    if (e.owner)
      if (const auto its = show_.holds_of.find(*e.owner); its != show_.holds_of.end())
        for (const auto& other : its->second)
          if (const auto it = show_.holds.find(other);
              it != show_.holds.end() && has_seats(it->second))
            seats += it->second.seats.size();
    const auto most = max_seats_at(show_, at());
    if (seats > most)
      report(fault::over_max_seats, named(e.hold) + " makes " + std::to_string(seats) +
                                        " seats of one admission, " + std::to_string(most) +
                                        " are allowed.");
  }

  void judge_hold_of(const event::order_placed& e) {
    const auto found = show_.holds.find(e.hold);
    const auto wrong = [&](const std::string& why) {
      report(fault::order_without_hold, named(e.order) + " is for " + named(e.hold) + ", " + why);
    };
    if (found == show_.holds.end()) {
      wrong("which is not there or has ended.");
      return;
    }
    auto& it = found->second;
    if (!it.order.is_none())
      wrong("which has an order already.");
    else if (at() >= it.until)
      wrong("which was over at " + time_text(it.until) + ".");
    else if (it.owner && it.owner != e.owner)
      wrong("which is another admission's.");
    if (it.total != e.total)
      report(fault::order_total_wrong,
             named(e.order) + " costs " + std::to_string(e.total.amount_minor) + " " +
                 e.total.currency + ", its seats " + std::to_string(it.total.amount_minor) + " " +
                 it.total.currency + " (minor units).");
    it.order = e.order;
  }

  void judge_first_money(const order_id& which, const order& it) const {
    if (it.has_money())
      report(fault::order_paid_twice, named(which) + " has money and is paid again.");
  }

  void judge_pending(const order_id& which, const order& it, const std::string& what) const {
    if (it.is != order_state::pending)
      report(fault::order_ended_wrongly,
             named(which) + " " + what + " while " + std::string{to_string(it.is)} + ".");
  }

  /// A seat of the hold was not free, or another order has the seller's reference.
  [[nodiscard]] bool is_lost(const order_id& which, const order& it) const {
    if (it.hold.is_none()) {
      const auto& rivals = show_.orders_of_ref.at(it.hold_ref);
      return std::ranges::any_of(rivals, [&](const order_id& rival) {
        const auto& other = show_.orders.at(rival);
        return rival != which && (other.has_money() || other.is_open(at()));
      });
    }
    const auto its = show_.holds.find(it.hold);
    if (its == show_.holds.end())
      return true; // reported when the order was placed
    return std::ranges::any_of(its->second.seats, [&](const seat_place& seat) {
      const auto found = show_.blocks.find(seat.first);
      return found == show_.blocks.end() ||
             is_in_the_way(found->second, seat.second, it.hold, at());
    });
  }

  void forget(std::unordered_map<hold_id, hold, id_hash>::iterator which) {
    if (const auto owner = which->second.owner) {
      const auto its = show_.holds_of.find(*owner);
      its->second.erase(which->first);
      if (its->second.empty())
        show_.holds_of.erase(its);
    }
    show_.holds.erase(which);
  }

  show& show_;
  const show_id& id_;
  batch_audit& together_;
  const spot& here_;
};

} // namespace

std::string_view to_string(order_state state) {
  switch (state) {
  case order_state::pending:
    return "PENDING";
  case order_state::paying:
    return "PAYING";
  case order_state::paid:
    return "PAID";
  case order_state::refund_due:
    return "REFUND_DUE";
  case order_state::expired:
    return "EXPIRED";
  case order_state::cancelled:
    return "CANCELLED";
  }
  return "?";
}

void take(show& where, const show_id& id, const orders::any_event& happened, batch_audit& together,
          const spot& here) {
  desk_audit desk{where, id, together, here};
  std::visit([&](const auto& e) { desk.take(e); }, happened);
}

} // namespace usher::storage::audit
