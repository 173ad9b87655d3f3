// Every fault of the sandbox gateway, in each of the four protocols, with a SIGKILL before, during
// and after the call that pays. The server is the real program; the gateways live in the test and
// survive it, and a turnstile in front of them holds calls up, so that "during" is no guess: the
// server is killed when the calls are known to be out, not acted upon or acted upon and not
// answered. Then it is started on the same data, and when nothing is open any more the ledger of
// the gateways is compared with its orders: whoever is PAID has paid once and has the seat, nobody
// else has paid or has a seat, what was told to be PAID is so, and the audit finds nothing.
//
// A few of these, and the proof that the comparison bites, are in gateway_crash_test.cpp.

#include "tests/system/gateway_world.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>

using namespace usher::test;
using place_held = turnstile::place;
using usher::sandbox::call;

namespace {

/// Connections that the server keeps to one gateway; what is over that waits for one.
constexpr std::size_t connections_max = 16;

using world_list = std::vector<std::unique_ptr<gateway_world>>;
using moment = std::function<void(gateway_world&)>;

std::vector<purchase> faults_at(const std::vector<std::string>& gateways) {
  auto all = with_rules(
      gateways, {"approve", "decline", "delay=300", "pending", "pending=1500", "timeout-before",
                 "timeout-after", "error-before", "error-after", "reset-before", "reset-after",
                 "webhook-first", "webhook-twice", "webhook-late=1000", "webhook-out-of-order",
                 "webhook-bad-signature", "no-webhook", "rate-limited", "unauthorized"});
  for (const auto& gateway : gateways)
    all.push_back({.gateway = gateway, .rule = "pending", .payer_agrees = false});
  return all;
}

struct kill_row {
  std::string name;
  world_settings with;
  std::vector<std::string> gateways;
  moment run;             ///< up to the second start
  bool attempts_were_out; ///< so that it is certain what they come to
};

moment killed_while_held(place_held where, std::size_t calls, turnstile::call_filter which,
                         moment and_then) {
  return [=](gateway_world& world) {
    world.turns.hold(where, which);
    world.kill_while_held(calls, [](gateway_world& all) { all.pay_all(); });
    and_then(world);
  };
}

void before_the_call(gateway_world& world) {
  world.kill();
  world.start();
  world.pay_all();
}

void after_the_call(gateway_world& world) {
  world.pay_all();
  world.kill();
  world.start();
}

std::vector<kill_row> kills() {
  const auto full = connections_max * all_gateways.size();
  const moment lost = [](gateway_world& world) { world.lose_what_is_held_and_start(); };
  const moment go_on = [](gateway_world& world) { world.start_and_let_go(); };
  return {
      {"before the call", {}, all_gateways, before_the_call, false},
      {"asked, and the request was lost", patient, all_gateways,
       killed_while_held(place_held::on_arrival, full, may_charge, lost), true},
      {"asked, and the request arrives after the restart", patient, all_gateways,
       killed_while_held(place_held::on_arrival, full, may_charge, go_on), true},
      {"the intent was made and not told",
       patient,
       {"STRIPE"},
       killed_while_held(place_held::on_leaving, connections_max, makes_an_intent, go_on),
       true},
      {"acted upon and not answered", patient, all_gateways,
       killed_while_held(place_held::on_leaving, full, may_charge, go_on), true},
      {"after the call", {}, all_gateways, after_the_call, false},
  };
}

bool at_first(const call& asked) {
  return may_charge(asked) && asked.path.starts_with("/plain/");
}
bool at_second(const call& asked) {
  return may_charge(asked) && asked.path.starts_with("/mercado-pago/");
}

/// Starts the server once more. Its own calls of the attempts that were out are held, too.
void hold_what_is_resumed(gateway_world& world) {
  world.turns.hold(place_held::on_leaving,
                   [](const call& asked) { return may_charge(asked) || makes_an_intent(asked); });
  world.start("1m");
}

struct fallback_row {
  std::string name;
  place_held where;
  turnstile::call_filter which;
  bool lost;
  std::string rule; ///< of the first
  std::string paid_by;
  header_map more{};
};

std::vector<fallback_row> fallbacks() {
  const auto arrives = place_held::on_arrival;
  const auto leaves = place_held::on_leaving;
  return {
      {"the second asked, lost", arrives, at_second, true, "rate-limited*", "MERCADO_PAGO"},
      {"the second asked, late", arrives, at_second, false, "unauthorized*", "MERCADO_PAGO"},
      {"the second acted", leaves, at_second, false, "rate-limited*", "MERCADO_PAGO"},
      {"the second acted, the first was not reached",
       leaves,
       at_second,
       false,
       "approve",
       "MERCADO_PAGO",
       {{"USHER_SANDBOX_BASE_URL", "http://127.0.0.1:1"}}},
      // Nobody can tell any more that it did not charge, so it is asked again.
      {"the first could not", leaves, at_first, false, "unauthorized", "SANDBOX"},
      {"the first charged and was silent", leaves, at_first, false, "timeout-after", "SANDBOX"},
  };
}

std::string breaker_of_stripe(gateway_world& world) {
  const auto got = expect(200, world.as_operator.get("/v1/gateways"), "gateways");
  for (const auto& each : got.body.at("gateways"))
    if (each.at("gateway") == "STRIPE")
      return each.at("breaker").get<std::string>();
  return {};
}

api_answer pay_again(gateway_world& world, const purchase& which) {
  return world.fan.post("/v1/orders/" + which.order + "/pay",
                        {{"method", "card"}, {"gateway", "STRIPE"}, {"token", "rule:approve"}},
                        {{"Idempotency-Key", "again"}});
}

} // namespace

