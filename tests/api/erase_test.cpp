// Personal data over the API: only the seller's staff reads it, and a customer who is erased is
// erased: for everybody, for good, and nobody else is.
//
// It bites (each tried in a copy): with the address shown to everybody, with the route open to
// everybody, with the customer's id not looked for, with the tokens of payments left out, with
// nothing destroyed, or with an erased customer not said to be, it fails.

#include "storage/codec.hpp"
#include "tests/api/api_server.hpp"

#include <boost/test/unit_test.hpp>

#include <fstream>
#include <iterator>
#include <string>

namespace usher::test {

namespace {

const extra admin{.key = "admin-key"};
const extra staff{.key = "operator-key"};

/// A fan, known by an id or not, who has ordered.
struct buyer {
  buyer(const show& at, const std::string& seat, const std::string& address,
        const std::string& customer = {})
      : email{address} {
    const auto joined =
        customer.empty()
            ? at.join()
            : server().post(at.room("join"), {{"customerId", customer}}, {.key = "service-key"});
    ticket = joined.text("ticketId");
    if (!eventually([&] { return at.ticket(ticket).text("status") == "ADMITTED"; }))
      throw std::runtime_error{"nobody is admitted"};
    const auto hold = at.hold({seat}, {.ticket = ticket, .idempotency = fresh_key()});
    const auto placed =
        server().post("/v1/orders", {{"holdId", hold.text("holdId")}, {"customerEmail", email}},
                      {.ticket = ticket, .idempotency = fresh_key()});
    order = placed.text("id");
  }

  said seen(const extra& by) const { return server().get("/v1/orders/" + order, by); }
  said pay(const json& how) const {
    return server().post("/v1/orders/" + order + "/pay", how,
                         {.ticket = ticket, .idempotency = fresh_key()});
  }

