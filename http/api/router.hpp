#pragma once

#include "http/api/call.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace usher::http {

/// Who may call a route. A key of role admin may call everything.
enum class audience : std::uint8_t {
  everybody,
  admins,    ///< no other key
  operators, ///< operator keys
  services,  ///< operator and service keys
  readers,   ///< the same, and viewer keys
  doors,     ///< operator, service and gate keys
};

/// One line of the route table.
struct route {
  http::method method;
  std::string_view pattern; ///< `/v1/shows/{show}`: a segment in braces matches any one segment
  void (*handle)(call&);
  audience who = audience::everybody;
  bool poll = false;    ///< served even under overload
  bool drop_in = false; ///< see call::drop_in
  std::size_t body_bytes_max = std::size_t{64} * 1024;
};

/// All routes, in one table. Those of waiting fans come first: they are looked up the most.
[[nodiscard]] const std::vector<route>& routes();

/// The server's handler: finds the route, checks the key, calls.
class api : public handler {
public:
  explicit api(app& with) : with_{with} {}

  [[nodiscard]] route_limits limits_for(const request& head) const override;
  void handle(const request& what, reply& to) override;

private:
  app& with_;
};

} // namespace usher::http
