// The parser without a socket: the same request, however its bytes arrive. Valid requests are cut
// at every position and fed byte by byte, and must read as when they come whole; then bytes are
// mutated at random and sent to a server, which must answer or close, and live.

#include "http/server/parser.hpp"
#include "test_server.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace usher::test {
namespace {

using http::parser;

/// What came of feeding some bytes: a description to compare, with what was left over.
std::string outcome(const std::vector<std::string>& parts) {
  parser p;
  std::string have;
  bool in_body = false;
  auto state = parser::progress::need_more;
  for (const auto& part : parts) {
    have += part;
    while (state == parser::progress::need_more || state == parser::progress::header_done) {
      if (!in_body) {
        state = p.header(have);
        if (state != parser::progress::header_done)
          break;
        in_body = true;
        if (!p.limit_body(1024))
          return "413";
      }
      std::size_t used = 0;
      state = p.body(std::string_view(have).substr(p.header_size()), used);
      have.erase(p.header_size(), used);
      break;
    }
    if (state == parser::progress::refused)
      return std::to_string(p.refused().status);
  }
  if (state != parser::progress::complete)
    return "unfinished";
  const auto r = p.view(have.data());
  return std::string(r.path) + "|" + std::string(r.query) + "|" + std::string(r.host) + "|" +
         std::string(r.idempotency_key) + "|" + std::string(r.admission_ticket) + "|" +
         std::string(r.body) + "|" + (p.keep_alive() ? "keep" : "close") + "|" +
         have.substr(p.header_size());
}

const std::vector<std::string>& valid_requests() {
  static const std::vector<std::string> requests = {
      get("/v1/shows/hamlet?x=1&y", "X-Admission-Ticket: t-1\r\nConnection: close\r\n"),
      "\r\n" + get("/after-an-empty-line", "Idempotency-Key: k\r\n"),
      post("/joins", "{\"a\":1}", "Idempotency-Key: k-1\r\nX-Admission-Ticket:\tt 2 \r\n"),
      "POST /c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
      "3;a=b\r\nabc\r\nA\r\n0123456789\r\n0\r\nX: y\r\nZ: w\r\n\r\n",
      "POST /empty HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "GET http://h/ HTTP/1.0\r\nHost: h\r\nConnection: keep-alive\r\n\r\n",
  };
  return requests;
}

std::vector<std::string> byte_by_byte(const std::string& bytes) {
  std::vector<std::string> parts;
  for (const char c : bytes)
    parts.emplace_back(1, c);
  return parts;
}

std::uint32_t seed_of_this_run() {
  const char* given = std::getenv("USHER_SEED");
  return given != nullptr ? static_cast<std::uint32_t>(std::strtoul(given, nullptr, 10))
                          : 20261130U;
}

std::string mutated(std::string bytes, std::mt19937& random) {
  const auto below = [&](std::size_t n) { return random() % std::max<std::size_t>(n, 1); };
  static const std::string spice[] = {"\r\n",
                                      "\n",
                                      "\r",
                                      "\r\n\r\n",
                                      ":",
                                      " ",
                                      "\t",
                                      std::string(1, '\0'),
                                      "0",
                                      "chunked",
                                      "Content-Length: 3\r\n",
                                      "\xff",
                                      ";",
                                      ","};
  for (auto n = 1 + below(4); n > 0; --n) {
    const auto at = below(bytes.size());
    switch (below(5)) {
    case 0:
      bytes[at] = static_cast<char>(random());
      break;
    case 1:
      bytes.insert(at, spice[below(std::size(spice))]);
      break;
    case 2:
      bytes.erase(at, 1 + below(6));
      break;
    case 3:
      bytes.insert(at, bytes.substr(below(bytes.size()), below(40)));
      break;
    default:
      bytes.resize(at + 1);
      break;
    }
  }
  return bytes;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_request_reads_the_same_wherever_it_is_cut) {
  for (const auto& bytes : valid_requests()) {
    BOOST_TEST_CONTEXT(bytes) {
      const auto whole = outcome({bytes});
      BOOST_TEST(whole.starts_with("/"));
      for (std::size_t cut = 1; cut < bytes.size(); ++cut)
        BOOST_TEST(outcome({bytes.substr(0, cut), bytes.substr(cut)}) == whole);
      BOOST_TEST(outcome(byte_by_byte(bytes)) == whole);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_headers_and_the_body_come_out_as_they_were_sent) {
  BOOST_TEST(outcome({valid_requests()[0]}) == "/v1/shows/hamlet|x=1&y|usher||t-1||close|");
  BOOST_TEST(outcome({valid_requests()[2]}) == "/joins||usher|k-1|t 2|{\"a\":1}|keep|");
  BOOST_TEST(outcome({valid_requests()[3] + "GET"}) == "/c||h|||abc0123456789|keep|GET");
  BOOST_TEST(outcome({valid_requests()[5]}) == "/||h||||keep|");
}

BOOST_AUTO_TEST_CASE(the_first_of_a_repeated_header_counts_and_a_trailer_never_does) {
  BOOST_TEST(outcome({get("/", "Idempotency-Key: 1\r\nidempotency-key: 2\r\n")}) ==
             "/||usher|1|||keep|");
  BOOST_TEST(outcome({"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
                      "0\r\nIdempotency-Key: t\r\nHost: other\r\n\r\n"}) == "/||h||||keep|");
}

BOOST_AUTO_TEST_CASE(a_body_is_bounded_announced_or_not) {
  BOOST_TEST(outcome({post("/", std::string(1024, 'x'))}).starts_with("/|"));
  BOOST_TEST(outcome({post("/", std::string(1025, 'x'))}) == "413");
  const std::string head = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
  BOOST_TEST(
      outcome({head + "400\r\n" + std::string(1024, 'x') + "\r\n0\r\n\r\n"}).starts_with("/|"));
  BOOST_TEST(outcome({head + "400\r\n" + std::string(1024, 'x') + "\r\n1\r\n"}) == "413");
  BOOST_TEST(outcome({head + "ffffffff\r\n"}) == "413");
}

BOOST_AUTO_TEST_CASE(the_language_and_the_last_event_are_found_however_they_are_spelt) {
  parser p;
  const auto bytes = get("/", "accept-language: de, en;q=0.5\r\nLAST-event-id: 17\r\n");
  BOOST_TEST((p.header(bytes) == parser::progress::complete));
  const auto r = p.view(bytes.data());
  BOOST_TEST(r.accept_language == "de, en;q=0.5");
  BOOST_TEST(r.last_event_id == "17");
}

BOOST_AUTO_TEST_CASE(a_parser_is_as_new_after_a_reset) {
  parser p;
  BOOST_TEST(
      (p.header("POST http://h/x?q HTTP/1.1\r\nHost: h\r\nIdempotency-Key: k\r\nExpect: "
                "100-continue\r\nContent-Length: 1\r\n\r\n") == parser::progress::header_done));
  p.reset();
  const std::string second = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
  BOOST_TEST((p.header(second) == parser::progress::complete));
  const auto r = p.view(second.data());
  BOOST_TEST(r.idempotency_key.empty());
  BOOST_TEST(r.query.empty());
  BOOST_TEST(r.path == "/");
  BOOST_TEST(!p.wants_continue());
}

BOOST_AUTO_TEST_CASE(mutated_requests_are_answered_or_closed_and_the_server_lives) {
  const auto seed = seed_of_this_run();
  BOOST_TEST_MESSAGE("USHER_SEED=" << seed);
  std::printf("USHER_SEED=%u\n", seed);
  std::mt19937 random(seed);
  test_server s;
  for (int i = 0; i < 1500; ++i) {
    const auto& base = valid_requests()[random() % valid_requests().size()];
    const auto bytes = mutated(base, random);
    auto c = s.connect();
    c.send(bytes);
    c.shutdown_send();
    const auto all = c.read_to_end(); // throws if the server does neither
    BOOST_TEST((all.empty() || all.starts_with("HTTP/1.1 ")));
  }
  BOOST_TEST(s.ask(get("/"))->status == 200);
}

} // namespace usher::test
