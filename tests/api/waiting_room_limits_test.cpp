// Who counts as one customer, and what a customer and a joining fan have to put up with: seats per
// customer, proofs of work, and tokens that a seller signs.

#include "tests/api/room.hpp"

#include <boost/test/unit_test.hpp>
#include <openssl/sha.h>

namespace usher::test {

namespace {

const json shut{{"admitPerSecond", 0}};

// ---- customers

json at_most_three_seats() {
  auto made = hall_where({{"maxActive", nullptr}});
  made["holds"] = {{"maxSeats", 4}, {"maxSeatsPerCustomer", 3}};
  return made;
}

std::string let_in(const show& which, const said& joined) {
  BOOST_TEST(is_let_in(which, joined.text("ticketId")));
  return joined.text("ticketId");
}

/// Holds, orders and pays; the admission is used up.
void buy(const show& which, const std::string& ticket, const std::vector<std::string>& seats) {
  const auto hold = which.hold(seats, {.ticket = ticket});
  BOOST_TEST(hold.status == 201, hold);
  const auto order = server().post("/v1/orders", order_for(hold.text("holdId")),
                                   {.ticket = ticket, .idempotency = fresh_key()});
  BOOST_TEST(server()
                 .post("/v1/orders/" + order.text("id") + "/confirm", nullptr,
                       {.key = "service-key", .idempotency = fresh_key()})
                 .text("status") == "PAID");
}

// ---- proofs of work

bool solves(const std::string& challenge, const std::string& nonce) {
  const auto text = challenge + ":" + nonce;
  unsigned char digest[SHA256_DIGEST_LENGTH];
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest);
  return digest[0] >> (8 - api_server::proofs.difficulty) == 0;
}

/// A nonce that solves the challenge, or one that does not.
std::string nonce_for(const std::string& challenge, bool good = true) {
  for (int n = 0;; ++n)
    if (solves(challenge, std::to_string(n)) == good)
      return std::to_string(n);
}

std::string challenge_of(const show& which) {
  return server().get(which.room("challenge")).text("challenge");
}
json proof(const std::string& challenge, const std::string& nonce) {
  return {{"proof", {{"challenge", challenge}, {"nonce", nonce}}}};
}

// ---- tokens

json claims_of(const std::string& customer) {
  return {{"sub", customer}, {"aud", "usher"}, {"exp", server().clock.now() / 1000 + 600}};
}
json with_token(const json& claims) {
  return {{"customerToken", server().seller.token(claims)}};
}

} // namespace

BOOST_AUTO_TEST_SUITE(waiting_room_limits)

BOOST_AUTO_TEST_CASE(a_customer_has_no_more_seats_than_allowed_over_all_places_and_orders) {
  const show one{at_most_three_seats()};
  one.open();
  BOOST_TEST(one.description()["holds"]["maxSeatsPerCustomer"] == 3);
  const auto first = let_in(one, customer_joins(one, "ana"));
  BOOST_TEST(one.hold({"A-1", "A-2", "A-3", "A-4"}, {.ticket = first}).brief() ==
             "409 too-many-for-customer");
  buy(one, first, {"A-1", "A-2"});
  BOOST_TEST(one.ticket(first).brief() == "410 USED");
  const auto again = customer_joins(one, "ana");
  BOOST_TEST(again.status == 202);
  const auto second = let_in(one, again);
  BOOST_TEST(second != first);
  BOOST_TEST(one.hold({"A-5", "A-6"}, {.ticket = second}).brief() == "409 too-many-for-customer");
  BOOST_TEST(one.seat("A-5") == "AVAILABLE");
  BOOST_TEST(one.hold({"A-5"}, {.ticket = second}).status == 201);
  BOOST_TEST(one.hold({"A-6"}, {.ticket = second}).brief() == "409 too-many-for-customer");
  // Somebody else has a limit of their own; who is nobody known has the admission's only.
  BOOST_TEST(
      one.hold({"B-1", "B-2", "B-3"}, {.ticket = let_in(one, customer_joins(one, "bob"))}).status ==
      201);
  BOOST_TEST(one.hold({"B-4", "B-5", "B-6", "B-7"}, {.ticket = one.admitted()}).status == 201);
}

