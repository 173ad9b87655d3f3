// What the server says of itself, over a real socket: the counts of /metrics follow what happens in
// a show, and its text is what Prometheus reads; /openapi.json is kept by its ETag.

#include "tests/api/api_server.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
#include <sstream>

namespace usher::test {

namespace {

/// One GET whose answer is no JSON.
answer page(const api_server& from, const std::string& path, const std::string& headers = {}) {
  auto line = from.connect();
  line.send("GET " + path + " HTTP/1.1\r\nHost: usher\r\n" + headers + "\r\n");
  auto got = line.read();
  BOOST_REQUIRE(got.has_value());
  return std::move(*got);
}

/// The samples of a page, by their name with labels. Moves the clock: a page is kept for a second.
std::map<std::string, double> samples(api_server& from) {
  from.clock.advance(std::chrono::milliseconds{http::metrics_page::kept_ms});
  std::map<std::string, double> all;
  std::istringstream text{page(from, "/metrics").body};
  for (std::string line; std::getline(text, line);)
    if (!line.starts_with('#'))
      all[line.substr(0, line.rfind(' '))] = std::stod(line.substr(line.rfind(' ') + 1));
  return all;
}

} // namespace

BOOST_AUTO_TEST_SUITE(metrics)

BOOST_AUTO_TEST_CASE(the_counts_of_a_show_follow_what_happens_in_it) {
  auto& here = server();
  const show hall;
  const auto of = [&](const std::string& name, const std::string& more = {}) {
    return name + "{show=\"" + hall.id + "\"" + more + "}";
  };
  auto now = samples(here);
  BOOST_TEST(now.at(of("usher_room_state", ",state=\"OFF\"")) == 1);
  BOOST_TEST(now.at(of("usher_room_state", ",state=\"OPEN\"")) == 0);
  BOOST_TEST(now.at(of("usher_seats", ",state=\"available\"")) == 20);
  BOOST_TEST(now.at(of("usher_fans_joined_total")) == 0);

  hall.open();
  const auto ticket = hall.admitted();
  BOOST_TEST(here.post(hall.room("pause"), nullptr, {.key = "operator-key"}).status == 204);
  BOOST_TEST(hall.join().status == 202);
  BOOST_TEST(hall.hold({"A-1", "A-2"}, {.ticket = ticket}).status == 201);
  now = samples(here);
  BOOST_TEST(now.at(of("usher_room_state", ",state=\"PAUSED\"")) == 1);
  BOOST_TEST(now.at(of("usher_fans_joined_total")) == 2);
  BOOST_TEST(now.at(of("usher_queue_waiting")) == 1);
  BOOST_TEST(now.at(of("usher_queue_absent")) == 0);
  BOOST_TEST(now.at(of("usher_admissions_active")) == 1);
  BOOST_TEST(now.at(of("usher_admission_rate")) > 0);
  BOOST_TEST(now.at(of("usher_seats", ",state=\"available\"")) == 18);
  BOOST_TEST(now.at(of("usher_seats", ",state=\"held\"")) == 2);
  BOOST_TEST(now.at(of("usher_seats", ",state=\"sold\"")) == 0);

  BOOST_TEST(here.del(hall.room("tickets/" + ticket)).status == 204);
  now = samples(here);
  BOOST_TEST(now.at(of("usher_admissions_ended_total", ",outcome=\"other\"")) == 1);
  BOOST_TEST(now.at(of("usher_admissions_ended_total", ",outcome=\"bought\"")) == 0);
  BOOST_TEST(now.at(of("usher_admissions_active")) == 0);
}

BOOST_AUTO_TEST_CASE(the_estimates_are_a_histogram_whose_buckets_add_up) {
  auto& here = server();
  // Of every 64th fan the estimate is checked, the first among them.
  const show hall;
  hall.open();
  (void)hall.admitted();
  const auto now = samples(here);
  const auto of = [&](const std::string& end, const std::string& more = {}) {
    return "usher_eta_ratio" + end + "{show=\"" + hall.id + "\"" + more + "}";
  };
  double before = 0;
  for (const auto* bound : {"0.25", "0.5", "0.75", "0.9", "1.1", "1.5", "2", "4", "+Inf"}) {
    const auto count = now.at(of("_bucket", std::string{",le=\""} + bound + "\""));
    BOOST_TEST(count >= before, bound);
    before = count;
  }
  BOOST_TEST(now.at(of("_count")) == before);
  BOOST_TEST(before == 1);
  BOOST_TEST(now.at(of("_sum")) >= 0);
}

BOOST_AUTO_TEST_CASE(the_process_says_what_it_is_and_how_much_it_has_to_do) {
  api_server alone;
  alone.app.server_counts = [] { return http::server_counts{7, 5, 3}; };
  BOOST_TEST(alone.put("/v1/shows/hall", hall()).status == 201);
  const auto now = samples(alone);
  BOOST_TEST(now.at("usher_connections") == 7);
  BOOST_TEST(now.at("usher_requests_in_flight") == 5);
  BOOST_TEST(now.at("usher_streams") == 3);
  BOOST_TEST(now.at("usher_ready") == 1);
  BOOST_TEST(now.at("usher_shows") == 1);
  BOOST_TEST(now.at("usher_shows_left_out") == 0);
}

BOOST_AUTO_TEST_CASE(the_page_is_prometheus_text_and_kept_for_a_second) {
  api_server alone;
  const auto first = page(alone, "/metrics");
  BOOST_TEST(first.status == 200);
  BOOST_TEST(first.header("content-type") == "text/plain; version=0.0.4; charset=utf-8");
  BOOST_TEST(first.body.starts_with("# HELP usher_queue_waiting "));
  BOOST_TEST(first.body.ends_with("\n"));
  std::atomic<int> asked = 0;
  alone.app.server_counts = [&asked] { return ++asked, http::server_counts{}; };
  for (int i = 0; i < 3; ++i)
    (void)samples(alone);
  BOOST_TEST(asked == 3);
  alone.clock.advance(std::chrono::hours{-1}); // no second passes from here on
  (void)page(alone, "/metrics");
  BOOST_TEST(asked == 3);
}

BOOST_AUTO_TEST_CASE(a_show_beyond_the_limit_is_counted_and_has_no_series) {
  api_server alone;
  const auto most = static_cast<int>(http::shows_exported_max);
  for (int i = 0; i <= most; ++i)
    BOOST_REQUIRE(alone.put("/v1/shows/s" + std::to_string(i), plain()).status == 201);
  auto now = samples(alone);
  BOOST_TEST(now.at("usher_shows") == most + 1);
  BOOST_TEST(now.at("usher_shows_left_out") == 1);
  BOOST_TEST(!now.contains("usher_queue_waiting{show=\"s0\"}")); // the oldest
  BOOST_TEST(now.contains("usher_queue_waiting{show=\"s1\"}"));
  BOOST_TEST(!now.contains("usher_seats{show=\"s1\",state=\"available\"}")); // has no plan
  // Unless its room is on.
  BOOST_TEST(
      alone.post("/v1/shows/s0/waiting-room/open", nullptr, {.key = "operator-key"}).status == 204);
  now = samples(alone);
  BOOST_TEST(now.contains("usher_queue_waiting{show=\"s0\"}"));
  BOOST_TEST(!now.contains("usher_queue_waiting{show=\"s1\"}"));
}

BOOST_AUTO_TEST_CASE(the_description_of_the_api_is_kept_by_its_etag) {
  const auto got = page(server(), "/openapi.json");
  BOOST_TEST(got.status == 200);
  BOOST_TEST(got.header("cache-control") == "public, max-age=60");
  BOOST_TEST(got.header("content-type") == "application/json");
  BOOST_TEST(json::parse(got.body)["openapi"] == "3.1.0");
  const auto again =
      page(server(), "/openapi.json", "If-None-Match: " + got.header("etag") + "\r\n");
  BOOST_TEST(again.status == 304);
  BOOST_TEST(again.body.empty());
  BOOST_TEST(page(server(), "/openapi.json", "If-None-Match: \"x\"\r\n").status == 200);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace usher::test
