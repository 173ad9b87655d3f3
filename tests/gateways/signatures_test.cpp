// Signatures of webhooks: known answers that other programs made, every way one can be wrong, and
// the edges of the time they are good for.
//
// The example of Standard Webhooks is the one that its specification publishes. Stripe's and
// Mercado Pago's were computed with
//     printf '%s' TEXT | openssl dgst -sha256 -hmac SECRET
#include "http/crypto/base64.hpp"
#include "http/crypto/crypto.hpp"
#include "http/gateways/signature_mercado_pago.hpp"
#include "http/gateways/signature_stripe.hpp"
#include "http/gateways/standard_webhooks.hpp"

#include <boost/test/unit_test.hpp>

namespace {

using namespace usher;
using namespace usher::gateways;

constexpr std::string_view stripe_body = R"({"id":"evt_test_webhook","object":"event"})";
const std::string stripe_secret = "whsec_test_secret";
constexpr std::string_view stripe_hex =
    "88a022085c6bdb887b02cb26ff76dd681234d9675c0f22844059f55552a8883a";
constexpr time_ms stripe_time = 1'492'774'577'000;

std::string stripe_header(std::string_view hex) {
  return "t=1492774577,v1=" + std::string{hex};
}

constexpr std::string_view standard_secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
constexpr standard_webhook standard_example{.id = "msg_p5jXN8AQM9LWM0D4loKWxJek",
                                            .timestamp = "1614265330",
                                            .signatures =
                                                "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
                                            .body = R"({"test": 2432232314})"};
constexpr time_ms standard_time = 1'614'265'330'000;

const std::string mercado_pago_secret = "mp_test_secret";
constexpr std::string_view mercado_pago_hex =
    "95005550a75ab217b53dd195140cf6677a5b1dcc6eb70b3ecd06b3c0123bcc46";
constexpr std::string_view mercado_pago_bare_hex =
    "cb3ad4c3e3d89c5ecdc7bb2745eb992993e1eef8a59c29363c49024a1c96f43c";
constexpr time_ms mercado_pago_time = 1'704'908'010'000;

} // namespace

namespace usher::gateways {
std::ostream& boost_test_print_type(std::ostream& to, signature what) {
  return to << to_string(what);
}
} // namespace usher::gateways

