#include "bench/load/play.hpp"

#include "bench/load/asking.hpp"
#include "bench/load/looking.hpp"
#include "bench/load/places.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>

namespace usher::load {

namespace {

using nlohmann::json;

/// A seat map is made once a second at most.
constexpr std::chrono::seconds map_age_max{2};

/// Nobody is absent and nothing runs out while the load is on: whoever has a place keeps it.
json room_of(double admits_per_second) {
  return {{"admitPerSecond", admits_per_second},
          {"maxActive", nullptr},
          {"absentAfter", "12h"},
          {"admissionTtl", "1h"}};
}

std::string name_of(wish which) {
  constexpr std::array names{"own", "random", "popular"};
  return names[static_cast<std::size_t>(which)];
}

std::pair<std::string, std::string> setting_of(knob which, const scenario_settings& set) {
  const auto or_answered = [](double rate) {
    return rate > 0 ? number(rate) + " /s" : std::string{"as fast as they are answered"};
  };
  switch (which) {
  case knob::fans:
    return {"fans", grouped(set.fans)};
  case knob::arrivals:
    return {"arrivals", or_answered(set.arrivals_per_second)};
  case knob::admits:
    return {"admitted", number(set.admits_per_second) + " /s"};
  case knob::seats:
    return {"seats", grouped(set.seats)};
  case knob::seconds:
    return {"seconds", number(set.seconds)};
  case knob::polls:
    return {"polls", or_answered(set.polls_per_second)};
  case knob::watching:
    return {"watching", percent(set.watching)};
  case knob::wish:
    return {"wish", name_of(set.wish)};
  }
  return {};
}

} // namespace

stage_play::stage_play(const scenario& of, const scenario_settings& with, const std::string& name,
                       const target& to, const staff_call& staff, team::watcher watch)
    : set{with},
      in{to.host_field, name, with.seats},
      people{to, {.threads = with.threads, .connections = with.connections}, std::move(watch)},
      staff_{staff} {
  told.scenario = of.name;
  told.url = to.url;
  told.show = name;
  for (const auto each : of.knobs)
    told.settings.push_back(setting_of(each, set));
  told.settings.emplace_back("connections", grouped(set.connections));
  told.settings.emplace_back("threads", std::to_string(set.threads));
  told.settings.emplace_back("seed", std::to_string(set.seed));
}

// ---- the staff

void stage_play::call(const char* method, const std::string& of_show,
                      const std::string& body) const {
  staff_(method, "/v1/shows/" + in.show + of_show, body);
}

void stage_play::make_show(double admits_per_second) {
  call("PUT", {},
       json{{"title", "A load test"},
            {"currency", "EUR"},
            {"plan", plan_of(set.seats)},
            {"waitingRoom", room_of(admits_per_second)}}
           .dump());
  is_made_ = true;
}

void stage_play::open(double admits_per_second) {
  make_show(admits_per_second);
  opened_ = people.now();
  call("POST", "/waiting-room/open", {});
}

void stage_play::open_to_all() {
  make_show(set.admits_per_second);
  call("POST", "/waiting-room/standby", {});
}

void stage_play::stop_admitting() {
  call("PATCH", "/waiting-room", json{{"admitPerSecond", 0}}.dump());
  stopped_ = people.now();
}

void stage_play::close() const noexcept {
  if (!is_made_)
    return;
  try {
    call("POST", "/waiting-room/close", {});
  } catch (const std::runtime_error&) {
    // Then it stays open: the run is over, and what it found is what counts.
  }
}

// ---- parts

phase& stage_play::run(std::string name, std::string what, const team::driver_maker& make) {
  return told.phases.emplace_back(people.run(std::move(name), std::move(what), make));
}

phase& stage_play::join(std::string what, std::uint32_t fans) {
  return run("joins", std::move(what),
             [&](worker& one) { return std::make_unique<joining>(in, one, joins_of(one, fans)); });
}

phase& stage_play::sell(std::string name, std::string what, const crowd_plan& plan,
                        double seconds_most) {
  auto& done = run(std::move(name), std::move(what), [&](worker& one) {
    auto mine = plan;
    mine.joins = joins_of(one, set.fans);
    mine.joins.reads_page = plan.joins.reads_page;
    mine.deadline = in_seconds(seconds_most);
    return std::make_unique<crowd>(in, one, mine);
  });
  is_whole_ = done.seconds < seconds_most;
  check("it is over in time", is_whole_,
        number(std::round(done.seconds * 10) / 10) + " s, at most " + number(seconds_most));
  return done;
}

// ---- checks

void stage_play::check_places() {
  if (!is_whole_ || people.count(stage::waiting) == 0)
    return;
  run("places", "every fan who waits asks once", [&](worker& one) {
    return std::make_unique<asking>(in, one,
                                    asking_plan{.each_once = true, .turns = {.seed = set.seed}});
  });
  std::vector<place> all;
  for (const auto& each : people.all())
    for (const auto& who : each->fans.all())
      if (who.stage == stage::waiting)
        all.push_back({who.position, who.join_sent, who.join_answered});
  const auto fault = fault_in_line(all);
  check("the places are those of a queue", !fault,
        fault.value_or(grouped(all.size()) + ", each once, in the order of arrival"));
}

void stage_play::check_map() {
  if (!is_whole_)
    return;
  std::this_thread::sleep_for(map_age_max);
  std::optional<std::string> fault;
  people.run("map", "somebody looks at the seat map",
             [&](worker& one) { return std::make_unique<looking>(in, one, fault); });
  check("the seat map says what the fans were told", !fault,
        fault.value_or(grouped(in.ledger.size()) + " seats, " + grouped(in.ledger.sold()) +
                       " of them sold"));
}

void stage_play::check_pace() {
  const auto elapsed = seconds(stopped_ - opened_);
  const auto entered = people.count(stage::admitted) + people.count(stage::bought);
  constexpr double tick_seconds = 1;
  const auto most =
      static_cast<std::uint64_t>(set.admits_per_second * (elapsed + tick_seconds)) + 1;
  check("no more are let in than the rate allows", entered <= most,
        grouped(entered) + " of at most " + grouped(most));
}

void stage_play::check(std::string name, bool held, std::string detail) {
  told.checks.push_back({std::move(name), held, std::move(detail)});
}

void stage_play::check_all(std::string name, std::uint64_t part, std::uint64_t whole) {
  check(std::move(name), part == whole, grouped(part) + " of " + grouped(whole));
}

void stage_play::figure(std::string name, double value, std::string unit) {
  told.figures.push_back({std::move(name), value, std::move(unit)});
}

// ---- plans

joining_plan stage_play::joins_of(const worker& one, std::uint32_t fans) const {
  joining_plan plan{.fans = one.share_of(fans), .begin = people.now(), .seed = set.seed};
  if (set.arrivals_per_second > 0)
    plan.arrivals = spread(one, set.arrivals_per_second);
  return plan;
}

schedule::options stage_play::spread(const worker& one, double per_second) const {
  return {.per_second = per_second,
          .spacing = spacing::random,
          .seed = set.seed,
          .part = one.index,
          .parts = one.threads};
}

time_ns stage_play::in_seconds(double seconds_from_now) const {
  return people.now() + static_cast<time_ns>(seconds_from_now * static_cast<double>(second_ns));
}

} // namespace usher::load
