// The small parts on their own: problem documents, path segments, the head of an answer, the timer
// wheel on a loop of the test's, a stream of events at times of the test's.

#include "http/server/event_stream.hpp"
#include "http/server/path.hpp"
#include "http/server/problem.hpp"
#include "http/server/response_writer.hpp"
#include "http/server/wheel.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace usher::http {
namespace {

using namespace std::chrono_literals;

struct noting final : timed {
  noting(std::vector<int>& log, int number) : log_(log), number_(number) {}
  void expire() override { log_.push_back(number_); }
  std::vector<int>& log_;
  int number_;
};

/// Wishes to be asked again after 2 s, then at once, then never.
struct wishing final : event_source {
  turn look() override {
    ++looks_;
    return looks_ == 1   ? turn{.bytes = "a", .next = 2s}
           : looks_ == 2 ? turn{.bytes = "b"}
                         : turn{.bytes = "c", .next = std::chrono::milliseconds::max()};
  }
  int looks_ = 0;
};

std::string head(unsigned status, std::string_view extra, std::size_t bytes, framing f) {
  f.date_header = "Date: D\r\n";
  std::string out;
  write_head(out, status, "text/plain", extra, bytes, f);
  return out;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_problem_names_its_status_and_escapes_what_it_says) {
  const auto text = problem(409, "seat-unavailable", "\"A\\1\"\n\x01 \xff",
                            {{"unavailable", {{{"seat", "A-1"}, {"reason", "HELD"}}}}});
  const auto read = nlohmann::json::parse(text);
  BOOST_TEST(read["type"] == "about:blank");
  BOOST_TEST(read["title"] == "Conflict");
  BOOST_TEST(read["status"] == 409);
  BOOST_TEST(read["code"] == "seat-unavailable");
  BOOST_TEST(read["detail"] == "\"A\\1\"\n\x01 \xef\xbf\xbd");
  BOOST_TEST(read["unavailable"][0]["reason"] == "HELD");
  const auto whole = problem_response(404, "unknown-show", "No such show.", "X: y\r\n");
  BOOST_TEST(whole.status == 404U);
  BOOST_TEST(whole.content_type == "application/problem+json");
  BOOST_TEST(whole.headers == "X: y\r\n");
}

BOOST_AUTO_TEST_CASE(a_path_segment_is_decoded_or_refused) {
  BOOST_TEST(decode_path_segment("A-1").value() == "A-1");
  BOOST_TEST(decode_path_segment("").value().empty());
  BOOST_TEST(decode_path_segment("a%2Fb%20c%c3%A9+").value() == "a/b c\xc3\xa9+");
  for (const auto* bad : {"%", "%1", "%zz", "a%0", "%00", "%0a", "%7F", "%-1"})
    BOOST_TEST(!decode_path_segment(bad), bad);
}

BOOST_AUTO_TEST_CASE(an_answers_head_says_how_long_it_is_and_whether_more_may_come) {
  BOOST_TEST(head(200, "", 5, {}) == "HTTP/1.1 200 OK\r\nServer: usher\r\nDate: D\r\nContent-Type: "
                                     "text/plain\r\nContent-Length: 5\r\nCache-Control: "
                                     "no-store\r\n\r\n");
  BOOST_TEST(head(304, "ETag: \"x\"\r\ncache-CONTROL: max-age=1\r\n", 5, {.keep_alive = false}) ==
             "HTTP/1.1 304 Not Modified\r\nServer: usher\r\nDate: D\r\nConnection: close\r\nETag: "
             "\"x\"\r\ncache-CONTROL: max-age=1\r\n\r\n");
  BOOST_TEST(head(201, "", 0, {.http_10 = true}) ==
             "HTTP/1.1 201 Created\r\nServer: usher\r\nDate: D\r\nContent-Length: 0\r\nConnection: "
             "keep-alive\r\nCache-Control: no-store\r\n\r\n");
}

BOOST_AUTO_TEST_CASE(deadlines_pass_in_order_and_may_be_moved_either_way) {
  boost::asio::io_context loop;
  wheel w(loop, 1ms);
  std::vector<int> log;
  noting moved_later(log, 1);
  noting far_beyond_one_round(log, 2);
  noting moved_earlier(log, 3);
  w.set(moved_later, 5ms);
  w.set(moved_later, 80ms);
  w.set(far_beyond_one_round, 150ms);
  w.set(moved_earlier, 10'000ms);
  w.set(moved_earlier, 20ms);
  {
    noting gone(log, 4);
    w.set(gone, 1ms);
  }
  while (log.size() < 3)
    loop.run_one();
  BOOST_TEST(log == (std::vector<int>{3, 1, 2}), boost::test_tools::per_element());
  w.stop();
  loop.run(); // ends: nothing is left to wait for
}

// The stream alone, at times the test names: a tick of 1 s, a heartbeat after 3 s of silence.
BOOST_AUTO_TEST_CASE(a_source_is_asked_at_the_tick_nearest_to_its_wish) {
  struct row {
    std::chrono::milliseconds at; ///< of a turn, after the first one
    std::string_view bytes;
    std::chrono::milliseconds wait; ///< for the wheel, which adds a tick
  };
  const row rows[] = {
      {0ms, "a", 1000ms},    // wishes 2 s
      {1999ms, "b", 0ms},    // its tick came a little early; wishes nothing: a tick
      {3010ms, "c", 2000ms}, // wishes an age, so that the heartbeat comes first
      {4010ms, "", 1000ms},  // nothing is due
      {6010ms, ": \n\n", 2000ms}, {9012ms, ": \n\n", 2000ms},
  };
  counters counts;
  server_options options;
  options.stream_heartbeat = 3s;
  const auto start = event_stream::clock::now();
  event_stream stream(std::make_unique<wishing>(), counts, options, false, start);
  BOOST_TEST(counts.streams == 1U);
  for (const auto& one : rows)
    BOOST_TEST_CONTEXT(one.at.count()) {
      std::string out;
      stream.turn(out, start + one.at);
      BOOST_TEST(out == one.bytes);
      BOOST_TEST(stream.wait(start + one.at).count() == one.wait.count());
    }
  // Whoever says never is asked after an hour all the same.
  std::string out;
  stream.turn(out, start + 1h + 3010ms);
  BOOST_TEST(out == "c");
}

BOOST_AUTO_TEST_CASE(the_date_has_the_form_http_wants) {
  boost::asio::io_context loop;
  const wheel w(loop, 1s);
  const std::string line(w.date_header());
  std::tm t{};
  const auto* rest = ::strptime(line.c_str(), "Date: %a, %d %b %Y %H:%M:%S GMT\r\n", &t);
  BOOST_REQUIRE(rest != nullptr);
  BOOST_TEST(*rest == '\0');
  const auto difference = std::time(nullptr) - ::timegm(&t);
  BOOST_TEST((difference >= 0 && difference < 60));
}

} // namespace usher::http
