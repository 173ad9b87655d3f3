// `usher audit` from the command line on: what it prints and its exit codes, on logs on disk, sound
// ones, such with a fault, and such that somebody has changed with RocksDB itself.

#include "tests/storage/audit_command_line.hpp"
#include "tests/storage/audit_sale.hpp"
#include "tests/storage/stored_batches.hpp"

using namespace usher;
using namespace usher::storage;
using namespace usher::storage::test;

namespace {

void must_be_broken(const on_disk& log, const std::string& part) {
  const auto got = usher_audit({"verify", "--data", log.path(), "--json"});
  BOOST_TEST(got.exit_code == 2);
  BOOST_TEST(says(got.out + got.err, part), got.out << got.err);
}

/// The positions of the events that a story tells of.
std::string story_in(const on_disk& log, std::vector<std::string> of) {
  of.insert(of.begin() + 1, {"--data", log.path(), "--json"});
  const auto got = usher_audit(of);
  BOOST_TEST_INFO(got.err);
  BOOST_REQUIRE(got.exit_code == 0);
  std::string all;
  const auto told = got.json();
  for (const auto& one : told["events"])
    all += std::to_string(one["position"].get<int>()) + " ";
  return all;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_clean_log_is_0) {
  const on_disk log{a_sale()};
  const auto got = usher_audit({"verify", "--data", log.path()});
  BOOST_TEST(got.exit_code == 0);
  BOOST_TEST(got.out.ends_with("clean\n"), got.out);
  const auto found = usher_audit({"verify", "--json", "--data", log.path()}).json();
  BOOST_TEST(found["clean"] == true);
  BOOST_TEST(found["records"] == 14);
  BOOST_TEST(found["violationCount"] == 0);
}

BOOST_AUTO_TEST_CASE(a_violation_is_1_with_its_place) {
  const on_disk log{a_sale() + script{{queue(6000, admitted({3}, 6000))}}};
  const auto got = usher_audit({"verify", "--data", log.path(), "--json"});
  BOOST_TEST(got.exit_code == 1);
  const auto found = got.json();
  BOOST_TEST(found["violationCount"] == 1);
  BOOST_TEST(found["counts"]["admitted-out-of-turn"] == 1);
  BOOST_TEST(found["violations"][0]["name"] == "admitted-out-of-turn");
  BOOST_TEST(found["violations"][0]["position"] == 15);
  BOOST_TEST(found["violations"][0]["subject"] == "queue/s");
  const auto unlisted = usher_audit({"verify", "--data", log.path(), "--json", "--limit", "0"});
  BOOST_TEST(unlisted.exit_code == 1);
  BOOST_TEST(unlisted.json()["violations"].empty());
  BOOST_TEST(
      says(usher_audit({"verify", "--data", log.path()}).out, "15  2026-05-28T20:26:46.000Z"));
}

BOOST_AUTO_TEST_CASE(no_log_is_2) {
  const scratch place;
  for (const char* command : {"verify", "state", "export"}) {
    const auto got = usher_audit({command, "--data", place.data().string()});
    BOOST_TEST(got.exit_code == 2);
    BOOST_TEST(!got.err.empty());
    BOOST_TEST(!std::filesystem::exists(place.data()));
  }
}

BOOST_AUTO_TEST_CASE(a_batch_that_was_changed_is_2_and_named) {
  const on_disk log{a_sale()};
  log.change([](const rocksdb_store& store) {
    auto forged = must(read_batch_at(store, 10)).value();
    forged.records[0].at += 1;
    put(store, 10, encode_batch(forged));
  });
  must_be_broken(log, "batch at position 11: the chain is broken");
}

BOOST_AUTO_TEST_CASE(a_batch_that_was_taken_out_is_2_and_named) {
  const on_disk log{a_sale()};
  log.change([](const rocksdb_store& store) {
    BOOST_REQUIRE(store.db->Delete({}, store.batches, batch_key(10)).ok());
  });
  must_be_broken(log, "position 10 should come here");
}

BOOST_AUTO_TEST_CASE(batches_that_changed_places_are_2_and_named) {
  const on_disk log{a_sale()};
  log.change([](const rocksdb_store& store) {
    const auto ten = value_at(store, 10);
    put(store, 10, value_at(store, 11));
    put(store, 11, ten);
  });
  must_be_broken(log, "filed at position 10 begins at position 11");
}

// Who can write everything can make a chain that fits. What such a log tells must still obey the
// rules.
BOOST_AUTO_TEST_CASE(a_log_written_anew_that_sells_a_seat_twice_is_1) {
  auto forged = a_sale();
  const auto again = forged.back();
  forged.push_back({again[2]});
  const on_disk log{forged};
  const auto got = usher_audit({"verify", "--data", log.path(), "--json"});
  BOOST_TEST(got.exit_code == 1);
  BOOST_TEST(got.json()["counts"]["seat-sold-twice"] == 2);
  BOOST_TEST(got.json()["violations"][0]["position"] == 15);
}

BOOST_AUTO_TEST_CASE(it_reads_beside_a_writer) {
  const scratch place;
  const auto writer = open_at(place.data());
  write(*writer.log, beginning());
  BOOST_TEST(usher_audit({"verify", "--data", place.data().string()}).exit_code == 0);
  must_append(*writer.log, {queue(2000, room_event::room_closed{}).what});
  const auto seen = usher_audit({"state", "--data", place.data().string(), "--json"}).json();
  BOOST_TEST(seen["shows"][0]["room"]["state"] == "OFF");
}

BOOST_AUTO_TEST_CASE(the_state_can_be_had_as_it_was) {
  const on_disk log{a_sale()};
  const auto sold_at = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"state", "--json", "--data", log.path()});
    const auto got = usher_audit(more);
    BOOST_TEST(got.exit_code == 0);
    return got.json()["shows"][0]["blocks"][0]["sold"].get<int>();
  };
  BOOST_TEST(sold_at({}) == 2);
  BOOST_TEST(sold_at({"--at", "10"}) == 0);
  BOOST_TEST(sold_at({"--at", "14"}) == 2);
  BOOST_TEST(sold_at({"--at", "2026-05-28T20:26:44.999Z"}) == 0);
  BOOST_TEST(sold_at({"--at", "2026-05-28T17:26:45-03:00"}) == 2);
  BOOST_TEST(usher_audit({"state", "--data", log.path(), "--at", "noon"}).exit_code == 2);
  const auto table = usher_audit({"state", "--data", log.path()}).out;
  BOOST_TEST(says(table, "PAID 1"), table);
  BOOST_TEST(says(table, "  A                       4         0         2         0\n"), table);
}

