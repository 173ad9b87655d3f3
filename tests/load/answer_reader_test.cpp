// Answers in one piece, in many, one after the other, and broken. Made to fail once: with the kept
// bytes forgotten, with the body's length left out of account, and with any of the refusals gone.

#include "bench/load/answer_reader.hpp"

#include <boost/test/unit_test.hpp>

using namespace usher::load;

namespace {

using state = answer_reader::state;

const std::string shed = "HTTP/1.1 503 Service Unavailable\r\nServer: x\r\nretry-after: 2\r\n"
                         "Content-Length: 11\r\nConnection: close\r\n\r\nhello\r\n\r\nab";

void check_shed(const answer& got) {
  BOOST_TEST(got.status == 503);
  BOOST_TEST(got.retry_after_s == 2);
  BOOST_TEST(got.closes);
  BOOST_TEST(got.body == "hello\r\n\r\nab");
}

std::string with(const std::string& fields, const std::string& body = "{}") {
  return "HTTP/1.1 200 OK\r\n" + fields + "\r\n" + body;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_whole_answer_is_read_where_it_lies) {
  answer_reader reader;
  BOOST_TEST_REQUIRE((reader.feed(shed) == state::complete));
  check_shed(reader.got());
  BOOST_TEST(static_cast<const void*>(reader.got().body.data()) ==
             static_cast<const void*>(shed.data() + shed.size() - 11)); // not copied
}

BOOST_AUTO_TEST_CASE(an_answer_may_be_cut_anywhere) {
  for (std::size_t cut = 1; cut < shed.size(); ++cut) {
    answer_reader reader;
    BOOST_TEST((reader.feed({shed.data(), cut}) == state::more), "cut at " << cut);
    BOOST_TEST((reader.feed({shed.data() + cut, shed.size() - cut}) == state::complete),
               "cut at " << cut);
    check_shed(reader.got());
  }
  answer_reader reader;
  for (std::size_t i = 0; i + 1 < shed.size(); ++i)
    BOOST_TEST_REQUIRE((reader.feed({shed.data() + i, 1}) == state::more));
  BOOST_TEST_REQUIRE((reader.feed({shed.data() + shed.size() - 1, 1}) == state::complete));
  check_shed(reader.got());
}

BOOST_AUTO_TEST_CASE(the_next_answer_has_nothing_of_the_last) {
  answer_reader reader;
  BOOST_TEST((reader.feed(shed) == state::complete));
  const auto second = with("Content-Length: 2\r\n");
  BOOST_TEST((reader.feed(second.substr(0, 20)) == state::more));
  BOOST_TEST_REQUIRE((reader.feed(second.substr(20)) == state::complete));
  BOOST_TEST(reader.got().status == 200);
  BOOST_TEST(reader.got().retry_after_s == -1);
  BOOST_TEST(!reader.got().closes);
  BOOST_TEST(reader.got().body == "{}");
}

BOOST_AUTO_TEST_CASE(some_answers_have_no_body) {
  for (const std::string text :
       {"HTTP/1.1 204 No Content\r\n\r\n", "HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n\r\n"}) {
    answer_reader reader;
    BOOST_TEST((reader.feed(text) == state::complete), text);
    BOOST_TEST(reader.got().body.empty());
  }
  answer_reader reader;
  BOOST_TEST((reader.feed(with("Content-Length: 0\r\n", "")) == state::complete));
}

BOOST_AUTO_TEST_CASE(what_is_broken_is_refused_and_says_why) {
  const std::vector<std::pair<std::string, std::string>> broken{
      {"HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", "no status line"},
      {"HTTP/1.1 2x0 OK\r\nContent-Length: 0\r\n\r\n", "no status line"},
      {"HTTP/1.1 100 Continue\r\nContent-Length: 0\r\n\r\n", "no status line"},
      {"nonsense\r\n\r\n", "no status line"},
      {with("X: y\r\n"), "no Content-Length"},
      {with("Content-Length: 2\r\nContent-Length: 2\r\n"), "a Content-Length that is no length"},
      {with("Content-Length: -2\r\n"), "a Content-Length that is no length"},
      {with("Content-Length: 2,2\r\n"), "a Content-Length that is no length"},
      {with("Content-Length: 99999999999\r\n"), "a Content-Length that is no length"},
      {with("Transfer-Encoding: chunked\r\n"), "a Transfer-Encoding"},
      {with("Content-Length: 2\r\nRetry-After: soon\r\n"), "a Retry-After"},
      {with("Content-Length: 2\r\n: 2\r\n"), "a header line without a name"},
      {with("Content-Length: 1\r\n"), "more bytes than its Content-Length"},
      {std::string(20'000, 'x'), "a header of more than 16 KiB"},
  };
  for (const auto& [text, why] : broken) {
    answer_reader reader;
    BOOST_TEST((reader.feed(text) == state::wrong), text.substr(0, 80));
    BOOST_TEST(reader.why().starts_with(why), reader.why() << ", not " << why);
    reader.reset();
    BOOST_TEST((reader.feed(shed) == state::complete));
  }
}
