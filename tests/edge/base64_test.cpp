// Base64: the vectors of RFC 4648, every way a text can be wrong, and that each text which is read
// is the only one for its bytes.
#include "http/crypto/base64.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

namespace {

using namespace usher::http;

struct vector {
  std::string_view bytes;
  std::string_view padded;
};

/// RFC 4648, 10.
constexpr vector vectors[] = {{"", ""},
                              {"f", "Zg=="},
                              {"fo", "Zm8="},
                              {"foo", "Zm9v"},
                              {"foob", "Zm9vYg=="},
                              {"fooba", "Zm9vYmE="},
                              {"foobar", "Zm9vYmFy"}};

} // namespace

BOOST_AUTO_TEST_CASE(the_vectors_of_rfc_4648_are_read_and_written) {
  for (const auto& [bytes, padded] : vectors) {
    const std::string bare{padded.substr(0, padded.find('='))};
    BOOST_TEST(encode_base64url(bytes) == bare);
    BOOST_TEST(decode_base64url(bare).value_or("?") == bytes);
    BOOST_TEST(decode_base64(padded).value_or("?") == bytes);
  }
}

BOOST_AUTO_TEST_CASE(the_alphabets_are_not_mixed) {
  const std::string bytes = "\xfb\xff\xbf";
  BOOST_TEST(encode_base64url(bytes) == "-_-_");
  BOOST_TEST(decode_base64url("-_-_").value_or("?") == bytes);
  BOOST_TEST(decode_base64("+/+/").value_or("?") == bytes);
  BOOST_TEST(!decode_base64url("+/+/").has_value());
  BOOST_TEST(!decode_base64("-_-_").has_value());
}

BOOST_AUTO_TEST_CASE(what_is_not_base64url_is_refused) {
  for (const std::string_view text :
       {"Zg==", "Zm8=", "Z", "Zm9vY", "Zm9v\n", " Zm9v", "Zm 9v", "Zm9v.", "Zm9\xc3\xa9"})
    BOOST_TEST(!decode_base64url(text).has_value(), text);
  BOOST_TEST(!decode_base64url(std::string_view{"Zm9\0", 4}).has_value());
}

BOOST_AUTO_TEST_CASE(what_is_not_padded_base64_is_refused) {
  for (const std::string_view text :
       {"Zg", "Zg=", "Zg===", "====", "=", "Zm8==", "Z===", "Zg==Zg==", "Zm=v", "Zm9v\n", "Zh=="})
    BOOST_TEST(!decode_base64(text).has_value(), text);
}

// Two characters carry 12 bits for one byte, so four bits are left over: of the 4096 texts, the 256
// whose left-over bits are zero are read, each is written back as it was, and no other.
BOOST_AUTO_TEST_CASE(each_byte_has_exactly_one_text) {
  const std::string alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  int read = 0;
  for (const char first : alphabet)
    for (const char second : alphabet) {
      const std::string text{first, second};
      if (const auto bytes = decode_base64url(text)) {
        ++read;
        BOOST_TEST(encode_base64url(*bytes) == text);
      }
    }
  BOOST_TEST(read == 256);
}
