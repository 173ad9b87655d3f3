#include "bench/load/play.hpp"

#include <algorithm>

// Scenarios in which fans come, wait, are let in and take seats.
namespace usher::load {

namespace {

/// For the last ones of an entry to be let in and to buy.
constexpr double seconds_after_the_last = 120;

crowd_plan plan_of_sale(const stage_play& on) {
  crowd_plan plan;
  plan.watching = on.set.watching;
  return plan;
}

phase& sale(stage_play& on, const crowd_plan& plan, std::string what, double seconds_most) {
  on.open(on.set.admits_per_second);
  auto& sold = on.sell("sale", std::move(what), plan, seconds_most);
  on.stop_admitting();
  on.figure("seats sold", on.in.ledger.sold(), "seats");
  return sold;
}

void check_sale(stage_play& on) {
  on.check_places();
  on.check_pace();
  on.check_map();
  on.told.check_no_errors();
}

} // namespace

void play_journey(stage_play& on) {
  auto plan = plan_of_sale(on);
  plan.joins.reads_page = true;
  plan.chooses = choice::map;
  sale(on, plan, "fans read, wait, look at the map, choose seats on it and buy", on.set.seconds);
  on.check("fans have bought", on.people.count(stage::bought) > 0,
           grouped(on.people.count(stage::bought)) + " of " + grouped(on.set.fans));
  check_sale(on);
}

void play_flash_crowd(stage_play& on) {
  auto plan = plan_of_sale(on);
  plan.ends_when_sold = true;
  const auto& sold =
      sale(on, plan, "everybody comes at once, and it sells to the last seat", on.set.seconds);
  const auto& joins = sold.tally.of(request_kind::join);
  on.check("every fan has a place, or came too late", joins.fine + joins.refused == on.set.fans,
           grouped(joins.fine) + " and " + grouped(joins.refused) + " of " + grouped(on.set.fans));
  on.check_all("every seat is sold", on.in.ledger.sold(), on.in.ledger.size());
  on.figure("from the first join to the last", sold.seconds, "s");
  check_sale(on);
}

void play_steady(stage_play& on) {
  auto plan = plan_of_sale(on);
  plan.joins.reads_page = true;
  plan.seats_most = 1;
  const auto& sold =
      sale(on, plan, "fans come one after the other, read the page, wait and buy", on.set.seconds);
  on.told.check_quantile(sold, request_kind::page, 0.95, 200);
  on.told.check_quantile(sold, request_kind::order, 0.95, 2'000);
  on.check_all("every fan has bought", on.people.count(stage::bought), on.set.fans);
  check_sale(on);
}

void play_entry(stage_play& on) {
  on.set.arrivals_per_second = on.set.fans / on.set.seconds;
  auto plan = plan_of_sale(on);
  plan.seats_most = 1;
  sale(on, plan, "fans come at an even pace, are let in as they come and buy",
       on.set.seconds + seconds_after_the_last);
  on.check_all("every fan has bought", on.people.count(stage::bought), on.set.fans);
  check_sale(on);
}

void play_seat_rush(stage_play& on) {
  on.open_to_all();
  auto enters = plan_of_sale(on);
  enters.buys = false;
  on.sell("joins", "all fans come and are let in", enters, on.set.seconds);
  on.check_all("every fan is let in", on.people.count(stage::admitted), on.set.fans);
  const auto& rush = on.run("rush", "each fan asks for one seat by its name", [&](worker& one) {
    return std::make_unique<rushing>(
        on.in, one,
        rushing_plan{.wish = on.set.wish,
                     .turns = {.arrivals = on.joins_of(one, 0).arrivals,
                               .begin = on.people.now(),
                               .seed = on.set.seed}});
  });
  const auto& holds = rush.tally.of(request_kind::hold);
  on.check_all("every fan was answered", holds.fine + holds.refused,
               on.people.count(stage::admitted));
  on.check("no seat was refused that nobody has", on.in.ledger.refused_for_nobody() == 0,
           grouped(holds.refused) + " holds refused, " +
               grouped(on.in.ledger.refused_for_nobody()) + " of seats that nobody has");
  on.check_map();
  on.told.check_no_errors();
}

} // namespace usher::load
