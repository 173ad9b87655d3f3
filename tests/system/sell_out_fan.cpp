#include "tests/system/sell_out_fan.hpp"

#include "tests/system/box_office.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace usher::test::sell_out {

using namespace std::chrono_literals;

namespace {

constexpr std::uint32_t seats_max = 4;
constexpr std::uint32_t refusals_max = 30;
const std::string hold_address = "/v1/shows/" + show + "/holds";

std::vector<std::string> ids_of(const json& seats) {
  std::vector<std::string> ids;
  for (const auto& each : seats)
    ids.push_back(each.at("id").get<std::string>());
  return ids;
}

std::vector<std::string> without(const std::vector<std::string>& all,
                                 const std::vector<std::string>& those) {
  std::vector<std::string> left;
  for (const auto& each : all)
    if (std::ranges::find(those, each) == those.end())
      left.push_back(each);
  return left;
}

} // namespace

task<api_answer> fan::call(std::string kind, std::string method, std::string path, json body,
                           header_map headers) {
  using clock = std::chrono::steady_clock;
  if (!ticket_.empty())
    headers.emplace("X-Admission-Ticket", ticket_);
  last_ = {shared_.ledger.now(), never};
  const auto begun = clock::now();
  auto got = co_await server_.call(std::move(method), std::move(path), std::move(body),
                                   std::move(headers));
  last_.answered = shared_.ledger.now();
  const std::chrono::duration<float, std::milli> took = clock::now() - begun;
  shared_.milliseconds[kind].push_back(took.count());
  co_return got;
}

task<void> fan::visit() {
  const bool is_in = co_await enter();
  if (!is_in)
    co_return;
  ++shared_.inside;
  co_await shop();
  --shared_.inside;
}

/// Whether it was let in; not if all was sold before.
task<bool> fan::enter() {
  number_ = shared_.fans++;
  const header_map headers{{"Idempotency-Key", key("join")}};
  const auto joined =
      co_await call("join", "POST", "/v1/shows/" + show + "/waiting-room/join", nullptr, headers);
  if (joined.status == 410)
    co_return false;
  if (joined.status != 202)
    unexpected("joining", joined);
  ticket_ = joined.body.at("ticketId").get<std::string>();
  while (!shared_.stopped) {
    const auto seen = co_await call("poll", "GET", ticket_path(show, ticket_), nullptr, {});
    if (seen.status == 410 && shared_.is_over())
      co_return false;
    if (seen.status != 200)
      unexpected("polling", seen);
    if (seen.body.at("status") == "ADMITTED")
      break;
    if (shared_.is_over())
      co_return false;
    co_await pause_for(std::chrono::milliseconds{500 + shared_.below(1000)});
  }
  ++shared_.admitted;
  while (!shared_.on_sale && !shared_.stopped)
    co_await pause_for(50ms);
  co_return true;
}

task<void> fan::shop() {
  while (!shared_.is_over() && refusals_ < refusals_max) {
    const bool holds = co_await place_hold();
    if (!holds) {
      co_await wait_for_another_try();
      continue;
    }
    co_await change_mind();
    if (shared_.one_in(60))
      break; // goes away with seats in the basket: leaving gives them back
    if (shared_.one_in(20)) {
      co_await release_all();
      continue;
    }
    co_await place_order();
    if (shared_.one_in(25)) {
      co_await cancel();
      continue;
    }
    co_await pay();
    co_return;
  }
  co_await leave();
}

task<void> fan::wait_for_another_try() {
  ++refusals_;
  co_await pause_for(std::chrono::milliseconds{50 + shared_.below(100 * refusals_)});
}

task<bool> fan::place_hold() {
  const auto wanted = choose(refusals_ < 4 ? seats_max : 1);
  const auto its_key = key("hold");
  const header_map headers{{"Idempotency-Key", its_key}};
  const auto got = co_await call("hold", "POST", hold_address, wanted.body, headers);
  if (got.status == 409) {
    refused(wanted, got);
    co_return false;
  }
  if (got.status != 201)
    unexpected("holding", got);
  hold_ = got.body.at("holdId").get<std::string>();
  has_now(got);
  const auto count = wanted.wanted.empty() ? wanted.quantity : wanted.wanted.size();
  if (seats_.size() != count || !without(wanted.wanted, seats_).empty())
    unexpected("holding others than it asked for", got);
  if (shared_.one_in(30))
    co_await hold_again(wanted, its_key);
  co_return true;
}

