#include "tests/system/gateway_world.hpp"

#include "http/sandbox/defaults.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <thread>
#include <utility>

namespace usher::test {

namespace {

namespace defaults = sandbox::defaults;

const std::string show = "gala";
constexpr int seats_per_row = 20;
constexpr int rows = 6;
constexpr auto tries_pause = 200ms;

sandbox::gateway_options options_of(turnstile& watch) {
  sandbox::gateway_options made;
  made.mercado_pago_currency = "EUR";
  made.watched_by = watch.checkpoint();
  return made;
}

std::string seat_number(std::size_t i) {
  const auto row = static_cast<char>('A' + i / seats_per_row);
  return std::string{row} + "-" + std::to_string(i % seats_per_row + 1);
}

json way_to_pay(const purchase& by) {
  json how{{"method", "card"}};
  if (!by.gateway.empty())
    how["gateway"] = by.gateway;
  if (!by.rule.empty())
    how["token"] = "rule:" + by.rule;
  return how;
}

bool is_over(const std::string& status) {
  static const std::set<std::string> over{"PAID", "PENDING", "EXPIRED", "CANCELLED", "REFUNDED"};
  return over.contains(status);
}

/// A refund that a gateway refuses stays open where the gateway might think better of it.
bool may_stay_open(const purchase& which, const json& refund) {
  return which.rule.starts_with("refund-refused") && refund.value("tries", 0) > 0;
}

std::string text(const sandbox::ledger::snapshot& book) {
  std::ostringstream out;
  for (const auto& each : book.charges)
    out << "\n  " << sandbox::to_string(each.by) << " " << sandbox::to_string(each.status) << " "
        << each.amount.amount_minor << ", back " << each.refunded << ", " << each.key;
  return out.str();
}

} // namespace

gateway_world::gateway_world(world_settings with)
    : gateway{options_of(turns)}, settings_{std::move(with)} {
  start(settings_.gateway_deadline);
  std::vector<std::string> names;
  for (int i = 0; i < rows; ++i)
    names.emplace_back(1, static_cast<char>('A' + i));
  put_show(as_operator, show,
           {{"plan", small_plan(names, seats_per_row, seat_price_minor)},
            {"waitingRoom", wide_open_room()},
            {"holds", {{"maxSeats", 100}, {"paymentWindow", settings_.payment_window}}}});
}

gateway_world::~gateway_world() {
  turns.let_go();
}

launch gateway_world::how_to_start(const std::string& deadline) const {
  const auto base = gateway.base_url();
  auto made = server_process::with_operator_key();
  auto& env = made.environment;
  env.insert({{"USHER_GATEWAY_DEADLINE", deadline},
              {"USHER_PAYMENT_LIMIT", settings_.payment_limit},
              {"USHER_SANDBOX_BASE_URL", base + "/plain"},
              {"USHER_SANDBOX_WEBHOOK_SECRETS", std::string{defaults::plain_secret}},
              {"USHER_STRIPE_BASE_URL", base + "/stripe"},
              {"USHER_STRIPE_SECRET_KEY", "sk_test"},
              {"USHER_STRIPE_WEBHOOK_SECRETS", std::string{defaults::stripe_secret}},
              {"USHER_MERCADO_PAGO_BASE_URL", base + "/mercado-pago"},
              {"USHER_MERCADO_PAGO_SECRET_KEY", "TEST-token"},
              {"USHER_MERCADO_PAGO_CURRENCIES", "EUR"},
              {"USHER_MERCADO_PAGO_WEBHOOK_SECRETS", std::string{defaults::mercado_pago_secret}},
              {"USHER_PAYPAL_BASE_URL", base + "/paypal"},
              {"USHER_PAYPAL_CLIENT_ID", "client"},
              {"USHER_PAYPAL_SECRET_KEY", "secret"},
              {"USHER_PAYPAL_WEBHOOK_SECRETS", std::string{defaults::paypal_webhook_id}}});
  int priority = 0;
  for (const auto& each : all_gateways) {
    env["USHER_" + each + "_PRIORITY"] = std::to_string(priority++);
    env["USHER_" + each + "_BREAKER_OPEN"] = "1s";
  }
  for (const auto& [name, value] : settings_.more)
    env[name] = value;
  return made;
}

void gateway_world::start(const std::string& gateway_deadline) {
  server.emplace(place_of_data.data(), how_to_start(gateway_deadline));
  fan.turn_to(server->port());
  as_operator.turn_to(server->port());
  gateway.send_webhooks_to("http://127.0.0.1:" + std::to_string(server->port()) + "/v1/webhooks");
}

void gateway_world::lose_what_is_held_and_start() {
  turns.let_go(true);
  start();
}

void gateway_world::start_and_let_go() {
  start();
  turns.let_go();
}

void gateway_world::kill() {
  server->kill9();
  server.reset();
}

void gateway_world::place(std::vector<purchase> all) {
  for (auto& each : all) {
    each.seat = seat_number(purchases_.size());
    const auto ticket = join_and_wait(fan, show);
    const auto held = expect(201, ask_for_seats(fan, show, ticket, {each.seat}), "holding");
    const auto placed = expect(
        201, place_order(fan, ticket, held.body.at("holdId").get<std::string>(), "order"), "order");
    each.order = placed.body.at("id").get<std::string>();
    purchases_.push_back(std::move(each));
  }
}

void gateway_world::each_at_once(const std::function<void(purchase&, api_client&)>& what) {
  std::vector<std::thread> threads;
  for (auto& each : purchases_)
    threads.emplace_back([&what, &each, port = server->port()] {
      api_client own{port, {{"Authorization", "Bearer " + operator_key}}};
      try {
        what(each, own);
      } catch (const connection_lost&) { // it was killed
      }
    });
  for (auto& each : threads)
    each.join();
}

void gateway_world::pay(purchase& which, api_client& with) {
  for (int tries = 0; tries < 50; ++tries) {
    const auto got = with.post("/v1/orders/" + which.order + "/pay", way_to_pay(which),
                               {{"Idempotency-Key", "pay"}});
    which.answered = got.status;
    which.was_paid |= got.status == 200 && got.body.at("status") == "PAID";
    if (got.status != 503)
      return;
    std::this_thread::sleep_for(tries_pause);
  }
}

void gateway_world::pay_all() {
  each_at_once([this](purchase& which, api_client& with) { pay(which, with); });
}

void gateway_world::refund_all() {
  each_at_once([](purchase& which, api_client& with) {
    if (!which.was_paid)
      return;
    which.is_refunded = true;
    expect(200,
           with.post("/v1/orders/" + which.order + "/refund", json::object(),
                     {{"Idempotency-Key", "refund"}}),
           "refund");
  });
}

void gateway_world::kill_while_held(std::size_t calls,
                                    const std::function<void(gateway_world&)>& what) {
  std::thread asking{[&] { what(*this); }};
  const bool all_there = eventually([&] {
    payers_come(true);
    return turns.held() >= calls;
  });
  server->kill9();
  asking.join();
  server.reset();
  BOOST_TEST(all_there, turns.held() << " of " << calls << " calls were under way");
}

void gateway_world::payers_come(bool without_means_only) {
  api_client payer{gateway.port()};
  for (const auto& each : purchases_) {
    if (each.order.empty() || !each.payer_agrees || (without_means_only && !each.rule.empty()))
      continue;
    for (const auto& charge : gateway.book().look(each.order).charges)
      if (charge.status == sandbox::charge_status::pending && !charge.rule.millis)
        payer.post("/control/charges/" + charge.id + (*each.payer_agrees ? "/approve" : "/decline"),
                   json::object());
  }
}

void gateway_world::others_take_what_is_free() {
  const auto ticket = join_and_wait(fan, show);
  std::vector<const purchase*> wanted;
  for (const auto& each : purchases_)
    if (each.is_wanted)
      wanted.push_back(&each);
  eventually([&] {
    std::erase_if(wanted, [&](const purchase* each) {
      return ask_for_seats(fan, show, ticket, {each->seat}).status == 201 || !is_open(*each);
    });
    return wanted.empty();
  });
}

json gateway_world::order_of(const purchase& which) {
  return expect(200, fan.get("/v1/orders/" + which.order), "the order").body;
}

bool gateway_world::is_open(const purchase& which) {
  const auto order = order_of(which);
  if (!is_over(order.at("status").get<std::string>()))
    return true;
  for (const auto& each : order.value("payments", json::array()))
    if (each.at("status") == "UNKNOWN")
      return true;
  for (const auto& each : order.value("refunds", json::array()))
    if (each.at("status") == "PENDING" && !may_stay_open(which, each))
      return true;
  return false;
}

std::size_t gateway_world::webhooks_ended() {
  api_client watcher{gateway.port()};
  return watcher.get("/control/webhooks").body.at("webhooks").size();
}

bool gateway_world::any_is_open() {
  for (std::size_t i = 0; i < purchases_.size(); ++i) {
    if (is_open(purchases_[open_one_]))
      return true;
    open_one_ = (open_one_ + 1) % purchases_.size();
  }
  return false;
}

bool gateway_world::rests() {
  constexpr auto quiet =
      2500ms; // longer than a webhook of these tests waits, or waits to be repeated
  payers_come();
  const auto ended = webhooks_ended();
  const auto now = std::chrono::steady_clock::now();
  if (std::exchange(webhooks_seen_, ended) != ended || is_open(purchases_[open_one_]))
    quiet_since_ = now;
  if (now - quiet_since_ < quiet)
    return false;
  quiet_since_ = now; // unless all are at rest
  return !any_is_open();
}

std::vector<std::string> gateway_world::complaints() {
  std::vector<std::string> found;
  kill();
  const auto audit = run_usher({{"audit", "verify", "--data", place_of_data.data().string()}});
  if (audit.exit_code != 0)
    found.push_back("the audit says: " + audit.out + audit.err);
  start();
  for (const auto& each : purchases_)
    compare_order(each, found);
  compare_seats(found);
  std::set<std::string> known;
  for (const auto& each : purchases_)
    known.insert(each.order);
  for (const auto& each : gateway.book().look().charges)
    if (!known.contains(each.order_id))
      found.push_back("a charge of no order: " + each.id + " '" + each.order_id + "'");
  return found;
}

void gateway_world::compare_order(const purchase& which, std::vector<std::string>& into) {
  const auto order = order_of(which);
  const auto status = order.at("status").get<std::string>();
  const auto book = gateway.book().look(which.order);
  const auto complain = [&](const std::string& what) {
    into.push_back(which.name() + ": " + what + "; the pay call was answered " +
                   std::to_string(which.answered) + "; the ledger has" + text(book) +
                   "\n  the order is " + order.dump());
  };
  if (is_open(which))
    complain("never came to rest");
  const bool sold = status == "PAID";
  const auto kept = book.charged - book.refunded;
  if (kept != (sold ? seat_price_minor : 0))
    complain("is " + status + ", and the gateways keep " + std::to_string(kept));
  const auto charges_kept = std::ranges::count_if(book.charges, [](const auto& each) {
    return each.status == sandbox::charge_status::approved &&
           each.refunded < each.amount.amount_minor;
  });
  if (charges_kept != (sold ? 1 : 0))
    complain("is " + status + " with " + std::to_string(charges_kept) + " charges");
  if (which.was_paid && !sold && !which.is_refunded)
    complain("was told to be PAID and is " + status);
}

void gateway_world::compare_seats(std::vector<std::string>& into) {
  std::set<std::string> wanted;
  for (const auto& each : purchases_)
    if (order_of(each).at("status") == "PAID")
      if (!wanted.insert(each.seat).second)
        into.push_back(each.seat + " is in two PAID orders");
  std::set<std::string> sold;
  const bool so = eventually([&] { // the map may be a second old
    sold.clear();
    for (const auto& [seat, state] : seat_map(fan, show))
      if (state == "SOLD")
        sold.insert(seat);
    return sold == wanted;
  });
  if (!so)
    into.push_back("SOLD are " + json(sold).dump() + ", and PAID are " + json(wanted).dump());
}

std::vector<purchase> with_rules(const std::vector<std::string>& gateways,
                                 const std::vector<std::string>& rules) {
  std::vector<purchase> all;
  for (const auto& gateway : gateways)
    for (const auto& rule : rules)
      all.push_back({.gateway = gateway, .rule = rule});
  return all;
}

std::vector<std::string> not_as_certain(gateway_world& world) {
  std::vector<std::string> found;
  for (const auto& each : world.purchases()) {
    const bool declined = each.rule == "decline" || each.payer_agrees == false;
    const auto order = world.order_of(each);
    if ((order.at("status") == "PAID") == declined)
      found.push_back(each.name() + " should not be " + order.dump());
  }
  return found;
}

void tell(const std::string& name, gateway_world& world) {
  std::map<std::string, int> count;
  for (const auto& each : world.purchases())
    ++count[world.order_of(each).at("status").get<std::string>()];
  std::cerr << name << ":";
  for (const auto& [status, n] : count)
    std::cerr << " " << n << " " << status;
  std::cerr << "\n";
}

void come_to_rest(const std::vector<std::unique_ptr<gateway_world>>& worlds) {
  // A breaker that opens twice and the longest pause between two questions, and as much again.
  constexpr auto patience = 240s;
  const auto deadline = std::chrono::steady_clock::now() + patience;
  std::vector<gateway_world*> busy;
  for (const auto& each : worlds)
    busy.push_back(each.get());
  while (!busy.empty() && std::chrono::steady_clock::now() < deadline) {
    std::erase_if(busy, [](gateway_world* each) { return each->rests(); });
    std::this_thread::sleep_for(100ms);
  }
}

void report(const std::string& where, const std::vector<std::string>& complaints) {
  for (const auto& each : complaints)
    BOOST_ERROR(where << ": " << each);
}

} // namespace usher::test
