// Codes of entry tickets: the keys, the thumbprint and the signature of RFC 8037; what is written
// is read, and nothing else is: no code with a letter changed, left out or added, no other header
// (of another algorithm, another key, with extensions) although it is signed well, and nothing that
// was signed for something else. A rotation of the key. That an order's id is not to be seen.
//
// That it bites was shown by reading the header's `kid` alone, by leaving out the signature's check
// and by writing the order's id as it is: each fails the cases that are named after it.
#include "http/api/entry_ticket.hpp"
#include "http/crypto/base64.hpp"
#include "http/crypto/crypto.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace {

using namespace usher;
using namespace usher::http;
using nlohmann::json;
using storage::secret_key;

secret_key seed_of(std::uint8_t first) {
  secret_key seed;
  for (std::size_t i = 0; i < seed.size(); ++i)
    seed[i] = static_cast<std::uint8_t>(first + i);
  return seed;
}
const secret_key seed = seed_of(0);
const secret_key other_seed = seed_of(100);

const entry_ticket_codec& codec() {
  static const entry_ticket_codec made{seed};
  return made;
}

order_id order_of(std::uint8_t fill) {
  order_id id;
  id.bytes.fill(fill);
  return id;
}

entry_ticket some_ticket() {
  return {"hamlet", "A-1", order_of(7), 1'800'000'000'000};
}

struct parts {
  std::string header;
  std::string payload;
  std::string signature;
};

/// The decoded parts of a code that has three.
parts parts_of(const std::string& code) {
  const auto first = code.find('.');
  const auto last = code.rfind('.');
  return {decode_base64url(code.substr(0, first)).value(),
          decode_base64url(code.substr(first + 1, last - first - 1)).value(),
          decode_base64url(code.substr(last + 1)).value()};
}

/// Signed well with that key, whatever it says.
std::string signed_code(std::string_view header, std::string_view payload,
                        const secret_key& by = seed) {
  const auto text = encode_base64url(header) + "." + encode_base64url(payload);
  return text + "." + encode_base64url(ed25519_key{by}.sign(text));
}

std::string kid_of(const secret_key& of) {
  return thumbprint(ed25519_key{of});
}

secret_key from_base64url(std::string_view text) {
  const auto raw = decode_base64url(text).value();
  BOOST_REQUIRE(raw.size() == secret_key{}.size());
  secret_key made;
  std::copy(raw.begin(), raw.end(), made.begin());
  return made;
}

} // namespace

