#include "bench/sale_log.hpp"

#include "storage/codec.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace usher::bench {

namespace {

namespace room = waiting_room::event;
namespace seat = seating::event;
namespace desk = orders::event;

constexpr std::size_t seats_per_block = 500;
constexpr std::size_t blocks_per_show = 120;
constexpr std::size_t fans_at_once = 20;
constexpr std::size_t fans_per_batch = 5; // what one sync finds queued
constexpr duration_ms life_ms = 300'000;
constexpr duration_ms attempt_ms = 600'000;
constexpr std::int64_t price_minor = 4'500;

/// One fan on the way.
struct buyer {
  slot_t slot = 0;
  hold_id hold;
  order_id order;
  payment_id payment;
  std::vector<seat_id> seats{};
  std::string block{};
  time_ms order_until = 0;
  bool buys = true;
};

class sale {
public:
  explicit sale(storage::event_log& log) : log_{log} {}

  std::optional<storage::failure> write(std::uint64_t events) {
    while (!fault_ && log_.head().position < events) {
      if (shows_ == 0 || blocks_ > blocks_per_show)
        new_show();
      round();
    }
    return std::move(fault_);
  }

private:
  template <class Id>
  Id next_id() {
    Id id;
    for (std::size_t half = 0; half < 2; ++half) {
      state_ += 0x9e3779b97f4a7c15ULL; // splitmix64
      auto z = state_;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
      z ^= z >> 31;
      for (std::size_t i = 0; i < 8; ++i)
        id.bytes[half * 8 + i] = static_cast<std::uint8_t>(z >> (8 * i));
    }
    return id;
  }

  void add(std::string subject, const storage::encoded& what, const char* who = "fan") {
    ready_.push_back({.at = now_,
                      .subject = std::move(subject),
                      .type = std::string{what.type},
                      .schema = what.schema,
                      .cause = {"req-0123456789abcdef", who},
                      .data = what.data});
  }
  void in_room(const waiting_room::any_event& e, const char* who = "fan") {
    add("queue/" + show_, storage::encode(e), who);
  }
  void in_block(const std::string& block, const seating::any_event& e) {
    add("block/" + show_ + "/" + block, storage::encode(e));
  }
  void at_desk(const orders::any_event& e) { add("desk/" + show_, storage::encode(e)); }

  void flush() {
    if (!fault_ && !ready_.empty())
      fault_ = log_.append(ready_);
    ready_.clear();
    ++now_;
  }

  void new_show() {
    show_ = "show-" + std::to_string(shows_);
    joined_ = 0;
    blocks_ = 0;
    free_.clear();
    shows::event::show_created created;
    created.number = shows_++;
    created.id = show_;
    created.what.title = "Hamlet";
    created.what.currency = "EUR";
    created.what.holds.max_seats = 4;
    add("shows", storage::encode(shows::any_event{created}), "operator:k");
    waiting_room::settings set;
    set.admit_per_second_micro = 1'000'000'000'000;
    set.max_active.reset();
    set.admission_ttl_ms = life_ms;
    in_room(room::room_configured{set, {}}, "operator:k");
    in_room(room::room_opened{}, "operator:k");
    flush();
  }

  void plan_block() {
    block_ = "b" + std::to_string(blocks_++);
    seat::block_planned planned;
    for (std::size_t i = seats_per_block; i-- > 0;)
      planned.seats.push_back(block_ + "-" + std::to_string(i));
    free_ = planned.seats;
    in_block(block_, planned);
    flush();
  }

