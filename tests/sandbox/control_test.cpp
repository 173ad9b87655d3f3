// What a test or a person says to the gateway; what is pending; the limits of the server itself.

#include "http/sandbox/desk.hpp"
#include "http/sandbox/server.hpp"
#include "http/sandbox/wire.hpp"
#include "tests/sandbox/callers.hpp"
#include "tests/sandbox/receiver.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

namespace {

using namespace usher::test;
using usher::sandbox::gateway;
using usher::sandbox::text_at;

heard post(gateway& at, const std::string& path, const std::string& body = {}) {
  return ask(at.port(), "POST", path, {}, body);
}

json get(gateway& at, const std::string& path) {
  return json::parse(ask(at.port(), "GET", path).body);
}

/// Looks until the payment is so; the display may be late.
bool becomes(caller& shop, const std::string& id, const std::string& wanted) {
  for (int i = 0; i < 2000; ++i) {
    if (shop.look(id).what == wanted)
      return true;
    std::this_thread::sleep_for(std::chrono::milliseconds{10});
  }
  return false;
}

} // namespace

BOOST_AUTO_TEST_SUITE(sandbox_control)

BOOST_AUTO_TEST_CASE(queued_rules_are_for_one_payment_each) {
  gateway at{{}};
  caller shop{at, protocol::plain};
  post(at, "/control/next", R"({"rules": ["decline", "refund-error", "error-after"]})");
  BOOST_TEST(shop.charge({.name = "a"}).what == "DECLINED");
  BOOST_TEST(shop.charge({.name = "a"}).what == "DECLINED"); // the same payment takes no other rule
  BOOST_TEST(shop.charge({.name = "b"}).what == "500");
  const auto charged = shop.charge({.name = "c"});
  BOOST_TEST(charged.what == "APPROVED");
  BOOST_TEST(shop.refund(charged, 100, "r-1").what == "500");
  BOOST_TEST(shop.refund(charged, 100, "r-2").what == "DONE");
}

BOOST_AUTO_TEST_CASE(what_is_pending_is_approved_or_declined_by_a_person) {
  for (const auto by : all_protocols)
    for (const bool approve : {true, false}) {
      receiver listens;
      gateway at{usher::sandbox::gateway_options{.webhooks = listens.url()}};
      caller shop{at, by};
      const payment what{.means = "rule:pending"};
      const auto waits = shop.charge(what);
      BOOST_TEST(waits.what == "PENDING");
      BOOST_TEST(at.book().look().charged == 0);
      const auto path = "/control/charges/" + waits.id + (approve ? "/approve" : "/decline");
      BOOST_TEST(post(at, path).status == 200);
      BOOST_TEST(post(at, path).status == 409);
      if (by == protocol::paypal)
        BOOST_TEST(at.book().look().charged == 0); // the money comes with the capture
      else
        BOOST_TEST(shop.look(waits.id).what == (approve ? "APPROVED" : "DECLINED"));
      BOOST_TEST(shop.charge(what).what == (approve ? "APPROVED" : "DECLINED"));
      BOOST_TEST(at.book().look().charged == (approve ? 5000 : 0));
      if (approve || by != protocol::paypal)
        listens.wait_for(1);
    }
}

BOOST_AUTO_TEST_CASE(pending_with_a_time_is_approved_by_itself) {
  for (const auto by : all_protocols) {
    gateway at{{}};
    caller shop{at, by};
    const payment what{.means = "rule:pending=1"};
    const auto waits = shop.charge(what);
    BOOST_TEST(waits.what == "PENDING");
    if (by == protocol::paypal) {
      for (int i = 0; i < 2000 && shop.charge(what).what != "APPROVED"; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds{10});
    } else {
      BOOST_TEST(becomes(shop, waits.id, "APPROVED"));
    }
    BOOST_TEST(at.book().look().charged == 5000);
  }
}

