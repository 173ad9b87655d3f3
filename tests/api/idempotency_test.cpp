// Idempotency keys over a real socket, as one table over the calls that take one: how a key may be
// written, whose it is, what it stands for, what the answer to a repetition is, and which failures
// it remembers.
//
// That it bites was shown by leaving the caller out of a key's scope: somebody else's same key is
// then refused as reused in every call that has callers.

#include "tests/api/scripted_gateway.hpp"

#include <caf/exit_reason.hpp>
#include <caf/send.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <boost/test/unit_test.hpp>

namespace usher::test {

namespace {

/// One call as it can be made: it would do something.
struct ready_call {
  std::string path;
  json body;
  json other{};           ///< another body that is good, too; null: the body does not count
  std::string ticket{};   ///< of the caller
  std::string key{};      ///< likewise
  std::string somebody{}; ///< another key that may make it; or a ticket, if the caller has one
};

struct keyed_call {
  std::string name;
  std::function<ready_call()> make; ///< each time a new one
  bool required = false;
  int first = 200; ///< status
  int again = 200;
  std::string id = "id"; ///< the member that says what it made
  bool in_body = false;  ///< the key is a member of the body
  bool goes_on = false;  ///< something happens after the answer
};

std::ostream& operator<<(std::ostream& to, const keyed_call& what) {
  return to << what.name;
}

/// Sends it with this key, or without one.
said send(const keyed_call& what, const ready_call& it, const json& body, const std::string& key,
          bool as_somebody = false) {
  auto with = extra{.ticket = it.ticket, .key = it.key};
  if (as_somebody)
    (it.ticket.empty() ? with.key : with.ticket) = it.somebody;
  auto sent = body;
  if (!what.in_body)
    with.idempotency = key;
  else if (!key.empty())
    sent["idempotencyKey"] = key;
  return server().post(it.path, sent, with);
}
said send(const keyed_call& what, const ready_call& it, const std::string& key) {
  return send(what, it, it.body, key);
}

/// A show whose room is open, as long as a case runs: each call has tickets of its own.
std::unique_ptr<show>& hall_slot() {
  static std::unique_ptr<show> slot;
  return slot;
}
const show& open_hall() {
  return *hall_slot();
}
struct hall_server : scripted_server {
  hall_server() {
    hall_slot() = std::make_unique<show>(
        hall_with(R"({"plan": {"blocks": [{"id": "left", "category": "stalls",
                     "rows": [{"id": "A", "count": 1000}]}]}})"));
    open_hall().open();
  }
  ~hall_server() { hall_slot().reset(); }
  hall_server(const hall_server&) = delete;
  hall_server& operator=(const hall_server&) = delete;
};
/// Seats that nobody else asks for.
std::string fresh_seat() {
  static std::atomic<int> taken{0};
  return "A-" + std::to_string(1 + taken++ % 1000); // each case has a hall of its own
}

/// A hold of a new fan's.
struct fan_hold {
  std::string ticket = open_hall().admitted();
  std::string hold = open_hall().hold({fresh_seat()}, {.ticket = ticket}).text("holdId");
  std::string path = open_hall().path + "/holds/" + hold;
};

std::string order_path() {
  const fan_hold of;
  return "/v1/orders/" + order_hold(of.hold, {.ticket = of.ticket}).text("id");
}
std::string paid_path() {
  const auto path = order_path();
  BOOST_TEST_REQUIRE(server().post(path + "/pay", nullptr, {.idempotency = fresh_key()}).brief() ==
                     "200 PAID");
  return path;
}

/// A hold of its own for whoever is admitted.
ready_call hold_at(const std::string& path) {
  return {path, {{"seats", {fresh_seat()}}}, {{"seats", {fresh_seat()}}}, open_hall().admitted(),
          "",   open_hall().admitted()};
}

