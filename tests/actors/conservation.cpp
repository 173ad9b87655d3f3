#include "tests/actors/conservation.hpp"

#include "actors/basics/overloaded.hpp"
#include "actors/seating/rules.hpp"
#include "storage/codec.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace usher::testing {

namespace {

using storage::stored_record;
namespace seated = seating::event;
namespace sold = orders::event;

/// How many seats an event moves into each state.
struct moved {
  std::ptrdiff_t for_sale = 0; ///< available or held: a hold may lapse between two events
  std::ptrdiff_t sold = 0;
  std::ptrdiff_t blocked = 0;
  bool operator==(const moved&) const = default;
};

moved said_by(const seating::any_event& happened) {
  const auto n = std::visit([](const auto& e) { return std::ssize(e.seats); }, happened);
  return std::visit(overloaded{
                        [&](const seated::seats_sold&) {
                          return moved{-n, n, 0};
                        },
                        [&](const seated::seats_blocked&) {
                          return moved{-n, 0, n};
                        },
                        [&](const seated::seats_unblocked&) {
                          return moved{n, 0, -n};
                        },
                        [&](const seated::seats_returned&) {
                          return moved{n, -n, 0};
                        },
                        [](const auto&) { return moved{}; }, // held, released
                    },
                    happened);
}

moved between(const seating::counts& before, const seating::counts& after) {
  const auto less = [](std::size_t from, std::size_t to) {
    return static_cast<std::ptrdiff_t>(to) - static_cast<std::ptrdiff_t>(from);
  };
  return {less(before.available + before.held, after.available + after.held),
          less(before.sold, after.sold), less(before.blocked, after.blocked)};
}

std::size_t sum(const seating::counts& all) {
  return all.available + all.held + all.sold + all.blocked;
}

/// Free for somebody new.
bool is_free(const seating::seat_state& is, time_ms at) {
  const auto* by = std::get_if<seating::held>(&is);
  return std::holds_alternative<seating::available>(is) || (by != nullptr && at >= by->until);
}

bool is_held_by(const seating::seat_state& is, const hold_id& hold, std::uint32_t up_to) {
  const auto* by = std::get_if<seating::held>(&is);
  return by != nullptr && by->hold == hold && by->generation <= up_to;
}

/// Can this have happened to a seat that was so?
bool fits(const seating::seat_state& was, const seating::any_event& happened, time_ms at) {
  return std::visit(
      overloaded{
          [&](const seated::block_planned&) { return true; },
          [&](const seated::seats_held& e) {
            return is_free(was, at) || is_held_by(was, e.hold, e.generation - 1);
          },
          [&](const seated::seats_released& e) { return is_held_by(was, e.hold, e.generation); },
          [&](const seated::seats_sold& e) {
            return is_free(was, at) || is_held_by(was, e.hold, e.generation);
          },
          [&](const seated::seats_blocked&) { return is_free(was, at); },
          [&](const seated::seats_unblocked&) {
            return std::holds_alternative<seating::blocked>(was);
          },
          [&](const seated::seats_returned& e) {
            return was == seating::seat_state{seating::sold{e.order}};
          },
      },
      happened);
}

/// May the seat go from the plan?
bool may_vanish(const seating::seat_state& is, time_ms at) {
  return is_free(is, at) || std::holds_alternative<seating::blocked>(is);
}

struct desk_hold {
  std::map<seat_id, block_id> seats; ///< but for those that are returned
  time_ms until = 0;
  std::uint32_t generation = 1;
  bool ended = false;
  std::optional<order_id> sold_to;
};

struct show {
  std::map<block_id, seating::state> blocks;
  std::map<block_id, std::size_t> planned; ///< how many seats each block has
  std::map<hold_id, desk_hold> holds;
  std::map<order_id, hold_id> orders;
};

class counter {
public:
  void take(const stored_record& r) {
    if (r.position == r.batch_first)
      compare_all();
    position_ = r.position;
    now_ = std::max(now_, r.at);
    const auto slash = r.subject.find('/');
    const auto kind = r.subject.substr(0, slash);
    if (kind != "block" && kind != "desk")
      return;
    const auto rest = r.subject.substr(slash + 1);
    const auto end_of_show = rest.find('/');
    auto& where = shows_[rest.substr(0, end_of_show)];
    touched_.insert(&where);
    if (kind == "block")
      into_block(where, rest.substr(end_of_show + 1), r);
    else
      into_desk(where, r);
  }

  std::vector<std::string> finish() {
    compare_all();
    return std::move(faults_);
  }

private:
  void say(const std::string& what) {
    faults_.push_back("record " + std::to_string(position_) + ": " + what);
  }

  void into_block(show& where, const block_id& name, const stored_record& r) {
    const auto happened = std::get<0>(storage::decode_seating(r.type, r.schema, r.data));
    auto& block = where.blocks[name];
    auto& planned = where.planned[name];
    const auto* plan = std::get_if<seated::block_planned>(&happened);
    if (plan != nullptr ? !is_possible(block, *plan, r.at) : !is_possible(block, happened, r.at))
      return say("what happens to block " + name + " (" + r.type + ") cannot happen to its seats");
    const auto before = block.count(r.at);
    seating::apply(block, happened, r.at);
    const auto after = block.count(r.at);
    if (plan != nullptr)
      planned = plan->seats.size();
    else if (between(before, after) != said_by(happened))
      say("other seats of block " + name + " move than " + r.type + " says");
    if (sum(after) != planned || block.seats.size() != planned)
      say("block " + name + " has " + std::to_string(sum(after)) + " seats of " +
          std::to_string(planned));
  }

