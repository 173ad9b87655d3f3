// The keys of customer tokens: the signatures of RFC 7515 (A.1 to A.3) and RFC 8037 (A.4) are good
// and no other is, and keys that do not fit their algorithm are refused with what was expected.
#include "tests/edge/seller_key.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace {

using namespace usher::http;
using usher::test::seller_key;
using enum token_algorithm;

struct known_answer {
  token_algorithm algorithm;
  std::string key;
  std::string header;
  std::string payload;
  std::string signature;
};

const std::string joe = "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvb"
                        "S9pc19yb290Ijp0cnVlfQ";

const known_answer known_answers[] = {
    {hs256,
     "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ+EstJQLr/T+1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow==",
     "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9", joe,
     "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"},
    {rs256,
     R"(-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAofgWCuLjybRlzo0tZWJj
NiuSfb4p4fAkd/wWJcyQoTbji9k0l8W26mPddxHmfHQp+Vaw+4qPCJrcS2mJPMEz
P1Pt0Bm4d4QlL+yRT+SFd2lZS+pCgNMsD1W/YpRPEwOWvG6b32690r2jZ47soMZo
9wGzjb/7OMg0LOL+bSf63kpaSHSXndS5z5rexMdbBYUsLA9e+KXBdQOS+UTo7WTB
EMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6/I5IhlJH7aGhyxX
FvUK+DWNmoudF8NAco9/h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXp
oQIDAQAB
-----END PUBLIC KEY-----
)",
     "eyJhbGciOiJSUzI1NiJ9", joe,
     "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5j"
     "ujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L"
     "07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEU"
     "ipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw"},
    {es256,
     R"(-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV7
6e8Tus9uPHvRVEXH8UTNG72bfocs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==
-----END PUBLIC KEY-----
)",
     "eyJhbGciOiJFUzI1NiJ9", joe,
     "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"},
    {eddsa,
     R"(-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=
-----END PUBLIC KEY-----
)",
     "eyJhbGciOiJFZERTQSJ9", "RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc",
     "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"},
};

token_key key_of(const known_answer& one) {
  return std::get<token_key>(token_key::read(one.algorithm, one.key));
}

std::string refusal(token_algorithm algorithm, const std::string& text) {
  const auto read = token_key::read(algorithm, text);
  const auto* why = std::get_if<std::string>(&read);
  return why == nullptr ? "(none)" : *why;
}

} // namespace

BOOST_AUTO_TEST_CASE(the_signatures_of_the_rfcs_are_good) {
  for (const auto& one : known_answers)
    BOOST_TEST_CONTEXT(to_string(one.algorithm)) {
      const auto signature = decode_base64url(one.signature);
      BOOST_REQUIRE(signature.has_value());
      BOOST_TEST(key_of(one).verifies(one.header + "." + one.payload, *signature));
    }
}

BOOST_AUTO_TEST_CASE(a_signature_with_any_bit_flipped_or_any_other_length_is_not) {
  for (const auto& one : known_answers)
    BOOST_TEST_CONTEXT(to_string(one.algorithm)) {
      const auto key = key_of(one);
      const auto text = one.header + "." + one.payload;
      const auto good = decode_base64url(one.signature).value();
      for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
        auto bad = good;
        bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << (bit % 8)));
        BOOST_TEST(!key.verifies(text, bad), bit);
      }
      for (std::size_t length = 0; length < good.size(); ++length)
        BOOST_TEST(!key.verifies(text, good.substr(0, length)), length);
      BOOST_TEST(!key.verifies(text, good + '\0'));
      BOOST_TEST(!key.verifies(text, '\0' + good));
      BOOST_TEST(!key.verifies(text, std::string(good.size(), '\0')));
      BOOST_TEST(!key.verifies(text + " ", good));
    }
}

// OpenSSL's own form of an ECDSA signature is ASN.1; JWS has none of it.
BOOST_AUTO_TEST_CASE(a_signature_in_der_is_not_one_for_es256) {
  const seller_key seller{es256};
  const auto key = seller.for_verifier();
  const auto raw = seller.sign("text");
  BOOST_TEST(key.verifies("text", raw));
  const auto integer = [](const std::string& value) {
    const bool pad = static_cast<unsigned char>(value.front()) >= 0x80;
    return std::string{'\x02'} + static_cast<char>(value.size() + (pad ? 1 : 0)) +
           (pad ? std::string(1, '\0') : std::string{}) + value;
  };
  const auto both = integer(raw.substr(0, 32)) + integer(raw.substr(32));
  BOOST_TEST(!key.verifies("text", std::string{'\x30'} + static_cast<char>(both.size()) + both));
}

BOOST_AUTO_TEST_CASE(a_key_that_does_not_fit_its_algorithm_is_refused) {
  const std::string no_pem = "expected a public key in PEM (-----BEGIN PUBLIC KEY-----)";
  const std::string no_p256 = "expected a key on the curve P-256 for ES256";
  const std::string no_rsa = "expected an RSA key of at least 2048 bits for RS256";
  const std::string no_ed25519 = "expected an Ed25519 key for EdDSA";
  const std::string no_secret = "expected a secret of 32 to 1024 bytes in base64";
  const seller_key p256{es256};
  const seller_key ed25519{eddsa};
  const seller_key p384{EVP_EC_gen("P-384")};
  const seller_key k256{EVP_EC_gen("secp256k1")};
  const seller_key small{EVP_RSA_gen(1024)};
  const seller_key rsa{EVP_RSA_gen(2048)};
  const struct {
    token_algorithm algorithm;
    std::string text;
    std::string expected;
  } cases[] = {
      {es256, p256.public_pem(), "(none)"},
      {es256, "", no_pem},
      {es256, "P-256", no_pem},
      {es256, p256.private_pem(), no_pem},
      {es256, p256.public_pem().substr(0, 80), no_pem},
      {es256, std::string(1'000'000, 'A'), no_pem},
      {es256, p384.public_pem(), no_p256},
      {es256, k256.public_pem(), no_p256},
      {es256, ed25519.public_pem(), no_p256},
      {es256, rsa.public_pem(), no_p256},
      {rs256, rsa.public_pem(), "(none)"},
      {rs256, small.public_pem(), no_rsa},
      {rs256, p256.public_pem(), no_rsa},
      {eddsa, ed25519.public_pem(), "(none)"},
      {eddsa, p256.public_pem(), no_ed25519},
      {hs256, seller_key::padded_base64(std::string(32, 'k')), "(none)"},
      {hs256, seller_key::padded_base64(std::string(1024, 'k')), "(none)"},
      {hs256, seller_key::padded_base64(std::string(31, 'k')), no_secret},
      {hs256, seller_key::padded_base64(std::string(1025, 'k')), no_secret},
      {hs256, "", no_secret},
      {hs256, std::string(64, '?'), no_secret},
      {hs256, p256.public_pem(), no_secret}, // or everybody who knows the public key could sign
  };
  for (const auto& [algorithm, text, expected] : cases)
    BOOST_TEST_CONTEXT(to_string(algorithm) << ' ' << text.substr(0, 120))
  BOOST_TEST(refusal(algorithm, text) == expected);
}

BOOST_AUTO_TEST_CASE(names_of_algorithms_are_read_exactly) {
  for (const auto each : {es256, rs256, eddsa, hs256})
    BOOST_TEST((read_token_algorithm(to_string(each)) == each));
  for (const auto* name :
       {"", "none", "None", "es256", "ES384", "PS256", "Ed25519", "HS512", "ES256 "})
    BOOST_TEST(!read_token_algorithm(name).has_value(), name);
}
