#pragma once

#include "tests/http/raw_client.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>

// JSON over one keep-alive connection to a server on 127.0.0.1.
namespace usher::test {

using nlohmann::json;
using header_map = std::map<std::string, std::string>;

struct api_answer {
  int status = 0;
  header_map headers{}; ///< names in lower case
  json body{};          ///< null if there was none
  std::string text{};   ///< the body as it came

  [[nodiscard]] std::string header(const std::string& name) const;
  /// The problem's `code`; empty if the body is no problem.
  [[nodiscard]] std::string code() const;
};

/// Prints as "409 {…}", so that a failed check says what came instead.
std::ostream& operator<<(std::ostream& to, const api_answer& what);

/// The server went away before the whole answer came: the outcome is not known.
class connection_lost : public std::runtime_error {
public:
  using runtime_error::runtime_error;
};

/// Not for several threads at once. Connects when first used, and again after the server closed;
/// a request that was lost is never sent again by itself.
class api_client {
public:
  explicit api_client(std::uint16_t port, header_map always = {});

  api_answer get(const std::string& path, const header_map& headers = {});
  api_answer post(const std::string& path, const json& body = nullptr,
                  const header_map& headers = {});
  api_answer put(const std::string& path, const json& body, const header_map& headers = {});
  api_answer patch(const std::string& path, const json& body, const header_map& headers = {});
  api_answer remove(const std::string& path, const header_map& headers = {});

  /// To the same or another server from now on.
  void turn_to(std::uint16_t port);

private:
  api_answer call(const std::string& method, const std::string& path, const std::string& body,
                  const header_map& headers);
  answer exchange(const std::string& request);

  std::uint16_t port_;
  header_map always_;
  std::optional<raw_client> connection_;
};

/// The bytes of a request.
[[nodiscard]] std::string request_bytes(const std::string& method, const std::string& path,
                                        const std::string& body, const header_map& headers);

} // namespace usher::test
