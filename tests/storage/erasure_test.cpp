// Finding what the log has of one person: by the customer's place, by their hold, by the address;
// and nothing of anybody else. One log, and a table of who is looked for.
//
// It bites (each tried in a copy): with keys of others taken for customers, with a hold of another
// show's customer, with addresses compared letter by letter, with the tokens of payments left out,
// with the log read once only, with shared keys not counted, or with nothing destroyed, it fails.

#include "storage/codec.hpp"
#include "storage/eraser.hpp"
#include "storage/memory_log.hpp"
#include "storage/sealing.hpp"
#include "tests/storage/support.hpp"

#include <future>
#include <map>
#include <set>

using namespace usher;
using namespace usher::storage;
using namespace usher::storage::test;

namespace {

constexpr secret_key master{1};
constexpr secret_key shared{2};

template <class Id>
Id id(std::uint8_t n) {
  Id made;
  made.bytes.fill(n);
  return made;
}

std::string_view bytes_of(const id128& of) {
  return {reinterpret_cast<const char*>(of.bytes.data()), of.bytes.size()};
}

/// Somebody's identity: another in every show.
identity who(const show_id& show, std::uint8_t customer) {
  auto made = id<identity>(customer);
  made.bytes[0] = static_cast<std::uint8_t>(show.back());
  return made;
}

struct a_log {
  scratch place;
  data_directory directory = must(data_directory::open(place.data()));
  personal_data data{shared, must(customer_keys::open(directory, master))};
  memory_log log;
  std::map<int, std::set<key_id>> keys; ///< by order

  template <class Event>
  void happens(const std::string& subject, const Event& event) {
    auto made = [&] {
      if constexpr (std::is_constructible_v<orders::any_event, Event>)
        return encode(orders::any_event{event});
      else
        return encode(waiting_room::any_event{event});
    }();
    must_append(log, {{.at = 1,
                       .subject = subject,
                       .type = std::string{made.type},
                       .schema = made.schema,
                       .cause = {"", "fan"},
                       .data = std::move(made.data)}});
  }

  std::string sealed(int order, const std::string& plain, const id128& bound) {
    auto text = std::get<std::string>(data.seal(plain, bytes_of(bound)));
    keys[order].insert(*key_of_sealed(text));
    return text;
  }

  void hold(const show_id& show, std::uint8_t hold, std::optional<slot_t> owner,
            identity customer = {}) {
    orders::event::hold_placed e;
    e.hold = id<hold_id>(hold);
    e.owner = owner;
    e.seats = {{"A-1", "A", "stalls", 100}};
    e.currency = "BRL";
    e.customer = customer;
    happens("desk/" + show, e);
  }

  void order(const std::string& desk, std::uint8_t number, std::uint8_t hold,
             std::optional<slot_t> owner, const std::string& email) {
    orders::event::order_placed e;
    e.order = id<order_id>(number);
    e.owner = owner;
    if (hold != 0)
      e.hold = id<hold_id>(hold);
    e.total = {100, "BRL"};
    e.customer = sealed(number, R"({"email":")" + email + "\"}", e.order);
    happens(desk, e);
  }

  void pay(const std::string& desk, std::uint8_t order, std::uint8_t payment) {
    orders::event::payment_started e;
    e.order = id<order_id>(order);
    e.payment = id<payment_id>(payment);
    e.gateway = "SANDBOX";
    e.method = "card";
    e.token = sealed(order, "tok_1", e.payment);
    happens(desk, e);
  }

  /// Which orders' keys are found: all of each, or the test fails.
  std::set<int> found(const erasure_target& target) {
    const std::atomic<bool> stop{false};
    const auto got = must(find_personal_fields(log, target, data.opener(), stop));
    const std::set<key_id> all{got.keys.begin(), got.keys.end()};
    std::set<int> orders;
    std::size_t theirs = 0;
    for (const auto& [order, its] : keys)
      if (all.contains(*its.begin())) {
        orders.insert(order);
        for (const auto& key : its)
          BOOST_TEST(all.contains(key), "a key of order " << order << " is missing");
        theirs += its.size();
      }
    BOOST_TEST(all.size() == theirs);
    BOOST_TEST(got.orders == orders.size());
    return orders;
  }
};

erasure_target by_id(std::uint8_t customer) {
  return {.customer = [customer](const show_id& show) { return who(show, customer); }, .email = {}};
}
erasure_target by_address(const std::string& email) {
  return {.customer = {}, .email = email};
}

/// Customer 1 has slot 0 of show a, and says so in show b after the order; customer 2 has slot 1.
void fill(a_log& f) {
  waiting_room::event::fans_joined joined;
  joined.nonces = {7, 8, 9};
  joined.customers = {who("a", 1), who("a", 2), {}};
  f.happens("queue/a", joined);
  joined.customers = {};
  f.happens("queue/b", joined);

  f.hold("a", 11, 0, who("a", 1));
  f.order("desk/a", 1, 11, 0, "ana@example.org");
  f.pay("desk/a", 1, 101);
  f.pay("desk/a", 1, 102);
  f.order("desk/a", 2, 0, 1, "bo@example.org"); // a show without a plan: by the place alone
  f.pay("desk/a", 2, 103);
  f.hold("a", 13, std::nullopt); // over the counter, for somebody with ana's address
  f.order("desk/a", 3, 13, std::nullopt, "Ana@Example.ORG");
  f.order("desk/b", 4, 0, 0, "cem@example.org");
  waiting_room::event::fan_identified named;
  named.slot = 0;
  named.who = who("b", 1);
  named.customer = true;
  f.happens("queue/b", named);
  f.hold("b", 15, std::nullopt, who("a", 1)); // of another show: somebody else
  f.order("desk/b", 5, 15, std::nullopt, "dee@example.org");
  named.slot = 2;
  named.who = who("b", 2);
  named.customer = false; // a key that looks like one
  f.happens("queue/b", named);
  f.order("desk/b", 6, 0, 2, "eve@example.org");
}