BOOST_AUTO_TEST_CASE(a_released_hold_counts_no_more) {
  const show one{at_most_three_seats()};
  one.open();
  const auto ticket = let_in(one, customer_joins(one, "ana"));
  const auto hold = one.hold({"A-1", "A-2", "A-3"}, {.ticket = ticket});
  BOOST_TEST(one.hold({"B-1"}, {.ticket = ticket}).brief() == "409 too-many-for-customer");
  BOOST_TEST(server().del(one.path + "/holds/" + hold.text("holdId"), {.ticket = ticket}).status ==
             204);
  BOOST_TEST(one.hold({"B-1", "B-2", "B-3"}, {.ticket = ticket}).status == 201);
}

BOOST_AUTO_TEST_CASE(a_wish_is_bound_by_the_customers_limit_too) {
  auto what = at_most_three_seats();
  what["waitingRoom"]["admitPerSecond"] = 0;
  const show one{what};
  one.open();
  const auto ticket = customer_joins(one, "ana").text("ticketId");
  BOOST_TEST(server().put(one.room("tickets/" + ticket + "/wish"), {{"quantity", 4}}, {}).status ==
             200);
  BOOST_TEST(set(one, {{"admitPerSecond", 1000}}).status == 200);
  BOOST_TEST(eventually([&] {
    const auto got = one.ticket(ticket);
    return got.body.contains("wish") && got.body["wish"]["status"] == "UNAVAILABLE";
  }));
  BOOST_TEST(one.ticket(ticket).body["wish"]["reason"] == "too-many-for-customer");
}

// The limit is the person's: to join without a name and sign in afterwards gives no second one.
BOOST_AUTO_TEST_CASE(who_signs_in_while_waiting_has_the_customers_limit) {
  auto what = at_most_three_seats();
  what["waitingRoom"]["admitPerSecond"] = 0;
  const show one{what};
  one.open();
  const auto ticket = one.join({.idempotency = "tab"}).text("ticketId");
  BOOST_TEST(customer_joins(one, "ana", {.idempotency = "tab"}).text("ticketId") == ticket);
  BOOST_TEST(set(one, {{"admitPerSecond", 1000}}).status == 200);
  BOOST_TEST(is_let_in(one, ticket));
  buy(one, ticket, {"A-1", "A-2", "A-3"});
  const auto second = let_in(one, customer_joins(one, "ana"));
  BOOST_TEST(one.hold({"A-5"}, {.ticket = second}).brief() == "409 too-many-for-customer");
}

BOOST_AUTO_TEST_CASE(who_signs_in_once_admitted_has_the_customers_limit) {
  const show one{at_most_three_seats()};
  one.open();
  buy(one, let_in(one, customer_joins(one, "ana")), {"A-1", "A-2", "A-3"});
  const auto nameless = one.admitted();
  BOOST_TEST(customer_joins(one, "ana", {.ticket = nameless}).text("ticketId") == nameless);
  BOOST_TEST(one.hold({"A-5"}, {.ticket = nameless}).brief() == "409 too-many-for-customer");
}

BOOST_AUTO_TEST_CASE(where_work_is_asked_for_a_join_without_it_is_refused) {
  const show one{hall_where({{"admitPerSecond", 0}, {"proofOfWork", true}})};
  one.open();
  const auto no = one.join();
  BOOST_TEST(no.brief() == "403 proof-required", no);
  BOOST_TEST(no.text("challenge") == one.room("challenge"));
  const auto asked = server().get(no.text("challenge"));
  BOOST_TEST(asked.status == 200);
  BOOST_TEST(asked.text("algorithm") == "SHA-256");
  BOOST_TEST(asked.body["difficulty"] == api_server::proofs.difficulty);
  BOOST_TEST(asked.body["required"] == true);
  BOOST_TEST(asked.body["expiresInSeconds"] == api_server::proofs.lifetime_ms / 1000);
  BOOST_TEST(asked.header("cache-control") == "no-store");
  const auto challenge = asked.text("challenge");
  const auto joined = join_as(one, proof(challenge, nonce_for(challenge)), {.idempotency = "k"});
  BOOST_TEST(joined.brief() == "202 WAITING", joined);
  // Whoever has a place needs no second proof, nor does a service that knows its customers.
  BOOST_TEST(one.join({.ticket = joined.text("ticketId")}).status == 200);
  BOOST_TEST(join_as(one, {{"x", 1}}, {.ticket = joined.text("ticketId")}).status == 200);
  BOOST_TEST(customer_joins(one, "ana").status == 202);
  BOOST_TEST(count_of(one, "waiting") == 2);
}

