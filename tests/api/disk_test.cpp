// A disk that is nearly full: what writes is refused early with a reason, what only looks goes on,
// and all is well again when there is space. The disk is played; tests/system fills a real one.
#include "tests/api/api_server.hpp"

#include <boost/test/unit_test.hpp>

using namespace usher;
using namespace usher::test;

namespace {

struct nearly_full {
  nearly_full() { api.app.disk = &guard; }
  void is(std::uint64_t bytes) {
    free = bytes;
    BOOST_REQUIRE(eventually([&] { return guard.free_bytes() == bytes; }));
  }

  std::atomic<std::uint64_t> free{1'000};
  storage::disk_guard guard{{.directory = "/",
                             .floor_bytes = 800,
                             .every = std::chrono::milliseconds{1},
                             .look = [this](const std::filesystem::path&) {
                               return std::optional{storage::disk_space{10'000, free}};
                             }}};
  api_server api;
};

} // namespace

BOOST_AUTO_TEST_SUITE(disk)

BOOST_AUTO_TEST_CASE(writes_get_503_with_a_reason_and_polls_go_on_until_there_is_space) {
  nearly_full world;
  const auto& at = world.api;
  const extra staff{.key = "operator-key"};
  BOOST_REQUIRE(at.put("/v1/shows/play", hall()).status == 201);
  BOOST_REQUIRE(at.post("/v1/shows/play/waiting-room/open", nullptr, staff).status == 204);
  const auto joined = at.post("/v1/shows/play/waiting-room/join");
  BOOST_REQUIRE(joined.status == 202);
  const auto ticket = "/v1/shows/play/waiting-room/tickets/" + joined.text("ticketId");
  BOOST_TEST(at.get("/readyz").status == 200);

  world.is(799);
  const extra fan{.ticket = joined.text("ticketId"), .idempotency = "a"};
  for (const auto& refused :
       {at.post("/v1/shows/play/waiting-room/join"),
        at.post("/v1/shows/play/holds", {{"seats", {"A-1"}}}, fan),
        at.post("/v1/orders", order_for("hold"), fan), at.del(ticket),
        at.post("/orders/waiting-room/play/join"), at.put("/v1/shows/other", hall()),
        at.post("/v1/shows/play/waiting-room/close", nullptr, staff),
        at.post("/v1/webhooks/sandbox", json::object())}) {
    BOOST_TEST(refused.brief() == "503 disk-full", refused);
    BOOST_TEST(refused.header("retry-after") == "30");
  }
  BOOST_TEST(at.get(ticket).status == 200);
  BOOST_TEST(at.post(ticket + "/heartbeat").status == 204);
  BOOST_TEST(at.get("/v1/shows/play/seats").status == 200);
  BOOST_TEST(at.get("/healthz").status == 200);
  const auto ready = at.get("/readyz");
  BOOST_TEST(ready.brief() == "503 disk-full", ready);
  BOOST_TEST(ready.body.at("freeBytes") == 799);
  BOOST_TEST(ready.body.at("floorBytes") == 800);
  BOOST_TEST(at.get("/metrics").raw.body.find("usher_accepts_writes 0") != std::string::npos);

  world.is(900);
  BOOST_TEST(at.post("/v1/shows/play/waiting-room/join").status == 202);
  BOOST_TEST(at.get("/readyz").status == 200);
}

BOOST_AUTO_TEST_CASE(who_may_not_call_hears_that_first) {
  nearly_full world;
  world.is(1);
  BOOST_TEST(world.api.put("/v1/shows/other", hall(), {}).status == 401);
  BOOST_TEST(world.api.post("/v1/nothing").status == 404);
}

BOOST_AUTO_TEST_SUITE_END()
