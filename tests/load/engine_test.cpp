// The engine against a server that stalls, refuses, closes and breaks off. That latencies count
// from when a request was meant to be sent is shown with lower bounds only, which a slow machine
// keeps as well. Made to fail once: with latencies that count from the sending, and with a server
// that never answers waited for.

#include "bench/load/engine.hpp"
#include "tests/gateways/scripted_server.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <thread>

using namespace usher::load;
using usher::test::reaction;
using usher::test::scripted_server;
using usher::test::seen_request;

namespace {

constexpr time_ns ms = millisecond_ns;

/// So many requests, each due some time after the last; remembers what became of them.
class asking_often final : public driver {
public:
  asking_often(engine& by, std::uint32_t count, time_ns apart)
      : by_{by}, begin_{by.clock().now()}, apart_{apart}, fates(count) {}

  std::optional<task> next_arrival() override {
    if (next_ == fates.size())
      return std::nullopt;
    const auto number = next_++;
    return task{.due = begin_ + number * apart_, .fan = number, .kind = request_kind::page};
  }
  void write(task& what, std::string& to) override {
    to = "GET /" + std::to_string(what.fan) + " HTTP/1.1\r\nHost: x\r\n\r\n";
  }
  void answered(const task& what, const answer& got, time_ns /*sent*/, time_ns now) override {
    BOOST_TEST(got.status == 200);
    by_.count(what, {}, now, got.body);
    fates[what.fan] = std::string{got.body};
    ++known_;
  }
  void lost(const task& what, std::string_view why, time_ns now) override {
    by_.count(what, verdict::wrong(std::string{why}), now, {});
    fates[what.fan] = "lost: " + std::string{why};
    ++known_;
  }
  [[nodiscard]] bool over(time_ns /*now*/) const override { return known_ == fates.size(); }

private:
  engine& by_;
  time_ns begin_;
  time_ns apart_;
  std::uint32_t next_ = 0;
  std::size_t known_ = 0;

public:
  std::vector<std::string> fates; ///< of each the body, or why it was lost
};

/// One engine against one server.
struct bench {
  explicit bench(scripted_server::script what, const engine::options& with = {})
      : server{std::move(what)},
        to{std::get<target>(find_target(server.url()))},
        runs{to, with, {}, board, 0} {}

  std::vector<std::string> ask(std::uint32_t count, time_ns apart = 0) {
    asking_often fans{runs, count, apart};
    runs.run(fans);
    seen = runs.take_tally();
    return fans.fates;
  }

  scripted_server server;
  target to;
  progress_board board{1};
  engine runs;
  tally seen;
};

reaction numbered(const seen_request& asked) {
  return usher::test::json_answer(200, asked.target.substr(1));
}

} // namespace

BOOST_AUTO_TEST_CASE(each_request_gets_its_own_answer) {
  bench at{numbered, {.connections_max = 8}};
  const auto fates = at.ask(500);
  for (std::size_t i = 0; i < fates.size(); ++i)
    BOOST_TEST(fates[i] == std::to_string(i));
  BOOST_TEST(at.seen.of(request_kind::page).fine == 500U);
  BOOST_TEST(at.server.connections() <= 8U);
}

// The server stalls for half a second in the first answer, and there is one connection. Whoever
// was to ask meanwhile waits, and that counts: of twenty who were due in the first 200 ms, each
// waits for 300 ms or more. Counted from the sending they would all be quick.
BOOST_AUTO_TEST_CASE(a_stall_counts_for_all_who_were_to_ask_meanwhile) {
  bench at{[first = true](const seen_request& asked) mutable {
             if (std::exchange(first, false))
               std::this_thread::sleep_for(std::chrono::milliseconds{500});
             return numbered(asked);
           },
           {.connections_max = 1}};
  at.ask(20, 10 * ms);
  const auto& latency = at.seen.of(request_kind::page).latency;
  BOOST_TEST(latency.count() == 20U);
  BOOST_TEST(latency.at_us(0.0) >= 300'000U);
  const auto late = at.runs.take_lateness();
  BOOST_TEST(late.sent_late_max >= 300 * ms);
  BOOST_TEST(late.waiting_max >= 1U);
}

BOOST_AUTO_TEST_CASE(a_connection_that_the_server_closes_is_replaced) {
  bench at{[](const seen_request& asked) {
             auto what = numbered(asked);
             what.bytes.insert(what.bytes.find("\r\n") + 2, "Connection: close\r\n");
             what.what = reaction::kind::close;
             return what;
           },
           {.connections_max = 2}};
  const auto fates = at.ask(20);
  for (std::size_t i = 0; i < fates.size(); ++i)
    BOOST_TEST(fates[i] == std::to_string(i));
  BOOST_TEST(at.server.connections() == 20U);
}

BOOST_AUTO_TEST_CASE(whatever_is_no_answer_is_lost_with_its_reason) {
  const std::vector<std::pair<reaction, std::string>> bad{
      {{reaction::kind::close, ""}, "lost: the server closed instead of answering"},
      {{reaction::kind::reset, ""}, "lost: the server cut the connection"},
      {{reaction::kind::close, "HTTP/1.1 200 OK\r\nContent-Le"},
       "lost: the server closed instead of answering"},
      {{reaction::kind::answer, "220 mail\r\n\r\n"},
       "lost: no status line of HTTP/1.1 with a final status"},
  };
  for (const auto& [what, why] : bad) {
    bench at{
        [&](const seen_request& asked) { return asked.target == "/1" ? what : numbered(asked); }};
    const auto fates = at.ask(3);
    BOOST_TEST(fates == (std::vector<std::string>{"0", why, "2"}),
               boost::test_tools::per_element());
    BOOST_TEST(at.seen.wrong() == 1U);
  }
}

BOOST_AUTO_TEST_CASE(an_answer_that_never_comes_is_not_waited_for) {
  bench at{[](const seen_request&) {
             return reaction{reaction::kind::never, ""};
           },
           {.connections_max = 1, .patience = 300 * ms}};
  const auto fates = at.ask(2);
  BOOST_TEST(fates[0] == "lost: no answer in time");
  BOOST_TEST(fates[1].starts_with("lost: "), fates[1]); // not sent, or not answered either
}

BOOST_AUTO_TEST_CASE(a_server_that_is_gone_ends_the_run) {
  const auto url = "http://127.0.0.1:" + std::to_string(usher::test::closed_port());
  const auto to = std::get<target>(find_target(url));
  progress_board board{1};
  engine runs{to, {}, {}, board, 0};
  runs.warm_up(4);
  asking_often fans{runs, 10, 0};
  runs.run(fans);
  BOOST_TEST(runs.gone() == "connection refused");
}

BOOST_AUTO_TEST_CASE(addresses_that_are_none_are_refused_with_a_sentence) {
  for (const auto* url : {"", "127.0.0.1:80", "https://127.0.0.1", "http://127.0.0.1/x"})
    BOOST_TEST(std::get<std::string>(find_target(url)).starts_with("--server: "), url);
  BOOST_TEST(std::get<target>(find_target("http://127.0.0.1:81")).host_field == "127.0.0.1:81");
  BOOST_TEST(!make_room_for(10'000'000).empty());
  BOOST_TEST(make_room_for(1).empty());
}
