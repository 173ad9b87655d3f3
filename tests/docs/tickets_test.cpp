// docs/tickets.md against the code: the worked example to the letter, from the secret key to the
// code, with the signature and the thumbprint checked by OpenSSL alone; the published limits; every
// address in a curl line is a route.
//
// That it bites was shown by changing one thing of the page: a digit of the secret key, a letter of
// the header, of `x`, of `order`, of the code, a number in the text, an address.

#include "actors/basics/reference.hpp"
#include "http/api/entry_ticket.hpp"
#include "http/api/router.hpp"
#include "http/crypto/base64.hpp"
#include "http/crypto/crypto.hpp"
#include "storage/files.hpp"
#include "tests/docs/reading.hpp"

#include <boost/test/unit_test.hpp>
#include <openssl/evp.h>

#include <algorithm>
#include <memory>
#include <regex>

using namespace usher;
using http::json;

namespace {

const std::string& page() {
  static const auto text = test::text_of("docs/tickets.md");
  return text;
}

const std::string& example() {
  static const auto text = page().substr(page().find("## A worked example"));
  return text;
}

/// The first group of the first match in the worked example.
std::string found(const std::string& pattern) {
  std::smatch match;
  BOOST_TEST_REQUIRE(std::regex_search(example(), match, std::regex{pattern}), pattern);
  return match[1];
}

storage::secret_key secret_of(const std::string& hex) {
  storage::secret_key key{};
  BOOST_TEST_REQUIRE(hex.size() == 2 * key.size());
  for (std::size_t i = 0; i < key.size(); ++i)
    key[i] = static_cast<std::uint8_t>(std::stoul(hex.substr(2 * i, 2), nullptr, 16));
  return key;
}

/// As whoever checks a code elsewhere does it.
bool verified_by_openssl(const std::string& public_key, const std::string& text,
                         const std::string& signature) {
  const auto bytes = [](const std::string& of) {
    return reinterpret_cast<const unsigned char*>(of.data());
  };
  const std::shared_ptr<EVP_PKEY> key{
      EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, bytes(public_key), public_key.size()),
      EVP_PKEY_free};
  const std::shared_ptr<EVP_MD_CTX> context{EVP_MD_CTX_new(), EVP_MD_CTX_free};
  return key && EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1 &&
         EVP_DigestVerify(context.get(), bytes(signature), signature.size(), bytes(text),
                          text.size()) == 1;
}

} // namespace

BOOST_AUTO_TEST_CASE(the_worked_example_is_what_the_program_computes) {
  const http::entry_ticket_codec codec{secret_of(found("`([0-9a-f]{64})`"))};
  const auto keys = json::parse(found("```json\n([^`]*)```"));
  BOOST_TEST(json(codec.public_keys()) == keys["keys"]);

  const auto code = found("The code:\n\n```\n([^\n]*)\n```");
  const auto header = found(R"(\n(\{"alg"[^\n]*)\n)");
  const auto payload = found(R"(\n(\{"iss"[^\n]*)\n)");
  const auto text = http::encode_base64url(header) + "." + http::encode_base64url(payload);
  BOOST_TEST(code.substr(0, code.rfind('.')) == text);

  const auto order = read_reference("order", found("`(order-[0-9a-f-]*)`"));
  BOOST_TEST_REQUIRE(order.has_value());
  const auto says = json::parse(payload);
  const http::entry_ticket ticket{says["show"], says["seat"], order_id{order->id},
                                  says["iat"].get<std::int64_t>() * 1000};
  BOOST_TEST(codec.write(ticket) == code);
  const auto read = codec.read(code);
  BOOST_TEST((read && *read == ticket));
  BOOST_TEST(ticket.paid_at == 1'796'043'907'000); // 2026-11-30T13:05:07Z
}

BOOST_AUTO_TEST_CASE(the_worked_example_can_be_checked_without_the_program) {
  const auto key = json::parse(found("```json\n([^`]*)```"))["keys"][0];
  const auto code = found("The code:\n\n```\n([^\n]*)\n```");
  const auto dot = code.rfind('.');
  BOOST_TEST(verified_by_openssl(http::decode_base64url(key["x"].get<std::string>()).value(),
                                 code.substr(0, dot),
                                 http::decode_base64url(code.substr(dot + 1)).value()));
  const auto canonical =
      R"({"crv":"Ed25519","kty":"OKP","x":")" + key["x"].get<std::string>() + "\"}";
  const auto print = http::sha256(canonical);
  BOOST_TEST(key["kid"] ==
             http::encode_base64url({reinterpret_cast<const char*>(print.data()), print.size()}));
  BOOST_TEST(json::parse(found(R"(\n(\{"alg"[^\n]*)\n)"))["kid"] == key["kid"]);
}

BOOST_AUTO_TEST_CASE(the_name_of_the_order_is_what_the_page_says) {
  const auto secret = secret_of(found("`([0-9a-f]{64})`"));
  const auto key = http::hmac_sha256({reinterpret_cast<const char*>(secret.data()), secret.size()},
                                     "entry-ticket order");
  BOOST_TEST(http::to_hex(key) == found("\nkey +([0-9a-f]*)\n"));
  const auto id = found("\nid +([0-9a-f]*)\n");
  BOOST_TEST(found("`order-0-0-([0-9a-f]*)`") == id);
  const auto name = json::parse(found(R"(\n(\{"iss"[^\n]*)\n)"))["order"].get<std::string>();
  BOOST_TEST(storage::to_hex(http::decode_base64url(name).value()) ==
             found("\norder +([0-9a-f]*)\n"));
}

BOOST_AUTO_TEST_CASE(the_names_and_limits_of_the_page_are_those_of_the_program) {
  static_assert(http::entry_ticket_codec::code_bytes_max == 1024);
  BOOST_TEST(page().find("never more than 1,024") != std::string::npos);
  for (const auto name : {storage::entry_ticket_key, storage::previous_entry_ticket_key})
    BOOST_TEST(page().find("`secrets/" + std::string{name} + "`") != std::string::npos, name);
}

BOOST_AUTO_TEST_CASE(the_addresses_are_routes) {
  const std::regex line{R"(curl -s( -X POST)? localhost:8084(/[^ ]*))"};
  std::size_t count = 0;
  for (std::sregex_iterator at{page().begin(), page().end(), line}, end; at != end; ++at, ++count) {
    const auto method = (*at)[1].matched ? http::method::post : http::method::get;
    const auto path = (*at)[2].str();
    BOOST_TEST(std::any_of(http::routes().begin(), http::routes().end(),
                           [&](const http::route& each) {
                             return each.method == method && each.pattern == path;
                           }),
               path);
  }
  BOOST_TEST(count == 2U);
}