const std::vector<keyed_call>& calls() {
  static const std::vector<keyed_call> all{
      {.name = "join",
       .make =
           [] {
             return ready_call{open_hall().room("join"), json::object()};
           },
       .first = 202,
       .id = "ticketId"},
      {.name = "hold",
       .make = [] { return hold_at(open_hall().path + "/holds"); },
       .first = 201,
       .again = 201,
       .id = "holdId"},
      {.name = "extend",
       .make =
           [] {
             const fan_hold of;
             return ready_call{
                 of.path + "/extend",   json::object(), {{"why", "slow"}}, of.ticket, "",
                 open_hall().admitted()};
           },
       .id = "holdId"},
      {.name = "add seats",
       .make =
           [] {
             const fan_hold of;
             return ready_call{of.path + "/seats",
                               {{"seats", {fresh_seat()}}},
                               {{"seats", {fresh_seat()}}},
                               of.ticket,
                               "",
                               open_hall().admitted()};
           },
       .id = "holdId"},
      {.name = "order",
       .make =
           [] {
             const fan_hold of;
             auto other = order_for(of.hold);
             other["customerEmail"] = "bob@example.org";
             return ready_call{"/v1/orders", order_for(of.hold),    other, of.ticket,
                               "",           open_hall().admitted()};
           },
       .required = true,
       .first = 201},
      {.name = "pay",
       .make =
           [] {
             return ready_call{order_path() + "/pay", json::object(), {{"method", "pix"}}, "", "",
                               "service-key"};
           },
       .required = true},
      {.name = "confirm",
       .make =
           [] {
             const auto reference = fresh_key();
             return ready_call{order_path() + "/confirm",
                               {{"gateway", "CASH"}, {"paymentId", reference}},
                               {{"gateway", "CASH"}, {"paymentId", reference + "x"}},
                               "",
                               "service-key",
                               "operator-key"};
           },
       .required = true},
      {.name = "cancel",
       .make =
           [] {
             return ready_call{
                 order_path() + "/cancel", json::object(), {{"why", "ill"}}, "", "", "service-key"};
           }},
      {.name = "refund",
       .make =
           [] {
             return ready_call{paid_path() + "/refund", {{"amount", 1}}, {{"amount", 2}}, "",
                               "service-key",           "operator-key"};
           },
       .required = true,
       .goes_on = true},
      {.name = "payment",
       .make =
           [] {
             return ready_call{"/v1/payments",
                               {{"amount", 2'500}, {"currency", "EUR"}},
                               {{"amount", 2'501}, {"currency", "EUR"}},
                               "",
                               "service-key",
                               "operator-key"};
           },
       .required = true,
       .first = 201,
       .again = 201,
       .in_body = true},
      {.name = "refund of a payment",
       .make =
           [] {
             return ready_call{"/v1/payments/" + take_payment().text("id") + "/refund",
                               {{"amount", 1}},
                               {{"amount", 2}},
                               "",
                               "service-key",
                               "operator-key"};
           },
       .required = true,
       .goes_on = true},
      {.name = "counter sale",
       .make =
           [] {
             return ready_call{open_hall().path + "/box-office/sales",
                               {{"seats", {fresh_seat()}}},
                               {{"seats", {fresh_seat()}}},
                               "",
                               "operator-key",
                               "admin-key"};
           },
       .required = true,
       .first = 201},
      {.name = "drop-in hold",
       .make = [] { return hold_at("/events/" + open_hall().id + "/holds"); },
       .first = 201,
       .again = 201,
       .id = "holdId"},
      {.name = "drop-in confirm",
       .make =
           [] {
             const auto reference = fresh_key();
             return ready_call{order_path().substr(3) + "/confirm",
                               {{"gateway", "CASH"}, {"paymentId", reference}},
                               {{"gateway", "CASH"}, {"paymentId", reference + "x"}},
                               "",
                               "service-key",
                               "operator-key"};
           }},
  };
  return all;
}

/// A block that answers nothing until it is told to, and then that the seat is held.
class mute_block {
public:
  explicit mute_block(const show& of) {
    auto& desk = server().app.shows->find(of.id)->desk;
    auto kept = kept_;
    const seating::actor block =
        desk->home_system().spawn([kept](seating::actor::pointer) -> seating::actor::behavior_type {
          return {
              [kept](const runtime::reserve& asked) {
                const std::lock_guard lock{kept->mutex};
                kept->asked.push_back(asked);
              },
              [](const runtime::commit&) {},
              [](const runtime::release&) {},
          };
        });
    auto given = std::make_shared<orders::use_blocks>();
    given->blocks = {{"left", block}, {"right", block}};
    caf::anon_send(desk, std::move(given));
  }
  [[nodiscard]] std::size_t asked() const {
    const std::lock_guard lock{kept_->mutex};
    return kept_->asked.size();
  }
  void refuse_all() {
    const std::lock_guard lock{kept_->mutex};
    for (const auto& each : std::exchange(kept_->asked, {}))
      caf::anon_send(
          each.coordinator,
          runtime::refused{each.id, {{"A-1", seating::unavailable_reason::held, {}, {}}}});
  }

private:
  struct keeping {
    std::mutex mutex;
    std::vector<runtime::reserve> asked;
  };
  std::shared_ptr<keeping> kept_ = std::make_shared<keeping>();
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(idempotency, hall_server)

BOOST_AUTO_TEST_CASE(the_same_key_is_the_same_thing) {
  for (const auto& call : calls()) {
    BOOST_TEST_CONTEXT(call) {
      const auto it = call.make();
      const auto key = fresh_key();
      const auto first = send(call, it, key);
      BOOST_TEST(first.status == call.first, first);
      BOOST_TEST(!first.replayed());
      BOOST_TEST(!first.text(call.id).empty(), first);
      std::vector<std::string> forms{key};
      if (!call.in_body) // there quotes would be JSON's own
        forms.push_back('"' + key + '"');
      for (const auto& form : forms) {
        const auto again = send(call, it, form);
        BOOST_TEST(again.status == call.again, again);
        BOOST_TEST(again.text(call.id) == first.text(call.id), again);
        if (call.name != "join") // its ticket is the same for many other reasons
          BOOST_TEST(again.replayed(), again);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(another_body_is_refused_and_does_nothing) {
  for (const auto& call : calls()) {
    BOOST_TEST_CONTEXT(call) {
      const auto it = call.make();
      if (it.other.is_null())
        continue;
      const auto key = fresh_key();
      BOOST_TEST(send(call, it, key).status == call.first);
      const auto end = log_end();
      BOOST_TEST(send(call, it, it.other, key).brief() == "422 idempotency-key-reused");
      if (!call.goes_on)
        BOOST_TEST(log_end() == end);
      BOOST_TEST(send(call, it, key).status == call.again);
    }
  }
}

BOOST_AUTO_TEST_CASE(somebody_elses_same_key_is_another_key) {
  for (const auto& call : calls()) {
    BOOST_TEST_CONTEXT(call) {
      const auto it = call.make();
      if (it.other.is_null()) // a join's key is the fan's only proof of the place
        continue;
      const auto key = fresh_key();
      BOOST_TEST(send(call, it, key).status == call.first);
      const auto theirs = send(call, it, it.other, key, true);
      BOOST_TEST(theirs.status != 422, theirs);
      BOOST_TEST(theirs.status != 401, theirs);
    }
  }
}

BOOST_AUTO_TEST_CASE(how_a_key_may_be_written) {
  struct form {
    std::string key;
    bool good;
  };
  const std::vector<form> forms{
      {"~", true},
      {std::string(255, 'k'), true},
      {R"(a"b\c,;{}=%00)", true},
      {std::string(256, 'k'), false},
      {"two words", false},
      {"tab\there", false},
      {"caf\xc3\xa9", false},
  };
  for (const auto& call : calls())
    for (const auto& [key, good] : forms) {
      BOOST_TEST_CONTEXT(call << ": " << key) {
        const auto it = call.make();
        const auto got = send(call, it, key);
        BOOST_TEST(got.status == (good ? call.first : 400), got);
        if (good)
          BOOST_TEST(send(call, it, key).text(call.id) == got.text(call.id));
        else if (call.in_body)
          BOOST_TEST(got.fields() == "idempotencyKey", got);
      }
    }
  for (const auto& call : calls()) {
    if (call.in_body)
      continue;
    BOOST_TEST_CONTEXT(call) {
      const auto it = call.make();
      const std::string longest(255, 'q');
      BOOST_TEST(send(call, it, "\"\"").brief() == "400 invalid-request");
      BOOST_TEST(send(call, it, "\"" + longest + "q\"").brief() == "400 invalid-request");
      BOOST_TEST(send(call, it, "\"" + longest + "\"").status == call.first);
      BOOST_TEST(send(call, it, longest).status == call.again);
    }
  }
}

BOOST_AUTO_TEST_CASE(where_it_has_to_be_and_where_it_may_be_left_out) {
  for (const auto& call : calls()) {
    BOOST_TEST_CONTEXT(call) {
      const auto it = call.make();
      const auto end = log_end();
      const auto got = send(call, it, "");
      if (!call.required) {
        BOOST_TEST(got.status == call.first, got);
        BOOST_TEST(!got.replayed());
        continue;
      }
      BOOST_TEST(got.status == 400, got);
      BOOST_TEST((call.in_body ? got.fields() == "idempotencyKey"
                               : got.code() == "idempotency-key-missing"),
                 got);
      BOOST_TEST(log_end() == end);
    }
  }
}

BOOST_AUTO_TEST_CASE(what_was_refused_before_it_ran_is_not_remembered) {
  for (const auto& call : calls()) {
    BOOST_TEST_CONTEXT(call) {
      const auto it = call.make();
      const auto key = fresh_key();
      const auto bad = server().ask(
          "POST", it.path, "[]",
          {.ticket = it.ticket, .key = it.key, .idempotency = call.in_body ? "" : key});
      BOOST_TEST(bad.status == 400, bad);
      const auto got = send(call, it, key);
      BOOST_TEST(got.status == call.first, got);
      BOOST_TEST(!got.replayed());
    }
  }
}

BOOST_AUTO_TEST_CASE(a_conflict_is_not_remembered_either) {
  const show at;
  const auto theirs = at.hold({"A-1"}).text("holdId");
  BOOST_TEST(at.hold({"A-1"}, {.idempotency = "h"}).brief() == "409 seat-unavailable");
  BOOST_TEST(at.release(theirs).status == 204);
  const auto hold = at.hold({"A-1"}, {.idempotency = "h"});
  BOOST_TEST(hold.status == 201, hold);
  BOOST_TEST(!hold.replayed());

  const auto id = order_hold(hold.text("holdId")).text("id");
  const auto refund = [&] {
    return server().post("/v1/orders/" + id + "/refund", {{"amount", 100}},
                         {.key = "service-key", .idempotency = "r"});
  };
  BOOST_TEST(refund().brief() == "409 order-not-paid");
  BOOST_TEST(pay(id).brief() == "200 PAID");
  const auto done = refund();
  BOOST_TEST(done.status == 200, done);
  BOOST_TEST(!done.replayed());
  BOOST_TEST(refund().replayed());
}

BOOST_AUTO_TEST_CASE(a_payment_that_failed_is_remembered) {
  const seat_order it;
  const json there{{"gateway", "ONE"}};
  one.charges(outcome::failed, "503");
  BOOST_TEST(it.pay(there, "f").brief() == "502 payment-failed");
  one.charges(outcome::declined, "no");
  BOOST_TEST(it.pay(there, "d").brief() == "402 payment-declined");
  one.charges(outcome::approved);
  for (int i = 0; i < 2; ++i) {
    const auto failed = it.pay(there, "f");
    BOOST_TEST(failed.brief() == "502 payment-failed", failed);
    BOOST_TEST(failed.replayed());
    const auto declined = it.pay(there, "d");
    BOOST_TEST(declined.brief() == "402 payment-declined", declined);
    BOOST_TEST(declined.replayed());
  }
  BOOST_TEST(one.charged().size() == 2U);
  BOOST_TEST(it.now().brief() == "200 PENDING");
}

BOOST_AUTO_TEST_CASE(a_repetition_tells_how_the_thing_is_now) {
  const show at;
  const auto hold = at.hold({"A-1"}, {.idempotency = "h"}).text("holdId");
  const auto order = [&] {
    return server().post("/v1/orders", order_for(hold), {.idempotency = "o"});
  };
  const auto id = order().text("id");
  const auto path = "/v1/orders/" + id;
  const auto paid = [&] { return server().post(path + "/pay", nullptr, {.idempotency = "p"}); };
  one.charges(outcome::unknown, "pending");
  BOOST_TEST(paid().brief() == "202 PAYING");
  BOOST_TEST(paid().brief() == "202 PAYING");
  BOOST_TEST(order().brief() == "200 PAYING");
  one.charges(outcome::approved);
  BOOST_TEST_REQUIRE(eventually([&] { return paid().brief() == "200 PAID"; }));
  BOOST_TEST(order().brief() == "200 PAID");
  BOOST_TEST(order().replayed());
  BOOST_TEST(at.hold({"A-1"}, {.idempotency = "h"}).brief() == "201 SOLD");
  BOOST_TEST(
      server().post(path + "/refund", nullptr, {.key = "service-key", .idempotency = "r"}).status ==
      200);
  BOOST_TEST_REQUIRE(eventually([&] { return order_now(id).text("status") == "REFUNDED"; }));
  BOOST_TEST(paid().brief() == "200 REFUNDED");
  BOOST_TEST(order().brief() == "200 REFUNDED");
}

BOOST_AUTO_TEST_CASE(while_the_first_call_is_decided_the_key_is_in_use) {
  const show at;
  const auto hold = at.hold({"A-2"}).text("holdId");
  mute_block block{at};
  const auto got_at_once = [&] {
    std::atomic<std::size_t> answered{0};
    std::thread later{[&] {
      (void)eventually([&] { return answered == 9 && block.asked() == 1; });
      block.refuse_all();
    }};
    auto got = all_at_once(10, [&](std::size_t) {
      auto said = at.hold({"A-1"}, {.idempotency = "same"});
      ++answered;
      return said;
    });
    later.join();
    return got;
  }();
  int in_use = 0;
  for (const auto& each : got_at_once) {
    in_use += each.brief() == "409 idempotency-key-in-use" ? 1 : 0;
    BOOST_TEST(
        (each.brief() == "409 idempotency-key-in-use" || each.brief() == "409 seat-unavailable"),
        each);
    if (each.code() == "idempotency-key-in-use")
      BOOST_TEST(each.header("retry-after") == "5");
  }
  BOOST_TEST(in_use == 9);
  BOOST_TEST(at.hold_of(hold).brief() == "200 HELD");
}

BOOST_AUTO_TEST_CASE(a_key_is_remembered_for_a_day) {
  const show at{plain()};
  auto body = order_for("theirs-1");
  body.update({{"showId", at.id}, {"amount", 1'000}});
  const auto order = [&] { return server().post("/v1/orders", body, {.idempotency = "k"}); };
  const auto first = order();
  BOOST_TEST(first.status == 201);
  server().clock.advance(24h - 10s);
  const auto again = order();
  BOOST_TEST(again.status == 200, again);
  BOOST_TEST(again.text("id") == first.text("id"));
  server().clock.advance(10s);
  const auto anew = order();
  BOOST_TEST(anew.status == 201, anew);
  BOOST_TEST(anew.text("id") != first.text("id"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace usher::test
