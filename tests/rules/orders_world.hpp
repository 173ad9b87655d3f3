#pragma once

#include "actors/orders/rules.hpp"
#include "actors/seating/rules.hpp"
#include "actors/waiting_room/rules.hpp"

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

// A desk, two blocks and a waiting room, with a coordinator in one thread: it reserves the blocks,
// asks the room, and lets all events of a proposal happen, or none.
namespace usher::test {

constexpr std::array<slot_t, 2> fans{0, 1};
constexpr std::array<const char*, 3> all_seats{"a1", "a2", "b1"}; ///< of the blocks a and b
constexpr std::uint32_t max_seats = 2;
constexpr duration_ms hold_life = 2;
constexpr duration_ms max_life = 3; ///< of a hold, however often it is extended

/// A fault made on purpose. As it is by default it changes nothing.
struct sabotage {
  bool refusals_count = true;          ///< the coordinator heeds a block's no
  bool the_room_is_asked = true;       ///< and the room's
  bool lost_seats_are_believed = true; ///< a block's no is told to the desk, not made up
  bool time_sweeps = true;
  time_ms block_clock_shift = 0; ///< -1: `now > until` where it should be `>=`
  std::uint32_t max_seats = test::max_seats;
  duration_ms max_life = test::max_life;
  std::function<void(orders::proposal&)> spoil = [](orders::proposal&) {};
};

struct world {
  orders::state desk;
  std::map<block_id, seating::state> blocks;
  std::shared_ptr<const waiting_room::state> room; ///< shared between worlds until it changes
  time_ms now = 0;
  std::uint8_t holds = 0;  ///< numbers given so far
  std::uint8_t orders = 0; ///< likewise
  std::uint8_t payments = 0;
  std::uint8_t refunds = 0;
  std::map<hold_id, time_ms> own_until; ///< how long a hold would last if nobody paid for it
  std::set<seat_id> off_sale; ///< what operators took off sale, by what they were answered
  std::vector<std::pair<time_ms, orders::any_event>> desk_log;
  std::string fault; ///< what went wrong on the way here; empty: nothing

  /// Both fans are admitted, nothing is held. `fixed_length`: a purchase does not end an admission.
  [[nodiscard]] static world start(duration_ms admission_life = 4, bool fixed_length = false);

  [[nodiscard]] const seating::seat_state& state_of(const seat_id& id) const;
};

template <class Id>
Id numbered(std::uint8_t n) {
  Id id;
  id.bytes[0] = n;
  return id;
}

[[nodiscard]] inline block_id block_of(const seat_id& id) {
  return id.substr(0, 1);
}

// --- what may happen (orders_world_actions.cpp, orders_world_money.cpp) -----------------------

/// One thing that may happen next. Does it, and notes a fault.
struct action {
  std::string name;
  std::function<void(world&, const sabotage&)> happen;
};

/// Who acts: fans alone, who hold, order and pay; those and whoever moves money and looks at
/// tickets; fans who also change their holds, and the seller's staff; or all of them.
enum class cast : std::uint8_t { buyers, cashiers, everybody, all };

[[nodiscard]] std::vector<action> actions_in(const world& here, cast who);

/// What gateways, services and the door can do about this order.
void add_money(std::vector<action>& all, const order_id& id, const orders::order& it);

/// Money that comes before its order, and is applied when that is there.
void add_early_money(std::vector<action>& all);

// --- how it happens (orders_world.cpp) -------------------------------------------------------

/// Asks the desk, and does what it proposes: all of it, or nothing.
void ask(world& here, const orders::any_command& what, const sabotage& how);

/// Ends what time has ended, at most `limit` holds and orders.
void sweep(world& here, std::size_t limit, const sabotage& how);

/// The waiting room's own clock.
void tick(world& here);

// --- what must hold (orders_world_checks.cpp, orders_world_money_checks.cpp) ------------------

/// Of the money of every order, and of the time of holds that are being paid.
[[nodiscard]] std::string fault_of_money(const world& here);

/// Answers whatever gateways are still asked, so that nothing is unknown any more.
void settle_everything(world& here, const sabotage& how);

/// What must hold in every world; says what does not.
[[nodiscard]] std::string fault_in(const world& here);

/// After a long time without anybody, and with an answer from every gateway: no seat is held, no
/// order open, no money owed.
[[nodiscard]] std::string fault_after_healing(world here, const sabotage& how);

/// The same for two worlds in which the same things can happen.
[[nodiscard]] std::string key_of(const world& here);

} // namespace usher::test
