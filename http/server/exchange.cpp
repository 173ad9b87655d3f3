#include "http/server/exchange.hpp"

namespace usher::http {

route_limits handler::limits_for(const request&) const {
  return {};
}

} // namespace usher::http
