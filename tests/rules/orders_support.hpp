#pragma once

#include "actors/basics/overloaded.hpp"
#include "actors/orders/rules.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

// Short names and a desk with a history, for the tests of the sales desk.
namespace usher::test {

namespace orders = usher::orders;
namespace command = orders::command;
namespace event = orders::event;
using orders::hold_change;
using orders::hold_end;
using orders::order_status;
using orders::payment_outcome;
using usher::slot_t;
using usher::time_ms;
using events = std::vector<orders::any_event>;
using why = orders::rejection;

inline constexpr slot_t fan = 7;
inline constexpr slot_t other_fan = 8;

template <class Id>
Id id_of(std::uint8_t n) {
  Id id;
  id.bytes[0] = n;
  return id;
}

inline hold_id hold(std::uint8_t n) {
  return id_of<hold_id>(n);
}
inline order_id order(std::uint8_t n) {
  return id_of<order_id>(n);
}
inline payment_id payment(std::uint8_t n) {
  return id_of<payment_id>(n);
}
inline refund_id refund(std::uint8_t n) {
  return id_of<refund_id>(n);
}
inline orders::idempotency asked(std::uint8_t key, std::uint8_t body = 1) {
  return {id_of<request_key>(key), id_of<id128>(body)};
}

inline orders::offered_seat seat(const std::string& block, const std::string& id,
                                 std::int64_t price_minor = 1000) {
  return {id, block, "stalls", price_minor};
}

/// A desk that is told what happened, at times that the events' order gives.
struct desk {
  orders::state state;
  time_ms now = 0;

  desk& at(time_ms when) {
    now = when;
    return *this;
  }
  desk& after(const orders::any_event& happened) {
    orders::apply(state, happened, now);
    return *this;
  }
  template <class Command>
  orders::decision decide(const Command& what) const {
    return orders::decide(state, what);
  }
  /// Decides and applies the events of the proposal; there has to be one.
  template <class Command, class... More>
  orders::proposal does(const Command& what, More... more) {
    auto wanted = std::get<orders::proposal>(orders::decide(state, what, more...));
    for (const auto& happened : wanted.events)
      after(happened);
    return wanted;
  }
};

inline bool is_no(const orders::decision& answer, why reason) {
  const auto* no = std::get_if<orders::rejection>(&answer);
  return no != nullptr && *no == reason;
}

template <class Id>
bool is_repeat_of(const orders::decision& answer, const Id& id) {
  const auto* again = std::get_if<orders::repeated>(&answer);
  return again != nullptr && again->what == std::variant<hold_id, order_id>{id};
}

inline const orders::proposal* proposed(const orders::decision& answer) {
  return std::get_if<orders::proposal>(&answer);
}

/// " s1 s2"
inline std::string words(const std::vector<seat_id>& seats) {
  std::string all;
  for (const auto& one : seats)
    all += ' ' + one;
  return all;
}

/// " 1.2 s1 s2, 3.1 s3": of the hold 1 in its generation 2, and so on.
inline std::string words(const std::vector<seating::command::part>& parts) {
  std::string all;
  for (const auto& one : parts)
    all += (all.empty() ? " " : ", ") + std::to_string(one.hold.bytes[0]) + '.' +
           std::to_string(one.generation) + words(one.seats);
  return all;
}

/// "A: hold s1 s2; B: hold.2 s3" and the like, so that a difference can be read: the generation is
/// told unless it is the first one.
inline std::string words(const seating::any_command& what) {
  namespace block_command = seating::command;
  const auto of = [](std::uint32_t generation) {
    return generation == 1 ? std::string{} : '.' + std::to_string(generation);
  };
  return std::visit(
      overloaded{
          [](const block_command::plan& c) { return "plan" + words(c.seats); },
          [&](const block_command::hold& c) { return "hold" + of(c.generation) + words(c.seats); },
          [](const block_command::release& c) { return "release" + words(c.parts); },
          [&](const block_command::sell& c) { return "sell" + of(c.generation) + words(c.seats); },
          [](const block_command::block& c) {
            return "block" + words(c.seats) + (c.taken.empty() ? "" : " from" + words(c.taken));
          },
          [](const block_command::unblock& c) { return "unblock" + words(c.seats); },
          [](const block_command::return_sold& c) { return "return" + words(c.seats); },
      },
      what);
}

inline std::string words(const std::vector<orders::block_work>& blocks) {
  std::string text;
  for (const auto& work : blocks)
    text += (text.empty() ? "" : "; ") + work.block + ": " + words(work.command);
  return text;
}

/// "enter 7 until 500", "settle 7 until 0 paid", "settle 7 until 0, settle 8 until 500", "leave 7",
/// "".
inline std::string words(const orders::room_work& room) {
  namespace room_command = waiting_room::command;
  const auto who = [](const std::optional<slot_t>& slot) {
    return slot ? std::to_string(*slot) : std::string{"nobody"};
  };
  const auto settled = [&](const room_command::settle& c) {
    return "settle " + who(c.slot) + " until " + std::to_string(c.busy_until) +
           (c.paid ? " paid" : "");
  };
  return std::visit(overloaded{
                        [](std::monostate) { return std::string{}; },
                        [&](const room_command::enter& c) {
                          return "enter " + who(c.slot) + " until " + std::to_string(c.busy_until);
                        },
                        settled,
                        [&](const room_command::settle_all& c) {
                          std::string all;
                          for (const auto& one : c.each)
                            all += (all.empty() ? "" : ", ") + settled(one);
                          return all;
                        },
                        [&](const room_command::leave& c) { return "leave " + who(c.slot); },
                    },
                    room);
}

} // namespace usher::test