  std::string email;
  std::string ticket;
  std::string order;
};

said erase(const json& whom, const extra& by = admin) {
  return server().post("/v1/customers/erase", whom, by);
}

/// "2 orders, 3 keys, 0 remain"
std::string counted(const said& got) {
  if (got.status != 200)
    return got.brief();
  return got.body["orders"].dump() + " orders, " + got.body["keysDestroyed"].dump() + " keys, " +
         got.body["remaining"].dump() + " remain";
}

} // namespace

BOOST_AUTO_TEST_SUITE(erase_customers)

BOOST_AUTO_TEST_CASE(only_staff_reads_the_address_of_an_order) {
  show hamlet;
  hamlet.open();
  const buyer ana{hamlet, "A-1", "ana.reads@example.org"};
  for (const auto& by : {staff, admin}) {
    const auto got = ana.seen(by);
    BOOST_TEST(got.text("customerEmail") == "ana.reads@example.org");
    BOOST_TEST(!got.body.contains("customerErased"));
  }
  for (const auto& by : {extra{}, extra{.ticket = ana.ticket}, extra{.key = "service-key"},
                         extra{.key = "viewer-key"}, extra{.key = "gate-key"}}) {
    const auto got = ana.seen(by);
    BOOST_TEST(got.status == 200);
    BOOST_TEST(!got.body.contains("customerEmail"));
    BOOST_TEST(got.raw.body.find("ana.reads") == std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(staff_may_sell_without_an_address) {
  show hamlet;
  hamlet.open();
  const auto sold = hamlet.by_staff(
      "box-office/sales",
      {{"seats", {"A-1"}}, {"amount", 35000}, {"method", "cash"}, {"reference", "receipt 1"}},
      {.key = "operator-key", .idempotency = fresh_key()});
  BOOST_TEST(sold.status == 201, sold);
  const auto got = server().get("/v1/orders/" + sold.text("id"), staff);
  BOOST_TEST(got.body["customerEmail"].is_null());
  BOOST_TEST(!got.body.contains("customerErased"));
}

BOOST_AUTO_TEST_CASE(a_customer_is_erased_and_the_others_are_not) {
  show hamlet;
  hamlet.open();
  const buyer ana{hamlet, "A-1", "ana.erased@example.org", "customer-ana"};
  const buyer bo{hamlet, "A-2", "bo.stays@example.org", "customer-bo"};
  const buyer cem{hamlet, "A-3", "ana.erased@example.org"}; // the same address, no id
  BOOST_TEST(ana.pay({{"method", "card"}, {"gateway", "SANDBOX"}, {"token", "tok_ana"}}).status ==
             200);

  BOOST_TEST(counted(erase({{"customerId", "customer-ana"}})) == "1 orders, 2 keys, 0 remain");
  auto got = ana.seen(staff);
  BOOST_TEST(got.text("status") == "PAID");
  BOOST_TEST(got.body["customerEmail"].is_null());
  BOOST_TEST(got.body["customerErased"] == true);
  BOOST_TEST(got.raw.body.find("ana.erased") == std::string::npos);
  BOOST_TEST(got.body["tickets"].size() == 1U); // they are no personal data of the log
  BOOST_TEST(bo.seen(staff).text("customerEmail") == "bo.stays@example.org");
  BOOST_TEST(cem.seen(staff).text("customerEmail") == "ana.erased@example.org");

  BOOST_TEST(counted(erase({{"customerId", "customer-ana"}})) == "1 orders, 0 keys, 0 remain");
  BOOST_TEST(counted(erase({{"customerEmail", "Ana.Erased@example.org"}})) ==
             "1 orders, 1 keys, 0 remain");
  BOOST_TEST(cem.seen(staff).body["customerErased"] == true);
  BOOST_TEST(counted(erase({{"customerEmail", "ana.erased@example.org"}})) ==
             "0 orders, 0 keys, 0 remain");
  BOOST_TEST(bo.seen(staff).text("customerEmail") == "bo.stays@example.org");
}

BOOST_AUTO_TEST_CASE(
    an_order_that_is_erased_before_it_is_paid_can_still_be_cancelled_and_confirmed) {
  show hamlet;
  hamlet.open();
  const buyer ana{hamlet, "A-1", "ana.waits@example.org"};
  const buyer bo{hamlet, "A-2", "ana.waits@example.org"};
  BOOST_TEST(counted(erase({{"customerEmail", "ana.waits@example.org"}})) ==
             "2 orders, 2 keys, 0 remain");
  const auto paid = server().post("/v1/orders/" + ana.order + "/confirm",
                                  {{"gateway", "CASH"}, {"paymentId", "receipt 7"}},
                                  {.key = "service-key", .idempotency = fresh_key()});
  BOOST_TEST(paid.brief() == "200 PAID");
  const auto cancelled = server().post("/v1/orders/" + bo.order + "/cancel", nullptr,
                                       {.ticket = bo.ticket, .idempotency = fresh_key()});
  BOOST_TEST(cancelled.brief() == "200 CANCELLED");
}

BOOST_AUTO_TEST_CASE(whoever_is_unknown_is_erased_with_nothing) {
  BOOST_TEST(counted(erase({{"customerId", "nobody-of-that-name"}})) ==
             "0 orders, 0 keys, 0 remain");
}

BOOST_AUTO_TEST_CASE(only_the_administrator_erases) {
  for (const std::string role : {"operator", "service", "gate", "viewer"})
    BOOST_TEST(erase({{"customerId", "x"}}, {.key = role + "-key"}).brief() == "403 forbidden");
  BOOST_TEST(erase({{"customerId", "x"}}, {}).brief() == "401 key-required");
}

BOOST_AUTO_TEST_CASE(a_request_that_names_nobody_is_told_so) {
  struct bad {
    json body;
    std::string fields;
  };
  const bad all[]{{json::object(), "customerId"},
                  {{{"customerId", ""}}, "customerId"},
                  {{{"customerId", 7}}, "customerId"},
                  {{{"customerId", std::string(257, 'x')}}, "customerId"},
                  {{{"customerEmail", "no address"}}, "customerEmail"},
                  {{{"customerEmail", ""}}, "customerEmail"},
                  {{{"customerId", "x"}, {"reason", "y"}}, "reason"}};
  for (const auto& each : all) {
    const auto got = erase(each.body);
    BOOST_TEST_INFO(each.body.dump() << ": " << got);
    BOOST_TEST(got.brief() == "400 invalid-request");
    BOOST_TEST(got.fields() == each.fields);
  }
}

BOOST_AUTO_TEST_CASE(no_file_and_no_event_has_an_address_in_the_clear) {
  show hamlet;
  hamlet.open();
  const buyer ana{hamlet, "A-1", "ana.nowhere@example.org"};
  for (const auto& each : std::filesystem::recursive_directory_iterator{server().directory()}) {
    if (!each.is_regular_file())
      continue;
    std::ifstream in{each.path(), std::ios::binary};
    const std::string bytes{std::istreambuf_iterator<char>{in}, {}};
    BOOST_TEST(bytes.find("ana.nowhere") == std::string::npos);
  }
  bool found = false;
  const auto failed = server().log()->replay(1, [&](const storage::stored_record& each) {
    found = found || each.data.find("ana.nowhere") != std::string::npos;
    return true;
  });
  BOOST_TEST(!failed);
  BOOST_TEST(!found);
}

BOOST_AUTO_TEST_CASE(a_backup_is_for_the_administrator_and_this_server_makes_none) {
  BOOST_TEST(server().post("/v1/backup", {{"to", "/tmp/x"}}, staff).brief() == "403 forbidden");
  BOOST_TEST(server().post("/v1/backup", {{"to", "x"}}, admin).brief() == "400 invalid-request");
  BOOST_TEST(server().post("/v1/backup", json::object(), admin).fields() == "to");
  BOOST_TEST(server().post("/v1/backup", {{"to", "/tmp/x"}}, admin).brief() == "503 not-offered");
  BOOST_TEST(server().get("/v1/backup", admin).brief() == "503 not-offered");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace usher::test
