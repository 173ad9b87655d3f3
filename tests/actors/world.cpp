#include "tests/actors/world.hpp"

#include <boost/test/unit_test.hpp>
#include <caf/send.hpp>

#include <algorithm>
#include <cstdlib>
#include <iostream>

namespace usher::testing {

namespace {

void print_seed_once(std::uint64_t seed) {
  static const bool printed = [seed] {
    std::cout << "USHER_SEED=" << seed << " repeats this run" << std::endl;
    return true;
  }();
  static_cast<void>(printed);
}

} // namespace

stage::stage(std::uint64_t seed)
    : scheduler_{dynamic_cast<caf::scheduler::test_coordinator&>(system_.scheduler())},
      random_{seed} {
  print_seed_once(seed_of_run());
  scheduler_.clock().current_time += std::chrono::hours{1};
}

stage::~stage() {
  for (const auto& one : ends_with_stage_)
    caf::anon_send_exit(one, caf::exit_reason::kill);
  ends_with_stage_.clear();
  thaw();
  do {
    settle();
  } while (scheduler_.trigger_timeouts() > 0); // a timeout left in the clock holds its actor
}

bool stage::step() {
  auto& jobs = scheduler_.jobs;
  if (jobs.empty())
    return false;
  auto picked = random_.below(jobs.size());
  if (frozen_ != nullptr && dynamic_cast<caf::abstract_actor*>(jobs[picked]) == frozen_) {
    if (jobs.size() == 1)
      return false;
    picked = (picked + 1) % jobs.size();
  }
  std::swap(jobs.front(), jobs[picked]);
  scheduler_.run_once();
  return true;
}

void stage::settle() {
  while (step()) {
  }
}

void stage::steps(std::size_t most) {
  while (most-- > 0 && step()) {
  }
}

void stage::pass(duration_ms time, duration_ms step_ms) {
  for (duration_ms passed = 0; passed < time; passed += step_ms) {
    const auto now = std::min(step_ms, time - passed);
    clock_.advance(now);
    scheduler_.advance_time(std::chrono::milliseconds{now});
    settle();
  }
}

void stage::ring() {
  scheduler_.trigger_timeouts();
}

world::world(std::uint64_t seed) : stage{seed} {
  power_on();
}

world::~world() {
  if (node_)
    power_off();
}

void world::power_off() {
  thaw();
  sluice().during({});
  sluice().cut();
  node_->stop();
  settle(); // what is in a mailbox may still be handled, with what the node owns
  node_.reset();
  settle();
}

void world::power_on() {
  log_.crash();
  auto found = runtime::recover(log_, {});
  if (const auto* failed = std::get_if<storage::failure>(&found))
    throw std::runtime_error("the log cannot be read: " + failed->what);
  sluices_.push_back(std::make_unique<sluice_log>(log_));
  runtime::node::parts parts;
  parts.log = sluices_.back().get();
  parts.clock = &clock();
  parts.fail = [this](const storage::failure& what) { failures_.push_back(what.what); };
  parts.gateways = {{&gateway_}};
  parts.detach_journal = false;
  node_.emplace(system(), std::move(std::get<runtime::recovered>(found)), std::move(parts));
  settle();
}

void world::crash_and_restart() {
  power_off();
  power_on();
}

const shows::show_entry& world::show(const show_id& id) const {
  const auto* found = const_cast<runtime::node&>(*node_).shows().find(id);
  BOOST_REQUIRE_MESSAGE(found != nullptr, "there is a show " << id);
  return *found;
}

void world::freeze_journal() {
  freeze(caf::actor_cast<caf::abstract_actor*>(node_->journal()));
}

shows::command::put world::described(const show_id& id, const std::vector<block_size>& blocks) {
  shows::command::put what;
  what.id = id;
  what.title = id;
  what.currency = "BRL";
  what.plan.emplace();
  what.plan->categories.push_back({"stalls", "Stalls", 1000});
  for (const auto& [block, size] : blocks) {
    shows::row row{block, {}};
    for (std::size_t i = 1; i <= size; ++i)
      row.seats.push_back({block + "-" + std::to_string(i), std::nullopt, false});
    what.plan->blocks.push_back({block, "stalls", {row}});
  }
  return what;
}

void world::add_area(shows::command::put& what, std::uint32_t capacity) {
  what.plan->blocks.push_back({"floor", "stalls", {}, capacity});
}

shows::settings_patch world::fast_room(std::optional<std::uint32_t> max_active) {
  shows::settings_patch room;
  room.admit_per_second_micro = 1'000'000'000;
  room.max_active = shows::limit{max_active};
  return room;
}

reply<shows::put_answer> world::put(shows::command::put what,
                                    std::optional<shows::settings_patch> room) {
  reply<shows::put_answer> answer;
  auto asked = std::make_shared<shows::put_call>();
  asked->what = std::move(what);
  asked->room = std::move(room);
  asked->cause = {"", "operator:test"};
  asked->done = answer.taker();
  caf::anon_send(node_->directory(), std::move(asked));
  return answer;
}

void world::put_show(const std::vector<block_size>& blocks, shows::settings_patch room) {
  const auto answer = put(described("hamlet", blocks), room);
  settle();
  BOOST_REQUIRE(std::holds_alternative<shows::put_done>(answer.get()));
}

reply<room_answer> world::operate_room(decltype(waiting_room::operate::what) what,
                                       const show_id& id) {
  reply<room_answer> answer;
  auto asked = std::make_shared<waiting_room::operate>();
  asked->what = std::move(what);
  asked->cause = {"", "operator:test"};
  asked->done = answer.taker();
  caf::anon_send(show(id).room, std::move(asked));
  return answer;
}

reply<std::vector<waiting_room::join_answer>> world::ask_join(std::size_t fans, const show_id& id) {
  reply<std::vector<waiting_room::join_answer>> answer;
  auto asked = std::make_shared<waiting_room::join_batch>();
  for (std::size_t i = 0; i < fans; ++i)
    asked->fans.push_back({random().bits(), random().id<identity>(), {}, {}});
  asked->cause = {"", "fan"};
  asked->done = answer.taker();
  caf::anon_send(show(id).room, std::move(asked));
  return answer;
}

std::vector<waiting_room::place> world::join(std::size_t fans, const show_id& id) {
  const auto answer = ask_join(fans, id);
  settle();
  std::vector<waiting_room::place> places;
  for (const auto& one : answer.get())
    places.push_back(std::get<waiting_room::place>(one));
  return places;
}

std::vector<slot_t> world::admitted(std::size_t fans) {
  const auto places = join(fans);
  const auto waits = [this](const auto& at) {
    return look(at).status == waiting_room::ticket_status::waiting;
  };
  for (int ticks = 0; ticks < 20 && std::ranges::any_of(places, waits); ++ticks)
    pass(1000);
  std::vector<slot_t> slots;
  for (const auto& at : places) {
    BOOST_REQUIRE(look(at).status == waiting_room::ticket_status::admitted);
    slots.push_back(at.slot);
  }
  return slots;
}

waiting_room::ticket_view world::look(const waiting_room::place& at) const {
  return show().board->look(at.slot, at.nonce);
}

std::map<seat_id, seating::shown> world::seat_map(const show_id& id) const {
  std::map<seat_id, seating::shown> map;
  for (const auto& board : show(id).now()->boards) {
    const auto seats = board->seats();
    for (std::size_t i = 0; i < seats->ids().size(); ++i)
      map[seats->ids()[i]] = seats->at(i);
  }
  return map;
}

} // namespace usher::testing