BOOST_AUTO_TEST_CASE(a_pending_refund_is_resolved_by_a_person) {
  for (const auto by : all_protocols) {
    gateway at{{}};
    caller shop{at, by};
    const auto charged = shop.charge({.means = "rule:refund-pending"});
    const auto first = shop.refund(charged, 2000, "r-1");
    const auto second = shop.refund(charged, 3000, "r-2");
    BOOST_TEST(first.what == "PENDING");
    BOOST_TEST(post(at, "/control/refunds/" + first.id + "/approve").status == 200);
    BOOST_TEST(post(at, "/control/refunds/" + first.id + "/decline").status == 409);
    BOOST_TEST(post(at, "/control/refunds/" + second.id + "/decline").status == 200);
    BOOST_TEST(shop.refund(charged, 2000, "r-1").what == "DONE");
    BOOST_TEST(shop.refund(charged, 3000, "r-2").what == "REFUSED");
    BOOST_TEST(at.book().look().refunded == 2000);
  }
}

BOOST_AUTO_TEST_CASE(the_payer_has_a_page) {
  gateway at{{}};
  caller shop{at, protocol::stripe};
  const auto waits = shop.charge({.means = "rule:pending"});
  const auto page = ask(at.port(), "GET", "/pay/" + waits.id);
  BOOST_TEST(page.body.find("Pay 50.00 EUR?") != std::string::npos);
  BOOST_TEST(page.body.find("action=\"/pay/" + waits.id + "/approve\"") != std::string::npos);
  BOOST_TEST(post(at, "/pay/" + waits.id + "/approve").body.find("APPROVED") != std::string::npos);
  BOOST_TEST(shop.look(waits.id).what == "APPROVED");
  BOOST_TEST(ask(at.port(), "GET", "/pay/none").status == 404);
}

BOOST_AUTO_TEST_CASE(the_ledger_is_told_whole_and_by_order) {
  gateway at{{}};
  caller shop{at, protocol::plain};
  const auto charged = shop.charge({});
  shop.charge({.name = "b", .means = "rule:decline"});
  shop.refund(charged, 2000, "r-1");
  const auto all = get(at, "/ledger");
  BOOST_TEST(all.at("totals") == json({{"charged", 5000}, {"refunded", 2000}, {"kept", 3000}}));
  BOOST_TEST(all.at("charges").size() == 2U);
  const auto& first = all.at("charges").at(0);
  BOOST_TEST(first.at("protocol") == "SANDBOX");
  BOOST_TEST(first.at("paymentId") == "payment-1");
  BOOST_TEST(first.at("status") == "APPROVED");
  BOOST_TEST(first.at("calls") == 1);
  BOOST_TEST(all.at("refunds").at(0).at("refundId") == "r-1");
  BOOST_TEST(get(at, "/ledger?orderId=order-1") == all);
  BOOST_TEST(get(at, "/ledger?orderId=none").at("charges").empty());
  post(at, "/control/reset");
  BOOST_TEST(get(at, "/ledger").at("charges").empty());
}