  static bool is_possible(const seating::state& block, const seating::any_event& happened,
                          time_ms at) {
    std::set<seat_id> seen;
    return std::visit(
        [&](const auto& e) {
          return !e.seats.empty() && std::ranges::all_of(e.seats, [&](const seat_id& id) {
            const auto index = block.find(id);
            return index && seen.insert(id).second && fits(block.seats[*index].is, happened, at);
          });
        },
        happened);
  }

  static bool is_possible(const seating::state& block, const seated::block_planned& plan,
                          time_ms at) {
    const std::set<seat_id> stays{plan.seats.begin(), plan.seats.end()};
    return stays.size() == plan.seats.size() &&
           std::ranges::all_of(block.seats, [&](const seating::seat& one) {
             return stays.contains(one.id) || may_vanish(one.is, at);
           });
  }

  static void into_desk(show& where, const stored_record& r) {
    const auto happened = std::get<0>(storage::decode_orders(r.type, r.schema, r.data));
    std::visit(overloaded{
                   [&](const sold::hold_placed& e) {
                     auto& hold = where.holds[e.hold];
                     hold.until = e.until;
                     for (const auto& seat : e.seats)
                       hold.seats[seat.id] = seat.block;
                   },
                   [&](const sold::hold_changed& e) {
                     auto& hold = where.holds[e.hold];
                     hold.until = e.until;
                     hold.generation = e.generation;
                     for (const auto& seat : e.added)
                       hold.seats[seat.id] = seat.block;
                     for (const auto& id : e.removed)
                       hold.seats.erase(id);
                   },
                   [&](const sold::hold_ended& e) { where.holds[e.hold].ended = true; },
                   [&](const sold::order_placed& e) { where.orders[e.order] = e.hold; },
                   [&](const sold::order_paid& e) {
                     if (const auto& hold = where.orders[e.order]; !hold.is_none())
                       where.holds[hold].sold_to = e.order;
                   },
                   [&](const sold::order_seats_returned& e) {
                     for (const auto& id : e.seats)
                       where.holds[where.orders[e.order]].seats.erase(id);
                   },
                   [](const auto&) {},
               },
               happened);
  }

  void compare_all() {
    for (const auto* one : std::exchange(touched_, {})) {
      compare_desk_with_blocks(*one);
      compare_blocks_with_desk(*one);
    }
  }

  void compare_desk_with_blocks(const show& where) {
    std::map<seat_id, hold_id> holder_of;
    for (const auto& [id, hold] : where.holds) {
      const bool is_live = !hold.sold_to && !hold.ended && now_ < hold.until;
      for (const auto& [seat, name] : hold.seats) {
        if (is_live && !holder_of.emplace(seat, id).second)
          say("seat " + seat + " is in two live holds at the desk");
        if ((is_live && !is_held_by(state_of(where, name, seat), id, hold.generation)) ||
            (hold.sold_to &&
             state_of(where, name, seat) != seating::seat_state{seating::sold{*hold.sold_to}}))
          say("the desk has seat " + seat + " in a hold or a sale, and the block has it not");
      }
    }
  }

  static seating::seat_state state_of(const show& where, const block_id& name, const seat_id& id) {
    const auto block = where.blocks.find(name);
    const auto index = block == where.blocks.end() ? std::nullopt : block->second.find(id);
    return index ? block->second.seats[*index].is : seating::available{};
  }

  void compare_blocks_with_desk(const show& where) {
    for (const auto& [name, block] : where.blocks)
      for (const auto& one : block.seats) {
        const bool is_known =
            std::visit(overloaded{
                           [&](const seating::held& by) { return holds(where, by, one.id); },
                           [&](const seating::sold& to) { return sells(where, to, one.id); },
                           [](const auto&) { return true; },
                       },
                       one.is);
        if (!is_known)
          say("seat " + one.id + " is held or sold for something that the desk does not have");
      }
  }

  static bool holds(const show& where, const seating::held& by, const seat_id& seat) {
    const auto found = where.holds.find(by.hold);
    return found != where.holds.end() && !found->second.ended && !found->second.sold_to &&
           found->second.seats.contains(seat) && by.generation <= found->second.generation &&
           by.until == found->second.until;
  }

  static bool sells(const show& where, const seating::sold& to, const seat_id& seat) {
    const auto order = where.orders.find(to.order);
    if (order == where.orders.end())
      return false;
    const auto& hold = where.holds.at(order->second);
    return hold.sold_to == to.order && hold.seats.contains(seat);
  }

  storage::position_t position_ = 0;
  time_ms now_ = 0; ///< never runs backwards: a block judges by the latest time that it heard of
  std::map<show_id, show> shows_;
  std::set<const show*> touched_; ///< in this batch
  std::vector<std::string> faults_;
};

} // namespace

std::vector<std::string> lost_seats_in(const storage::event_log& log) {
  counter all;
  if (const auto failed = log.replay(1, [&](const stored_record& r) { return all.take(r), true; }))
    return {failed->what};
  return all.finish();
}

} // namespace usher::testing
