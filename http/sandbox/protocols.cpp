#include "http/sandbox/protocols.hpp"

#include "http/crypto/base64.hpp"
#include "http/crypto/crypto.hpp"

namespace usher::sandbox {

namespace {

std::string letters(std::string_view alphabet, std::size_t count) {
  std::string made;
  while (made.size() < count)
    made.push_back(alphabet[http::random_bits() % alphabet.size()]);
  return made;
}

std::string credentials(const call& asked, std::string_view scheme) {
  const auto sent = asked.header("authorization");
  return sent.starts_with(scheme) ? sent.substr(scheme.size()) : std::string{};
}

} // namespace

key_name key_of(protocol by, const call& asked, const std::string& sent) {
  return {by, asked.account, sent.empty() ? new_id("none_") : sent};
}

std::string request_of(const call& asked) {
  const auto digest = http::sha256(asked.body);
  return asked.method + " " + asked.path + " " + http::to_hex(digest);
}

std::string bearer_of(const call& asked) {
  return credentials(asked, "Bearer ");
}

std::string basic_user_of(const call& asked) {
  const auto pair = http::decode_base64(credentials(asked, "Basic "));
  return pair ? pair->substr(0, pair->find(':')) : std::string{};
}

std::optional<std::string> between(std::string_view path, std::string_view before,
                                   std::string_view after) {
  if (path.size() <= before.size() + after.size() || !path.starts_with(before) ||
      !path.ends_with(after))
    return std::nullopt;
  path.remove_prefix(before.size());
  path.remove_suffix(after.size());
  if (path.find('/') != std::string_view::npos)
    return std::nullopt;
  return std::string{path};
}

std::string payer_url(const std::string& base, const std::string& charge_id) {
  return base + "/pay/" + charge_id;
}

std::string new_id(std::string_view prefix) {
  constexpr std::string_view all = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  return std::string{prefix} + letters(all, 24);
}

std::string new_number() {
  return letters("123456789", 1) + letters("0123456789", 10);
}

std::string new_capital_id() {
  return letters("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", 17);
}

} // namespace usher::sandbox
