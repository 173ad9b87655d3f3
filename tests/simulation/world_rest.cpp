#include "tests/simulation/violation.hpp"
#include "tests/simulation/world.hpp"

#include <caf/send.hpp>

#include <algorithm>

// The end: nothing goes wrong any more, time passes, and everything has to come to rest.
namespace usher::simulation {

namespace {

constexpr auto rest = "comes-to-rest";
/// Far beyond every deadline and every wait between two tries of a world of this size.
constexpr duration_ms rest_step_ms = 20'000;
constexpr int rest_steps_max = 600;

} // namespace

void world::come_to_rest() {
  stop_faults();
  std::string open;
  for (int i = 0; i < rest_steps_max; ++i) {
    settle();
    settle_outside();
    settle();
    open = unrest();
    if (open.empty())
      break;
    note("time passes, as " + open);
    machine_.monotonic_ms += rest_step_ms;
    stage_.advance(rest_step_ms);
  }
  demand(open.empty(), rest, "Long after the last fault " + open + ".");
  probe(alpha_);
  probe(beta_);
  check_quiet();
  check_ledgers();
  model_.finish();
}

std::string world::unrest() {
  if (!wire_.is_empty())
    return "something is on its way";
  for (const auto& [number, one] : calls_)
    if (!one.answered)
      return "call #" + std::to_string(number) + " (" + one.what + ") is not answered";
  if (auto open = unrest_of_desk(node_->cashier(), "the cashier"); !open.empty())
    return open;
  for (const auto* entry : node_->shows().all()) {
    if (auto open = unrest_of_desk(entry->desk, "the desk of " + entry->id); !open.empty())
      return open;
    if (auto open = unrest_of_room(*entry); !open.empty())
      return open;
  }
  return {};
}

std::string world::unrest_of_desk(const orders::actor& handle, const std::string& name) {
  const auto& desk = inside<orders::actor_state>(handle).seed.desk;
  if (!desk.unsettled.empty())
    return name + " has something open at a gateway";
  for (const auto& [id, it] : desk.holds)
    if ((it.status == orders::hold_status::live || it.status == orders::hold_status::ordered) &&
        now() >= it.until)
      return name + " has a hold whose time is over";
  for (const auto& [id, it] : desk.orders)
    if (it.status == orders::order_status::paying ||
        (it.status == orders::order_status::pending && now() >= it.until))
      return name + " has an order whose time is over";
  return {};
}

std::string world::unrest_of_room(const shows::show_entry& entry) {
  const auto& its = model_.shows().at(entry.id);
  for (const auto& [block, known] : its.blocks)
    for (const auto& [id, seat] : known.seats())
      if (seat.is == seating::shown::held && now() >= seat.until)
        return "seat " + id + " is held beyond its time";
  const auto& room = its.room;
  for (slot_t slot = 0; slot < room.tickets().size(); ++slot)
    if (room.tickets()[slot].status == waiting_room::ticket_status::admitted &&
        now() >= room.tickets()[slot].deadline())
      return "ticket " + std::to_string(slot) + " is admitted beyond its time";
  const auto seen = entry.board->room();
  if (seen.status == waiting_room::room_status::open && room.set().max_active != 0u &&
      room.waiting() > 0)
    return std::to_string(room.waiting()) + " wait at an open room";
  return {};
}

/// Money that came elsewhere goes back elsewhere: whoever sees to that says so.
void world::settle_outside() {
  for (const auto* entry : node_->shows().all())
    for (const auto& [order, it] : model_.shows().at(entry->id).desk.orders())
      for (const auto& [id, back] : it.refunds)
        if (!back.outcome && back.gateway != alpha_.name() && back.gateway != beta_.name()) {
          call made;
          made.what = "refund done outside";
          made.deliver = [entry, order = order, id = id](const desk_done& done) {
            orders::command::refund what;
            what.order = order;
            what.settles = id;
            what.done_outside = "by hand";
            auto asked = std::make_shared<orders::call>();
            asked->what = what;
            asked->cause = {"", "operator:test"};
            asked->done = done;
            caf::anon_send(entry->desk, std::move(asked));
          };
          ask(std::move(made));
        }
}

/// A gateway that works is asked again, whatever it did before.
void world::probe(const gateway& which) {
  bool paid = false;
  for (int tries = 0; tries < 40 && !paid; ++tries) {
    call made;
    made.what = "probe of " + std::string{which.name()};
    made.deliver = [&](const desk_done& done) {
      orders::command::take_payment what;
      what.order = random_.id<order_id>();
      what.payment = random_.id<payment_id>();
      what.amount = {700, "BRL"};
      what.reference = "probe-" + std::to_string(random_.bits());
      what.gateway = which.name();
      what.chosen = true;
      what.method = "card";
      auto asked = std::make_shared<orders::call>();
      asked->what = what;
      asked->cause = {"", "service:test"};
      asked->done = done;
      caf::anon_send(node_->cashier(), std::move(asked));
    };
    made.then = [&paid](const orders::answer& got) {
      const auto* view = std::get_if<orders::order_view>(&got.result);
      paid = view != nullptr && view->order.status == orders::order_status::paid;
    };
    ask(std::move(made));
    settle();
    if (paid)
      break;
    machine_.monotonic_ms += 5'000;
    stage_.advance(5'000);
    settle();
  }
  demand(paid, rest, [&] {
    return std::string{which.name()} + " works again for long, and is let take no payment.";
  });
}

void world::check_ledgers() const {
  const auto check = [&](const desk_model& desk) {
    for (const auto& [id, it] : desk.orders()) {
      std::int64_t outside = 0;
      for (const auto& [reference, money] : outside_)
        outside += money.first == id ? money.second : 0;
      std::int64_t asked_back = 0;
      for (const auto& [refund, back] : it.refunds) {
        const bool done = back.outcome == orders::refund_outcome::done;
        outside -= done && back.gateway == "OUTSIDE" ? back.amount_minor : 0;
        asked_back += done && back.cause == orders::refund_cause::asked ? back.amount_minor : 0;
      }
      const auto kept = alpha_.kept_minor(id) + beta_.kept_minor(id) + outside;
      const auto sold = (it.paid ? it.total_minor : 0) - asked_back;
      demand(kept == sold || it.counter, "money-adds-up", [&] {
        return "Of an order the gateways keep " + std::to_string(kept) + ", and it is worth " +
               std::to_string(sold) + ".";
      });
    }
  };
  check(model_.cashier());
  for (const auto& [show, its] : model_.shows())
    check(its.desk);
}

} // namespace usher::simulation
