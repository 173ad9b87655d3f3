#pragma once

#include "actors/concierge/messages.hpp"
#include "actors/payments/sandbox.hpp"
#include "actors/runtime/node.hpp"
#include "storage/memory_log.hpp"
#include "tests/actors/random_source.hpp"
#include "tests/actors/reply.hpp"
#include "tests/actors/sluice_log.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scheduler/test_coordinator.hpp>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace usher::testing {

/// A block and how many seats it has: `{"A", 3}` has.
using block_size = std::pair<block_id, std::size_t>;

/// Seats that are asked for and not named.
using unnamed = std::variant<shows::best_ask, concierge::area_ask>;

/// How a room decided about an operator's command: nothing is yes.
using room_answer = std::optional<waiting_room::rejection>;

template <class Id>
struct asked {
  Id id; ///< the id that the thing got if the call went through
  reply<orders::answer> answer;
};

/// Actors by themselves: CAF's test scheduler, virtual time that does not start at zero, and a loop
/// that lets the seed pick which actor handles its next message.
class stage {
public:
  explicit stage(std::uint64_t seed = seed_of_run());
  ~stage();
  stage(const stage&) = delete;
  stage& operator=(const stage&) = delete;

  [[nodiscard]] caf::actor_system& system() { return system_; }
  [[nodiscard]] random_source& random() { return random_; }
  [[nodiscard]] const manual_clock& clock() const { return clock_; }

  /// Spawns an actor that ends with the stage.
  template <class... Args>
  auto spawn(Args&&... args) {
    auto fresh = system_.spawn(std::forward<Args>(args)...);
    ends_with_stage_.push_back(caf::actor_cast<caf::actor>(fresh));
    return fresh;
  }

  /// One message of one actor. False: nobody has anything to do.
  bool step();
  void settle(); ///< steps until nobody has anything to do
  void steps(std::size_t most);

  /// A frozen actor handles nothing until it is thawed.
  void freeze(const caf::abstract_actor* who) { frozen_ = who; }
  void thaw() { frozen_ = nullptr; }

  /// Time passes for everybody, in steps small enough for every tick, and everybody settles.
  void pass(duration_ms time, duration_ms step = 100);
  /// Time passes and no timer fires: whoever ticks is late.
  void pass_unnoticed(duration_ms time) { clock_.advance(time); }
  /// All timers ring, however early; who was rung for has not acted yet.
  void ring();

private:
  struct config : caf::actor_system_config {
    config() {
      set("scheduler.policy", caf::atom("testing"));
      set("logger.file-verbosity", caf::atom("quiet"));
    }
  };

  config config_;
  caf::actor_system system_{config_};
  caf::scheduler::test_coordinator& scheduler_;
  random_source random_;
  manual_clock clock_{1'800'000'000'000};
  std::vector<caf::actor> ends_with_stage_;
  const caf::abstract_actor* frozen_ = nullptr;
};

/// A node on a stage, its log, fans and staff. Verbs only ask; `settle` lets everybody answer.
/// Verbs without a show mean "hamlet". Seats are named as in the plan that is published now, or as
/// in one that was or will be: of block A if `A-7`.
class world : public stage {
public:
  explicit world(std::uint64_t seed = seed_of_run());
  ~world();

  [[nodiscard]] storage::memory_log& log() { return log_; }
  [[nodiscard]] sluice_log& sluice() { return *sluices_.back(); }
  [[nodiscard]] runtime::node& node() { return *node_; }
  [[nodiscard]] const shows::show_entry& show(const show_id& id = "hamlet") const;
  [[nodiscard]] const std::vector<std::string>& failures() const { return failures_; }
  [[nodiscard]] payments::sandbox& gateway() { return gateway_; }

  /// The journal's thread is busy elsewhere: nothing becomes durable until it is thawed.
  void freeze_journal();

  // Operators.
  [[nodiscard]] static shows::command::put described(const show_id& id,
                                                     const std::vector<block_size>& blocks);
  /// An area `floor` with the places `floor:1`, `floor:2`, …, in the category that all seats have.
  static void add_area(shows::command::put& what, std::uint32_t capacity);
  reply<shows::put_answer> put(shows::command::put what,
                               std::optional<shows::settings_patch> room = std::nullopt);
  /// Puts "hamlet" and settles. Every seat costs 1000.
  void put_show(const std::vector<block_size>& blocks) { put_show(blocks, fast_room()); }
  void put_show(const std::vector<block_size>& blocks, shows::settings_patch room);
  reply<room_answer> open_room() { return operate_room(waiting_room::command::open{}); }
  reply<room_answer> close_room() { return operate_room(waiting_room::command::close{}); }
  reply<room_answer> operate_room(decltype(waiting_room::operate::what) what,
                                  const show_id& id = "hamlet");
  [[nodiscard]] static shows::settings_patch
  fast_room(std::optional<std::uint32_t> max_active = std::nullopt);