/// As after an answer that was lost on the way.
task<void> fan::hold_again(ask wanted, std::string its_key) {
  const header_map headers{{"Idempotency-Key", its_key}};
  const auto got = co_await call("hold", "POST", hold_address, wanted.body, headers);
  if (got.status != 201 || got.body.at("holdId") != hold_ ||
      got.header("idempotent-replayed") != "true" || ids_of(got.body.at("seats")) != seats_)
    unexpected("holding again", got);
  ++shared_.counts["holds repeated"];
}

task<void> fan::change_mind() {
  if (shared_.one_in(8))
    co_await extend();
  if (shared_.one_in(8) && seats_.size() < seats_max)
    co_await add();
  if (shared_.one_in(8) && seats_.size() > 1)
    co_await release_one();
}

task<void> fan::extend() {
  const header_map headers{{"Idempotency-Key", key("extend")}};
  const auto got = co_await call("extend", "POST", hold_path() + "/extend", nullptr, headers);
  if (got.status != 200 || got.body.at("expiresAt").get<std::string>() < expires_at_ ||
      ids_of(got.body.at("seats")) != seats_)
    unexpected("extending", got);
  has_now(got);
  ++shared_.counts["holds extended"];
}

task<void> fan::add() {
  const auto left = seats_max - static_cast<std::uint32_t>(seats_.size());
  const auto wanted = choose(left);
  const header_map headers{{"Idempotency-Key", key("add")}};
  const auto got = co_await call("add", "POST", hold_path() + "/seats", wanted.body, headers);
  if (got.status == 409) {
    refused(wanted, got);
    co_return;
  }
  const auto before = seats_;
  if (got.status != 200)
    unexpected("adding", got);
  has_now(got);
  const auto count = wanted.wanted.empty() ? wanted.quantity : wanted.wanted.size();
  if (!without(before, seats_).empty() || seats_.size() != before.size() + count)
    unexpected("adding", got);
  ++shared_.counts["seats added to holds"];
}

task<void> fan::release_one() {
  const std::vector<std::string> one{
      seats_[shared_.below(static_cast<std::uint32_t>(seats_.size()))]};
  const auto got =
      co_await call("release", "DELETE", hold_path() + "/seats/" + one.front(), nullptr, {});
  if (got.status != 200 || ids_of(got.body.at("seats")) != without(seats_, one))
    unexpected("releasing one", got);
  gave_back(one);
  ++shared_.counts["single seats released"];
}

task<void> fan::release_all() {
  const auto got = co_await call("release", "DELETE", hold_path(), nullptr, {});
  if (got.status != 204)
    unexpected("releasing", got);
  gave_back(seats_);
  ++shared_.counts["holds released"];
}

task<void> fan::place_order() {
  const json body{{"holdId", hold_}, {"customerEmail", "fan@example.com"}};
  const header_map headers{{"Idempotency-Key", key("order")}};
  const auto got = co_await call("order", "POST", "/v1/orders", body, headers);
  if (got.status != 201 || ids_of(got.body.at("seats")) != seats_)
    unexpected("ordering", got);
  order_ = got.body.at("id").get<std::string>();
}

task<void> fan::cancel() {
  const auto got = co_await call("cancel", "POST", "/v1/orders/" + order_ + "/cancel", nullptr, {});
  if (got.status != 200 || got.body.at("status") != "CANCELLED")
    unexpected("cancelling", got);
  gave_back(seats_);
  ++shared_.counts["orders cancelled"];
}

task<void> fan::pay() {
  const json body{{"method", "card"}};
  const header_map headers{{"Idempotency-Key", key("pay")}};
  const auto got = co_await call("pay", "POST", "/v1/orders/" + order_ + "/pay", body, headers);
  if (got.status != 200 || got.body.at("status") != "PAID" ||
      ids_of(got.body.at("seats")) != seats_)
    unexpected("paying", got);
  shared_.ledger.paid(number_, seats_, last_);
  shared_.paid_orders.push_back(order_);
}