BOOST_AUTO_TEST_CASE(each_thing_has_its_story) {
  const on_disk log{a_sale()};
  const auto positions = [&](const std::vector<std::string>& of) { return story_in(log, of); };
  const std::string seat = "2 8 9 10 11 12 13 14 ";
  BOOST_TEST(positions({"seat", "s", "A-1"}) == seat);
  BOOST_TEST(positions({"seat", "A-1"}) == seat);
  BOOST_TEST(positions({"seat", "A-3"}) == "2 ");
  const std::string ticket = "6 7 8 9 10 11 12 13 14 ";
  BOOST_TEST(positions({"ticket", "s", "0"}) == ticket);
  BOOST_TEST(positions({"ticket", "0"}) == ticket);
  BOOST_TEST(positions({"ticket", "AQAAAAAAAAAA" + std::string(32, 'A')}) == ticket);
  BOOST_TEST(positions({"ticket", "9"}) == "6 ");
  const std::string bought = "8 9 10 11 12 13 14 ";
  BOOST_TEST(positions({"hold", "hold-0-0-01000000000000000000000000000001"}) == bought);
  BOOST_TEST(positions({"order", "order-0-0-01000000000000000000000000000001"}) == bought);

  const auto human = usher_audit({"seat", "s", "A-1", "--data", log.path()});
  BOOST_TEST(says(human.out, "14  2026-05-28T20:26:45.000Z  A-1, A-2 sold to "
                             "order-0-0-01000000000000000000000000000001  (fan, request r-1)"),
             human.out);
}

