#include "tests/system/api_client.hpp"

#include <ostream>
#include <utility>

namespace usher::test {

std::string api_answer::header(const std::string& name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? std::string{} : found->second;
}

std::string api_answer::code() const {
  return body.is_object() ? body.value("code", std::string{}) : std::string{};
}

std::ostream& operator<<(std::ostream& to, const api_answer& what) {
  return to << what.status << " " << what.text;
}

std::string request_bytes(const std::string& method, const std::string& path,
                          const std::string& body, const header_map& headers) {
  auto bytes = method + " " + path + " HTTP/1.1\r\nHost: usher.test\r\n";
  for (const auto& [name, value] : headers)
    bytes += name + ": " + value + "\r\n";
  if (!body.empty())
    bytes += "Content-Type: application/json\r\n";
  if (method != "GET")
    bytes += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  return bytes + "\r\n" + body;
}

api_client::api_client(std::uint16_t port, header_map always)
    : port_{port}, always_{std::move(always)} {}

api_answer api_client::get(const std::string& path, const header_map& headers) {
  return call("GET", path, {}, headers);
}

api_answer api_client::post(const std::string& path, const json& body, const header_map& headers) {
  return call("POST", path, body.is_null() ? std::string{} : body.dump(), headers);
}

api_answer api_client::put(const std::string& path, const json& body, const header_map& headers) {
  return call("PUT", path, body.dump(), headers);
}

api_answer api_client::patch(const std::string& path, const json& body, const header_map& headers) {
  return call("PATCH", path, body.dump(), headers);
}

api_answer api_client::remove(const std::string& path, const header_map& headers) {
  return call("DELETE", path, {}, headers);
}

void api_client::turn_to(std::uint16_t port) {
  port_ = port;
  connection_.reset();
}

answer api_client::exchange(const std::string& request) {
  if (!connection_) {
    raw_client fresh;
    if (!fresh.connect(port_))
      throw connection_lost("cannot connect");
    connection_.emplace(std::move(fresh));
  }
  std::optional<answer> got;
  if (connection_->send(request))
    got = connection_->read();
  if (!got || got->closes())
    connection_.reset();
  if (!got)
    throw connection_lost("the server closed instead of answering");
  return std::move(*got);
}

api_answer api_client::call(const std::string& method, const std::string& path,
                            const std::string& body, const header_map& headers) {
  auto all = headers;
  all.insert(always_.begin(), always_.end());
  auto got = exchange(request_bytes(method, path, body, all));
  api_answer made{got.status, std::move(got.headers), nullptr, std::move(got.body)};
  if (made.header("content-type").find("json") != std::string::npos)
    made.body = json::parse(made.text);
  return made;
}

} // namespace usher::test