BOOST_AUTO_TEST_CASE(a_proof_counts_once_in_its_time_and_show_and_only_if_it_is_one) {
  const show one{hall_where({{"admitPerSecond", 0}, {"proofOfWork", true}})};
  const show other{hall_where({{"admitPerSecond", 0}, {"proofOfWork", true}})};
  one.open();
  other.open();
  const auto refused = [&](const show& which, const std::string& challenge,
                           const std::string& nonce) {
    const auto got = join_as(which, proof(challenge, nonce));
    return got.brief() == "403 proof-invalid" && got.text("challenge") == which.room("challenge");
  };
  const auto challenge = challenge_of(one);
  const auto nonce = nonce_for(challenge);
  BOOST_TEST(refused(one, challenge, nonce_for(challenge, false))); // too easy; spends nothing
  BOOST_TEST(refused(other, challenge, nonce));
  auto forged = challenge;
  forged[30] = forged[30] == 'x' ? 'y' : 'x';
  BOOST_TEST(refused(one, forged, nonce_for(forged)));
  BOOST_TEST(refused(one, "short", "1"));
  BOOST_TEST(count_of(one, "waiting") == 0);
  BOOST_TEST(join_as(one, proof(challenge, nonce)).status == 202);
  BOOST_TEST(refused(one, challenge, nonce)); // replayed
  const auto late = challenge_of(one);
  server().clock.advance(std::chrono::milliseconds{api_server::proofs.lifetime_ms});
  BOOST_TEST(refused(one, late, nonce_for(late)));
  BOOST_TEST(count_of(one, "waiting") == 1);
  BOOST_TEST(count_of(other, "waiting") == 0);
}

BOOST_AUTO_TEST_CASE(a_proof_that_is_no_object_of_texts_names_its_field) {
  const show one{hall_where({{"admitPerSecond", 0}, {"proofOfWork", true}})};
  one.open();
  struct attempt {
    json given;
    std::string fields;
  };
  for (const auto& each :
       {attempt{1, "proof"}, attempt{"x", "proof"},
        attempt{json::object(), "proof.challenge proof.nonce"},
        attempt{{{"challenge", "c"}}, "proof.nonce"},
        attempt{{{"challenge", 1}, {"nonce", "n"}}, "proof.challenge"},
        attempt{{{"challenge", "c"}, {"nonce", std::string(33, 'n')}}, "proof.nonce"}}) {
    const auto got = join_as(one, {{"proof", each.given}});
    BOOST_TEST(got.brief() == "400 invalid-request", each.given);
    BOOST_TEST(got.fields() == each.fields, each.given);
  }
}

BOOST_AUTO_TEST_CASE(where_no_work_is_asked_for_a_proof_is_not_looked_at) {
  const show one{hall_where(shut)};
  one.open();
  BOOST_TEST(server().get(one.room("challenge")).body["required"] == false);
  BOOST_TEST(join_as(one, proof("c", "n")).status == 202);
}

BOOST_AUTO_TEST_CASE(a_sellers_token_says_who_the_customer_is_on_every_device) {
  const show one{hall_where(shut)};
  one.open();
  const auto phone = join_as(one, with_token(claims_of("ana")), {.idempotency = "phone"});
  BOOST_TEST(phone.brief() == "202 WAITING", phone);
  auto claims = claims_of("ana");
  claims["show"] = one.id;
  const auto laptop = join_as(one, with_token(claims), {.idempotency = "laptop"});
  BOOST_TEST(laptop.status == 200, laptop);
  BOOST_TEST(laptop.text("ticketId") == phone.text("ticketId"));
  BOOST_TEST(customer_joins(one, "ana").text("ticketId") == phone.text("ticketId"));
  BOOST_TEST(join_as(one, with_token(claims_of("bob"))).status == 202);
  BOOST_TEST(count_of(one, "waiting") == 2);
}

