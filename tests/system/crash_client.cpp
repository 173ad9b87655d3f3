#include "tests/system/crash_client.hpp"

#include "tests/system/box_office.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

namespace usher::test::crash {

namespace {

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
  try {
    for (auto& fan : fans_)
      if (fan.is_open())
        go_on(server, fan);
    while (true)
      if (show_ == line)
        queue_up(server, round);
      else
        go_on(server, fans_.emplace_back(journey{show_,
                                                 "fan-" + std::to_string(number_) + "-" +
                                                     std::to_string(fans_.size()),
                                                 {},
                                                 round}));
  } catch (const connection_lost&) {
    // The crash. What was not answered stays open.
  } catch (const std::exception& trouble) {
    complaints_.emplace_back(trouble.what());
  }
}

void client::join(api_client& server, journey& fan) {
  const auto got = server.post("/v1/shows/" + show_ + "/waiting-room/join", nullptr,
                               {{"Idempotency-Key", fan.name}});
  if (got.status != 202 && got.status != 200)
    unexpected(fan, got);
  fan.ticket = got.body.at("ticketId").get<std::string>();
  ++acknowledged_;
}

/// Joins or leaves the slow line.
void client::queue_up(api_client& server, int round) {
  if (!fans_.empty() && below(4) == 0) {
    auto& fan = fans_[static_cast<std::size_t>(below(static_cast<int>(fans_.size())))];
    if (fan.at == step::waiting && !fan.ticket.empty())
      take(server, fan, step::left);
    return;
  }
  join(server, fans_.emplace_back(
                   journey{show_,
                           "waiter-" + std::to_string(number_) + "-" + std::to_string(fans_.size()),
                           {},
                           round}));
}

void client::go_on(api_client& server, journey& fan) {
  if (fan.ticket.empty())
    join(server, fan);
  if (fan.is_open())
    take(server, fan, fan.trying);
  while (show_ == sale && !fan.is_over())
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
    wait_until_admitted(server, fan.show, fan.ticket);
    fan.at = fan.trying = step::admitted;
    return;
  }
  if (next == step::held && fan.trying != step::held)
    fan.wanted = pick_seats();
  fan.trying = next;
  const auto got = ask(server, fan);
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
