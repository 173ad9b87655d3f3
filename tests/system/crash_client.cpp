#include "tests/system/crash_client.hpp"

#include "tests/system/box_office.hpp"

#include <algorithm>
#include <chrono>
#include <sstream>
#include <thread>
#include <utility>

namespace usher::test::crash {

namespace {

/// A call was refused before anything happened; whoever comes later may succeed.
struct disk_is_full {};

[[noreturn]] void unexpected(const journey& fan, const api_answer& got) {
  std::ostringstream text;
  text << fan.name << " got an answer that nothing explains: " << got;
  throw std::runtime_error(text.str());
}

} // namespace

client::client(int number, std::string show, std::uint64_t seed)
    : number_{number}, show_{std::move(show)}, engine_{seed} {}

void client::run(std::uint16_t port, int round) {
  round_ = round;
  api_client server{port};
  std::size_t asked_again = 0;
  try {
    while (!stopped_)
      try {
        for (; asked_again < fans_.size(); ++asked_again)
          if (fans_[asked_again].is_open())
            go_on(server, fans_[asked_again]);
        act(server);
        asked_again = fans_.size();
      } catch (const disk_is_full&) {
        ++turned_away_;
        std::this_thread::sleep_for(std::chrono::milliseconds{10});
      }
  } catch (const connection_lost&) {
    // The crash. What was not answered stays open.
  } catch (const std::exception& trouble) {
    complaints_.emplace_back(trouble.what());
  }
}

/// The whole way of a new fan, or what a fan does in the slow line.
void client::act(api_client& server) {
  if (show_ == line)
    return queue_up(server);
  const auto name = "fan-" + std::to_string(number_) + "-" + std::to_string(fans_.size());
  go_on(server, fans_.emplace_back(journey{show_, name, {}, round_}));
}

/// Throws where there was none, and where the server went away behind the answer.
void client::check_room_on_disk(const api_answer& got) {
  if (got.status != 503)
    return;
  if (got.code() == "outcome-unknown")
    throw connection_lost("the outcome is not known");
  if (got.code() == "disk-full" && !got.header("retry-after").empty())
    throw disk_is_full{};
}

void client::join(api_client& server, journey& fan) {
  const auto got = server.post("/v1/shows/" + show_ + "/waiting-room/join", nullptr,
                               {{"Idempotency-Key", fan.name}});
  check_room_on_disk(got);
  if (got.status != 202 && got.status != 200)
    unexpected(fan, got);
  fan.ticket = got.body.at("ticketId").get<std::string>();
  ++acknowledged_;
}

/// Joins or leaves the slow line.
void client::queue_up(api_client& server) {
  if (!fans_.empty() && below(4) == 0) {
    auto& fan = fans_[static_cast<std::size_t>(below(static_cast<int>(fans_.size())))];
    if (fan.at == step::waiting && !fan.ticket.empty())
      take(server, fan, step::left);
    return;
  }
  const auto name = "waiter-" + std::to_string(number_) + "-" + std::to_string(fans_.size());
  join(server, fans_.emplace_back(journey{show_, name, {}, round_}));
}

void client::go_on(api_client& server, journey& fan) {
  if (fan.ticket.empty())
    join(server, fan);
  if (fan.is_open())
    take(server, fan, fan.trying);
  while (show_ == sale && !fan.is_over() && !stopped_)
    take(server, fan, next_step(fan));
}

step client::next_step(const journey& fan) {
  const int dice = below(20);
  switch (fan.at) {
  case step::waiting:
    return dice == 0 ? step::left : step::admitted;
  case step::admitted:
    return dice == 0 || fan.refusals > 3 ? step::left : step::held;
  case step::held:
    return dice < 2 ? step::released : dice < 4 ? step::left : step::ordered;
  case step::released:
    return step::left;
  case step::ordered:
    return dice < 3 ? step::cancelled : step::paid;
  case step::cancelled:
  case step::paid:
  case step::left:
    break;
  }
  return fan.at;
}

void client::take(api_client& server, journey& fan, step next) {
  if (next == step::admitted) {
    const auto path = ticket_path(fan.show, fan.ticket);
    while (expect(200, server.get(path), "polling").body.at("status") != "ADMITTED") {
      if (stopped_) // nobody is let in while the disk is full
        return;
      std::this_thread::sleep_for(std::chrono::milliseconds{5});
    }
    fan.at = fan.trying = step::admitted;
    return;
  }
  if (next == step::held && fan.trying != step::held)
    fan.wanted = pick_seats();
  const auto before = std::exchange(fan.trying, next);
  const auto got = ask(server, fan);
  if (got.status == 503 && got.code() == "disk-full")
    fan.trying = before; // nothing of it has happened
  check_room_on_disk(got);
  if (answered(server, fan, got))
    fan.at = fan.trying;
  else
    fan.trying = fan.at;
  ++acknowledged_;
}

api_answer client::ask(api_client& server, journey& fan) {
  const auto key = fan.name + "-" + std::to_string(fan.refusals);
  const header_map admitted{{"X-Admission-Ticket", fan.ticket}};
  switch (fan.trying) {
  case step::held:
    return ask_for_seats(server, fan.show, fan.ticket, fan.wanted, key + "-hold");
  case step::released:
    return server.remove(
        "/v1/shows/" + fan.show + "/holds/" + fan.hold.at("holdId").get<std::string>(), admitted);
  case step::ordered:
    return place_order(server, fan.ticket, fan.hold.at("holdId"), key + "-order");
  case step::cancelled:
    return server.post("/v1/orders/" + fan.order.at("id").get<std::string>() + "/cancel");
  case step::paid:
    return pay(server, fan.order.at("id"), key + "-pay");
  case step::left:
    return server.remove(ticket_path(fan.show, fan.ticket));
  case step::waiting:
  case step::admitted:
    break;
  }
  return {};
}

/// Takes an answer in: whether the step was made. An answer that nothing explains throws.
bool client::answered(api_client& server, journey& fan, const api_answer& got) {
  switch (fan.trying) {
  case step::held:
    if (got.status == 409 && got.code() == "seat-unavailable") {
      ++fan.refusals;
      return false;
    }
    if (got.status != 201)
      unexpected(fan, got);
    fan.hold = got.body;
    return true;
  case step::ordered:
    if (got.status != 201 && got.status != 200)
      unexpected(fan, got);
    fan.order = got.body;
    return true;
  case step::paid:
    if (got.status == 202)
      eventually([&] {
        return server.get("/v1/orders/" + fan.order.at("id").get<std::string>())
                   .body.at("status") == "PAID";
      });
    else if (got.status != 200 || got.body.at("status") != "PAID")
      unexpected(fan, got);
    return true;
  case step::cancelled:
    if (got.status != 200)
      unexpected(fan, got);
    return true;
  case step::released:
    if (got.status != 204)
      unexpected(fan, got);
    return true;
  case step::left: // 410: it had left before the crash, and is told so now
    if (got.status != 204 && !(got.status == 410 && got.body.at("status") == "LEFT"))
      unexpected(fan, got);
    return true;
  case step::waiting:
  case step::admitted:
    break;
  }
  return true;
}

/// One to three seats of this round's and the last round's rows, some of both blocks.
std::vector<std::string> client::pick_seats() {
  std::vector<std::string> seats;
  const int count = 1 + below(3);
  for (int i = 0; i < count; ++i) {
    const int row = std::max(0, round_ - below(2)) % rows;
    auto seat = (below(2) == 0 ? "L" : "R") + std::to_string(row) + "-" +
                std::to_string(1 + below(seats_per_row));
    if (std::find(seats.begin(), seats.end(), seat) == seats.end())
      seats.push_back(std::move(seat));
  }
  return seats;
}

} // namespace usher::test::crash
