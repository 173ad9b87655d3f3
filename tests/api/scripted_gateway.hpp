#pragma once

#include "actors/basics/reference.hpp"
#include "tests/api/seats.hpp"

#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// A gateway whose every answer the test chooses, a server that has such gateways and no others, and
// what the cases of payments say often.
namespace usher::test {

using payments::outcome;

/// Says what the test wants it to. Its ids derive from ours, so that asking again gives the same. A
/// webhook is a JSON object: what a payments::report says, by the names of its members; or
/// {"busy": true} (not_now), or {"other": true} (not_for_us).
class scripted_gateway final : public payments::provider {
public:
  explicit scripted_gateway(std::string name) : name_{std::move(name)} {}
  [[nodiscard]] std::string_view name() const override { return name_; }

  // What it answers from now on.
  void charges(outcome what, std::string reason = {}) { set(charges_, what, std::move(reason)); }
  void voids(outcome what, std::string reason = {}) { set(voids_, what, std::move(reason)); }
  void refunds(outcome what, std::string reason = {}) { set(refunds_, what, std::move(reason)); }
  /// Charges and refunds are answered when `go_on` says so, as it stands then.
  void pause() { set_paused(true); }
  void go_on() {
    set_paused(false);
    std::vector<std::function<void()>> late;
    {
      const std::lock_guard lock{mutex_};
      late.swap(waiting_);
    }
    for (const auto& each : late)
      each();
  }

  // What it was asked for, each time.
  [[nodiscard]] auto charged() const { return copy(charged_); }
  [[nodiscard]] auto voided() const { return copy(voided_); }
  [[nodiscard]] auto refunded() const { return copy(refunded_); }

  /// Its id of this attempt, as it says when it approves.
  [[nodiscard]] std::string id_of(const std::string& attempt) const {
    return name_ + "/" + attempt;
  }

  void charge(const payments::charge_request& asked, payments::on_result done) override {
    note(charged_, asked);
    answer([this, asked, done] { done(now(charges_, "payment", asked.show, asked.payment)); });
  }
  void void_charge(const payments::charge_request& asked, payments::on_result done) override {
    note(voided_, asked);
    done(now(voids_, "payment", asked.show, asked.payment));
  }
  void refund(const payments::refund_request& asked, payments::on_result done) override {
    note(refunded_, asked);
    answer([this, asked, done] { done(now(refunds_, "refund", asked.show, asked.refund)); });
  }
  /// As PayPal: it has to be asked whether a webhook is true.
  void checks_webhooks_itself() { checks_itself_ = true; }
  [[nodiscard]] bool asks_about_webhooks() const override { return checks_itself_; }
  void read_webhook(const payments::webhook& got,
                    std::function<void(payments::webhook_reading)> done) override {
    if (got.header("X-Signature") != "good")
      return done(payments::not_believed{"not signed by us"});
    const auto told = json::parse(got.body);
    if (told.contains("busy"))
      return done(payments::not_now{});
    if (told.contains("other"))
      return done(payments::not_for_us{});
    payments::report made;
    made.what = payments::outcome_of(told.value("what", "approved")).value();
    made.reference = told.value("reference", "");
    made.payment = told.value("payment", "");
    made.order = told.value("order", "");
    made.hold_ref = told.value("hold_ref", "");
    made.show = told.value("show", "");
    if (told.contains("amount"))
      made.amount = money{told["amount"].get<std::int64_t>(), told.value("currency", "BRL")};
    done(std::move(made));
  }

private:
  struct script {
    outcome what = outcome::approved;
    std::string reason{};
  };

  void set(script& which, outcome what, std::string reason) {
    const std::lock_guard lock{mutex_};
    which = {what, std::move(reason)};
  }
  void set_paused(bool paused) {
    const std::lock_guard lock{mutex_};
    paused_ = paused;
  }
  template <class Asked>
  void note(std::vector<Asked>& all, const Asked& asked) {
    const std::lock_guard lock{mutex_};
    all.push_back(asked);
  }
  template <class Asked>
  [[nodiscard]] std::vector<Asked> copy(const std::vector<Asked>& all) const {
    const std::lock_guard lock{mutex_};
    return all;
  }
  void answer(std::function<void()> how) {
    {
      const std::lock_guard lock{mutex_};
      if (paused_) {
        waiting_.push_back(std::move(how));
        return;
      }
    }
    how();
  }
  [[nodiscard]] payments::result now(const script& which, const char* kind, show_number show,
                                     const id128& id) const {
    const std::lock_guard lock{mutex_};
    return {which.what,
            which.what == outcome::approved ? id_of(write_reference(kind, show, id)) : "",
            which.reason};
  }

