// Customer tokens: of each algorithm one that is good, every fault by table, and that no bit of a
// good token can be changed. The keys are new in each run; known signatures are in token_key_test.
#include "http/api/customer_token.hpp"
#include "tests/edge/seller_key.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace {

using namespace usher::http;
using nlohmann::json;
using usher::test::seller_key;
using enum token_algorithm;

constexpr usher::time_ms now = 1'800'000'000'000;
constexpr std::int64_t now_seconds = now / 1000;
constexpr std::string_view es256_header = R"({"alg":"ES256"})";

/// A payload that is good at `now` for every show.
json claims() {
  return {{"sub", "ana"}, {"aud", "usher"}, {"exp", now_seconds + 60}};
}

json claims_with(std::string_view patch) {
  auto made = claims();
  made.merge_patch(json::parse(patch));
  return made;
}

const seller_key& seller() {
  static const seller_key key{es256};
  return key;
}

customer_token_verifier verifier(const std::string& issuer = {}) {
  return customer_token_verifier{{{{"one", seller().for_verifier()}}, issuer, "usher"}};
}

/// The customer, or the fault's sentence in brackets.
std::string outcome(const customer_token_verifier& by, const std::string& token,
                    usher::time_ms at = now, std::string_view show = "hamlet") {
  const auto read = by.verify(token, show, at);
  if (const auto* customer = std::get_if<std::string>(&read))
    return *customer;
  return "[" + std::string{to_string(std::get<token_fault>(read))} + "]";
}

std::string no(token_fault fault) {
  return "[" + std::string{to_string(fault)} + "]";
}

/// Of a payload that is signed well.
std::string outcome_of(const json& payload, usher::time_ms at = now) {
  return outcome(verifier(), seller().token(payload), at);
}

} // namespace

BOOST_AUTO_TEST_CASE(a_good_token_of_each_algorithm_names_the_customer) {
  for (const auto algorithm : {es256, rs256, eddsa, hs256})
    BOOST_TEST_CONTEXT(to_string(algorithm)) {
      const seller_key its{algorithm};
      const customer_token_verifier by{{{{"k", its.for_verifier()}}}};
      BOOST_TEST(outcome(by, its.token(claims())) == "ana");
    }
}

BOOST_AUTO_TEST_CASE(what_the_payload_may_say) {
  const std::string longest(customer_token_verifier::subject_bytes_max, 'x');
  const std::pair<json, std::string> cases[] = {
      {claims_with(R"({"aud": ["shop", "usher"]})"), "ana"},
      {claims_with(R"({"show": "hamlet"})"), "ana"},
      {claims_with(R"({"sub": "Ünï 🎭"})"), "Ünï 🎭"},
      {claims_with(R"({"sub": ")" + longest + "\"}"), longest},
      {claims_with(R"({"iss": "anybody", "jti": 1, "more": {"a": [1, {}]}})"), "ana"},
      {claims_with(R"({"exp": 1800000000.5})"), "ana"},
      {claims_with(R"({"exp": 1e300})"), "ana"},
      {claims_with(R"({"nbf": 1800000000, "iat": 1800000000})"), "ana"},
  };
  for (const auto& [payload, customer] : cases)
    BOOST_TEST(outcome_of(payload) == customer, payload.dump().substr(0, 200));
}

BOOST_AUTO_TEST_CASE(each_fault_of_the_payload) {
  using enum token_fault;
  const std::string too_long(customer_token_verifier::subject_bytes_max + 1, 'x');
  const std::pair<std::string, token_fault> cases[] = {
      {R"({"exp": null})", no_expiry}, // a patch with null takes the member out
      {R"({"exp": "1900000000"})", malformed},
      {R"({"exp": 1799999000})", expired},
      {R"({"exp": 0})", expired},
      {R"({"exp": -1e300})", expired},
      {R"({"nbf": 1800000060})", not_yet_valid},
      {R"({"iat": 1800000060})", not_yet_valid},
      {R"({"nbf": "soon"})", malformed},
      {R"({"iat": []})", malformed},
      {R"({"aud": null})", wrong_audience},
      {R"({"aud": "Usher"})", wrong_audience},
      {R"({"aud": ""})", wrong_audience},
      {R"({"aud": []})", wrong_audience},
      {R"({"aud": ["shop", 1, ["usher"]]})", wrong_audience},
      {R"({"aud": {"usher": "usher"}})", wrong_audience},
      {R"({"show": "othello"})", another_show},
      {R"({"show": ""})", another_show},
      {R"({"show": ["hamlet"]})", another_show},
      {R"({"sub": null})", no_subject},
      {R"({"sub": ""})", no_subject},
      {R"({"sub": 7})", no_subject},
      {R"({"sub": ")" + too_long + "\"}", no_subject},
  };
  for (const auto& [patch, fault] : cases)
    BOOST_TEST(outcome_of(claims_with(patch)) == no(fault), patch.substr(0, 60));
}