BOOST_AUTO_TEST_CASE(whatever_the_gateways_do_and_whenever_it_is_killed_money_is_seats) {
  const auto rows = kills();
  world_list worlds;
  for (const auto& row : rows) {
    auto& world = *worlds.emplace_back(std::make_unique<gateway_world>(row.with));
    world.place(faults_at(row.gateways));
    row.run(world);
  }
  come_to_rest(worlds);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    report(rows[i].name, worlds[i]->complaints());
    if (rows[i].attempts_were_out)
      report(rows[i].name, not_as_certain(*worlds[i]));
    tell(rows[i].name, *worlds[i]);
  }
}

BOOST_AUTO_TEST_CASE(money_goes_back_once_whenever_the_server_is_killed) {
  const auto all = with_rules(all_gateways, {"approve", "refund-refused", "refund-error",
                                             "refund-timeout-after", "refund-pending=1500"});
  world_list worlds;
  for (const auto where : {place_held::on_arrival, place_held::on_leaving}) {
    auto& world = *worlds.emplace_back(std::make_unique<gateway_world>(patient));
    world.place(all);
    world.pay_all();
    world.turns.hold(where, pays_back);
    world.kill_while_held(all.size(), [](gateway_world& each) { each.refund_all(); });
    if (where == place_held::on_arrival)
      world.lose_what_is_held_and_start();
    else
      world.start_and_let_go();
  }
  come_to_rest(worlds);
  for (const auto& world : worlds) {
    report("refunds", world->complaints());
    tell("refunds", *world);
    for (const auto& each : world->purchases()) {
      const auto order = world->order_of(each);
      BOOST_TEST(order.at("status") == (each.rule == "refund-refused" ? "PAID" : "REFUNDED"),
                 each.name() << " " << order);
    }
  }
}

BOOST_AUTO_TEST_CASE(an_attempt_that_falls_back_is_paid_by_one_gateway_whenever_it_is_killed) {
  constexpr std::size_t purchases = 6;
  const auto rows = fallbacks(); // the plain gateway is asked first; Mercado Pago is the next
  world_list worlds;
  for (const auto& row : rows) {
    auto with = patient;
    with.more = row.more;
    auto& world = *worlds.emplace_back(std::make_unique<gateway_world>(with));
    world.turns.change([rule = usher::sandbox::read_fault(row.rule)](call& asked) {
      if (at_first(asked))
        asked.rule = rule;
    });
    world.place(std::vector<purchase>(purchases));
    world.turns.hold(row.where, row.which);
    world.kill_while_held(purchases, [](gateway_world& all) { all.pay_all(); });
    if (row.lost)
      world.lose_what_is_held_and_start();
    else
      world.start_and_let_go();
  }
  come_to_rest(worlds);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    report(rows[i].name, worlds[i]->complaints());
    for (const auto& each : worlds[i]->purchases()) {
      const auto order = worlds[i]->order_of(each);
      BOOST_TEST(order.at("status") == "PAID", rows[i].name << ": " << order);
      BOOST_TEST(order.at("payments").back().at("gateway") == rows[i].paid_by, order);
    }
  }
}

