// A server that makes snapshots, killed: what it serves after a start from a snapshot is what it
// served before, and what it serves after a start from the whole log, when the snapshots were
// deleted (under the running server, too) or damaged.

#include "tests/system/killable_server.hpp"

#include <boost/test/unit_test.hpp>

#include <fstream>
#include <iterator>

using namespace usher::test;

namespace {

constexpr int every_events = 40;

std::string text_of(const api_answer& from, const std::string& member) {
  return from.body.at(member).get<std::string>();
}

launch with_snapshots() {
  auto how = server_process::with_operator_key();
  how.environment["USHER_SNAPSHOT_EVERY_EVENTS"] = std::to_string(every_events);
  return how;
}

struct snapshooting_server : killable_server {
  snapshooting_server() : killable_server{with_snapshots()} {}

  [[nodiscard]] std::filesystem::path snapshots() const { return place.data() / "snapshots"; }
  [[nodiscard]] std::vector<std::filesystem::path> files() const {
    return {std::filesystem::directory_iterator{snapshots()}, {}};
  }
  [[nodiscard]] bool said(const std::string& what) const {
    return server->err().find(what) != std::string::npos;
  }

  /// Events until there is a snapshot that was not there, and some after it.
  void go_on_to_another_snapshot() {
    const auto before = newest();
    for (int number = 0; number < every_events; ++number)
      tickets.push_back(join(fan, "queue"));
    BOOST_TEST_REQUIRE(eventually([&] { return newest() != before; }));
    for (int number = 0; number < 5; ++number)
      tickets.push_back(join(fan, "queue"));
  }

  [[nodiscard]] std::string newest() {
    const auto page = fan.get("/metrics").text;
    const std::string name = "\nusher_snapshot_position ";
    const auto at = page.find(name);
    BOOST_REQUIRE(at != std::string::npos);
    return page.substr(at, page.find('\n', at + 1) - at);
  }

  void sell_something() {
    put_show(as_operator, "sale",
             {{"plan", small_plan({"A"}, 20)},
              {"waitingRoom", wide_open_room()},
              {"holds", {{"ttl", "1h"}, {"paymentWindow", "30m"}}}});
    put_show(as_operator, "queue", {{"waitingRoom", still_room()}});
    buyer = join_and_wait(fan, "sale");
    const auto held = ask_for_seats(fan, "sale", buyer, {"A-3"});
    const auto placed = place_order(fan, buyer, text_of(held, "holdId"), "order");
    order = text_of(placed, "id");
    BOOST_REQUIRE_EQUAL(pay(fan, order, "pay").status, 200);
    holder = join_and_wait(fan, "sale");
    hold = text_of(ask_for_seats(fan, "sale", holder, {"A-1", "A-2"}, "hold"), "holdId");
    tickets.push_back(join(fan, "queue", {{"Idempotency-Key", "a-key"}}));
    const auto gone = join(fan, "queue");
    BOOST_TEST(fan.remove(ticket_path("queue", gone)).status == 204);
    tickets.push_back(gone);
  }

  /// What everybody sees.
  [[nodiscard]] json seen() {
    json all;
    for (const auto& ticket : tickets) {
      const auto one = fan.get(ticket_path("queue", ticket));
      json line{one.status};
      for (const auto* member : {"status", "position", "ahead", "behind", "reason"})
        line.push_back(one.body.value(member, json{}));
      all["tickets"].push_back(line);
    }
    all["order"] = as_operator.get("/v1/orders/" + order).body;
    all["hold"] = fan.get("/v1/shows/sale/holds/" + hold, {{"X-Admission-Ticket", holder}}).body;
    all["hold"].erase("expiresInSeconds"); // goes on counting
    all["again"] =
        fan.post("/v1/shows/queue/waiting-room/join", nullptr, {{"Idempotency-Key", "a-key"}})
            .body.value("ticketId", "");
    all["show"] = as_operator.get("/v1/shows/sale").body;
    all["seats"] = seat_map(fan, "sale");
    return all;
  }

  std::vector<std::string> tickets; ///< of the show "queue"
  std::string buyer, holder, order, hold;
};

/// What is another now; empty: nothing.
std::string changed(const json& before, const json& now) {
  return before == now ? std::string{} : json::diff(before, now).dump();
}

void damage(const std::filesystem::path& path) {
  std::fstream file{path, std::ios::in | std::ios::out | std::ios::binary};
  file.seekp(static_cast<std::streamoff>(std::filesystem::file_size(path) / 2));
  file.put('\x5a').put('\xa5').put('\x5a');
}

} // namespace

BOOST_FIXTURE_TEST_CASE(a_start_from_a_snapshot_serves_the_same, snapshooting_server) {
  sell_something();
  go_on_to_another_snapshot();
  BOOST_TEST(eventually([&] { return seat_map(fan, "sale").at("A-1") == "HELD"; }));
  const auto before = seen();
  BOOST_TEST(before.at("order").at("status") == "PAID");

  kill();
  start();
  BOOST_TEST(said("(snapshot at "), server->err());
  BOOST_TEST(changed(before, seen()) == "");

  // Gone: the whole log.
  std::filesystem::remove_all(snapshots());
  BOOST_TEST(changed(before, seen()) == "");
  kill();
  start();
  BOOST_TEST(said("recovered "), server->err());
  BOOST_TEST(!said("(snapshot at "), server->err());
  BOOST_TEST(changed(before, seen()) == "");

  // Made again, under a running server whose snapshots were deleted.
  go_on_to_another_snapshot();
  std::filesystem::remove_all(snapshots());
  go_on_to_another_snapshot();
  go_on_to_another_snapshot();
  const auto later = seen();
  BOOST_TEST(files().size() == 2U);

  // The newest damaged: the one before it. Both: the whole log.
  auto all = files();
  std::sort(all.begin(), all.end());
  kill();
  damage(all[1]);
  start();
  BOOST_TEST(said(all[1].string() + " is ignored: its bytes do not add up"), server->err());
  BOOST_TEST(said("(snapshot at "), server->err());
  BOOST_TEST(changed(later, seen()) == "");
  kill();
  damage(all[0]);
  start();
  BOOST_TEST(said(all[0].string() + " is ignored"), server->err());
  BOOST_TEST(!said("(snapshot at "), server->err());
  BOOST_TEST(changed(later, seen()) == "");

  BOOST_TEST(server->term() == 0);
  server.reset();
  const auto audit = run_usher({{"audit", "verify", "--data", place.data().string()}});
  BOOST_TEST(audit.exit_code == 0, audit.out << audit.err);
}
