// A few of the faults of gateway_faults_test.cpp with a SIGKILL while the calls are out, where the
// gateways have acted and where they have not.
//
// That the comparison bites: `a_resumed_attempt_with_another_key_is_found` changes the idempotency
// keys that the gateways see after the kill, as a server would that made a key anew. In each
// protocol the ledger then has two charges, and the comparison says so.

#include "tests/system/gateway_world.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <memory>

using namespace usher::test;
using place_held = turnstile::place;

BOOST_AUTO_TEST_CASE(a_call_that_was_out_at_a_kill_is_one_payment) {
  auto all = with_rules(all_gateways, {"approve", "decline", "timeout-after", "reset-before",
                                       "webhook-out-of-order"});
  all.push_back({.gateway = "PAYPAL"}); // the payer agrees at PayPal; then it is captured
  std::vector<std::unique_ptr<gateway_world>> worlds;
  for (const auto where : {place_held::on_arrival, place_held::on_leaving}) {
    auto& world = *worlds.emplace_back(std::make_unique<gateway_world>(patient));
    world.place(all);
    world.turns.hold(where, may_charge);
    world.kill_while_held(all.size(), [](gateway_world& each) { each.pay_all(); });
    if (where == place_held::on_arrival)
      world.lose_what_is_held_and_start();
    else
      world.start_and_let_go();
  }
  come_to_rest(worlds);
  for (const auto& world : worlds) {
    report("calls were out", world->complaints());
    report("calls were out", not_as_certain(*world));
    tell("calls were out", *world);
  }
}

BOOST_AUTO_TEST_CASE(a_resumed_attempt_with_another_key_is_found) {
  std::vector<std::unique_ptr<gateway_world>> worlds;
  auto& world = *worlds.emplace_back(std::make_unique<gateway_world>(patient));
  const auto all = with_rules(all_gateways, {"no-webhook"});
  world.place(all);
  world.turns.hold(place_held::on_leaving, may_charge);
  world.kill_while_held(all.size(), [](gateway_world& each) { each.pay_all(); });
  world.turns.change([](usher::sandbox::call& asked) {
    for (const auto* name : {"idempotency-key", "x-idempotency-key", "paypal-request-id"})
      if (const auto found = asked.headers.find(name); found != asked.headers.end())
        found->second += "-made-anew";
  });
  world.start_and_let_go();
  come_to_rest(worlds);
  const auto found = world.complaints();
  for (const auto& gateway : all_gateways)
    BOOST_TEST(std::ranges::any_of(found,
                                   [&](const std::string& each) {
                                     return each.starts_with(gateway) &&
                                            each.find("2 charges") != std::string::npos;
                                   }),
               gateway << " charged twice and nobody noticed");
}
