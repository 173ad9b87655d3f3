#include "tests/system/crash_holds_client.hpp"

#include "tests/system/box_office.hpp"
#include "tests/system/server_process.hpp"

#include <algorithm>
#include <chrono>
#include <sstream>
#include <thread>
#include <utility>

namespace usher::test::crash_holds {

namespace {

constexpr int seats_max = 8;
constexpr std::size_t blocked_max = 60;
const std::string holds_path = "/v1/shows/" + show + "/holds";

[[noreturn]] void unexpected(const fan& who, const api_answer& got) {
  std::ostringstream text;
  text << who.name << " got an answer that nothing explains: " << got;
  throw std::runtime_error(text.str());
}

std::string seat_name(const std::string& side, int row, int number) {
  return side + std::to_string(row) + "-" + std::to_string(number);
}

request made(fan& who, act what, std::string method, std::string path) {
  request it{what, std::move(method), std::move(path), json::object()};
  it.key = who.name + "-" + std::to_string(who.calls++);
  return it;
}

} // namespace

json plan() {
  auto blocks = json::array();
  for (const auto& side : sides) {
    auto list = json::array();
    for (int row = 0; row < rows; ++row) {
      auto seats = json::array();
      for (int n = 1; n <= seats_per_row; ++n)
        seats.push_back({{"id", seat_name(side, row, n)}});
      list.push_back({{"id", std::to_string(row)}, {"seats", seats}});
    }
    blocks.push_back({{"id", side}, {"category", "all"}, {"rows", list}});
  }
  blocks.push_back({{"id", floor_area}, {"category", "all"}, {"capacity", floor_places}});
  return {{"categories", {{{"id", "all"}, {"price", 2500}}}}, {"blocks", blocks}};
}

void client::run(std::uint16_t port, int round) {
  round_ = round;
  api_client server{port};
  try {
    release_old_ones(server);
    while (true) {
      auto& who = fans_.emplace_back();
      who.name = "fan-" + std::to_string(number_) + "-" + std::to_string(fans_.size());
      who.ticket = join_and_wait(server, show);
      live(server, who);
    }
  } catch (const connection_lost&) {
    // The crash. What was not answered stays open.
  } catch (const std::exception& trouble) {
    complaints_.emplace_back(trouble.what());
  }
}

/// So that there are always seats, and none that was withdrawn from a hold comes back to it.
void client::release_old_ones(api_client& server) {
  for (auto& who : fans_)
    if (!who.hold.empty() && who.round + 2 <= round_)
      take(server, who, to_release(who));
}

/// A few holds one after the other; the last one stays.
void client::live(api_client& server, fan& who) {
  for (int holds = 2 + below(8); holds > 0; --holds) {
    while (!take(server, who, to_place(who))) {
    }
    who.round = round_;
    for (int changes = below(5); changes > 0 && who.has.is_live(); --changes)
      take(server, who, to_change(who));
    if (holds > 1 && who.has.is_live())
      take(server, who, to_release(who));
    if (!who.has.is_live())
      who.hold.clear();
  }
}

/// Whether it was done. A refusal that can be explained changes nothing.
bool client::take(api_client& server, fan& who, request what) {
  who.trying = std::move(what);
  if (who.trying.what == act::place)
    who.has = {};
  const auto got = send(server, who, who.trying);
  const auto code = got.code();
  const auto trying = who.trying;
  who.trying = {};
  ++acknowledged_;
  if (got.status == 409 && code == "seat-unavailable")
    return false;
  const bool over = got.status == 409 && code == "hold-ended";
  if (over || (got.status == 404 && code == "seat-not-in-hold")) {
    // The operator was faster; the comparison would not accept anything else.
    const auto now = server.get(holds_path + "/" + who.hold);
    who.has = read_holding(now.body);
    const bool taken =
        over ? who.has.status == "WITHDRAWN" : who.has.withdrawn.contains(*trying.wanted.begin());
    if (!taken)
      unexpected(who, got);
    return false;
  }
  if (got.status != (trying.what == act::place          ? 201
                     : trying.what == act::release_hold ? 204
                                                        : 200))
    unexpected(who, got);
  if (trying.what == act::release_hold) {
    who.has.status = "RELEASED";
    who.hold.clear();
    return true;
  }
  if (trying.what == act::place)
    who.hold = got.body.at("holdId").get<std::string>();
  who.has = read_holding(got.body);
  return true;
}

request client::to_place(fan& who) {
  auto what = made(who, act::place, "POST", holds_path);
  choose(what, {}, 5);
  return what;
}

request client::to_release(fan& who) {
  return made(who, act::release_hold, "DELETE", holds_path + "/" + who.hold);
}

request client::to_change(fan& who) {
  const auto path = holds_path + "/" + who.hold;
  const auto count = static_cast<int>(who.has.seats.size());
  const int dice = below(4);
  if (dice == 0)
    return made(who, act::extend, "POST", path + "/extend");
  if (dice < 3 && count < seats_max) {
    auto what = made(who, act::add, "POST", path + "/seats");
    auto but = who.has.seats;
    but.insert(who.has.withdrawn.begin(), who.has.withdrawn.end());
    choose(what, but, std::min(3, seats_max - count));
    return what;
  }
  const auto seat = *std::next(who.has.seats.begin(), below(count));
  auto what = made(who, act::release_seat, "DELETE", path + "/seats/" + seat);
  what.wanted = {seat};
  return what;
}

/// Seats of two or three blocks by name, in any order; the best of a row of all blocks, in which
/// whole groups are rare; or places of the area.
void client::choose(request& into, const seat_set& but, int quantity_max) {
  const auto quantity = 1 + below(quantity_max);
  into.quantity = static_cast<std::size_t>(quantity);
  const int dice = below(5);
  if (dice == 0) {
    into.body = {{"area", floor_area}, {"quantity", quantity}};
    return;
  }
  if (dice == 1) {
    const auto one_row = std::to_string(row());
    into.body = {{"best", {{"quantity", quantity}, {"rowFrom", one_row}, {"rowTo", one_row}}}};
    return;
  }
  std::vector<std::string> named;
  while (named.size() < into.quantity) {
    auto next = seat();
    if (!but.contains(next) && into.wanted.insert(next).second)
      named.push_back(std::move(next));
  }
  into.body = {{"seats", named}};
}

std::string client::seat() {
  const auto side = static_cast<std::size_t>(below(static_cast<int>(sides.size())));
  return seat_name(sides[side], row(), 1 + below(seats_per_row));
}

void blocker::run(std::uint16_t port, int round) {
  api_client server{port, {{"Authorization", "Bearer " + operator_key}}};
  try {
    while (true) {
      const auto before = acknowledged_.load();
      block(server, round);
      if (below(3) == 0)
        unblock(server, round);
      if (acknowledged_ == before)
        server.get("/healthz"); // so that it hears of the crash
      std::this_thread::sleep_for(std::chrono::milliseconds{5});
    }
  } catch (const connection_lost&) {
    // The crash.
  } catch (const std::exception& trouble) {
    complaints_.emplace_back(trouble.what());
  }
}

void blocker::block(api_client& server, int round) {
  seat_set seats;
  for (int n = 1 + below(4); n > 0; --n) {
    const auto side = static_cast<std::size_t>(below(static_cast<int>(sides.size())));
    const auto seat = seat_name(sides[side], round, 1 + below(seats_per_row));
    if (!desk_.blocked.contains(seat))
      seats.insert(seat);
  }
  if (seats.empty() || desk_.blocked.size() > blocked_max)
    return;
  desk_.trying = seats;
  desk_.ever_blocked.insert(seats.begin(), seats.end());
  const auto got = server.post("/v1/shows/" + show + "/seats/block",
                               {{"seats", seats}, {"force", true}, {"note", "a camera"}});
  expect(200, got, "blocking");
  for (const auto& seat : std::exchange(desk_.trying, {}))
    desk_.blocked.emplace(seat, round);
  ++acknowledged_;
}

/// Only what was taken from holds that are gone: so a seat never comes back to the same one.
void blocker::unblock(api_client& server, int round) {
  seat_set seats;
  for (const auto& [seat, since] : desk_.blocked)
    if (since + 3 <= round && seats.size() < 4)
      seats.insert(seat);
  if (seats.empty())
    return;
  desk_.trying = seats;
  expect(200, server.post("/v1/shows/" + show + "/seats/unblock", {{"seats", seats}}),
         "unblocking");
  for (const auto& seat : std::exchange(desk_.trying, {}))
    desk_.blocked.erase(seat);
  ++acknowledged_;
}

} // namespace usher::test::crash_holds