// The seats of a payment that is not known at its limit are free; half of them are then taken by
// another fan. Answers that come later find the seats free, or gone.
BOOST_AUTO_TEST_CASE(an_answer_after_the_limit_is_a_sale_or_goes_back) {
  auto all = with_rules(all_gateways, {"pending", "no-webhook", "error-after*", "reset-after*"});
  for (auto& each : all)
    each.payer_agrees.reset();
  for (std::size_t i = 0, count = all.size(); i < count; ++i)
    all.emplace_back(all[i]).is_wanted = true;
  world_list worlds;
  auto& world = *worlds.emplace_back(std::make_unique<gateway_world>(
      world_settings{.gateway_deadline = "1m", .payment_limit = "10s", .payment_window = "8s"}));
  world.place(all);
  world.turns.hold(place_held::on_leaving, may_charge);
  world.kill_while_held(all.size(), [](gateway_world& each) { each.pay_all(); });
  hold_what_is_resumed(world);
  world.others_take_what_is_free();
  world.turns.let_go();
  come_to_rest(worlds);
  report("limit", world.complaints());
  tell("limit", world);
  for (const auto& each : world.purchases()) {
    const auto order = world.order_of(each);
    const auto* late = each.is_wanted ? "REFUNDED" : "PAID";
    BOOST_TEST(order.at("status") == (each.rule == "pending" ? "EXPIRED" : late),
               each.name() << " " << order);
  }
}

BOOST_AUTO_TEST_CASE(an_order_that_is_cancelled_while_its_payment_is_out_keeps_no_money) {
  auto all = with_rules(all_gateways, {"pending", "no-webhook", "error-after", "webhook-twice"});
  for (auto& each : all)
    each.payer_agrees.reset();
  world_list worlds;
  for (const bool killed_again : {false, true}) {
    auto& world = *worlds.emplace_back(std::make_unique<gateway_world>(patient));
    world.place(all);
    world.turns.hold(place_held::on_leaving, may_charge);
    world.kill_while_held(all.size(), [](gateway_world& each) { each.pay_all(); });
    hold_what_is_resumed(world);
    for (const auto& each : world.purchases())
      expect(200, world.fan.post("/v1/orders/" + each.order + "/cancel"), "cancelling");
    if (killed_again) {
      world.kill();
      world.start();
    }
    world.turns.let_go();
  }
  come_to_rest(worlds);
  for (const auto& world : worlds) {
    report("cancelled", world->complaints());
    tell("cancelled", *world);
    for (const auto& each : world->purchases()) {
      const auto order = world->order_of(each);
      BOOST_TEST(order.at("status") == (each.rule == "pending" ? "CANCELLED" : "REFUNDED"),
                 each.name() << " " << order);
    }
  }
}

// What stays unknown until the limit is voided: a gateway that never answers a charge says what
// became of it, and one that never charged never will.
BOOST_AUTO_TEST_CASE(what_is_never_answered_is_voided_at_the_limit) {
  auto all = with_rules(all_gateways, {"timeout-after*", "error-after*"});
  // PayPal knows no order by another name than its request's: nothing tells whether it was made.
  for (const auto& each : with_rules({"SANDBOX", "MERCADO_PAGO", "STRIPE"},
                                     {"timeout-before*", "error-before*", "reset-before*"}))
    all.push_back(each);
  world_list worlds;
  auto& world = *worlds.emplace_back(std::make_unique<gateway_world>(
      world_settings{.gateway_deadline = "500ms", .payment_limit = "10s", .payment_window = "8s"}));
  world.place(all);
  world.pay_all();
  world.kill();
  world.start();
  come_to_rest(worlds);
  report("never answered", world.complaints());
  tell("never answered", world);
  for (const auto& each : world.purchases()) {
    const auto order = world.order_of(each);
    const bool charged = each.rule.find("-after") != std::string::npos;
    BOOST_TEST(order.at("status") == (charged ? "PAID" : "EXPIRED"), each.name() << " " << order);
  }
}

BOOST_AUTO_TEST_CASE(a_breaker_that_is_open_at_a_kill_is_open_after_it_and_closes) {
  constexpr std::size_t window = 10;
  constexpr std::size_t trials = 3;
  std::vector<std::unique_ptr<gateway_world>> worlds;
  auto& world = *worlds.emplace_back(std::make_unique<gateway_world>(
      world_settings{.more = {{"USHER_STRIPE_BREAKER_OPEN", "6s"}}}));
  world.place(std::vector<purchase>(window, {.gateway = "STRIPE", .rule = "unauthorized"}));
  world.pay_all();
  BOOST_TEST(eventually([&] { return breaker_of_stripe(world) == "OPEN"; }));
  world.kill();
  const auto calls = world.turns.calls();
  world.start();
  BOOST_TEST(breaker_of_stripe(world) == "OPEN");
  const auto refused = pay_again(world, world.purchases().front());
  BOOST_TEST(refused.status == 503, refused);
  BOOST_TEST(world.turns.calls() == calls); // nobody asked it anything

  for (std::size_t i = 0; i < trials; ++i) {
    api_answer got;
    BOOST_TEST(eventually([&] {
                 got = pay_again(world, world.purchases()[i]);
                 return got.status == 200;
               }),
               got);
  }
  BOOST_TEST(eventually([&] { return breaker_of_stripe(world) == "CLOSED"; }));
  come_to_rest(worlds);
  report("breaker", world.complaints());
}
