#include "actors/basics/overloaded.hpp"
#include "actors/runtime/recovered.hpp"
#include "tests/simulation/violation.hpp"
#include "tests/simulation/world.hpp"

#include <algorithm>
#include <set>
#include <tuple>

// What has to be true after every step, and what whenever nobody has anything to do.
namespace usher::simulation {

namespace {

constexpr auto acknowledged = "acknowledged-is-in-the-log";

std::string_view name_of(seating::shown what) {
  switch (what) {
  case seating::shown::available:
    return "available";
  case seating::shown::held:
    return "held";
  case seating::shown::sold:
    return "sold";
  case seating::shown::blocked:
    break;
  }
  return "blocked";
}

} // namespace

void world::read_log() {
  if (log_.head().position == model_.position())
    return;
  demand(log_.head().position > model_.position(), acknowledged,
         "The log has lost its end, which was durable.");
  const auto failed = log_.replay(model_.position() + 1, [&](const storage::stored_record& r) {
    model_.take(r);
    note("  log: " + model_.last());
    return true;
  });
  demand(!failed, "log-is-readable", [&] { return failed->what; });
  model_.end_of_batch();
}

void world::when_said(const std::function<void()>& check) {
  if (found_)
    return;
  try {
    read_log();
    check();
    check_boards("boards-before-replies");
  } catch (const violation& bad) {
    found_ = bad;
  }
}

void world::observe() {
  if (found_)
    throw *found_;
  if (stopped_.empty()) {
    read_log();
    check_boards("boards-show-the-log");
  }
  for (const auto& one : std::exchange(heard_, {}))
    one();
}

// ---- boards

void world::check_boards(const char* invariant) {
  if (checked_boards_at_ == model_.position())
    return;
  for (const auto* entry : node_->shows().all())
    check_boards(*entry, model_.shows().at(entry->id), invariant);
  checked_boards_at_ = model_.position();
}

void world::check_boards(const shows::show_entry& entry, const log_model::show& its,
                         const char* invariant) const {
  const auto now = entry.now();
  for (std::size_t i = 0; i < now->boards.size(); ++i) {
    const auto& name = now->what.plan->blocks[i].id;
    const auto& block = its.blocks.at(name);
    const auto counted = now->boards[i]->count();
    const auto view = now->boards[i]->seats();
    demand(counted.available + counted.held + counted.sold + counted.blocked ==
                   view->ids().size() &&
               view->ids().size() == block.seats().size(),
           "seats-conserved",
           [&] { return "The counts of block " + name + " do not sum to its seats."; });
    for (std::size_t seat = 0; seat < view->ids().size(); ++seat) {
      const auto& id = view->ids()[seat];
      const auto is = block.seats().at(id).is;
      demand(view->at(seat) == is, invariant, [&] {
        return "Seat " + id + " is " + std::string{name_of(is)} +
               " by the log, and its board says " + std::string{name_of(view->at(seat))} + ".";
      });
    }
    demand(counted == block.count(), "seats-conserved",
           [&] { return "The counts of block " + name + " are not those of its seats."; });
  }
  const auto room = entry.board->room();
  demand(room.active == its.room.active() && room.waiting == its.room.waiting() &&
             room.joined == its.room.tickets().size(),
         invariant, [&] {
           return "By the log " + std::to_string(its.room.waiting()) + " wait and " +
                  std::to_string(its.room.active()) + " are admitted; the board says " +
                  std::to_string(room.waiting) + " and " + std::to_string(room.active) + ".";
         });
}

// ---- answers

void world::check_answer(std::size_t number, const orders::answer& got) {
  const auto found = calls_.find(number);
  if (found == calls_.end())
    return;
  auto& asked = found->second;
  demand(!std::exchange(asked.answered, true), "answered-once", [&] {
    return "Call #" + std::to_string(number) + " (" + asked.what + ") is answered twice.";
  });
  check_acknowledged(asked, got);
  check_same_effect(asked, got);
}

void world::learn(std::size_t number, const orders::answer& got) {
  const auto found = calls_.find(number);
  if (found == calls_.end())
    return;
  const auto asked = found->second;
  calls_.erase(found);
  if (asked.again && draw(drawn_.reply_lost)) {
    note("reply lost: #" + std::to_string(number) + " " + asked.what);
    wire_.send("(again)", static_cast<duration_ms>(random_.below(6)) * 500, asked.again);
    return;
  }
  note("answer: #" + std::to_string(number) + " " + asked.what + " index " +
       std::to_string(got.result.index()) + (got.repeated ? " (repeated)" : ""));
  if (asked.then)
    asked.then(got);
}

void world::check_acknowledged(const call& asked, const orders::answer& got) const {
  std::visit(overloaded{[&](const orders::hold_view& view) { check_acknowledged(view); },
                        [&](const orders::order_view& view) { check_acknowledged(view); },
                        [&](const seating::refusal& seats) { check_refused(asked, seats); },
                        [](const auto&) {}},
             got.result);
}

void world::check_acknowledged(const orders::hold_view& view) const {
  for (const auto& [show, its] : model_.shows()) {
    const auto found = its.desk.holds().find(view.id);
    if (found == its.desk.holds().end())
      continue;
    const auto& known = found->second;
    std::set<seat_id> seats;
    for (const auto& seat : view.hold.seats)
      seats.insert(seat.id);
    const bool as_said = known.generation == view.hold.generation
                             ? known.until == view.hold.until && known.seats == seats
                             : known.generation > view.hold.generation;
    const bool over = view.hold.status == orders::hold_status::ended ||
                      view.hold.status == orders::hold_status::sold;
    demand(as_said && (!over || known.is != desk_model::state::open), acknowledged,
           "What is said of a hold is not (yet) what the log says.");
    return;
  }
  throw violation{acknowledged, "A hold is acknowledged that is not in the log."};
}

namespace {

void check_one_order(const orders::order& said, const desk_model::order& known) {
  using enum orders::order_status;
  bool as_said = true;
  if (said.status == paid || said.status == partly_refunded)
    as_said = known.paid;
  else if (said.status == refund_due || said.status == refunded)
    as_said = known.due || known.paid;
  else if (said.status == cancelled || said.status == expired)
    as_said = known.over;
  for (const auto& attempt : said.payments)
    if (!attempt.id.is_none())
      as_said = as_said && known.attempts.contains(attempt.id) &&
                (!attempt.outcome || !known.open.contains(attempt.id));
  for (const auto& refund : said.refunds) {
    const auto found = known.refunds.find(refund.id);
    as_said = as_said && found != known.refunds.end() &&
              (!refund.outcome || refund.outcome == found->second.outcome);
  }
  demand(as_said, acknowledged, "What is said of an order is not (yet) what the log says.");
}

} // namespace

void world::check_acknowledged(const orders::order_view& view) const {
  const auto check = [&](const desk_model& desk) {
    const auto found = desk.orders().find(view.id);
    if (found == desk.orders().end())
      return false;
    check_one_order(view.order, found->second);
    return true;
  };
  if (check(model_.cashier()))
    return;
  for (const auto& [show, its] : model_.shows())
    if (check(its.desk))
      return;
  throw violation{acknowledged, "An order is acknowledged that is not in the log."};
}

/// Whoever is told that seats are taken could not have had them at any moment of the call.
void world::check_refused(const call& asked, const seating::refusal& seats) const {
  using why = seating::unavailable_reason;
  for (const auto& one : seats) {
    if (one.reason == why::unknown)
      continue;
    const auto what = one.reason == why::held   ? seating::shown::held
                      : one.reason == why::sold ? seating::shown::sold
                                                : seating::shown::blocked;
    bool was = false;
    for (const auto& [show, its] : model_.shows())
      for (const auto& [block, known] : its.blocks)
        was = was || known.was(one.seat, what, asked.sent_at, now());
    demand(was, "refused-for-a-reason", [&] {
      return asked.what + " is refused because seat " + one.seat + " is " +
             std::string{name_of(what)} + ", and it was not while the call was under way.";
    });
  }
}

/// Nothing is asked of a gateway that a crash could still undo.
bool world::check_asked(const order_id& order, const id128& what) {
  payment_id attempt;
  static_cast<id128&>(attempt) = what;
  refund_id refund;
  static_cast<id128&>(refund) = what;
  const auto knows = [&](const desk_model& desk) {
    const auto found = desk.orders().find(order);
    return found != desk.orders().end() &&
           (found->second.attempts.contains(attempt) || found->second.refunds.contains(refund));
  };
  when_said([&] {
    bool known = knows(model_.cashier());
    for (const auto& [show, its] : model_.shows())
      known = known || knows(its.desk);
    demand(known, "asked-when-durable",
           "A gateway is asked about an attempt or a refund that is not in the log.");
  });
  return true;
}

void world::check_same_effect(const call& asked, const orders::answer& got) {
  if (!asked.key)
    return;
  std::optional<std::variant<hold_id, order_id>> made;
  if (const auto* view = std::get_if<orders::hold_view>(&got.result))
    made = view->id;
  else if (const auto* order = std::get_if<orders::order_view>(&got.result))
    made = order->id;
  if (!made)
    return;
  const auto first = effects_.emplace(asked.key->key, *made).first->second;
  demand(first == *made, "one-effect-per-key",
         [&] { return "Asked again with the same key, " + asked.what + " gave another thing."; });
}

// ---- whenever nobody has anything to do

void world::check_quiet() {
  settle();
  check_idle();
  check_fold();
  for (const auto* entry : node_->shows().all())
    check_desk_and_blocks(*entry, model_.shows().at(entry->id));
  demand(!alpha_.was_asked_too_much() && !beta_.was_asked_too_much(), "money-adds-up",
         "A gateway was asked to give back more than it had taken.");
}

void world::check_idle() {
  const auto idle = [](bool holds, const std::string& who) {
    demand(holds, "every-decision-ends",
           [&] { return who + " still waits for somebody, and nobody is at work."; });
  };
  const auto check_desk = [&](const orders::actor& handle, const std::string& name) {
    const auto& desk = inside<orders::actor_state>(handle);
    idle(desk.locks.empty() && desk.waiting.empty() && desk.coordinator.in_flight() == 0,
         "The desk of " + name);
    for (const auto& [block, actor] : desk.seed.blocks) {
      const auto& its = inside<seating::actor_state>(actor);
      idle(!its.open && its.waiting.empty(), "Block " + block + " of " + name);
    }
  };
  check_desk(node_->cashier(), "no show");
  for (const auto* entry : node_->shows().all()) {
    check_desk(entry->desk, entry->id);
    idle(inside<concierge::actor_state>(entry->concierge).waiting.empty(),
         "The concierge of " + entry->id);
  }
  idle(!inside<shows::actor_state>(node_->directory()).busy, "The directory");
}

namespace {

/// Where two desks differ; empty: nowhere. Decisions about different things stand in the log in the
/// order in which the waiting room heard of them, and the desk may apply two of them the other way
/// round. All they have in common is which key came before which, and that decides nothing: a key's
/// own age is judged at each use.
std::string difference(orders::state one, orders::state other) {
  std::ranges::sort(one.key_ages);
  std::ranges::sort(other.key_ages);
  std::ranges::sort(one.kept_reports, {}, &orders::kept_report::reference);
  std::ranges::sort(other.kept_reports, {}, &orders::kept_report::reference);
  if (one == other)
    return {};
  const std::pair<bool, const char*> parts[] = {
      {one.holds == other.holds, "holds"},
      {one.orders == other.orders, "orders"},
      {one.keys == other.keys, "keys"},
      {one.key_ages == other.key_ages, "ages of keys"},
      {one.holds_of == other.holds_of, "holds of admissions"},
      {one.orders_of == other.orders_of, "orders of admissions"},
      {one.hold_deadlines == other.hold_deadlines, "deadlines of holds"},
      {one.order_deadlines == other.order_deadlines, "deadlines of orders"},
      {one.unsettled == other.unsettled, "unsettled orders"},
  };
  for (const auto& [same, name] : parts)
    if (!same)
      return name;
  return "other tables";
}

} // namespace

void world::check_fold() {
  constexpr auto fold = "state-is-fold";
  auto found = runtime::recover(log_, {});
  if (const auto* failed = std::get_if<storage::failure>(&found))
    throw violation{"log-is-readable", failed->what};
  auto& told = std::get<runtime::recovered>(found);
  const auto same = [](bool holds, const std::string& who) {
    demand(holds, fold, [&] { return who + " is not what the log says."; });
  };
  const auto same_desk = [](const orders::state& live, const orders::state& told_of,
                            const std::string& who) {
    const auto differs = difference(live, told_of);
    demand(differs.empty(), fold,
           [&] { return who + " is not what the log says: its " + differs + " differ."; });
  };
  same_desk(inside<orders::actor_state>(node_->cashier()).seed.desk, told.cashier, "The cashier");
  same(inside<shows::actor_state>(node_->directory()).seed.directory == told.directory,
       "The directory");
  for (const auto* entry : node_->shows().all()) {
    const auto& its = told.shows.at(entry->id);
    same(inside<waiting_room::actor_state>(entry->room).seed.room == its.room,
         "The room of " + entry->id);
    const auto& desk = inside<orders::actor_state>(entry->desk).seed;
    same_desk(desk.desk, its.desk, "The desk of " + entry->id);
    for (const auto& [block, actor] : desk.blocks)
      same(inside<seating::actor_state>(actor).block == its.blocks.at(block).block,
           "Block " + block + " of " + entry->id);
  }
  for (const auto& [name, line] : node_->gateways()->lines)
    same(inside<payments::actor_state>(line.actor).breaker.recorded == told.breakers[name],
         "The breaker of " + name);
}

void world::check_desk_and_blocks(const shows::show_entry& entry, const log_model::show& its) {
  using owned = std::set<std::tuple<seat_id, id128, bool>>; // seat, who has it, sold?
  owned by_desk;
  owned by_blocks;
  for (const auto& [id, hold] : its.desk.holds())
    for (const auto& seat : hold.seats) {
      if (hold.is == desk_model::state::open && now() < hold.until)
        by_desk.emplace(seat, id, false);
      else if (hold.is == desk_model::state::sold && !hold.returned.contains(seat))
        by_desk.emplace(seat, hold.order, true);
    }
  for (const auto& [name, block] : its.blocks)
    for (const auto& [id, seat] : block.seats()) {
      if (seat.is == seating::shown::held && now() < seat.until)
        by_blocks.emplace(id, seat.hold, false);
      else if (seat.is == seating::shown::sold)
        by_blocks.emplace(id, seat.order, true);
    }
  demand(by_desk == by_blocks, "desk-and-blocks-agree",
         "By the desk of " + entry.id + " others have the seats than by its blocks.");
}

} // namespace usher::simulation
