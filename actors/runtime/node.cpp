#include "actors/runtime/node.hpp"

#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>

#include <memory>
#include <utility>

namespace usher::runtime {

node::node(caf::actor_system& system, recovered world, parts with)
    : system_{&system}, detached_{with.detach_journal} {
  journal_ = with.detach_journal
                 ? system.spawn<caf::detached>(journal::journal_actor, with.log, with.fail)
                 : system.spawn(journal::journal_actor, with.log, with.fail);
  archive_ = with.detach_journal ? system.spawn<caf::detached>(archive_actor, with.log)
                                 : system.spawn(archive_actor, with.log);
  auto seed = std::make_shared<shows::directory_seed>();
  seed->with = {&system,       &shows_,           journal_, with.clock, std::move(with.gateways),
                with.draw_key, with.excused_until};
  for (const auto& id : world.directory.by_number) {
    const auto& show = world.directory.shows.at(id);
    auto mates = shows::start_crew(seed->with, id, std::move(world.shows[id]));
    shows::publish(shows_, id, show.number, shows::published::of(show.what, mates.boards), mates);
    seed->crews.emplace(id, std::move(mates));
  }
  seed->directory = std::move(world.directory);
  directory_ = system.spawn(shows::directory_actor, std::move(seed));
}

node::~node() {
  stop();
  if (!detached_)
    return;
  // Their handlers and the journal's publications use the registry, which goes with this object.
  caf::scoped_actor here{*system_};
  here->wait_for(journal_, archive_, directory_);
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
  caf::anon_send_exit(archive_, caf::exit_reason::user_shutdown);
  caf::anon_send_exit(journal_, caf::exit_reason::user_shutdown);
}

} // namespace usher::runtime
