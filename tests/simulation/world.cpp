#include "tests/simulation/world.hpp"

#include "actors/basics/overloaded.hpp"
#include "actors/runtime/recovered.hpp"
#include "tests/simulation/violation.hpp"

#include <caf/send.hpp>

#include <iostream>
#include <utility>

// The process's lives: how it starts, acts and ends.
namespace usher::simulation {

namespace {

constexpr std::size_t story_max = 30;
/// More messages than any world of this size needs until nobody has anything to do.
constexpr std::size_t settle_steps_max = 100'000;

} // namespace

world::world(theatre& stage, const options& drawn, random_source& random, bool verbose)
    : drawn_{drawn},
      random_{random},
      alpha_{"ALPHA", drawn_, random_, wire_,
             [this](const auto& name, const auto& payment, const auto& entry, auto delay) {
               tell_webhook(name, payment, entry, delay);
             }},
      beta_{"BETA", drawn_, random_, wire_,
            [this](const auto& name, const auto& payment, const auto& entry, auto delay) {
              tell_webhook(name, payment, entry, delay);
            }},
      model_{[this](const auto& name, const auto& reference, auto amount) {
               if (name == alpha_.name())
                 return alpha_.has_taken(reference, amount);
               if (name == beta_.name())
                 return beta_.has_taken(reference, amount);
               const auto found = outside_.find(reference);
               return name != "OUTSIDE" ||
                      (found != outside_.end() && found->second.second == amount);
             },
             drawn.seats_max},
      stage_{stage},
      verbose_{verbose} {
  seed_openssl(~drawn.seed); // another than the world's own, or both would draw the same ids
  alpha_.accepts = beta_.accepts = [this](const order_id& order, const id128& what) {
    return alive_ && check_asked(order, what);
  };
  alpha_.say = beta_.say = [this](const std::string& what) { note("  " + what); };
  power_on();
}

world::~world() {
  if (node_)
    end_process();
  stage_.clear(random_);
}

void world::note(std::string what) {
  if (verbose_)
    std::cout << machine_.monotonic_ms << " " << what << '\n';
  story_.push_back(std::to_string(machine_.monotonic_ms) + " " + std::move(what));
  if (story_.size() > story_max)
    story_.pop_front();
}

const shows::show_entry* world::show(const show_id& id) {
  return node_->shows().find(id);
}

void world::power_on() {
  log_.crash();
  read_log();
  auto found = runtime::recover(log_, {});
  if (const auto* failed = std::get_if<storage::failure>(&found))
    throw violation{"log-is-readable", failed->what};
  auto& recovered = std::get<runtime::recovered>(found);
  clocks_.push_back(std::make_unique<life_clock>(machine_, recovered.last_at));
  sluices_.push_back(std::make_unique<testing::sluice_log>(log_));
  runtime::node::parts parts;
  parts.log = sluices_.back().get();
  parts.clock = clocks_.back().get();
  parts.fail = [this](const storage::failure& why) { stopped_ = why.what; };
  payments::breaker_settings breaker{
      .open_ms = 4'000, .slow_call_ms = 4'000, .permit_lease_ms = 15'000};
  parts.gateways = {
      {.provider = &alpha_, .rule = {.gateway = {}, .priority = 1}, .breaker = breaker},
      {.provider = &beta_, .rule = {.gateway = {}, .priority = 2}, .breaker = breaker}};
  parts.detach_journal = false;
  parts.payment_limit_ms = drawn_.payment_limit_ms;
  ++life_;
  alive_ = true;
  power_will_go_ = false;
  model_.restart(now());
  node_.emplace(stage_.system(), std::move(recovered), std::move(parts));
  checked_boards_at_ = 0;
  check_boards("boards-show-the-log");
}

void world::end_process() {
  alive_ = false;
  heard_.clear();
  stage_.thaw();
  clocks_.back()->throws = false;
  sluices_.back()->during({});
  sluices_.back()->cut();
  node_->stop();
  while (stage_.step(random_, true)) {
  }
  node_.reset();
  while (stage_.step(random_, true)) {
  }
  static_cast<void>(take_process_end());
  stopped_.clear();
}

void world::crash(const std::string& why) {
  note("the process ends: " + why);
  end_process();
  machine_.monotonic_ms += static_cast<duration_ms>(random_.below(8)) * 500;
  if (draw(drawn_.wall_jump)) {
    const auto jump = (static_cast<duration_ms>(random_.below(121)) - 60) * 5'000;
    machine_.wall_offset_ms += jump;
    note("the wall clock jumps by " + std::to_string(jump) + " ms");
  }
  power_on();
  note("the process starts, life " + std::to_string(life_) + ", at " + std::to_string(now()));
  // Whoever was not answered asks again, or gives up.
  auto lost = std::exchange(calls_, {});
  for (auto& [number, one] : lost)
    if (!one.answered && one.again && (one.insists || !random_.one_in(4)))
      wire_.send("(again)", static_cast<duration_ms>(random_.below(6)) * 500, one.again);
}

// ---- steps

void world::one_step() {
  if (wire_.has_arrived() && (stage_.is_quiet() || random_.one_in(2))) {
    const auto what = wire_.deliver_one(drawn_.in_order);
    note("arrives: " + what);
  } else {
    clocks_.back()->throws = faults_ && draw(drawn_.actor_throws);
    stage_.step(random_, drawn_.in_order);
    clocks_.back()->throws = false;
    if (auto why = take_process_end(); !why.empty())
      stopped_ = std::move(why);
  }
  observe();
  if (!stopped_.empty())
    crash(stopped_);
  else if (faults_ && draw(drawn_.crash))
    crash("killed between two steps");
}

void world::steps(std::size_t most) {
  for (; most > 0 && (!stage_.is_quiet() || wire_.has_arrived()); --most)
    one_step();
}

void world::settle() {
  stage_.thaw();
  std::size_t done = 0;
  for (; !stage_.is_quiet() || wire_.has_arrived(); ++done) {
    demand(done < settle_steps_max, "comes-to-rest",
           "There is always something more to do, though nothing is asked any more.");
    one_step();
  }
}

void world::pass(duration_ms time) {
  if (!drawn_.impatient)
    settle();
  note("time passes: " + std::to_string(time) + " ms");
  machine_.monotonic_ms += time;
  stage_.advance(time);
}

void world::freeze_journal() {
  note("the journal is slow");
  stage_.freeze(caf::actor_cast<caf::abstract_actor*>(node_->journal()));
}

void world::cut_power_in_next_append() {
  if (random_.one_in(2)) {
    note("the power will go after the next sync");
    power_will_go_ = true;
    sluices_.back()->cut_after_next_sync();
    return;
  }
  note("the power will go before the next sync");
  auto* sluice = sluices_.back().get();
  sluice->during([this, sluice] { // others go on while it runs, and it never returns
    for (auto most = random_.below(6); most > 0 && !sluice->is_cut(); --most)
      stage_.step(random_, drawn_.in_order);
    sluice->cut();
  });
}

void world::fail_next_append() {
  note("the next append will fail");
  log_.fail_append(1, random_.one_in(2) ? storage::failed_append::written
                                        : storage::failed_append::nothing_written);
}

void world::stop_faults() {
  note("the faults stop");
  faults_ = false;
  drawn_.reply_lost = drawn_.duplicate = drawn_.wall_jump = 0;
  alpha_.heal();
  beta_.heal();
  stage_.thaw();
  log_.fail_append(0);
  sluices_.back()->during({});
  if (power_will_go_)
    crash("the power goes a last time");
}

// ---- calls

void world::ask(call what) {
  const auto number = ++last_call_;
  const auto name = "#" + std::to_string(number) + " " + what.what;
  const auto kept = std::make_shared<call>(std::move(what));
  note("sent: " + name);
  wire_.send(name, 0, [this, number, kept] {
    kept->life = life_;
    kept->sent_at = now();
    const auto& its = calls_.insert_or_assign(number, *kept).first->second;
    const auto life = life_;
    its.deliver([this, number, life](orders::answer got) {
      if (life != life_ || !alive_)
        return;
      when_said([&] { check_answer(number, got); });
      heard_.push_back([this, number, got = std::move(got)] { learn(number, got); });
    });
  });
}

void world::tell_webhook(const std::string& name, const payment_id& payment,
                         const gateway::charge_entry& entry, duration_ms delay) {
  orders::command::settle_payment what;
  what.order = entry.order;
  what.payment = payment;
  what.outcome = orders::payment_outcome::approved;
  what.reference = entry.reference;
  what.amount = entry.amount;
  what.gateway = name;
  wire_.send("(webhook of " + name + ")", delay,
             [this, what, number = entry.show, amount = entry.amount] {
               send_webhook(what, number, amount);
             });
}

/// Again and again until it is taken.
void world::send_webhook(const orders::command::settle_payment& what, show_number number,
                         const money& amount) {
  call made;
  made.what = "webhook of " + what.gateway;
  made.deliver = [this, what, number, amount,
                  only_order = random_.one_in(4)](const desk_done& done) {
    auto asked = std::make_shared<orders::call>();
    asked->what = what;
    if (only_order) {
      orders::command::keep_report report;
      report.order = what.order;
      report.gateway = what.gateway;
      report.reference = what.reference;
      report.amount = amount;
      asked->what = report;
    }
    asked->cause = {"", "gateway:" + what.gateway};
    asked->done = done;
    const auto* entry = number == cashier_number ? nullptr : node_->shows().find(number);
    caf::anon_send(entry == nullptr ? node_->cashier() : entry->desk, std::move(asked));
  };
  made.again = [this, what, number, amount] { send_webhook(what, number, amount); };
  made.insists = true;
  ask(std::move(made));
}

} // namespace usher::simulation