BOOST_AUTO_TEST_CASE(hmac_sha256_has_the_vectors_of_rfc_4231) {
  BOOST_TEST(http::to_hex(http::hmac_sha256(std::string(20, '\x0b'), "Hi There")) ==
             "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  BOOST_TEST(http::to_hex(http::hmac_sha256("Jefe", "what do ya want for nothing?")) ==
             "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  BOOST_TEST(
      http::to_hex(http::hmac_sha256(std::string(131, '\xaa'),
                                     "Test Using Larger Than Block-Size Key - Hash Key First")) ==
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
  // No key at all, as anybody's OpenSSL computes it.
  BOOST_TEST(http::to_hex(http::hmac_sha256("", "")) ==
             "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad");
}

BOOST_AUTO_TEST_CASE(base64_is_written_as_rfc_4648_has_it) {
  for (const auto& [bytes, text] : std::vector<std::pair<std::string, std::string>>{
           {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"\xfb\xff\xbf", "+/+/"}})
    BOOST_TEST(http::encode_base64(bytes) == text);
}

BOOST_AUTO_TEST_CASE(texts_are_equal_only_if_all_of_them_is) {
  BOOST_TEST(http::equal_bytes("", ""));
  BOOST_TEST(http::equal_bytes("abc", "abc"));
  BOOST_TEST(!http::equal_bytes("abc", "abd"));
  BOOST_TEST(!http::equal_bytes("abc", "ab"));
  BOOST_TEST(!http::equal_bytes("", "a"));
}

BOOST_AUTO_TEST_CASE(stripe_has_its_known_answer) {
  BOOST_TEST(check_stripe(stripe_header(stripe_hex), stripe_body, {stripe_secret}, stripe_time) ==
             signature::good);
}

BOOST_AUTO_TEST_CASE(stripe_is_checked_over_every_part) {
  struct row {
    const char* what;
    std::string header;
    std::string body;
    std::vector<std::string> secrets;
    signature judged;
  };
  const std::string good = stripe_header(stripe_hex);
  const std::string body{stripe_body};
  const std::string hex{stripe_hex};
  const std::string zeros(64, '0');
  std::string many = "t=1492774577";
  for (std::size_t i = 0; i < signatures_max; ++i)
    many += ",v1=" + zeros;
  const std::vector<row> rows{
      {"the second secret", good, body, {"whsec_other", stripe_secret}, signature::good},
      {"the first of two", good, body, {stripe_secret, "whsec_other"}, signature::good},
      {"the second signature",
       "t=1492774577,v1=" + zeros + ",v1=" + hex,
       body,
       {stripe_secret},
       signature::good},
      {"an older scheme beside it",
       "t=1492774577,v0=" + zeros + ",v1=" + hex,
       body,
       {stripe_secret},
       signature::good},
      {"blanks after commas", "t=1492774577, v1=" + hex, body, {stripe_secret}, signature::good},
      {"an older scheme alone",
       "t=1492774577,v0=" + hex,
       body,
       {stripe_secret},
       signature::malformed},
      {"another secret", good, body, {"whsec_other"}, signature::wrong},
      {"no secret", good, body, {}, signature::wrong},
      {"another body", good, body + " ", {stripe_secret}, signature::wrong},
      {"no body", good, "", {stripe_secret}, signature::wrong},
      {"another time", "t=1492774578,v1=" + hex, body, {stripe_secret}, signature::wrong},
      {"a letter of the signature",
       "t=1492774577,v1=0" + hex.substr(1),
       body,
       {stripe_secret},
       signature::wrong},
      {"half a signature",
       "t=1492774577,v1=" + hex.substr(0, 32),
       body,
       {stripe_secret},
       signature::wrong},
      {"an empty signature", "t=1492774577,v1=", body, {stripe_secret}, signature::wrong},
      {"more signatures than are looked at",
       many + ",v1=" + hex,
       body,
       {stripe_secret},
       signature::wrong},
      {"nothing", "", body, {stripe_secret}, signature::missing},
      {"no time", "v1=" + hex, body, {stripe_secret}, signature::malformed},
      {"two times",
       "t=1492774577,t=1492774577,v1=" + hex,
       body,
       {stripe_secret},
       signature::malformed},
      {"a time that is none", "t=soon,v1=" + hex, body, {stripe_secret}, signature::malformed},
      {"a time below zero", "t=-1,v1=" + hex, body, {stripe_secret}, signature::malformed},
      {"a time that overflows",
       "t=99999999999999999999,v1=" + hex,
       body,
       {stripe_secret},
       signature::malformed},
      {"no pair", "hello", body, {stripe_secret}, signature::malformed},
  };
  for (const auto& [what, header, text, secrets, judged] : rows)
    BOOST_TEST(check_stripe(header, text, secrets, stripe_time) == judged, what);
}

BOOST_AUTO_TEST_CASE(signatures_are_good_for_five_minutes_both_ways) {
  struct row {
    duration_ms off;
    signature judged;
  };
  for (const auto& [off, judged] : std::vector<row>{{0, signature::good},
                                                    {300'000, signature::good},
                                                    {-300'000, signature::good},
                                                    {300'001, signature::too_old},
                                                    {-300'001, signature::too_new}}) {
    BOOST_TEST(check_stripe(stripe_header(stripe_hex), stripe_body, {stripe_secret},
                            stripe_time + off) == judged);
    BOOST_TEST(check_standard_webhook(standard_example, {*standard_webhooks_key(standard_secret)},
                                      standard_time + off) == judged);
    BOOST_TEST(check_mercado_pago({.signature = "ts=1704908010,v1=" + std::string{mercado_pago_hex},
                                   .request_id = "req-1",
                                   .data_id = "123456"},
                                  {mercado_pago_secret}, mercado_pago_time + off) == judged);
  }
  // Whoever signed nothing learns nothing of clocks.
  BOOST_TEST(check_stripe(stripe_header(std::string(64, '0')), stripe_body, {stripe_secret}, 0) ==
             signature::wrong);
}

BOOST_AUTO_TEST_CASE(standard_webhooks_has_its_published_example) {
  const auto key = standard_webhooks_key(standard_secret);
  BOOST_TEST_REQUIRE(key.has_value());
  BOOST_TEST(check_standard_webhook(standard_example, {*key}, standard_time) == signature::good);
}

BOOST_AUTO_TEST_CASE(standard_webhooks_are_checked_over_every_part) {
  const auto key = *standard_webhooks_key(standard_secret);
  const std::string zeros = "v1,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
  const std::string right{standard_example.signatures};
  const auto judged = [&](auto change, std::vector<std::string> keys) {
    auto got = standard_example;
    change(got);
    return check_standard_webhook(got, keys, standard_time);
  };
  const auto nothing = [](standard_webhook&) {};
  BOOST_TEST(judged(nothing, {"another key", key}) == signature::good);
  BOOST_TEST(judged(nothing, {"another key"}) == signature::wrong);
  BOOST_TEST(judged(nothing, {}) == signature::wrong);
  const auto both = zeros + " " + right;
  const auto other_version = "v1a,xyz " + right;
  BOOST_TEST(judged([&](auto& got) { got.signatures = both; }, {key}) == signature::good);
  BOOST_TEST(judged([&](auto& got) { got.signatures = other_version; }, {key}) == signature::good);
  BOOST_TEST(judged([&](auto& got) { got.signatures = zeros; }, {key}) == signature::wrong);
  BOOST_TEST(judged([](auto& got) { got.signatures = "v2,abc"; }, {key}) == signature::malformed);
  BOOST_TEST(judged([](auto& got) { got.signatures = ""; }, {key}) == signature::missing);
  BOOST_TEST(judged([](auto& got) { got.id = "msg_other"; }, {key}) == signature::wrong);
  BOOST_TEST(judged([](auto& got) { got.id = ""; }, {key}) == signature::missing);
  BOOST_TEST(judged([](auto& got) { got.timestamp = "1614265331"; }, {key}) == signature::wrong);
  BOOST_TEST(judged([](auto& got) { got.timestamp = "then"; }, {key}) == signature::malformed);
  BOOST_TEST(judged([](auto& got) { got.timestamp = ""; }, {key}) == signature::missing);
  BOOST_TEST(judged([](auto& got) { got.body = R"({"test":2432232314})"; }, {key}) ==
             signature::wrong);
}

BOOST_AUTO_TEST_CASE(keys_of_standard_webhooks_are_base64_behind_whsec) {
  for (const std::string_view wrong : {"", "whsec_", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                                       "whsec_c2hvcnQ=", "whsec_not base64 at all!"})
    BOOST_TEST(!standard_webhooks_key(wrong).has_value(), wrong);
}

BOOST_AUTO_TEST_CASE(mercado_pago_has_its_known_answers) {
  const mercado_pago_webhook got{.signature = "", .request_id = "req-1", .data_id = "123456"};
  const auto judged = [](mercado_pago_webhook what, const std::string& header,
                         std::vector<std::string> secrets = {"old", mercado_pago_secret}) {
    what.signature = header;
    return check_mercado_pago(what, secrets, mercado_pago_time);
  };
  const std::string hex{mercado_pago_hex};
  const std::string bare{mercado_pago_bare_hex};
  BOOST_TEST(judged(got, "ts=1704908010,v1=" + hex) == signature::good);
  BOOST_TEST(judged(got, "ts=1704908010,v1=" + bare) == signature::wrong);
  // The id in lower case, without a request id, in milliseconds.
  BOOST_TEST(judged({.signature = "", .request_id = "", .data_id = "ABC-123"},
                    "ts=1704908010000,v1=" + bare) == signature::good);
  auto other = got;
  other.data_id = "123457";
  BOOST_TEST(judged(other, "ts=1704908010,v1=" + hex) == signature::wrong);
  other = got;
  other.request_id = "req-2";
  BOOST_TEST(judged(other, "ts=1704908010,v1=" + hex) == signature::wrong);
  BOOST_TEST(judged(got, "ts=1704908011,v1=" + hex) == signature::wrong);
  BOOST_TEST(judged(got, "ts=1704908010,v1=" + hex, {"old"}) == signature::wrong);
  BOOST_TEST(judged(got, "ts=1704908010,v1=" + hex, {}) == signature::wrong);
  BOOST_TEST(judged(got, "") == signature::missing);
  BOOST_TEST(judged(got, "v1=" + hex) == signature::malformed);
  BOOST_TEST(judged(got, "ts=1704908010") == signature::malformed);
  // An id that would go on into the next part of what is signed.
  BOOST_TEST(judged({.signature = "", .request_id = "", .data_id = "123456;request-id:req-1"},
                    "ts=1704908010,v1=" + hex) == signature::malformed);
}
