#pragma once

#include "actors/basics/rfc3339.hpp"
#include "tests/api/room.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <thread>
#include <vector>

// What the cases of holds and of operators' seats say often.
namespace usher::test {

using names = std::vector<std::string>;

/// The seats of a hold or an order, by name.
inline names seats_of(const said& what) {
  names ids;
  if (what.body.is_object() && what.body.contains("seats"))
    for (const auto& each : what.body["seats"])
      ids.push_back(each["id"].get<std::string>());
  return ids;
}

/// What is in the way, sorted: "A-1 HELD".
inline names obstacles_of(const said& refusal) {
  names all;
  if (refusal.body.is_object() && refusal.body.contains("unavailable"))
    for (const auto& each : refusal.body["unavailable"])
      all.push_back(each["seat"].get<std::string>() + " " + each["reason"].get<std::string>());
  std::sort(all.begin(), all.end());
  return all;
}

/// A 409 for want of seats that match, as opposed to seats that are named.
inline bool nothing_matches(const said& refusal) {
  return refusal.brief() == "409 seat-unavailable" && refusal.body["unavailable"] == json::array();
}

/// A block as the map shows it; null if there is none.
inline json block_of(const show& which, const std::string& block) {
  const auto map = server().get(which.path + "/seats").body;
  for (const auto& each : map["blocks"])
    if (each["id"] == block)
      return each;
  return nullptr;
}

/// An order of the hold; with a key of its own unless one is given.
inline said order_hold(const std::string& hold, extra with = {}) {
  if (with.idempotency.empty())
    with.idempotency = fresh_key();
  return server().post("/v1/orders", order_for(hold), with);
}
inline said order_now(const std::string& order) {
  return server().get("/v1/orders/" + order);
}
inline said pay(const std::string& order, const json& how = nullptr) {
  return server().post("/v1/orders/" + order + "/pay", how, {.idempotency = fresh_key()});
}
/// Orders and pays the hold: the order's id.
inline std::string buy(const std::string& hold, const extra& with = {}) {
  auto id = order_hold(hold, with).text("id");
  if (const auto paid = pay(id); paid.text("status") != "PAID")
    throw std::runtime_error{"not paid: " + paid.raw.body};
  return id;
}

/// A time in an answer.
inline time_ms time_of(const said& what, const std::string& member) {
  return read_rfc3339(what.text(member)).value_or(0);
}

/// Where the log ends: the same as long as nothing is recorded.
inline storage::position_t log_end() {
  return server().log()->head().position;
}

/// What many fans at once are answered: `ask(i)`, each on a thread of its own.
template <class Ask>
std::vector<said> all_at_once(std::size_t fans, Ask ask) {
  std::vector<said> got(fans);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < fans; ++i)
    threads.emplace_back([&, i] { got[i] = ask(i); });
  for (auto& thread : threads)
    thread.join();
  return got;
}

/// One wrong body and the fields that the answer has to name.
struct wrong_body {
  std::string body;
  std::string fields;
};

} // namespace usher::test