  const std::string name_;
  mutable std::mutex mutex_;
  script charges_;
  script voids_{outcome::failed, "voided"};
  script refunds_;
  bool paused_ = false;
  std::atomic<bool> checks_itself_{false};
  std::vector<std::function<void()>> waiting_;
  std::vector<payments::charge_request> charged_;
  std::vector<payments::charge_request> voided_;
  std::vector<payments::refund_request> refunded_;
};

/// A server of one's own with the gateways ONE, which is asked first, and TWO.
struct scripted_server {
  explicit scripted_server(duration_ms payment_limit_ms = 600'000)
      : here{
            {},
            0,
            {{{&one, {.gateway = "ONE", .priority = 1}}, {&two, {.gateway = "TWO", .priority = 2}}},
             payment_limit_ms}} {}

  scripted_gateway one{"ONE"};
  scripted_gateway two{"TWO"};
  own_server here; ///< ends before they do
};

/// An order of seats in a show of its own.
struct seat_order {
  explicit seat_order(const names& seats = {"A-1"}, const json& what = hall()) : at{what} {
    hold = at.hold(seats).text("holdId");
    id = order_hold(hold).text("id");
    path = "/v1/orders/" + id;
  }

  [[nodiscard]] said now() const { return server().get(path); }
  said pay(const json& how = nullptr, const std::string& key = fresh_key()) const {
    return server().post(path + "/pay", how, {.idempotency = key});
  }
  said confirm(const std::string& gateway, const std::string& payment,
               const std::string& key = fresh_key()) const {
    return server().post(path + "/confirm", {{"gateway", gateway}, {"paymentId", payment}},
                         {.key = "service-key", .idempotency = key});
  }
  said cancel() const { return server().post(path + "/cancel"); }
  said refund(const json& what = nullptr, const std::string& key = fresh_key(),
              const std::string& who = "operator-key") const {
    return server().post(path + "/refund", what, {.key = who, .idempotency = key});
  }
  [[nodiscard]] bool becomes(const std::string& status) const {
    return eventually([&] { return now().text("status") == status; });
  }
  /// Our id of the nth attempt to pay.
  [[nodiscard]] std::string attempt(std::size_t nth = 0) const {
    return now().body["payments"][nth]["id"].get<std::string>();
  }

  show at;
  std::string hold;
  std::string id;
  std::string path;
};

/// An order that is paid.
struct paid_order : seat_order {
  explicit paid_order(const names& seats = {"A-1"}, const json& what = hall())
      : seat_order{seats, what} {
    if (const auto paid = pay(); paid.brief() != "200 PAID")
      throw std::runtime_error{"not paid: " + paid.raw.body};
  }
};

/// An order that has expired, and its seats sold to somebody else.
struct late_order : seat_order {
  explicit late_order(const names& seats = {"A-1"}) : seat_order{seats} {
    server().clock.advance(5min);
    if (!becomes("EXPIRED") || !eventually([&] { return at.seat(seats.front()) == "AVAILABLE"; }))
      throw std::runtime_error{"does not expire: " + now().raw.body};
    theirs = buy(at.hold(seats).text("holdId"));
  }
  std::string theirs; ///< order
};

/// Two members of each in a list, as one text: "ONE APPROVED".
inline names pairs_of(const said& what, const std::string& list, const std::string& first,
                      const std::string& second) {
  names all;
  if (what.body.is_object() && what.body.contains(list))
    for (const auto& each : what.body[list])
      all.push_back(each[first].get<std::string>() + " " + each[second].get<std::string>());
  return all;
}
inline names attempts_of(const said& order) {
  return pairs_of(order, "payments", "gateway", "status");
}
/// "asked DONE".
inline names refunds_of(const said& order) {
  return pairs_of(order, "refunds", "cause", "status");
}
/// "A-1 VOID".
inline names tickets_of(const said& order) {
  return pairs_of(order, "tickets", "seat", "status");
}

inline said webhook(const std::string& gateway, const json& told,
                    const std::string& signature = "good") {
  return server().ask("POST", "/v1/webhooks/" + gateway, told.dump(),
                      {.headers = "X-Signature: " + signature + "\r\n"});
}

/// A gateway as GET /v1/gateways has it.
inline json gateway_now(const std::string& name) {
  const auto all = server().get("/v1/gateways", {.key = "viewer-key"}).body;
  for (const auto& each : all["gateways"])
    if (each["gateway"] == name)
      return each;
  return nullptr;
}

/// One POST /v1/payments of 25.00 EUR, with something more.
inline said take_payment(const json& more = json::object(),
                         const std::string& who = "service-key") {
  json body{{"idempotencyKey", fresh_key()}, {"amount", 2'500}, {"currency", "EUR"}};
  body.update(more);
  return server().post("/v1/payments", body, {.key = who});
}
inline said payment_now(const std::string& id) {
  return server().get("/v1/payments/" + id, {.key = "service-key"});
}

} // namespace usher::test
