// In which encoding an answer goes out and when it is 304: what Accept-Encoding and If-None-Match
// may say (tables after RFC 9110, 12.5.3 and 13.1.2), and that the compressed bytes are the same.
//
// That it bites was shown by breaking the code: tags compared strongly, plain bytes that are liked
// better and passed over, and one tag for both encodings each fail a case below.
#include "http/api/negotiation.hpp"
#include "http/api/representation.hpp"
#include "tests/edge/gzip.hpp"

#include <boost/test/unit_test.hpp>

namespace {

using namespace usher::http;
using usher::test::unpacked;

request asking(std::string_view encodings, std::string_view none_match = {}) {
  request made;
  made.accept_encoding = encodings;
  made.if_none_match = none_match;
  return made;
}

bool has(const response& answer, std::string_view line) {
  return answer.headers.find(std::string{line} + "\r\n") != std::string::npos;
}

} // namespace

BOOST_AUTO_TEST_CASE(gzip_is_sent_to_whom_it_suits) {
  struct attempt {
    std::string_view header;
    bool gzip;
  };
  const attempt attempts[]{
      {"", false},
      {"gzip", true},
      {"GZip", true},
      {"x-gzip", true},
      {"gzip, deflate, br", true},
      {"br;q=1.0, gzip;q=0.8, *;q=0.1", true},
      {"deflate , gzip", true},
      {"identity", false},
      {"br", false},
      {"gzipped", false},
      {"*", true},
      {"*;q=0", false},
      {"gzip;q=0", false},
      {"gzip;q=0.0", false},
      {"gzip;q=0.000", false},
      {"gzip;q=0, *", false},
      {"*, gzip;q=0", false},
      {"*;q=0, gzip", true},
      {"gzip;q=0.001", true},
      {"gzip; q=0.5", true},
      {"gzip ;Q=1", true},
      {"gzip;q=1.000", true},
      {"identity;q=1, gzip;q=0.5", false},
      {"identity;q=0.5, gzip;q=0.5", true},
      {"identity;q=0, gzip;q=0.1", true},
      {"gzip;q=0.5, identity;q=0.9, *;q=1", false},
      // No weights: what says so is not wanted.
      {"gzip;q=", false},
      {"gzip;q=2", false},
      {"gzip;q=1.1", false},
      {"gzip;q=-1", false},
      {"gzip;q=.5", false},
      {"gzip;q=0.5555", false},
      {"gzip;q=yes", false},
      {",,gzip,,", true},
      {";;,gzip", true},
  };
  for (const auto& each : attempts)
    BOOST_TEST(takes_gzip(each.header) == each.gzip, each.header);
}

BOOST_AUTO_TEST_CASE(an_etag_is_found_wherever_it_stands) {
  struct attempt {
    std::string_view header;
    bool named;
  };
  const attempt attempts[]{
      {"", false},
      {R"("7")", true},
      {R"(W/"7")", true},
      {R"("6")", false},
      {R"("7-gz")", false},
      {R"("6", "7")", true},
      {R"("6","7")", true},
      {R"("6" , W/"7", "8")", true},
      {R"("6", "8")", false},
      {R"(, , "7")", true},
      {R"("a,""7")", false}, // no comma between
      {R"("a,7", "7")", true},
      {R"(",7,")", false},
      {"*", true},
      {" * ", true},
      {R"("*")", false},
      {"7", false},
      {R"("7)", false},
      {R"(w/"7")", false},
      {R"(7, "7")", false},
  };
  for (const auto& each : attempts)
    BOOST_TEST(names_etag(each.header, R"("7")") == each.named, each.header);
}

BOOST_AUTO_TEST_CASE(gzip_gives_back_the_same_bytes) {
  std::string all;
  for (int i = 0; i < 60'000; ++i)
    all += "\"A-" + std::to_string(i) + "\":\"AVAILABLE\",";
  for (const auto& text : {std::string{}, std::string{"a"}, all}) {
    const auto packed = gzip_of(text);
    BOOST_TEST((unpacked(packed, text.size() + 1) == text));
    if (text.size() > 1000)
      BOOST_TEST(packed.size() < text.size() / 4);
  }
}

BOOST_AUTO_TEST_CASE(each_encoding_has_its_own_etag_and_says_that_it_varies) {
  const auto what = std::make_shared<const representation>(std::string(2000, 'a'), "7");
  const auto plain = answer_with(what, asking(""));
  BOOST_TEST(plain.status == 200U);
  BOOST_TEST(has(plain, R"(ETag: "7")"));
  BOOST_TEST(has(plain, "Vary: Accept-Encoding"));
  BOOST_TEST(has(plain, "Cache-Control: public, max-age=1"));
  BOOST_TEST(!has(plain, "Content-Encoding: gzip"));
  BOOST_TEST(plain.shared_body.get() == &what->body());

  const auto packed = answer_with(what, asking("gzip"));
  BOOST_TEST(packed.status == 200U);
  BOOST_TEST(has(packed, R"(ETag: "7-gz")"));
  BOOST_TEST(has(packed, "Vary: Accept-Encoding"));
  BOOST_TEST(has(packed, "Content-Encoding: gzip"));
  BOOST_TEST((unpacked(*packed.shared_body, 4000) == what->body()));
  BOOST_TEST(answer_with(what, asking("gzip")).shared_body.get() == packed.shared_body.get());
}

BOOST_AUTO_TEST_CASE(who_has_these_bytes_is_told_so) {
  const auto what = std::make_shared<const representation>(std::string(2000, 'a'), "7");
  struct attempt {
    std::string_view encodings;
    std::string_view none_match;
    unsigned status;
  };
  const attempt attempts[]{
      {"", R"("7")", 304},        {"", R"(W/"7")", 304},
      {"", R"("7-gz")", 200},     {"gzip", R"("7")", 200},
      {"gzip", R"("7-gz")", 304}, {"gzip", R"("7", "7-gz")", 304},
      {"gzip", "*", 304},         {"", "*", 304},
      {"", R"("6")", 200},
  };
  for (const auto& each : attempts) {
    const auto got = answer_with(what, asking(each.encodings, each.none_match));
    BOOST_TEST(got.status == each.status, each.encodings << " " << each.none_match);
    BOOST_TEST((got.shared_body == nullptr) == (each.status == 304));
    BOOST_TEST(has(got, "Vary: Accept-Encoding"));
    BOOST_TEST(has(got, "ETag: " + what->etag(each.encodings == "gzip")));
  }
}

BOOST_AUTO_TEST_CASE(what_is_small_is_not_compressed) {
  const auto bytes = representation::gzip_bytes_min;
  for (const auto& [size, compressed] : {std::pair{bytes - 1, false}, std::pair{bytes, true}}) {
    const auto what = std::make_shared<const representation>(std::string(size, 'a'), "7");
    BOOST_TEST(has(answer_with(what, asking("gzip")), "Content-Encoding: gzip") == compressed);
    BOOST_TEST(has(answer_with(what, asking("gzip")), "Vary: Accept-Encoding"));
  }
}
