#include "tests/system/box_office.hpp"

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <thread>

namespace usher::test {

using namespace std::chrono_literals;

api_answer expect(int status, api_answer got, const std::string& what) {
  if (got.status == status)
    return got;
  std::ostringstream text;
  text << what << ": wanted " << status << ", got " << got;
  throw std::runtime_error(text.str());
}

void put_show(api_client& as_operator, const std::string& id, json show) {
  show.emplace("title", id);
  show.emplace("currency", "EUR");
  expect(201, as_operator.put("/v1/shows/" + id, show), "making " + id);
  open_room(as_operator, id);
}

void open_room(api_client& as_operator, const std::string& id) {
  expect(204, as_operator.post("/v1/shows/" + id + "/waiting-room/open"), "opening " + id);
}

json small_plan(const std::vector<std::string>& rows, int seats_per_row, std::int64_t price_minor) {
  auto list = json::array();
  for (const auto& row : rows)
    list.push_back({{"id", row}, {"count", seats_per_row}});
  return {{"categories", {{{"id", "all"}, {"price", price_minor}}}},
          {"blocks", {{{"id", "block"}, {"category", "all"}, {"rows", list}}}}};
}

json wide_open_room() {
  return {{"admitPerSecond", 100'000},
          {"tick", "10ms"},
          {"maxActive", nullptr},
          {"admissionTtl", "2h"}};
}

json still_room() {
  return {{"admitPerSecond", 0}};
}

std::string ticket_path(const std::string& show, const std::string& ticket) {
  return "/v1/shows/" + show + "/waiting-room/tickets/" + ticket;
}

std::string join(api_client& fan, const std::string& show, const header_map& headers) {
  const auto got = expect(
      202, fan.post("/v1/shows/" + show + "/waiting-room/join", nullptr, headers), "joining");
  return got.body.at("ticketId").get<std::string>();
}

api_answer wait_until_admitted(api_client& fan, const std::string& show,
                               const std::string& ticket) {
  api_answer got;
  const bool admitted = eventually([&] {
    got = expect(200, fan.get(ticket_path(show, ticket)), "polling");
    return got.body.at("status") == "ADMITTED";
  });
  if (!admitted)
    throw std::runtime_error("never admitted: " + got.text);
  return got;
}

std::string join_and_wait(api_client& fan, const std::string& show) {
  auto ticket = join(fan, show);
  wait_until_admitted(fan, show, ticket);
  return ticket;
}

api_answer ask_for_seats(api_client& fan, const std::string& show, const std::string& ticket,
                         const std::vector<std::string>& seats, const std::string& key) {
  header_map headers{{"X-Admission-Ticket", ticket}};
  if (!key.empty())
    headers.emplace("Idempotency-Key", key);
  return fan.post("/v1/shows/" + show + "/holds", {{"seats", seats}}, headers);
}

api_answer place_order(api_client& fan, const std::string& ticket, const std::string& hold,
                       const std::string& key) {
  return fan.post("/v1/orders", {{"holdId", hold}, {"customerEmail", "fan@example.com"}},
                  {{"X-Admission-Ticket", ticket}, {"Idempotency-Key", key}});
}

api_answer pay(api_client& fan, const std::string& order, const std::string& key) {
  return fan.post("/v1/orders/" + order + "/pay", {{"method", "card"}}, {{"Idempotency-Key", key}});
}

std::map<std::string, std::string> seat_map(api_client& fan, const std::string& show) {
  const auto got = expect(200, fan.get("/v1/shows/" + show + "/seats"), "the seat map");
  std::map<std::string, std::string> seats;
  for (const auto& block : got.body.at("blocks"))
    for (const auto& [seat, state] : block.at("seats").items())
      seats.emplace(seat, state.get<std::string>());
  return seats;
}

bool eventually(const std::function<bool()>& it_is_so) {
  const auto deadline = std::chrono::steady_clock::now() + 60s;
  while (std::chrono::steady_clock::now() < deadline) {
    if (it_is_so())
      return true;
    std::this_thread::sleep_for(5ms);
  }
  return it_is_so();
}

std::uint32_t slot_of(const std::string& ticket) {
  // 33 bytes in base64url: a key id, the show in 4, the slot in 4, big endian; see http/api/ticket.
  constexpr std::string_view alphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::uint64_t bits = 0; // the first 48 carry bytes 0 to 5, the next 24 bytes 6 to 8
  for (std::size_t i = 0; i < 12; ++i)
    bits = bits << 6 | alphabet.find(ticket.at(i));
  return static_cast<std::uint32_t>(bits);
}

std::uint64_t seed_of_run(std::uint64_t usual) {
  const char* given = std::getenv("USHER_SEED");
  const auto seed = given == nullptr ? usual : std::stoull(given);
  std::cerr << "USHER_SEED=" << seed << "\n";
  return seed;
}

} // namespace usher::test