BOOST_AUTO_TEST_CASE(what_control_cannot_read_is_refused) {
  gateway at{{}};
  const std::vector<std::tuple<std::string, std::string, int>> table{
      {"/control/next", "{", 400},
      {"/control/next", "{}", 400},
      {"/control/next", R"({"rules": ["decline", "declien"]})", 400},
      {"/control/next", R"({"rules": [5]})", 400},
      {"/control/default", R"({"rule": 5})", 400},
      {"/control/webhooks", R"({"url": "https://a:1"})", 400},
      {"/control/webhooks", "{}", 400},
      {"/control/charges/none/approve", "", 404},
      {"/control/refunds/none/decline", "", 404},
      {"/control/elsewhere", "{}", 404}};
  for (const auto& [path, body, status] : table)
    BOOST_TEST(post(at, path, body).status == status, path << " " << body);
  json many{{"rules", json::array()}};
  for (std::size_t i = 0; i <= usher::sandbox::desk::queued_rules_max; ++i)
    many["rules"].push_back("decline");
  BOOST_TEST(post(at, "/control/next", many.dump()).status == 409);
  BOOST_TEST(caller(at, protocol::plain).charge({}).what == "APPROVED"); // nothing was queued
  BOOST_TEST(ask(at.port(), "GET", "/ledger", "Sandbox-Rule: declien\r\n").status == 400);
}

BOOST_AUTO_TEST_CASE(webhooks_can_be_turned_on_later) {
  receiver listens;
  gateway at{{}};
  caller shop{at, protocol::plain};
  shop.charge({.name = "untold"});
  BOOST_TEST(post(at, "/control/webhooks", json{{"url", listens.url()}}.dump()).status == 200);
  shop.charge({.name = "told"});
  const auto got = listens.wait_for(1);
  BOOST_TEST(got[0].body.find("\"told\"") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_connection_carries_many_requests) {
  gateway at{{}};
  socket_to server{at.port()};
  server.send("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /ledger HTTP/1.1\r\nHost: a\r\n\r\n");
  server.send_no_more();
  bool reset = false;
  const auto got = server.read(reset);
  BOOST_TEST(got.find("sandbox gateway") != std::string::npos);
  BOOST_TEST(got.find("totals") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_is_too_large_or_no_http_is_refused) {
  gateway at{{}};
  const std::string large(usher::sandbox::wire::body_bytes_max + 1, ' ');
  BOOST_TEST(post(at, "/control/next", large).status == 413);
  BOOST_TEST(ask(at.port(), "GET", "/", "A: " + std::string(9000, 'a') + "\r\n").status == 431);
  socket_to server{at.port()};
  server.send("no http\r\n\r\n");
  server.send_no_more();
  bool reset = false;
  BOOST_TEST(server.read(reset).starts_with("HTTP/1.1 400"));
}

BOOST_AUTO_TEST_CASE(connections_over_the_limit_are_cut_off_and_a_stop_ends_all) {
  auto at = std::make_unique<gateway>(usher::sandbox::gateway_options{});
  std::vector<std::unique_ptr<socket_to>> all;
  for (std::size_t i = 0; i < usher::sandbox::server::connections_max; ++i)
    all.push_back(std::make_unique<socket_to>(at->port()));
  // Whoever is accepted may be slow to be counted: until the limit holds.
  bool cut = false;
  for (int i = 0; i < 2000 && !cut; ++i) {
    try {
      cut = ask(at->port(), "GET", "/").status == 0;
    } catch (const std::exception&) {
      cut = true;
    }
  }
  BOOST_TEST(cut);
  at.reset(); // comes back though each connection is open and one is silent
  bool reset = false;
  BOOST_TEST(all.front()->read(reset).empty());
}

BOOST_AUTO_TEST_CASE(a_stop_ends_those_who_wait) {
  gateway at{{}};
  std::vector<std::thread> waiting;
  std::atomic<int> silent{0};
  for (const auto* rule : {"timeout-before", "delay=600000"})
    waiting.emplace_back([&, rule] {
      socket_to server{at.port()};
      server.send(request_bytes("POST", "/plain/v1/charges",
                                "Idempotency-Key: k-" + std::string{rule} +
                                    "\r\nSandbox-Rule: " + rule + "\r\n",
                                R"({"amount":5,"currency":"EUR","paymentId":"p"})"));
      ++silent;
      bool reset = false;
      BOOST_TEST(server.read(reset).empty());
    });
  while (silent < 2)
    std::this_thread::yield();
  at.stop();
  for (auto& each : waiting)
    each.join();
}

BOOST_AUTO_TEST_CASE(what_cannot_be_started_says_why) {
  gateway first{{}};
  using usher::sandbox::gateway_options;
  const std::vector<gateway_options> bad{{.port = first.port()},
                                         {.host = "no.address"},
                                         {.webhooks = "ftp://a"},
                                         {.signing = {.plain = "whsec_?"}},
                                         {.mercado_pago_currency = "XXX"}};
  for (const auto& each : bad)
    BOOST_CHECK_THROW(gateway{each}, std::runtime_error);
}

BOOST_AUTO_TEST_SUITE_END()
