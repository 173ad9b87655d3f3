// Entry tickets over a real socket: which orders have them and what they say; a scan at the door,
// once and again, looked at only, by whom, of codes that are none; a seat that was given back; two
// and many scanners of one code; the published keys check the codes.
//
// That it bites was shown by taking the second use for a good one in the desk's rules (with and
// without the check of its state, which stops the process), by answering 409 without looking at the
// order, and by not asking whether a seat is refunded when the order is told: each fails the cases
// that are named after it.

#include "tests/api/api_server.hpp"

#include "actors/basics/reference.hpp"
#include "http/api/entry_ticket.hpp"
#include "http/crypto/base64.hpp"

#include <boost/test/unit_test.hpp>
#include <openssl/evp.h>

#include <algorithm>

namespace usher::test {

namespace {

/// An order of these seats, paid.
struct paid_order {
  explicit paid_order(const std::vector<std::string>& seats, const json& what = hall()) : at{what} {
    const auto hold = at.hold(seats).text("holdId");
    id = server().post("/v1/orders", order_for(hold), {.idempotency = fresh_key()}).text("id");
    paid = server().post("/v1/orders/" + id + "/pay", nullptr, {.idempotency = fresh_key()});
    BOOST_TEST_REQUIRE(paid.brief() == "200 PAID", paid);
  }

  [[nodiscard]] said now() const { return server().get("/v1/orders/" + id); }

  /// The ticket of a seat, as the order tells it now.
  [[nodiscard]] json ticket(const std::string& seat) const {
    for (const auto& each : now().body.value("tickets", json::array()))
      if (each["seat"] == seat)
        return each;
    return nullptr;
  }
  [[nodiscard]] std::string code(const std::string& seat) const { return ticket(seat).at("code"); }