BOOST_AUTO_TEST_CASE(a_bad_token_is_refused_with_a_reason_and_records_nothing) {
  const show one{hall_where(shut)};
  one.open();
  const seller_key stranger{http::token_algorithm::es256};
  const auto changed = [](const std::string& member, const json& value) {
    auto claims = claims_of("ana");
    claims[member] = value;
    return server().seller.token(claims);
  };
  const auto now_s = server().clock.now() / 1000;
  for (const auto& token :
       {stranger.token(claims_of("ana")), changed("show", "another"), changed("exp", now_s - 60),
        changed("exp", nullptr), changed("aud", "another"), changed("sub", ""), changed("sub", 7),
        changed("nbf", now_s + 60), std::string{"a.b.c"}, std::string{""}}) {
    const auto got = join_as(one, {{"customerToken", token}}, {.idempotency = "k"});
    BOOST_TEST(got.brief() == "403 customer-token-invalid", token << ": " << got);
    BOOST_TEST(!got.text("detail").empty());
  }
  for (const auto& given : {json(7), json(std::string(4097, 'a'))})
    BOOST_TEST(join_as(one, {{"customerToken", given}}).fields() == "customerToken");
  BOOST_TEST(count_of(one, "waiting") == 0);
  BOOST_TEST(one.join({.idempotency = "k"}).status == 202);
}

BOOST_AUTO_TEST_CASE(a_token_and_a_customer_id_have_to_agree) {
  const show one{hall_where(shut)};
  one.open();
  auto both = with_token(claims_of("ana"));
  both["customerId"] = "bob";
  BOOST_TEST(join_as(one, both, {.key = "service-key"}).brief() == "400 invalid-request");
  both["customerId"] = "ana";
  BOOST_TEST(join_as(one, both).brief() == "403 customer-not-trusted"); // not from a fan
  BOOST_TEST(join_as(one, both, {.key = "service-key"}).status == 202);
  BOOST_TEST(count_of(one, "waiting") == 1);
}

BOOST_AUTO_TEST_CASE(a_server_without_sellers_keys_takes_no_token) {
  own_server apart;
  const auto token = with_token(claims_of("ana"));
  server().app.customer_tokens.reset();
  const show one{hall_where(shut)};
  one.open();
  BOOST_TEST(join_as(one, token).brief() == "403 customer-token-invalid");
  BOOST_TEST(count_of(one, "waiting") == 0);
  BOOST_TEST(one.join().status == 202);
}

BOOST_AUTO_TEST_CASE(who_signs_in_with_a_token_keeps_the_better_of_two_places) {
  const show one{hall_where(shut)};
  one.open();
  // The anonymous place is the better one, then the customer's.
  const auto anonymous = ticket_of(one);
  const auto customer = join_as(one, with_token(claims_of("ana"))).text("ticketId");
  const auto kept = join_as(one, with_token(claims_of("ana")), {.ticket = anonymous});
  BOOST_TEST(kept.status == 200);
  BOOST_TEST(kept.text("ticketId") == anonymous);
  BOOST_TEST(kept.body["position"] == 1);
  BOOST_TEST(one.ticket(customer).brief() == "410 LEFT");
  BOOST_TEST(one.ticket(customer).text("reason") == "merged");
  BOOST_TEST(join_as(one, with_token(claims_of("ana"))).text("ticketId") == anonymous);

  const auto early = join_as(one, with_token(claims_of("bob"))).text("ticketId");
  const auto late = ticket_of(one);
  BOOST_TEST(join_as(one, with_token(claims_of("bob")), {.ticket = late}).text("ticketId") ==
             early);
  BOOST_TEST(one.ticket(late).text("reason") == "merged");
  BOOST_TEST(count_of(one, "waiting") == 2);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace usher::test