// A hold belongs to the story of a seat that it got later, from its placing on.
BOOST_AUTO_TEST_CASE(a_story_tells_what_became_of_the_seat) {
  const on_disk log{beginning() + script{holding(1, 0, {"A-1"}, 2000),
                                         adding(1, 2, {"A-2"}, 3000, 302'000),
                                         releasing(1, 3, {"A-2"}, 4000, 302'000),
                                         {blocking({"A-2"}, 5000)},
                                         {unblocking({"A-2"}, 5500)},
                                         counter_sale(2, 2, {"A-2"}, 6000),
                                         returning(2, {"A-2"}, 7000),
                                         {blocking({"A-2"}, 8000)}}};
  BOOST_TEST(story_in(log, {"seat", "A-2"}) == "2 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 ");
  BOOST_TEST(story_in(log, {"seat", "A-1"}) == "2 8 9 10 11 12 13 ");
  BOOST_TEST(story_in(log, {"hold", "hold-0-0-01000000000000000000000000000001"}) ==
             "8 9 10 11 12 13 ");
  BOOST_TEST(story_in(log, {"order", "order-0-0-02000000000000000000000000000002"}) ==
             "16 17 18 19 20 21 ");

  const auto human = usher_audit({"seat", "s", "A-2", "--data", log.path()}).out;
  const std::string hold = "hold-0-0-01000000000000000000000000000001";
  const std::string order = "order-0-0-02000000000000000000000000000002";
  for (const auto& part :
       {hold + ", generation 2, has A-2 too  (fan", hold + ", generation 3, gave A-2 back  (fan",
        std::string{"  A-2 taken off sale: camera  (operator:desk"},
        std::string{"  A-2 put back on sale  (operator:desk"},
        std::string{" placed by the box office: A-2 until"}, order + " returned A-2, reference re",
        "  A-2 of " + order + " put back on sale"})
    BOOST_TEST(says(human, part), part << " in\n" << human);
  const auto table = usher_audit({"state", "--data", log.path()}).out;
  BOOST_TEST(says(table, "  A                       4         1         0         1\n"), table);
  BOOST_TEST(says(table, "35000 BRL taken, 0 to be refunded, 35000 of returned seats"), table);
  BOOST_TEST(usher_audit({"verify", "--data", log.path()}).exit_code == 0);
}

namespace {

/// Order 1 is PAID by the attempt that came after the first; a second payment is reported and goes
/// back; a seat is refunded at the second try.
script payments_and_refunds() {
  auto first = attempt(1, 1, 4000);
  first.token = "sealed token";
  first.skipped = {{"PAYPAL", "breaker-open"}};
  auto failed = settled(1, 1, payment_outcome::failed);
  failed.reason = "http 500";
  auto refund = asked_back(2, price_minor, {"A-1"});
  refund.gateway = "STRIPE";
  refund.payment = payment_no(2);
  refund.note = "rained off";
  return pending() +
         script{batch_lines{desk(4000, first)} + keeping(1, 2, {"A-1", "A-2"}, 4000, 604'000),
                {desk(5000, failed), desk(5000, next_attempt(1, 2, 1, 604'000))},
                batch_lines{desk(6000, approved(1, 2))} + selling(2, 6000, "ref", "STRIPE"),
                {desk(7000, reported(1, "x")),
                 desk(7000, going_back(1, 0, "x", both_minor, refund_cause::surplus))},
                {desk(8000, used(1, "A-2"))},
                {desk(9000, refund)},
                {desk(10'000, tried(2))},
                {desk(11'000, went_back(2)), desk(11'000, returned(1, {"A-1"})),
                 block(11'000, back_from(1, {"A-1"}))}};
}

} // namespace

// In words for people: what was paid, by whom and why not; what went back; what became of tickets.
BOOST_AUTO_TEST_CASE(the_story_of_an_order_tells_its_payments_refunds_and_tickets) {
  const on_disk log{payments_and_refunds()};
  const std::string id = "0-0-01000000000000000000000000000001";
  const std::string second = "0-0-02000000000000000000000000000002";
  const auto told = usher_audit({"order", "order-" + id, "--data", log.path()}).out;
  for (const auto& part :
       {"payment-" + id + " of order-" + id +
            " started: SANDBOX, card, passed over: PAYPAL (breaker-open), given up at "
            "2026-05-28T20:36:44.000Z",
        "hold-" + id + ", generation 2, kept until 2026-05-28T20:36:44.000Z while it is being paid",
        "payment-" + id + " of order-" + id + " failed, reference ref: http 500",
        "payment-" + second + " of order-" + id + " started: STRIPE, card, after payment-" + id +
            " could not charge",
        "order-" + id + " PAID: STRIPE, reference ref",
        "tickets of order-" + id + " issued for A-1, A-2",
        "money of order-" + id + " reported: 70000 (minor units), SANDBOX, reference x",
        "refund-" + id + " of order-" + id +
            " started (surplus): 70000 (minor units) of the money "
            "that was reported, SANDBOX, reference x",
        "ticket of order-" + id + " for A-2 used at north",
        "refund-" + second + " of order-" + id +
            " started (asked): 35000 (minor units) of payment-" + second +
            ", STRIPE, reference ref, for A-1, to be sold again: rained off",
        "refund-" + second + " of order-" + id + " tried in vain: unknown: no answer",
        "refund-" + second + " of order-" + id + " done, reference re"})
    BOOST_TEST(says(told, part), part << " in\n" << told);
  BOOST_TEST(!says(usher_audit({"export", "--data", log.path()}).out, "7365616c6564"),
             "the sealed token in hex");
}

BOOST_AUTO_TEST_CASE(verify_ends_with_what_became_of_the_money) {
  const on_disk log{payments_and_refunds()};
  const auto human = usher_audit({"verify", "--data", log.path()}).out;
  BOOST_TEST(human.ends_with("money BRL: 140000 in, 35000 refunded, 70000 to be refunded, 35000 "
                             "sold for (minor units)\nclean\n"),
             human);
  const auto found = usher_audit({"verify", "--json", "--data", log.path()}).json();
  BOOST_TEST(found["money"][0].dump() ==
             R"({"currency":"BRL","inMinor":140000,"owedMinor":70000,"refundedMinor":35000,)"
             R"("soldMinor":35000})");
}

// Whoever pays without a show has a story, too.
BOOST_AUTO_TEST_CASE(a_payment_at_the_cashier_has_its_story) {
  const auto in_cash = [](time_ms later, const orders::any_event& what) {
    return in("cashier", later, encode(what));
  };
  const on_disk log{
      {{in_cash(2000, ordered_ref(1, "one", 2000)), in_cash(2000, attempt(1, 1, 2000))},
       {in_cash(3000, approved(1, 1)), in_cash(3000, paid(1))}}};
  const std::string order = "order-0-ffffffff-01000000000000000000000000000001";
  const auto told = usher_audit({"order", order, "--data", log.path()}).out;
  BOOST_TEST(told.starts_with("cashier\n1  "), told);
  BOOST_TEST(says(told, "4  2026-05-28T20:26:43.000Z  " + order + " PAID: SANDBOX"), told);
  BOOST_TEST(story_in(log, {"order", order}) == "1 2 3 4 ");
  const auto state = usher_audit({"state", "--data", log.path()}).out;
  BOOST_TEST(says(state, "\ncashier\n  orders  PENDING 0 PAYING 0 PAID 1 "), state);
}

BOOST_AUTO_TEST_CASE(a_thing_that_is_not_there_is_2) {
  const on_disk log{a_sale()};
  const std::vector<std::vector<std::string>> wrong{
      {"seat", "s", "Z-1"},
      {"seat", "r", "A-1"},
      {"ticket", "10"},
      {"ticket", "nonsense"},
      {"hold", "hold-0-1-01000000000000000000000000000001"},
      {"hold", "hold-0-0-02000000000000000000000000000001"},
      {"order", "hold-0-0-01000000000000000000000000000001"}};
  for (auto arguments : wrong) {
    arguments.insert(arguments.end(), {"--data", log.path()});
    const auto got = usher_audit(arguments);
    BOOST_TEST(got.exit_code == 2);
    BOOST_TEST(got.out.empty());
    BOOST_TEST(!got.err.empty());
  }
}

BOOST_AUTO_TEST_CASE(the_export_is_cloud_events_without_personal_data) {
  const on_disk log{a_sale()};
  const auto got = usher_audit({"export", "--data", log.path()});
  BOOST_TEST(got.exit_code == 0);
  std::istringstream lines{got.out};
  std::vector<nlohmann::json> all;
  for (std::string text; std::getline(lines, text);)
    all.push_back(nlohmann::json::parse(text));
  BOOST_REQUIRE(all.size() == 14U);
  const auto& order = all[9];
  BOOST_TEST(order["specversion"] == "1.0");
  BOOST_TEST(order["id"] == "0/10");
  BOOST_TEST(order["type"] == "usher.order_placed");
  BOOST_TEST(order["subject"] == "desk/s");
  BOOST_TEST(order["time"] == "2026-05-28T20:26:43.000Z");
  BOOST_TEST(order["data"]["customer"] == "sealed");
  BOOST_TEST(order["data"]["order"] == "01000000000000000000000000000001");
  BOOST_TEST(!says(got.out, "73656"), "the sealed bytes in hex");
}