  // Fans.
  reply<std::vector<waiting_room::join_answer>> ask_join(std::size_t fans,
                                                         const show_id& id = "hamlet");
  std::vector<waiting_room::place> join(std::size_t fans,
                                        const show_id& id = "hamlet"); ///< settles
  std::vector<slot_t> admitted(std::size_t fans); ///< joins, and waits for the tick
  [[nodiscard]] waiting_room::ticket_view look(const waiting_room::place& at) const;

  struct wish {
    std::optional<orders::idempotency> key;
    duration_ms ttl_ms = 300'000;
    std::uint32_t max_seats = 4;
    bool box_office = false; ///< by the seller's staff
  };
  asked<hold_id> hold(std::optional<slot_t> owner, const std::vector<seat_id>& seats,
                      const wish& how);
  asked<hold_id> hold(std::optional<slot_t> owner, const std::vector<seat_id>& seats) {
    return hold(owner, seats, wish{});
  }
  /// The concierge chooses.
  asked<hold_id> hold(std::optional<slot_t> owner, const unnamed& seats, const wish& how);
  asked<hold_id> hold(std::optional<slot_t> owner, const unnamed& seats) {
    return hold(owner, seats, wish{});
  }
  /// At most twice `ttl_ms` from when it was placed.
  reply<orders::answer> extend(std::optional<slot_t> owner, const hold_id& hold, const wish& how);
  reply<orders::answer> add(std::optional<slot_t> owner, const hold_id& hold,
                            const std::vector<seat_id>& seats, const wish& how);
  reply<orders::answer> add(std::optional<slot_t> owner, const hold_id& hold, const unnamed& seats,
                            const wish& how);
  reply<orders::answer> release(std::optional<slot_t> owner, const hold_id& hold,
                                bool box_office = false);
  reply<orders::answer> release_seat(std::optional<slot_t> owner, const hold_id& hold,
                                     const seat_id& seat, bool box_office = false);
  asked<order_id> order(std::optional<slot_t> owner, const hold_id& hold,
                        std::optional<orders::idempotency> key = std::nullopt,
                        bool box_office = false);
  asked<payment_id> pay(const order_id& order,
                        std::optional<orders::idempotency> key = std::nullopt);
  reply<orders::answer> confirm(const order_id& order, const std::string& reference = "outside-1");
  reply<orders::answer> cancel(const order_id& order);
  reply<orders::answer> leave(slot_t owner);
  reply<orders::answer> lookup(std::variant<hold_id, order_id> what);
  [[nodiscard]] orders::idempotency fresh_key();

  // The seller's staff.
  asked<order_id> sell(const std::vector<seat_id>& seats,
                       std::optional<orders::idempotency> key = std::nullopt);
  asked<order_id> sell(const unnamed& seats, std::optional<orders::idempotency> key = std::nullopt);
  reply<orders::answer> block(const std::vector<seat_id>& seats, bool force);
  reply<orders::answer> unblock(const std::vector<seat_id>& seats);
  /// No seats: all the order has.
  reply<orders::answer> give_back(const order_id& order, const std::vector<seat_id>& seats = {});

  /// The map as displays see it.
  [[nodiscard]] std::map<seat_id, seating::shown> seat_map(const show_id& id = "hamlet") const;
  [[nodiscard]] seating::shown seat(const seat_id& id) const { return seat_map().at(id); }

  /// The power goes, now: what is not synced is lost, nobody is answered any more; and comes back.
  void crash_and_restart();
  /// The same in two steps; between them there is no node.
  void power_off();
  void power_on();

private:
  reply<orders::answer> call(orders::any_command what);
  reply<orders::answer> ask_concierge(const unnamed& seats, concierge::purpose wanted);
  [[nodiscard]] std::vector<orders::offered_seat> offer(const std::vector<seat_id>& seats) const;
  [[nodiscard]] std::vector<orders::seat_in_block> find(const std::vector<seat_id>& seats) const;

  storage::memory_log log_;
  std::vector<std::unique_ptr<sluice_log>> sluices_;
  payments::sandbox gateway_;
  std::vector<std::string> failures_;
  std::optional<runtime::node> node_;
};

// What an answer says, in a word.
[[nodiscard]] const orders::hold_view* as_hold(const orders::answer& what);
[[nodiscard]] const orders::order_view* as_order(const orders::answer& what);
/// The same seats for the same reasons, whoever has them.
[[nodiscard]] bool same_seats(const seating::refusal& one, const seating::refusal& other);
[[nodiscard]] bool is_refused_with(const orders::answer& what, const seating::refusal& seats);
[[nodiscard]] bool is_rejected_with(const orders::answer& what, orders::rejection why);
[[nodiscard]] bool is_denied_with(const orders::answer& what, waiting_room::rejection why);
[[nodiscard]] bool found_no_seats(const orders::answer& what); ///< the concierge's no
[[nodiscard]] bool has_status(const orders::answer& what, orders::order_status status);

} // namespace usher::testing