  std::vector<buyer> come() {
    room::fans_joined joined{.first = joined_, .nonces = {}, .customers = {}, .keys = {}};
    room::fans_admitted admitted;
    std::vector<buyer> all;
    for (std::size_t i = 0; i < fans_at_once; ++i) {
      joined.nonces.push_back(state_ + i);
      joined.keys.push_back(next_id<identity>());
      admitted.slots.push_back(joined_ + static_cast<slot_t>(i));
      all.push_back({.slot = admitted.slots.back(),
                     .hold = next_id<hold_id>(),
                     .order = next_id<order_id>(),
                     .payment = next_id<payment_id>()});
    }
    admitted.who = joined.keys;
    joined_ += fans_at_once;
    in_room(joined);
    flush();
    admitted.until = now_ + life_ms;
    in_room(admitted, "usher");
    flush();
    return all;
  }

  void hold(buyer& who) {
    who.block = block_;
    who.buys = who.slot % 10 != 9;
    desk::hold_placed placed{who.hold, who.slot, {}, "EUR", now_ + life_ms, {}};
    for (int i = 0; i < 2; ++i) {
      who.seats.push_back(std::move(free_.back()));
      free_.pop_back();
      placed.seats.push_back({who.seats.back(), block_, "stalls", price_minor});
    }
    at_desk(placed);
    in_block(block_, seat::seats_held{who.hold, who.seats, placed.until, 1});
    in_room(room::admission_kept{who.slot, placed.until, false});
  }

  void give_back(const buyer& who) {
    at_desk(desk::hold_ended{who.hold, orders::hold_end::released});
    in_block(who.block, seat::seats_released{who.hold, who.seats, 1});
    in_room(room::admission_kept{who.slot, 0, false});
  }

  void order(buyer& who) {
    who.order_until = now_ + 240'000;
    at_desk(desk::order_placed{who.order,
                               who.slot,
                               who.hold,
                               "",
                               {2 * price_minor, "EUR"},
                               who.order_until,
                               std::string(60, 's'),
                               {}});
  }

  void pay(const buyer& who) {
    desk::payment_started started{who.order, who.payment, "STRIPE", "card", {}};
    started.until = now_ + attempt_ms;
    at_desk(started);
    desk::hold_changed kept;
    kept.hold = who.hold;
    kept.generation = 2;
    kept.what = orders::hold_change::kept_for_payment;
    kept.until = started.until;
    at_desk(kept);
    in_block(who.block, seat::seats_held{who.hold, who.seats, started.until, 2});
    in_room(room::admission_kept{who.slot, started.until, false});
  }

  void paid(const buyer& who) {
    at_desk(desk::payment_settled{who.order, who.payment, orders::payment_outcome::approved,
                                  "pi_3NxR2eKZvYlo2C"});
    at_desk(desk::order_paid{who.order, "STRIPE", "pi_3NxR2eKZvYlo2C"});
    at_desk(desk::tickets_issued{who.order, who.seats});
    in_block(who.block, seat::seats_sold{who.hold, who.order, who.seats, 2});
    in_room(room::tickets_ended{waiting_room::end_reason::used, {who.slot}});
  }

  template <class Step>
  void each(std::vector<buyer>& all, Step step) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      step(all[i]);
      if ((i + 1) % fans_per_batch == 0)
        flush();
    }
  }

  void round() {
    if (free_.size() < 2 * fans_at_once)
      plan_block();
    auto all = come();
    each(all, [this](buyer& who) { hold(who); });
    each(all, [this](buyer& who) { who.buys ? order(who) : give_back(who); });
    std::erase_if(all, [](const buyer& who) { return !who.buys; });
    each(all, [this](buyer& who) { pay(who); });
    flush();
    each(all, [this](buyer& who) { paid(who); });
    flush();
  }

  storage::event_log& log_;
  std::optional<storage::failure> fault_;
  std::vector<storage::record> ready_;
  std::uint64_t state_ = 42;
  time_ms now_ = 1'780'000'000'000;
  std::string show_;
  show_number shows_ = 0;
  slot_t joined_ = 0;
  std::size_t blocks_ = 0;
  std::string block_;
  std::vector<seat_id> free_;
};

} // namespace

std::optional<storage::failure> write_sale(storage::event_log& log, std::uint64_t events) {
  return sale{log}.write(events);
}

} // namespace usher::bench