std::set<int> set_of(std::initializer_list<int> these) {
  return these;
}

} // namespace

BOOST_AUTO_TEST_CASE(what_is_somebodys_is_found_and_nothing_else) {
  a_log f;
  fill(f);
  BOOST_TEST(f.found(by_id(1)) == set_of({1, 4}), boost::test_tools::per_element());
  BOOST_TEST(f.found(by_id(2)) == set_of({2}), boost::test_tools::per_element());
  BOOST_TEST(f.found(by_id(3)) == set_of({}), boost::test_tools::per_element());
  BOOST_TEST(f.found(by_address("ana@example.org")) == set_of({1, 3}),
             boost::test_tools::per_element());
  BOOST_TEST(f.found(by_address("ana@example.or")) == set_of({}), boost::test_tools::per_element());
  auto both = by_id(2);
  both.email = "EVE@example.org";
  BOOST_TEST(f.found(both) == set_of({2, 6}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(erasing_takes_what_was_found_and_says_how_much) {
  a_log f;
  fill(f);
  eraser eraser{f.log, f.data};
  const auto erase = [&](const erasure_target& target) {
    std::promise<eraser::outcome> came;
    BOOST_TEST(
        eraser.ask("somebody", target, [&](const eraser::outcome& got) { came.set_value(got); }));
    return std::get<erased_customer>(came.get_future().get());
  };
  auto done = erase(by_id(1));
  BOOST_TEST(done.orders == 2U);
  BOOST_TEST(done.keys_destroyed == 4U);
  BOOST_TEST(done.remaining == 0U);
  done = erase(by_id(1));
  BOOST_TEST(done.orders == 2U);
  BOOST_TEST(done.keys_destroyed == 0U);
  // By the address only what is still readable is found.
  done = erase(by_address("ana@example.org"));
  BOOST_TEST(done.orders == 1U);
  BOOST_TEST(done.keys_destroyed == 1U);
  done = erase(by_address("ana@example.org"));
  BOOST_TEST(done.orders == 0U);
}

BOOST_AUTO_TEST_CASE(fields_that_share_a_key_are_counted_as_remaining) {
  a_log f;
  orders::event::order_placed e;
  e.order = id<order_id>(1);
  e.owner = 0;
  e.total = {100, "BRL"};
  e.customer = must(seal(shared, R"({"email":"ana@example.org"})", bytes_of(e.order)));
  f.happens("desk/a", e);
  f.pay("desk/a", 1, 101);
  const std::atomic<bool> stop{false};
  const auto got =
      must(find_personal_fields(f.log, by_address("ana@example.org"), f.data.opener(), stop));
  BOOST_TEST(got.orders == 1U);
  BOOST_TEST(got.keys.size() == 1U);
  BOOST_TEST(got.remaining == 1U);
}

BOOST_AUTO_TEST_CASE(a_search_that_is_stopped_or_cannot_read_fails) {
  a_log f;
  fill(f);
  std::atomic<bool> stop{true};
  BOOST_TEST(says(refusal(find_personal_fields(f.log, by_id(1), f.data.opener(), stop)), "stops"));
  stop = false;
  must_append(f.log, {{.at = 1,
                       .subject = "desk/a",
                       .type = "order_placed",
                       .schema = 2,
                       .cause = {},
                       .data = "no CBOR"}});
  BOOST_TEST(
      says(refusal(find_personal_fields(f.log, by_id(1), f.data.opener(), stop)), "order_placed"));
}

BOOST_AUTO_TEST_CASE(whoever_asks_for_the_same_at_the_same_time_gets_the_same_outcome) {
  a_log f;
  fill(f);
  std::promise<void> may_go_on;
  auto wait = may_go_on.get_future().share();
  auto slow = by_id(1);
  slow.customer = [wait](const show_id& show) {
    wait.wait();
    return who(show, 1);
  };
  std::promise<eraser::outcome> first;
  std::promise<eraser::outcome> second;
  std::size_t refused = 0;
  {
    eraser eraser{f.log, f.data};
    BOOST_TEST(eraser.ask("1", slow, [&](const auto& got) { first.set_value(got); }));
    BOOST_TEST(eraser.ask("1", slow, [&](const auto& got) { second.set_value(got); }));
    for (std::size_t i = 0; i < eraser::waiting_max + 2; ++i)
      refused += eraser.ask("other " + std::to_string(i), by_id(3), [](const auto&) {}) ? 0U : 1U;
    BOOST_TEST(refused == 2U);
    may_go_on.set_value();
    BOOST_TEST(std::get<erased_customer>(first.get_future().get()).keys_destroyed == 4U);
    BOOST_TEST(std::get<erased_customer>(second.get_future().get()).keys_destroyed == 4U);
  }
}