  show at;
  std::string id;
  said paid;
};

said scan(const json& body, const std::string& key = "gate-key") {
  return server().post("/v1/tickets/verify", body, {.key = key});
}
said scan_at(const std::string& code, const std::string& gate) {
  return scan({{"code", code}, {"gate", gate}});
}
said look_at(const std::string& code) {
  return scan({{"code", code}, {"mark", false}});
}

std::vector<std::string> seats_of(const json& tickets) {
  std::vector<std::string> all;
  for (const auto& each : tickets)
    all.push_back(each["seat"]);
  return all;
}
using names = std::vector<std::string>;

} // namespace

BOOST_AUTO_TEST_SUITE(tickets)

BOOST_AUTO_TEST_CASE(every_seat_of_a_paid_order_has_a_ticket) {
  const paid_order it{{"A-1", "B-2"}};
  const auto& given = it.paid.body["tickets"];
  BOOST_TEST((seats_of(given) == names{"A-1", "B-2"}));
  BOOST_TEST(given[0]["code"] != given[1]["code"]);
  for (const auto& each : given) {
    BOOST_TEST(each["status"] == "VALID");
    BOOST_TEST(!each.contains("usedAt"));
    BOOST_TEST(each["code"].get<std::string>().find(it.id) == std::string::npos);
  }
  // Asked again it is the same.
  BOOST_TEST(it.now().body["tickets"] == given);
}

BOOST_AUTO_TEST_CASE(before_it_is_paid_an_order_has_none_and_neither_has_a_show_without_a_plan) {
  const show at;
  const auto hold = at.hold({"A-1"}).text("holdId");
  const auto made = server().post("/v1/orders", order_for(hold), {.idempotency = fresh_key()});
  BOOST_TEST(!made.body.contains("tickets"), made);
  const show elsewhere{plain()};
  auto body = order_for("reference-1");
  body["showId"] = elsewhere.id;
  body["amount"] = 1'000;
  const auto order = server().post("/v1/orders", body, {.idempotency = fresh_key()});
  const auto paid = server().post("/v1/orders/" + order.text("id") + "/pay", nullptr,
                                  {.idempotency = fresh_key()});
  BOOST_TEST(paid.brief() == "200 PAID", paid);
  BOOST_TEST(!paid.body.contains("tickets"), paid);
}

BOOST_AUTO_TEST_CASE(the_box_office_sells_with_tickets) {
  const show at;
  const auto sold = at.by_staff("box-office/sales", {{"seats", {"A-1"}}},
                                {.key = "operator-key", .idempotency = fresh_key()});
  BOOST_TEST_REQUIRE(sold.status == 201, sold);
  const auto order = server().get("/v1/orders/" + sold.text("id"));
  BOOST_TEST_REQUIRE((seats_of(order.body["tickets"]) == names{"A-1"}), order);
  BOOST_TEST(scan({{"code", order.body["tickets"][0]["code"]}}).status == 200);
}

BOOST_AUTO_TEST_CASE(a_ticket_admits_once) {
  const paid_order it{{"A-1", "A-2"}};
  const auto code = it.code("A-1");
  const auto in = scan_at(code, "North 2");
  BOOST_TEST_REQUIRE(in.status == 200, in);
  BOOST_TEST(in.body["valid"] == true);
  BOOST_TEST(in.text("seat") == "A-1");
  BOOST_TEST(in.text("showId") == it.at.id);
  BOOST_TEST(in.text("orderId") == it.id);
  BOOST_TEST(!in.text("usedAt").empty());
  BOOST_TEST(in.header("cache-control") == "no-store");
  for (const auto& again : {scan_at(code, "South"), look_at(code)}) {
    BOOST_TEST(again.brief() == "409 ticket-used", again);
    BOOST_TEST(again.text("usedAt") == in.text("usedAt"));
    BOOST_TEST(again.text("gate") == "North 2");
    BOOST_TEST(again.text("seat") == "A-1");
    BOOST_TEST(again.text("orderId") == it.id);
  }
  BOOST_TEST(it.ticket("A-1")["status"] == "USED");
  BOOST_TEST(it.ticket("A-1")["usedAt"] == in.body["usedAt"]);
  BOOST_TEST(it.code("A-1") == code);
  // The seat beside it has a ticket of its own.
  BOOST_TEST(it.ticket("A-2")["status"] == "VALID");
  const auto beside = scan({{"code", it.code("A-2")}});
  BOOST_TEST(beside.status == 200, beside);
  BOOST_TEST(scan({{"code", it.code("A-2")}}).body["gate"] == "");
}

BOOST_AUTO_TEST_CASE(to_look_marks_nothing) {
  const paid_order it{{"A-1"}};
  for (int i = 0; i < 3; ++i) {
    const auto seen = look_at(it.code("A-1"));
    BOOST_TEST(seen.status == 200, seen);
    BOOST_TEST(seen.body["valid"] == true);
    BOOST_TEST(!seen.body.contains("usedAt"));
  }
  BOOST_TEST(it.ticket("A-1")["status"] == "VALID");
  BOOST_TEST(scan({{"code", it.code("A-1")}, {"mark", true}}).status == 200);
}

BOOST_AUTO_TEST_CASE(who_may_scan) {
  const paid_order it{{"A-1"}};
  const json body{{"code", it.code("A-1")}, {"mark", false}};
  for (const std::string key : {"gate-key", "service-key", "operator-key", "admin-key"})
    BOOST_TEST(scan(body, key).status == 200, key);
  BOOST_TEST(scan(body, "viewer-key").brief() == "403 forbidden");
  BOOST_TEST(scan(body, "").brief() == "401 key-required");
  // A gate's key opens nothing else.
  BOOST_TEST(server()
                 .post("/v1/orders/" + it.id + "/confirm", nullptr,
                       {.key = "gate-key", .idempotency = fresh_key()})
                 .brief() == "403 forbidden");
  BOOST_TEST(server().post(it.at.room("open"), nullptr, {.key = "gate-key"}).status == 403);
}

BOOST_AUTO_TEST_CASE(what_is_no_code_is_422_and_what_is_no_question_400) {
  const paid_order it{{"A-1"}};
  auto altered = it.code("A-1");
  auto& letter = altered[altered.rfind('.') - 1];
  letter = letter == 'A' ? 'B' : 'A';
  storage::secret_key foreign;
  foreign.fill(99);
  const auto forged = http::entry_ticket_codec{foreign}.write({it.at.id, "A-1", {}, 0});
  const std::string none[]{"",
                           "x",
                           "..",
                           altered,
                           forged,
                           it.id,
                           it.code("A-1") + "\n",
                           "a." + std::string(1'000, 'b') + ".c"};
  for (const auto& each : none)
    BOOST_TEST(scan({{"code", each}}).brief() == "422 ticket-invalid", each);
  const auto code = it.code("A-1");
  const std::pair<json, std::string> bad[]{
      {json::object(), "code"},
      {{{"code", 7}}, "code"},
      {{{"code", nullptr}}, "code"},
      {{{"code", std::string(1'025, 'x')}}, "code"},
      {{{"code", code}, {"gate", 2}}, "gate"},
      {{{"code", code}, {"gate", std::string(65, 'g')}}, "gate"},
      {{{"code", code}, {"mark", "yes"}}, "mark"},
      {{{"code", code}, {"marked", false}}, "marked"}};
  for (const auto& [body, field] : bad) {
    const auto got = scan(body);
    BOOST_TEST(got.brief() == "400 invalid-request", got);
    BOOST_TEST(got.fields() == field);
  }
  BOOST_TEST(server().ask("POST", "/v1/tickets/verify", "{", {.key = "gate-key"}).status == 400);
  BOOST_TEST(it.ticket("A-1")["status"] == "VALID"); // none of it has marked anything
  BOOST_TEST(scan_at(code, std::string(64, 'g')).status == 200);
}

BOOST_AUTO_TEST_CASE(a_seat_that_was_given_back_does_not_admit) {
  const paid_order it{{"A-1", "A-2"}};
  const auto code = it.code("A-1");
  const auto returned =
      it.at.by_staff("seats/return", {{"order", it.id}, {"seats", {"A-1"}}, {"reference", "re_1"}});
  BOOST_TEST_REQUIRE(returned.status == 200, returned);
  BOOST_TEST(it.ticket("A-1")["status"] == "VOID");
  const auto no = scan({{"code", code}});
  BOOST_TEST(no.brief() == "410 ticket-void", no);
  BOOST_TEST(no.text("seat") == "A-1");
  BOOST_TEST(no.text("orderId") == it.id);
  // Sold to somebody else, the old code is still none.
  const auto hold = it.at.hold({"A-1"}).text("holdId");
  const auto next =
      server().post("/v1/orders", order_for(hold), {.idempotency = fresh_key()}).text("id");
  const auto paid =
      server().post("/v1/orders/" + next + "/pay", nullptr, {.idempotency = fresh_key()});
  BOOST_TEST_REQUIRE(paid.brief() == "200 PAID", paid);
  BOOST_TEST(scan({{"code", code}}).brief() == "410 ticket-void");
  BOOST_TEST(scan({{"code", paid.body["tickets"][0]["code"]}}).status == 200);
  BOOST_TEST(scan({{"code", it.code("A-2")}}).status == 200);
}

BOOST_AUTO_TEST_CASE(a_seat_that_is_refunded_does_not_admit) {
  const paid_order it{{"A-1", "A-2"}};
  const auto first = it.code("A-1");
  const auto second = it.code("A-2");
  const auto give_back = [&it](const json& what) {
    return server().post("/v1/orders/" + it.id + "/refund", what,
                         {.key = "operator-key", .idempotency = fresh_key()});
  };
  BOOST_TEST(scan_at(first, "North").status == 200); // somebody is in already
  // Not for sale again: what tells is the refund alone.
  const auto some = give_back({{"seats", {"A-1"}}, {"resell", false}});
  BOOST_TEST_REQUIRE(some.status == 200, some);
  BOOST_TEST(it.ticket("A-1")["status"] == "VOID");
  BOOST_TEST(!it.ticket("A-1")["usedAt"].is_null());
  BOOST_TEST(scan({{"code", first}}).brief() == "410 ticket-void");
  BOOST_TEST(eventually([&] { return it.now().text("status") == "PARTLY_REFUNDED"; }));
  BOOST_TEST(it.ticket("A-1")["status"] == "VOID");
  BOOST_TEST(it.ticket("A-2")["status"] == "VALID");
  BOOST_TEST(look_at(second).status == 200);
  BOOST_TEST_REQUIRE(give_back(json::object()).status == 200);
  BOOST_TEST(scan({{"code", second}}).brief() == "410 ticket-void");
  BOOST_TEST(eventually([&] { return it.now().text("status") == "REFUNDED"; }));
  BOOST_TEST(!it.now().body.contains("tickets"));
  BOOST_TEST(scan({{"code", second}}).brief() == "410 ticket-void");
}

BOOST_AUTO_TEST_CASE(of_an_order_or_a_show_that_is_not_there_it_is_void) {
  const show at;
  const auto signed_well = [](const std::string& show, const std::string& seat) {
    return server().app.entry_tickets.write({show, seat, order_id{http::random_id()}, 1'000});
  };
  const auto no = scan({{"code", signed_well(at.id, "A-1")}});
  BOOST_TEST(no.brief() == "410 ticket-void", no);
  BOOST_TEST(scan({{"code", signed_well("no-such-show", "A-1")}}).brief() == "410 ticket-void");
}

BOOST_AUTO_TEST_CASE(an_order_that_is_not_paid_or_has_not_that_seat_does_not_admit) {
  const show at;
  const auto hold = at.hold({"A-1"}).text("holdId");
  const auto id =
      server().post("/v1/orders", order_for(hold), {.idempotency = fresh_key()}).text("id");
  const auto ref = read_reference("order", id);
  const auto code = [&](const std::string& seat) {
    return server().app.entry_tickets.write({at.id, seat, order_id{ref->id}, 1'000});
  };
  BOOST_TEST(scan({{"code", code("A-1")}}).brief() == "410 ticket-void");
  BOOST_TEST(
      server().post("/v1/orders/" + id + "/pay", nullptr, {.idempotency = fresh_key()}).brief() ==
      "200 PAID");
  BOOST_TEST(scan({{"code", code("A-2")}}).brief() == "410 ticket-void");
  BOOST_TEST(scan({{"code", code("A-1")}}).status == 200);
}

// Of many who show the same code at the same moment one gets in, and all others are told when.
BOOST_AUTO_TEST_CASE(however_many_scan_a_code_at_once_one_is_let_in) {
  constexpr std::size_t scanners = 8;
  const paid_order it{{"A-1", "A-2", "A-3", "A-4"}};
  const auto other = paid_order{{"B-1", "B-2", "B-3", "B-4"}};
  std::vector<std::string> codes;
  for (const auto* seat : {"A-1", "A-2", "A-3", "A-4"})
    codes.push_back(it.code(seat));
  for (const auto* seat : {"B-1", "B-2", "B-3", "B-4"})
    codes.push_back(other.code(seat));
  for (const auto& code : codes) {
    std::atomic<std::size_t> ready{0};
    std::vector<said> heard(scanners);
    std::vector<std::thread> all;
    for (std::size_t i = 0; i < scanners; ++i)
      all.emplace_back([&, i] {
        ++ready;
        while (ready < scanners) // all at once
          std::this_thread::yield();
        heard[i] = scan_at(code, "gate " + std::to_string(i));
      });
    for (auto& each : all)
      each.join();
    const auto in = std::find_if(heard.begin(), heard.end(),
                                 [](const said& each) { return each.status == 200; });
    BOOST_TEST_REQUIRE((in != heard.end()));
    const auto gate = "gate " + std::to_string(in - heard.begin());
    for (auto each = heard.begin(); each != heard.end(); ++each) {
      if (each == in)
        continue;
      BOOST_TEST(each->brief() == "409 ticket-used", *each);
      BOOST_TEST(each->text("gate") == gate);
      BOOST_TEST(each->text("usedAt") == in->text("usedAt"));
    }
  }
}

BOOST_AUTO_TEST_CASE(the_published_keys_check_the_codes) {
  const paid_order it{{"A-1"}};
  const auto code = it.code("A-1");
  const auto set = server().get("/.well-known/jwks.json");
  BOOST_TEST_REQUIRE(set.status == 200, set);
  BOOST_TEST(set.header("content-type") == "application/jwk-set+json");
  BOOST_TEST(set.header("cache-control") == "public, max-age=300");
  const auto etag = set.header("etag");
  BOOST_TEST(!etag.empty());
  BOOST_TEST(server()
                 .get("/.well-known/jwks.json", {.headers = "If-None-Match: " + etag + "\r\n"})
                 .status == 304);
  BOOST_TEST(set.body["keys"].size() == 2U); // this server is in the middle of a rotation
  const auto header = json::parse(http::decode_base64url(code.substr(0, code.find('.'))).value());
  const auto dot = code.rfind('.');
  const auto text = code.substr(0, dot);
  const auto signature = http::decode_base64url(code.substr(dot + 1)).value();
  std::size_t good = 0;
  for (const auto& each : set.body["keys"]) {
    BOOST_TEST(!each.contains("d")); // the secret
    if (each["kid"] != header["kid"])
      continue;
    const auto x = http::decode_base64url(each["x"].get<std::string>()).value();
    const auto bytes = [](const std::string& of) {
      return reinterpret_cast<const unsigned char*>(of.data());
    };
    const std::shared_ptr<EVP_PKEY> key{
        EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, bytes(x), x.size()), EVP_PKEY_free};
    const std::shared_ptr<EVP_MD_CTX> context{EVP_MD_CTX_new(), EVP_MD_CTX_free};
    BOOST_TEST(EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1);
    good += EVP_DigestVerify(context.get(), bytes(signature), signature.size(), bytes(text),
                             text.size()) == 1
                ? 1
                : 0;
  }
  BOOST_TEST(good == 1U);
}

BOOST_AUTO_TEST_CASE(a_code_of_the_key_before_still_admits) {
  const paid_order it{{"A-1"}};
  storage::secret_key before;
  before.fill(6); // as the server has it
  const auto ref = read_reference("order", it.id);
  const auto old = http::entry_ticket_codec{before}.write({it.at.id, "A-1", order_id{ref->id}, 0});
  BOOST_TEST(old != it.code("A-1"));
  BOOST_TEST(scan({{"code", old}}).status == 200);
  BOOST_TEST(scan({{"code", it.code("A-1")}}).brief() == "409 ticket-used");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace usher::test
