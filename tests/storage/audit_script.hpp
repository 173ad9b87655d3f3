#pragma once

#include "storage/audit/auditor.hpp"
#include "storage/codec.hpp"
#include "storage/memory_log.hpp"
#include "tests/storage/support.hpp"

#include <string>
#include <utility>
#include <vector>

// Logs made by hand, for the tests of the audit: lines, which may be marked as the faulty one, in
// batches. All is about the show `s` (number 0) with the block `A`, and `r` (number 1) without a
// plan.
namespace usher::storage::test {

namespace room_event = waiting_room::event;
namespace seat_event = seating::event;
namespace desk_event = orders::event;
namespace show_event = shows::event;

struct line {
  record what;
  bool is_bad = false;
};
using batch_lines = std::vector<line>;
using script = std::vector<batch_lines>;

inline line bad(line one) {
  one.is_bad = true;
  return one;
}
/// Nobody asked for it.
inline line by_clock(line one) {
  one.what.cause = {.request = "", .who = "usher"};
  return one;
}

/// When the scripts begin; each line says how many milliseconds later it is.
inline constexpr time_ms start_ms = 1'780'000'000'000;

inline line in(std::string subject, time_ms later, const encoded& what) {
  return {{.at = start_ms + later,
           .subject = std::move(subject),
           .type = std::string{what.type},
           .schema = what.schema,
           .cause = {.request = "r-1", .who = "fan"},
           .data = what.data}};
}
inline line queue(time_ms later, const waiting_room::any_event& what,
                  const std::string& show = "s") {
  return in("queue/" + show, later, encode(what));
}
inline line block(time_ms later, const seating::any_event& what) {
  return in("block/s/A", later, encode(what));
}
inline line desk(time_ms later, const orders::any_event& what, const std::string& show = "s") {
  return in("desk/" + show, later, encode(what));
}
inline line directory(time_ms later, const shows::any_event& what) {
  return in("shows", later, encode(what));
}

inline line gateway(time_ms later, const payments::event::breaker_changed& what,
                    const std::string& name = "STRIPE") {
  return in("gateway/" + name, later, encode(payments::any_event{what}));
}

inline hold_id hold_no(std::uint8_t number) {
  hold_id id;
  id.bytes[0] = id.bytes[15] = number;
  return id;
}
inline order_id order_no(std::uint8_t number) {
  order_id id;
  id.bytes[0] = id.bytes[15] = number;
  return id;
}
inline payment_id payment_no(std::uint8_t number) {
  payment_id id;
  id.bytes[0] = id.bytes[15] = number;
  return id;
}

inline constexpr duration_ms hold_ms = 300'000;
inline constexpr std::int64_t price_minor = 35'000;

inline desk_event::hold_placed placed(std::uint8_t hold, std::optional<slot_t> owner,
                                      const std::vector<seat_id>& seats, time_ms later) {
  desk_event::hold_placed e{hold_no(hold), owner, {}, "BRL", start_ms + later + hold_ms, {}};
  for (const auto& seat : seats)
    e.seats.push_back({seat, "A", "stalls", price_minor});
  return e;
}
inline seat_event::seats_held held(std::uint8_t hold, std::vector<seat_id> seats, time_ms later) {
  return {hold_no(hold), std::move(seats), start_ms + later + hold_ms};
}
/// A hold as it is decided: both in one batch.
inline batch_lines holding(std::uint8_t hold, std::optional<slot_t> owner,
                           const std::vector<seat_id>& seats, time_ms later) {
  return {desk(later, placed(hold, owner, seats, later)), block(later, held(hold, seats, later))};
}
inline desk_event::order_placed ordered(std::uint8_t order, std::optional<slot_t> owner,
                                        std::uint8_t hold, std::int64_t seats, time_ms later) {
  return {order_no(order),
          owner,
          hold_no(hold),
          "",
          {seats * price_minor, "BRL"},
          start_ms + later + 240'000,
          "sealed bytes",
          {}};
}
inline desk_event::order_placed ordered_ref(std::uint8_t order, const std::string& ref,
                                            time_ms later) {
  return {order_no(order), {}, {}, ref, {price_minor, "BRL"}, start_ms + later + 240'000, "", {}};
}
inline desk_event::payment_started started(std::uint8_t order, std::uint8_t payment) {
  return {order_no(order), payment_no(payment), "SANDBOX", "card", {}};
}
inline desk_event::payment_settled settled(std::uint8_t order, std::uint8_t payment,
                                           orders::payment_outcome how) {
  return {order_no(order), payment_no(payment), how, "ref"};
}
inline desk_event::order_paid paid(std::uint8_t order) {
  return {order_no(order), "SANDBOX", "ref"};
}
inline room_event::fans_admitted admitted(std::vector<slot_t> slots, time_ms later) {
  return {std::move(slots), start_ms + later + 300'000, 0, {}};
}
/// Of whom nothing is known.
inline room_event::fans_joined joined(slot_t first, std::size_t fans) {
  return {first, std::vector<std::uint64_t>(fans, 7), {}, {}, {}, {}};
}
inline room_event::room_configured configured(waiting_room::settings to) {
  return {std::move(to), {}};
}

inline waiting_room::settings settings() {
  waiting_room::settings set;
  set.admit_per_second_micro = 10'000'000;
  set.max_active = 4;
  set.max_per_tick = 3;
  set.tick_ms = 1000;
  set.admission_ttl_ms = 300'000;
  set.max_queue = 1000;
  return set;
}

inline show_event::show_created created(show_number number, const std::string& id) {
  show_event::show_created e;
  e.number = number;
  e.id = id;
  e.what.title = "Hamlet";
  e.what.currency = "BRL";
  return e;
}

/// Both shows are there, the room of `s` is open, fans 0 to 9 wait; then 0 and 1 are admitted.
inline script beginning() {
  return {{directory(0, created(0, "s")),
           block(0, seat_event::block_planned{{"A-1", "A-2", "A-3", "A-4", "A-5", "A-6"}}),
           queue(0, configured(settings()))},
          {directory(0, created(1, "r"))},
          {queue(0, room_event::room_opened{})},
          {queue(10, joined(0, 10))},
          {queue(1000, admitted({0, 1}, 1000))}};
}

inline script operator+(script one, const script& more) {
  one.insert(one.end(), more.begin(), more.end());
  return one;
}
inline batch_lines operator+(batch_lines one, const batch_lines& more) {
  one.insert(one.end(), more.begin(), more.end());
  return one;
}

/// Writes it and gives the positions of the lines that are marked.
inline std::vector<position_t> write(event_log& log, const script& what) {
  std::vector<position_t> bad_ones;
  for (const auto& lines : what) {
    std::vector<record> records;
    for (const auto& one : lines) {
      records.push_back(one.what);
      if (one.is_bad)
        bad_ones.push_back(log.head().position + records.size());
    }
    must_append(log, records);
  }
  return bad_ones;
}

inline void audit_all(const event_log& log, audit::auditor& with) {
  BOOST_TEST(refusal(log.replay(1, [&](const stored_record& next) {
               with.take(next);
               return true;
             })) == "");
  with.finish();
}

} // namespace usher::storage::test
