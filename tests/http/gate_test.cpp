// The gate: raw bytes on a socket that a stricter reader refuses, each row of the table in
// http/server/parser.hpp. Every refused request is followed by a second one in the same bytes: one
// answer, an end, and no call of the handler prove that nothing was smuggled. That the gate is what
// refuses is shown by giving the same bytes to Beast alone, which lets the marked rows through.

#include "test_server.hpp"

#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

namespace usher::test {
namespace {

struct row {
  const char* name;
  std::string bytes;
  int status;
  bool beast_accepts = false; ///< Beast alone lets it through
};

const std::string smuggled = "GET /smuggled HTTP/1.1\r\nHost: usher\r\n\r\n";

std::string chunked(const std::string& body, const std::string& coding = "chunked") {
  return "POST / HTTP/1.1\r\nHost: usher\r\nTransfer-Encoding: " + coding + "\r\n\r\n" + body;
}

std::string with_length(const std::string& lines) {
  return "POST / HTTP/1.1\r\nHost: usher\r\n" + lines + "\r\nhello";
}

std::string many_fields(int n) {
  std::string fields;
  for (int i = 0; i < n; ++i)
    fields += "X-" + std::to_string(i) + ": y\r\n";
  return fields;
}

std::vector<row> framing_rows() {
  const std::string hello = "5\r\nhello\r\n0\r\n\r\n";
  return {
      {"an unknown transfer coding", chunked("", "xchunked"), 400, true},
      {"chunked followed by identity", chunked(hello, "chunked, identity"), 400, true},
      {"identity followed by chunked", chunked(hello, "identity, chunked"), 400, true},
      {"chunked twice in one line", chunked(hello, "chunked, chunked"), 400, true},
      {"chunked with a parameter", chunked(hello, "chunked;q=1"), 400, true},
      {"an empty transfer coding", chunked("", ""), 400, true},
      {"a vertical tab before chunked",
       chunked(hello, "\x0b"
                      "chunked"),
       400},
      {"chunked in two lines", chunked(hello, "chunked\r\nTransfer-Encoding: chunked"), 400},
      {"identity in one line and chunked in another",
       chunked(hello, "identity\r\nTransfer-Encoding: chunked"), 400, true},
      {"Transfer-Encoding in HTTP/1.0",
       "POST / HTTP/1.0\r\nHost: usher\r\nTransfer-Encoding: chunked\r\n\r\n" + hello, 400, true},
      {"Content-Length before Transfer-Encoding",
       with_length("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"), 400},
      {"Content-Length after Transfer-Encoding",
       with_length("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n"), 400},
      {"Content-Length beside another coding",
       with_length("Transfer-Encoding: identity\r\nContent-Length: 5\r\n"), 400, true},
      {"the same Content-Length twice", with_length("Content-Length: 5\r\nContent-Length: 5\r\n"),
       400, true},
      {"the same Content-Length listed", with_length("Content-Length: 5, 5\r\n"), 400, true},
      {"two Content-Lengths", with_length("Content-Length: 5\r\nContent-Length: 6\r\n"), 400},
      {"a signed Content-Length", with_length("Content-Length: +5\r\n"), 400},
      {"a negative Content-Length", with_length("Content-Length: -5\r\n"), 400},
      {"a hexadecimal Content-Length", with_length("Content-Length: 0x5\r\n"), 400},
      {"an empty Content-Length", with_length("Content-Length: \r\n"), 400},
      {"an overflowing Content-Length", with_length("Content-Length: 18446744073709551621\r\n"),
       400},
      {"a space before the colon", with_length("Content-Length : 5\r\n"), 400},
      {"a bad chunk size", chunked("xyz\r\nhello\r\n0\r\n\r\n"), 400},
      {"a chunk size with 0x", chunked("0x5\r\nhello\r\n0\r\n\r\n"), 400},
      {"a signed chunk size", chunked("+5\r\nhello\r\n0\r\n\r\n"), 400},
      {"a chunk size that overflows", chunked("10000000000000005\r\nhello\r\n0\r\n\r\n"), 400},
      {"a chunk longer than its size", chunked("5\r\nhello!\r\n0\r\n\r\n"), 400},
      {"a chunk ended by a bare line feed", chunked("5\r\nhello\n0\r\n\r\n"), 400},
      {"a line feed in a quoted chunk extension", chunked("5;a=\"\n\"\r\nhello\r\n0\r\n\r\n"), 400,
       true},
      {"a folded trailer", chunked("0\r\nA: b\r\n c\r\n\r\n"), 400, true},
      {"a trailer that frames", chunked("0\r\nContent-Length: 3\r\n\r\n"), 400},
      {"chunk extensions of 20 kB",
       chunked("5;" + std::string(20'000, 'a') + "\r\nhello\r\n0\r\n\r\n"), 400, true},
      {"trailers of 20 kB", chunked("0\r\nA: " + std::string(20'000, 'a') + "\r\n\r\n"), 400, true},
  };
}

std::vector<row> header_rows() {
  const std::string crlf = "\r\n";
  return {
      {"no Host", "GET / HTTP/1.1\r\n\r\n", 400, true},
      {"two Hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400, true},
      {"the same Host twice", "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400, true},
      {"two Hosts in HTTP/1.0", "GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n", 400, true},
      {"an empty Host", "GET / HTTP/1.1\r\nHost: \r\n\r\n", 400, true},
      {"a Host with a path", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", 400, true},
      {"a Host with a user", "GET / HTTP/1.1\r\nHost: u@a\r\n\r\n", 400, true},
      {"a folded line", "GET / HTTP/1.1\r\nHost: usher\r\nA: b\r\n c\r\n\r\n", 400, true},
      {"a fold of an empty value", "GET / HTTP/1.1\r\nHost: usher\r\nA:\r\n c\r\n\r\n", 400, true},
      {"a fold after the request line", "GET / HTTP/1.1\r\n Host: usher\r\n\r\n", 400},
      {"another host in an absolute target", "GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\n", 400,
       true},
      {"another port in an absolute target", "GET http://a:81/ HTTP/1.1\r\nHost: a\r\n\r\n", 400,
       true},
      {"an absolute target without Host", "GET http://a/ HTTP/1.0\r\n\r\n", 400, true},
      {"an ftp target", "GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n", 400, true},
      {"a target that is no path", "GET a HTTP/1.1\r\nHost: a\r\n\r\n", 400, true},
      {"a star for a GET", "GET * HTTP/1.1\r\nHost: a\r\n\r\n", 400, true},
      {"a fragment", "GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n", 400, true},
      {"raw bytes outside ASCII in the target", "GET /\xc3\xa9 HTTP/1.1\r\nHost: a\r\n\r\n", 400,
       true},
      {"CONNECT", "CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n", 501, true},
      {"an unknown expectation", "POST / HTTP/1.1\r\nHost: a\r\nExpect: cake\r\n\r\n", 417, true},
      {"a control character in a value", get("/", "A: b\x01" + crlf), 400},
      {"a NUL in a value", get("/", std::string("A: b\0c\r\n", 8)), 400},
      {"a bare carriage return in a value", get("/", "A: b\rc\r\n"), 400},
      {"a control character in a name", get("/", "A\x01: b\r\n"), 400},
      {"a control character in the target", "GET /\x01 HTTP/1.1\r\nHost: a\r\n\r\n", 400},
      {"a tab in the request line", "GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n", 400},
      {"two spaces in the request line", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
      {"a line without a colon", get("/", "nothing\r\n"), 400},
      {"a line without a name", get("/", ": b\r\n"), 400},
      {"bare line feeds", "GET / HTTP/1.1\nHost: a\n\n", 400},
      {"one bare line feed", "GET / HTTP/1.1\r\nHost: a\nA: b\r\n\r\n", 400},
      {"a bare line feed at the end", "GET / HTTP/1.1\r\nHost: a\r\n\n", 400},
      {"HTTP/9.9", "GET / HTTP/9.9\r\nHost: a\r\n\r\n", 400},
      {"HTTP/2.0", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400},
      {"HTTP/1.2", "GET / HTTP/1.2\r\nHost: a\r\n\r\n", 400},
      {"no version", "GET /\r\n\r\n", 400},
      {"lower case http/1.1", "GET / http/1.1\r\nHost: a\r\n\r\n", 400},
      {"a TLS greeting", std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11), 400},
      {"two empty lines first", "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
      {"65 fields", "GET / HTTP/1.1\r\nHost: a\r\n" + many_fields(64) + "\r\n", 431, true},
      {"1,000 fields", "GET / HTTP/1.1\r\nHost: a\r\n" + many_fields(1000) + "\r\n", 431},
      {"fields over 8 KiB", get("/", "A: " + std::string(8192, 'a') + "\r\n"), 431},
      {"an endless field", "GET / HTTP/1.1\r\nA: " + std::string(100'000, 'a'), 431},
      {"a target over 2 KiB", get("/" + std::string(2048, 'a')), 414, true},
      {"an endless target", "GET /" + std::string(100'000, 'a'), 414},
  };
}

bool beast_alone_accepts(const std::string& bytes) {
  namespace beast_http = boost::beast::http;
  beast_http::request_parser<beast_http::string_body> p;
  p.eager(true);
  boost::system::error_code ec;
  p.put({bytes.data(), bytes.size()}, ec);
  return !ec && p.is_done();
}

void check_refused(const row& r) {
  BOOST_TEST_CONTEXT(r.name) {
    test_server s;
    auto c = s.connect();
    c.send(r.bytes + smuggled);
    const auto a = c.read();
    BOOST_REQUIRE(a);
    BOOST_TEST(a->status == r.status);
    BOOST_TEST(a->closes());
    BOOST_TEST(a->header("content-type") == "application/problem+json");
    BOOST_TEST(c.ends());
    BOOST_TEST(s.handler.calls().empty());
    BOOST_TEST(beast_alone_accepts(r.bytes) == r.beast_accepts);
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(ambiguous_framing_is_refused_and_nothing_after_it_runs) {
  for (const auto& r : framing_rows())
    check_refused(r);
}

BOOST_AUTO_TEST_CASE(malformed_or_oversized_headers_are_refused_and_nothing_after_them_runs) {
  for (const auto& r : header_rows())
    check_refused(r);
}

BOOST_AUTO_TEST_CASE(what_is_just_within_the_rules_is_served_and_so_is_the_next_request) {
  const std::vector<row> rows = {
      {"chunked", chunked("5\r\nhello\r\n0\r\n\r\n"), 200},
      {"chunked in capitals", chunked("5\r\nhello\r\n0\r\n\r\n", "CHUNKED"), 200},
      {"an empty chunked body", chunked("0\r\n\r\n"), 200},
      {"chunks with extensions and trailers",
       chunked("3;a=b\r\nhel\r\n2;c=\"d\"\r\nlo\r\n0;e\r\nHost: other\r\nA: b\r\n\r\n"), 200},
      {"a Content-Length", with_length("Content-Length: 5\r\n"), 200},
      {"a Content-Length with zeros", with_length("Content-Length: 0005\r\n"), 200},
      {"an absolute target", "GET http://A:80/x?y HTTP/1.1\r\nHost: a\r\n\r\n", 200},
      {"an absolute target without a path", "GET https://a:443 HTTP/1.1\r\nHost: a\r\n\r\n", 200},
      {"a star for OPTIONS", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", 200},
      {"an IPv6 Host", "GET / HTTP/1.1\r\nHost: [::1]:8084\r\n\r\n", 200},
      {"an unknown method", "BREW / HTTP/1.1\r\nHost: a\r\n\r\n", 200},
      {"one empty line first", "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", 200},
      {"64 fields", "GET / HTTP/1.1\r\nHost: a\r\n" + many_fields(63) + "\r\n", 200},
      {"almost 8 KiB of fields", get("/", "A: " + std::string(8100, 'a') + "\r\n"), 200},
      {"a target of 2 KiB", get("/" + std::string(2047, 'a')), 200},
      {"bytes outside ASCII in a value", get("/", "A: \xc3\xa9\r\n"), 200},
  };
  for (const auto& r : rows) {
    BOOST_TEST_CONTEXT(r.name) {
      test_server s;
      auto c = s.connect();
      c.send(r.bytes + get("/next"));
      const auto first = c.read();
      const auto second = c.read();
      BOOST_REQUIRE((first && second));
      BOOST_TEST(first->status == r.status);
      BOOST_TEST(second->header("x-path") == "/next");
      BOOST_TEST(s.handler.calls().size() == 2U);
    }
  }
}

} // namespace usher::test