BOOST_AUTO_TEST_CASE(keys_thumbprints_and_signatures_are_those_of_rfc_8037) {
  const ed25519_key key{from_base64url("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A")}; // A.1
  BOOST_TEST(encode_base64url(key.public_key()) ==
             "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo");                           // A.2
  BOOST_TEST(thumbprint(key) == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");        // A.3
  const std::string text = "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc"; // A.4
  const std::string signature =
      "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg";
  BOOST_TEST(encode_base64url(key.sign(text)) == signature);
  BOOST_TEST(key.verifies(text, decode_base64url(signature).value()));
  BOOST_TEST(!key.verifies(text + " ", decode_base64url(signature).value()));
  BOOST_TEST(!ed25519_key{seed}.verifies(text, decode_base64url(signature).value()));
}

BOOST_AUTO_TEST_CASE(what_is_written_is_read) {
  const std::string longest(64, 'x');
  const entry_ticket cases[] = {some_ticket(),
                                {"s", "1", order_of(0), 0},
                                {"show-42", "floor:500", order_of(255), 1'800'000'000'000},
                                {longest, longest + ":19999", order_of(1), 253'402'300'799'000},
                                {"a.b", "Réf \"1\"\\ 🎭\n", order_of(9), 1'000}};
  for (const auto& one : cases) {
    const auto code = codec().write(one);
    const auto read = codec().read(code);
    BOOST_TEST_CONTEXT(code) {
      BOOST_REQUIRE(read.has_value());
      BOOST_TEST((*read == one));
      BOOST_TEST(code.size() <= entry_ticket_codec::code_bytes_max);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_same_ticket_has_the_same_code_and_another_has_another) {
  const auto code = codec().write(some_ticket());
  auto later = some_ticket();
  later.paid_at += 999; // within the second
  BOOST_TEST(entry_ticket_codec{seed}.write(later) == code);
  auto others = std::vector<entry_ticket>(4, some_ticket());
  others[0].show = "macbeth";
  others[1].seat = "A-2";
  others[2].order = order_of(8);
  others[3].paid_at += 1'000;
  for (const auto& each : others)
    BOOST_TEST(codec().write(each) != code);
}

BOOST_AUTO_TEST_CASE(a_code_is_a_token_that_names_its_type_and_its_key) {
  const auto its = parts_of(codec().write(some_ticket()));
  BOOST_TEST(its.header ==
             R"({"alg":"EdDSA","kid":")" + kid_of(seed) + R"(","typ":"entry-ticket+jwt"})");
  auto payload = json::parse(its.payload);
  BOOST_TEST(payload["order"].get<std::string>().size() == 22U);
  payload.erase("order");
  BOOST_TEST(payload == json::parse(R"({"iss": "usher", "show": "hamlet", "seat": "A-1",
                                        "iat": 1800000000})"));
}

BOOST_AUTO_TEST_CASE(the_orders_id_is_not_to_be_seen_and_tickets_of_one_order_are_known_as_such) {
  const auto order_in = [](const entry_ticket& of) {
    return json::parse(parts_of(codec().write(of)).payload)["order"].get<std::string>();
  };
  auto beside = some_ticket();
  beside.seat = "A-2";
  BOOST_TEST(order_in(beside) == order_in(some_ticket()));
  auto next = some_ticket();
  next.order.bytes.back() ^= 1;
  const auto here = decode_base64url(order_in(some_ticket())).value();
  const auto there = decode_base64url(order_in(next)).value();
  const auto& id = some_ticket().order.bytes;
  std::size_t as_id = 0;
  std::size_t as_next = 0;
  for (std::size_t i = 0; i < here.size(); ++i) {
    as_id += static_cast<std::uint8_t>(here[i]) == id[i] ? 1 : 0;
    as_next += here[i] == there[i] ? 1 : 0;
  }
  BOOST_TEST(as_id < 4U); // by chance one in 256
  BOOST_TEST(as_next < 4U);
}

BOOST_AUTO_TEST_CASE(no_letter_can_be_changed_left_out_or_added) {
  const auto code = codec().write(some_ticket());
  for (std::size_t at = 0; at < code.size(); ++at) {
    for (const char other : {'A', 'B', 'Q', 'g', 'w', '_', '.', '=', '+', ' ', '\0'}) {
      auto bad = code;
      bad[at] = other;
      if (bad != code)
        BOOST_TEST(!codec().read(bad), at << " is " << other);
      bad = code;
      bad.insert(at, 1, other);
      BOOST_TEST(!codec().read(bad), at << " has " << other << " before it");
    }
    BOOST_TEST(!codec().read(code.substr(0, at)), "cut at " << at);
    BOOST_TEST(!codec().read(code.substr(at + 1)), "begun at " << at);
    auto shorter = code;
    BOOST_TEST(!codec().read(shorter.erase(at, 1)), at << " left out");
  }
  for (const std::string end : {"A", "=", "==", ".", ".e30", "\n", " "})
    BOOST_TEST(!codec().read(code + end));
  BOOST_TEST(!codec().read(""));
  BOOST_TEST(!codec().read("."));
  BOOST_TEST(!codec().read(".."));
  BOOST_TEST(codec().read(code).has_value());
}

// RFC 8032, 5.1.7: s has to be below the order of the group, else s + L would do as well.
BOOST_AUTO_TEST_CASE(a_signature_has_one_form) {
  const auto code = codec().write(some_ticket());
  auto signature = parts_of(code).signature;
  constexpr std::array<std::uint8_t, 32> group_order{
      0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7,
      0xa2, 0xde, 0xf9, 0xde, 0x14, 0,    0,    0,    0,    0,    0,
      0,    0,    0,    0,    0,    0,    0,    0,    0,    0x10};
  unsigned carry = 0;
  for (std::size_t i = 0; i < group_order.size(); ++i) {
    carry += static_cast<std::uint8_t>(signature[32 + i]) + group_order[i];
    signature[32 + i] = static_cast<char>(carry);
    carry >>= 8;
  }
  BOOST_TEST_REQUIRE(carry == 0U);
  BOOST_TEST(!codec().read(code.substr(0, code.rfind('.') + 1) + encode_base64url(signature)));
}

BOOST_AUTO_TEST_CASE(no_other_header_is_taken_although_it_is_signed_well) {
  const auto good = parts_of(codec().write(some_ticket()));
  BOOST_TEST(codec().read(signed_code(good.header, good.payload)).has_value());
  const auto kid = kid_of(seed);
  const auto header = [&kid](const std::string& algorithm) {
    return R"({"alg":")" + algorithm + R"(","kid":")" + kid + R"(","typ":"entry-ticket+jwt"})";
  };
  const std::string others[] = {
      header("none"),
      header("HS256"),
      header("ES256"),
      header("RS256"),
      header("Ed25519"),
      header("eddsa"),
      header("EdDSA") + " ",
      " " + header("EdDSA"),
      R"({"alg":"EdDSA","typ":"entry-ticket+jwt"})",
      R"({"alg":"EdDSA","kid":")" + kid_of(other_seed) + R"(","typ":"entry-ticket+jwt"})",
      R"({"alg":"EdDSA","kid":")" + kid + R"("})",
      R"({"alg":"EdDSA","kid":")" + kid + R"(","typ":"JWT"})",
      R"({"alg":"EdDSA","kid":")" + kid +
          R"(","typ":"entry-ticket+jwt","crit":["b64"],"b64":false})",
      R"({"alg":"EdDSA","kid":")" + kid + R"(","typ":"entry-ticket+jwt","crit":[]})",
      R"({"kid":")" + kid + R"(","alg":"EdDSA","typ":"entry-ticket+jwt"})",
      "{}",
      "",
      "[]",
      "null"};
  for (const auto& each : others)
    BOOST_TEST(!codec().read(signed_code(each, good.payload)), each);
}

BOOST_AUTO_TEST_CASE(nobody_elses_signature_is_taken_whatever_the_header_says) {
  const auto good = parts_of(codec().write(some_ticket()));
  BOOST_TEST(!codec().read(signed_code(good.header, good.payload, other_seed)));
  const auto text = encode_base64url(good.header) + "." + encode_base64url(good.payload);
  BOOST_TEST(!codec().read(text + "."));
  BOOST_TEST(!codec().read(text));
  BOOST_TEST(!codec().read(text + "." + encode_base64url(std::string(64, '\0'))));
  // The usual confusion: a MAC with the public key as its secret.
  const ed25519_key key{seed};
  for (const auto& secret : {std::string{key.public_key()}, encode_base64url(key.public_key())}) {
    const auto mac = hmac_sha256(secret, text);
    const std::string_view bytes{reinterpret_cast<const char*>(mac.data()), mac.size()};
    BOOST_TEST(!codec().read(text + "." + encode_base64url(bytes)));
  }
}

BOOST_AUTO_TEST_CASE(what_was_signed_for_something_else_is_no_ticket) {
  const auto good = parts_of(codec().write(some_ticket()));
  const auto with = [&good](std::string_view patch) {
    auto payload = json::parse(good.payload);
    payload.merge_patch(json::parse(patch));
    return payload.dump();
  };
  BOOST_TEST(codec().read(signed_code(good.header, with("{}"))).has_value());
  const std::string others[] = {with(R"({"iss": "another"})"),
                                with(R"({"iss": null})"),
                                with(R"({"show": null})"),
                                with(R"({"show": ""})"),
                                with(R"({"show": 1})"),
                                with(R"({"seat": null})"),
                                with(R"({"seat": ["A-1"]})"),
                                with(R"({"order": null})"),
                                with(R"({"order": "AAAA"})"),
                                with(R"({"order": "AAAAAAAAAAAAAAAAAAAAAB"})"), // bits left over
                                with(R"({"iat": null})"),
                                with(R"({"iat": -1})"),
                                with(R"({"iat": "1800000000"})"),
                                with(R"({"iat": 1.5})"),
                                "[]",
                                "{}",
                                "null",
                                "{",
                                ""};
  for (const auto& each : others)
    BOOST_TEST(!codec().read(signed_code(good.header, each)), each);
}

BOOST_AUTO_TEST_CASE(a_code_that_is_too_long_is_not_looked_at) {
  const auto good = parts_of(codec().write(some_ticket()));
  const auto padded = [&good](std::size_t blanks) {
    return signed_code(good.header, good.payload + std::string(blanks, ' '));
  };
  std::size_t blanks = 0;
  while (padded(blanks + 1).size() <= entry_ticket_codec::code_bytes_max)
    ++blanks;
  BOOST_TEST(codec().read(padded(blanks)).has_value());
  BOOST_TEST(!codec().read(padded(blanks + 1)));
}

BOOST_AUTO_TEST_CASE(after_a_rotation_both_keys_count_and_the_new_one_signs) {
  const auto old_code = entry_ticket_codec{seed}.write(some_ticket());
  const entry_ticket_codec during{other_seed, seed};
  const auto new_code = during.write(some_ticket());
  BOOST_TEST(new_code != old_code);
  BOOST_TEST(new_code == entry_ticket_codec{other_seed}.write(some_ticket()));
  for (const auto& code : {old_code, new_code}) {
    const auto read = during.read(code);
    BOOST_REQUIRE(read.has_value());
    BOOST_TEST((*read == some_ticket()));
  }
  BOOST_TEST(!entry_ticket_codec{seed}.read(new_code));
  BOOST_TEST(!entry_ticket_codec{other_seed}.read(old_code));
}

BOOST_AUTO_TEST_CASE(the_published_keys_are_those_that_count_and_no_more_is_published) {
  const auto published = [](const entry_ticket_codec& by) {
    std::vector<std::string> kids;
    for (const auto& each : by.public_keys())
      kids.push_back(each["kid"].get<std::string>());
    return kids;
  };
  using names = std::vector<std::string>;
  BOOST_TEST((published(codec()) == names{kid_of(seed)}));
  BOOST_TEST(
      (published(entry_ticket_codec{other_seed, seed}) == names{kid_of(other_seed), kid_of(seed)}));
  BOOST_TEST((published(entry_ticket_codec{seed, seed}) == names{kid_of(seed)}));
  const json expected{
      {"kty", "OKP"},        {"crv", "Ed25519"},
      {"alg", "EdDSA"},      {"use", "sig"},
      {"kid", kid_of(seed)}, {"x", encode_base64url(ed25519_key{seed}.public_key())}};
  BOOST_TEST(json(codec().public_keys()[0]) == expected); // and so no "d"
}