BOOST_AUTO_TEST_CASE(the_issuer_counts_where_one_is_configured) {
  const auto by = verifier("https://shop.example");
  const auto of = [&](std::string_view patch) {
    return outcome(by, seller().token(claims_with(patch)));
  };
  BOOST_TEST(of(R"({"iss": "https://shop.example"})") == "ana");
  for (const auto* patch : {"{}", R"({"iss": ""})", R"({"iss": "https://shop.example/"})",
                            R"({"iss": ["https://shop.example"]})"})
    BOOST_TEST(of(patch) == no(token_fault::wrong_issuer), patch);
}

// At the edges, to the millisecond: exp + 5 s is over, nbf and iat - 5 s has begun.
BOOST_AUTO_TEST_CASE(the_times_have_five_seconds_of_leeway) {
  const auto ends = claims_with(R"({"exp": 1800000000})");
  BOOST_TEST(outcome_of(ends, now + 4'999) == "ana");
  BOOST_TEST(outcome_of(ends, now + 5'000) == no(token_fault::expired));
  for (const auto* patch : {R"({"nbf": 1800000000})", R"({"iat": 1800000000})"}) {
    BOOST_TEST(outcome_of(claims_with(patch), now - 5'000) == "ana");
    BOOST_TEST(outcome_of(claims_with(patch), now - 5'001) == no(token_fault::not_yet_valid));
  }
}

BOOST_AUTO_TEST_CASE(each_fault_of_the_header) {
  using enum token_fault;
  const auto payload = claims().dump();
  const std::pair<std::string, std::string> cases[] = {
      {R"({"alg":"ES256"})", "ana"},
      {R"({"alg":"ES256","kid":"one","typ":"JWT"})", "ana"},
      // Where a key could be fetched from, or a key itself: nobody looks.
      {R"({"alg":"ES256","jku":"http://127.0.0.1/","x5u":7,"jwk":{"kty":"oct","k":""}})", "ana"},
      {R"({"alg":"none"})", no(wrong_algorithm)},
      {R"({"alg":"None"})", no(wrong_algorithm)},
      {R"({"alg":"HS256"})", no(wrong_algorithm)},
      {R"({"alg":"RS256"})", no(wrong_algorithm)},
      {R"({"alg":"es256"})", no(wrong_algorithm)},
      {R"({"alg":""})", no(wrong_algorithm)},
      {R"({"alg":["ES256"]})", no(malformed)},
      {R"({})", no(malformed)},
      {R"({"alg":"ES256","kid":"two"})", no(unknown_key)},
      {R"({"alg":"ES256","kid":""})", no(unknown_key)},
      {R"({"alg":"ES256","kid":0})", no(malformed)},
      {R"({"alg":"ES256","kid":null})", no(malformed)},
      {R"({"alg":"ES256","crit":["exp"]})", no(unsupported)},
      {R"({"alg":"ES256","crit":[]})", no(unsupported)},
      {R"({"alg":"ES256","crit":null})", no(unsupported)},
      {R"(["ES256"])", no(malformed)},
      {R"("ES256")", no(malformed)},
      {R"({"alg":"ES256")", no(malformed)},
      {"{\"alg\":\"ES256\",\"x\":\"\xff\"}", no(malformed)},
      {R"({"alg":"ES256","x":1e999})", no(malformed)},
      {"", no(malformed)},
  };
  for (const auto& [header, expected] : cases)
    BOOST_TEST(outcome(verifier(), seller().token(header, payload)) == expected, header);
}

// The classic forgery: the public key, which everybody knows, taken for the secret of an HMAC. The
// token is refused by its algorithm; and were it not, its 32 bytes are no signature of ES256.
BOOST_AUTO_TEST_CASE(the_public_key_is_no_secret) {
  const auto hmac_with_public_key = [](const std::string& header) {
    const auto text = encode_base64url(header) + "." + encode_base64url(claims().dump());
    return text + "." + encode_base64url(seller_key::hmac(seller().public_pem(), text));
  };
  BOOST_TEST(outcome(verifier(), hmac_with_public_key(R"({"alg":"HS256"})")) ==
             no(token_fault::wrong_algorithm));
  BOOST_TEST(outcome(verifier(), hmac_with_public_key(R"({"alg":"ES256"})")) ==
             no(token_fault::bad_signature));
}

BOOST_AUTO_TEST_CASE(with_two_keys_the_kid_picks_one_and_only_that_one_counts) {
  const seller_key old_key{hs256};
  const customer_token_verifier by{
      {{{"new", seller().for_verifier()}, {"old", old_key.for_verifier()}}}};
  const auto payload = claims().dump();
  const auto es = [&](const std::string& header) {
    return outcome(by, seller().token(header, payload));
  };
  const auto hs = [&](const std::string& header) {
    return outcome(by, old_key.token(header, payload));
  };
  BOOST_TEST(es(R"({"alg":"ES256","kid":"new"})") == "ana");
  BOOST_TEST(hs(R"({"alg":"HS256","kid":"old"})") == "ana");
  BOOST_TEST(es(R"({"alg":"ES256","kid":"old"})") == no(token_fault::wrong_algorithm));
  BOOST_TEST(hs(R"({"alg":"ES256","kid":"new"})") == no(token_fault::bad_signature));
  BOOST_TEST(es(R"({"alg":"HS256","kid":"old"})") == no(token_fault::bad_signature));
  BOOST_TEST(es(R"({"alg":"ES256"})") == no(token_fault::unknown_key));
}

BOOST_AUTO_TEST_CASE(what_has_not_the_shape_of_a_token_is_malformed) {
  const auto good = seller().token(claims());
  const auto header = good.substr(0, good.find('.'));
  const auto payload = good.substr(header.size() + 1, good.rfind('.') - header.size() - 1);
  const auto signature = good.substr(good.rfind('.') + 1);
  BOOST_TEST(outcome(verifier(), header + "." + payload + "." + signature) == "ana");
  for (const auto& token :
       {std::string{}, std::string{"."}, std::string{".."}, std::string{"..."}, header,
        header + "." + payload, good + ".", "." + good, good + "." + signature,
        header + ".." + payload + "." + signature, good + "=", good + "==", good + "\n", " " + good,
        "Bearer " + good, header + "=." + payload + "." + signature, good + "A\xc3\xa9",
        header + "." + payload + "." + signature.substr(0, signature.size() - 1) + "+"})
    BOOST_TEST(outcome(verifier(), token) == no(token_fault::malformed), token);
  BOOST_TEST(outcome(verifier(), header + "." + payload + ".") == no(token_fault::bad_signature));
}

BOOST_AUTO_TEST_CASE(a_payload_that_is_signed_but_no_object_is_malformed) {
  const auto nested = [](std::size_t depth) {
    return R"({"sub":"ana","aud":"usher","exp":1900000000,"x":)" + std::string(depth, '[') +
           std::string(depth, ']') + "}";
  };
  for (const auto& payload : {std::string{}, std::string{"null"}, std::string{"[]"},
                              std::string{"\"ana\""}, std::string{R"({"sub":"ana")"},
                              std::string{"{\"sub\":\"\xff\"}"}, nested(17), nested(1000)})
    BOOST_TEST(outcome(verifier(), seller().token(es256_header, payload)) ==
                   no(token_fault::malformed),
               payload.substr(0, 80));
  BOOST_TEST(outcome(verifier(), seller().token(es256_header, nested(8))) == "ana");
}

BOOST_AUTO_TEST_CASE(a_token_of_4096_bytes_is_read_and_a_longer_one_is_not) {
  const auto of_length = [](std::size_t length) {
    for (std::size_t filling = length / 2; filling < length; ++filling) {
      auto token = seller().token(claims_with(R"({"x": ")" + std::string(filling, 'x') + "\"}"));
      if (token.size() >= length)
        return token;
    }
    return std::string{};
  };
  const auto fits = of_length(4095);
  BOOST_TEST_REQUIRE((fits.size() == 4095 || fits.size() == 4096));
  BOOST_TEST(outcome(verifier(), fits) == "ana");
  BOOST_TEST(outcome(verifier(), of_length(4097)) == no(token_fault::malformed));
  BOOST_TEST(outcome(verifier(), std::string(10'000'000, 'A')) == no(token_fault::malformed));
}

// Each bit of the bytes in each part, and each character of the text (its unused bits too).
BOOST_AUTO_TEST_CASE(no_bit_of_a_good_token_can_be_changed) {
  for (const auto algorithm : {es256, rs256, eddsa, hs256})
    BOOST_TEST_CONTEXT(to_string(algorithm)) {
      const seller_key its{algorithm};
      const customer_token_verifier by{{{{"k", its.for_verifier()}}}};
      const auto good = its.token(claims());
      BOOST_REQUIRE(outcome(by, good) == "ana");
      std::size_t accepted = 0;
      for (std::size_t begin = 0; begin < good.size();) {
        const auto end = std::min(good.find('.', begin), good.size());
        const auto bytes = decode_base64url(good.substr(begin, end - begin)).value();
        for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
          auto bad = bytes;
          bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << (bit % 8)));
          const auto token = good.substr(0, begin) + encode_base64url(bad) + good.substr(end);
          accepted += std::holds_alternative<std::string>(by.verify(token, "hamlet", now)) ? 1 : 0;
        }
        begin = end + 1;
      }
      for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
        auto bad = good;
        bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << (bit % 8)));
        accepted += std::holds_alternative<std::string>(by.verify(bad, "hamlet", now)) ? 1 : 0;
      }
      BOOST_TEST(accepted == 0U);
    }
}

BOOST_AUTO_TEST_CASE(each_fault_has_a_sentence_of_its_own) {
  using enum token_fault;
  std::vector<std::string_view> seen;
  for (const auto fault :
       {malformed, unsupported, unknown_key, wrong_algorithm, bad_signature, no_expiry, expired,
        not_yet_valid, wrong_issuer, wrong_audience, no_subject, another_show}) {
    const auto sentence = to_string(fault);
    BOOST_TEST(sentence.ends_with('.'));
    BOOST_TEST((std::find(seen.begin(), seen.end(), sentence) == seen.end()));
    seen.push_back(sentence);
  }
}
