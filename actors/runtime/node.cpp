#include "actors/runtime/node.hpp"

#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>

#include <memory>
#include <utility>

namespace usher::runtime {

namespace {

std::shared_ptr<const payments::switchboard>
start_gateways(caf::actor_system& system, const journal::actor& journal,
               const std::map<std::string, payments::breaker_state>& recorded,
               const node::parts& with) {
  auto made = std::make_shared<payments::switchboard>();
  for (const auto& setup : with.gateways) {
    const std::string name{setup.provider->name()};
    auto seed = std::make_shared<payments::gateway_seed>();
    seed->provider = setup.provider;
    if (const auto found = recorded.find(name); found != recorded.end())
      seed->recorded = found->second;
    seed->set = setup.breaker;
    seed->clock = with.clock;
    seed->journal = journal;
    seed->board = std::make_shared<payments::gateway_board>(name, seed->recorded);
    seed->subject = "gateway/" + name;
    const auto board = seed->board;
    made->lines[name] = {system.spawn(payments::gateway_actor, std::move(seed)), board};
    made->rules.push_back(setup.rule);
    made->rules.back().gateway = name;
  }
  return made;
}

} // namespace

node::node(caf::actor_system& system, recovered world, parts with)
    : system_{&system}, detached_{with.detach_journal} {
  journal_ = with.detach_journal
                 ? system.spawn<caf::detached>(journal::journal_actor, with.log, with.fail)
                 : system.spawn(journal::journal_actor, with.log, with.fail);
  archive_ = with.detach_journal ? system.spawn<caf::detached>(archive_actor, with.log)
                                 : system.spawn(archive_actor, with.log);
  gateways_ = start_gateways(system, journal_, world.breakers, with);
  start_cashier(std::move(world.cashier), with);
  auto seed = std::make_shared<shows::directory_seed>();
  seed->with = {&system,
                &shows_,
                journal_,
                with.clock,
                gateways_,
                with.payment_limit_ms,
                with.draw_key,
                with.excused_until,
                with.accepts_writes};
  for (const auto& id : world.directory.by_number) {
    const auto& show = world.directory.shows.at(id);
    auto mates = shows::start_crew(seed->with, id, show.number, std::move(world.shows[id]));
    shows::publish(shows_, id, show.number, shows::published::of(show.what, mates.boards), mates);
    seed->crews.emplace(id, std::move(mates));
  }
  seed->directory = std::move(world.directory);
  directory_ = system.spawn(shows::directory_actor, std::move(seed));
}

void node::start_cashier(orders::state found, const parts& with) {
  auto seed = std::make_shared<orders::desk_seed>();
  seed->subject = "cashier";
  seed->desk = std::move(found);
  seed->journal = journal_;
  seed->clock = with.clock;
  seed->gateways = gateways_;
  seed->payment_limit_ms = with.payment_limit_ms;
  seed->board = cashier_board_;
  cashier_ = system_->spawn(orders::desk_actor, std::move(seed));
}

node::~node() {
  stop();
  if (!detached_)
    return;
  // Their handlers and the journal's publications use the registry, which goes with this object.
  caf::scoped_actor here{*system_};
  here->wait_for(journal_, archive_, directory_, cashier_);
  for (const auto& [name, line] : gateways_->lines)
    here->wait_for(line.actor);
  for (const auto* show : shows_.all())
    here->wait_for(show->desk, show->room, show->concierge);
}

void node::stop() {
  // Actors that re-arm their own timers never end by themselves. Blocks do, with the desks.
  caf::anon_send_exit(directory_, caf::exit_reason::user_shutdown);
  for (const auto* show : shows_.all()) {
    caf::anon_send_exit(show->desk, caf::exit_reason::user_shutdown);
    caf::anon_send_exit(show->room, caf::exit_reason::user_shutdown);
    caf::anon_send_exit(show->concierge, caf::exit_reason::user_shutdown);
  }
  caf::anon_send_exit(cashier_, caf::exit_reason::user_shutdown);
  for (const auto& [name, line] : gateways_->lines)
    caf::anon_send_exit(line.actor, caf::exit_reason::user_shutdown);
  caf::anon_send_exit(archive_, caf::exit_reason::user_shutdown);
  caf::anon_send_exit(journal_, caf::exit_reason::user_shutdown);
}

} // namespace usher::runtime