task<void> fan::leave() {
  const auto got = co_await call("leave", "DELETE", ticket_path(show, ticket_), nullptr, {});
  if (got.status != 204 && !(got.status == 410 && shared_.is_over()))
    unexpected("leaving", got);
  gave_back(seats_);
  ++shared_.counts["fans who left"];
}

ask fan::choose(std::uint32_t quantity_max) {
  const auto quantity = 1 + shared_.below(quantity_max);
  const auto dice = shared_.below(20);
  if (dice < 7)
    return best(quantity);
  if (dice < 17)
    return named(quantity, dice < 13 ? 2 : 1);
  const auto floor = static_cast<std::uint32_t>(hall().size() - 1);
  return {{{"area", hall()[floor].id}, {"quantity", quantity}}, {}, quantity, {floor}};
}

/// The best of the whole hall, of one category, or of one block.
ask fan::best(std::uint32_t quantity) {
  const auto one = shared_.below(static_cast<std::uint32_t>(hall().size() - 1));
  json wanted{{"quantity", quantity}};
  const auto dice = shared_.below(4);
  if (dice == 0)
    wanted["category"] = hall()[one].category;
  if (dice == 1)
    wanted["block"] = hall()[one].id;
  ask made{{{"best", wanted}}, {}, quantity, {}};
  for (std::uint32_t s = 0; s + 1 < hall().size(); ++s)
    if (dice > 1 || (dice == 1 ? s == one : hall()[s].category == hall()[one].category))
      made.sections.push_back(s);
  return made;
}

/// Seats that were free when the map was drawn, of one or two blocks in any order.
ask fan::named(std::uint32_t quantity, std::uint32_t sections) {
  ask made;
  for (std::uint32_t n = 0; n < quantity; ++n) {
    const auto blocks = static_cast<std::uint32_t>(hall().size() - 1);
    const auto first = (number_ + refusals_) % blocks;
    const auto& free = shared_.shown[(first + (n % sections)) % blocks].free;
    if (free.empty())
      continue;
    const auto& seat = free[shared_.below(static_cast<std::uint32_t>(free.size()))];
    if (std::ranges::find(made.wanted, seat) == made.wanted.end() &&
        std::ranges::find(seats_, seat) == seats_.end())
      made.wanted.push_back(seat);
  }
  if (made.wanted.empty())
    return best(quantity);
  made.body = {{"seats", made.wanted}};
  return made;
}

void fan::refused(const ask& wanted, const api_answer& got) {
  if (got.code() != "seat-unavailable")
    unexpected("choosing", got);
  seat_ledger::named in_the_way;
  for (const auto& each : got.body.at("unavailable"))
    in_the_way.emplace_back(each.at("seat").get<std::string>(),
                            each.at("reason").get<std::string>());
  if (!in_the_way.empty())
    shared_.ledger.was_refused(number_, wanted.wanted, std::move(in_the_way), last_);
  else if (wanted.wanted.empty())
    shared_.ledger.found_none(number_, wanted.quantity, wanted.sections, last_);
  else
    unexpected("naming seats", got);
}

void fan::has_now(const api_answer& got) {
  const auto seats = ids_of(got.body.at("seats"));
  shared_.ledger.took(number_, without(seats, seats_), last_);
  seats_ = seats;
  expires_at_ = got.body.at("expiresAt").get<std::string>();
}

/// With the last call.
void fan::gave_back(const std::vector<std::string>& seats) {
  shared_.ledger.gave_back(number_, seats, last_);
  seats_ = without(seats_, std::vector<std::string>{seats});
}

std::string fan::key(const std::string& of) {
  return "fan-" + std::to_string(number_) + "-" + of + "-" + std::to_string(++keys_);
}

std::string fan::hold_path() const {
  return hold_address + "/" + hold_;
}

void fan::unexpected(const std::string& doing, const api_answer& got) const {
  std::ostringstream text;
  text << "fan " << number_ << ", " << doing << ", got " << got;
  throw std::runtime_error(text.str());
}

task<void> serve_fans(world& shared, async_client& server) {
  while (!shared.is_over()) {
    fan next{shared, server};
    try {
      co_await next.visit();
    } catch (const std::exception& trouble) {
      shared.complain(trouble.what());
    }
  }
}

} // namespace usher::test::sell_out
