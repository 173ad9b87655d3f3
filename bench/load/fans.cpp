#include "bench/load/fans.hpp"

#include <cassert>

namespace usher::load {

void fan_table::keep_ticket(fan& of, std::string_view ticket) {
  assert(of.ticket_bytes == 0 && ticket.size() <= UINT8_MAX &&
         tickets_.size() + ticket.size() <= UINT32_MAX);
  of.ticket_at = static_cast<std::uint32_t>(tickets_.size());
  of.ticket_bytes = static_cast<std::uint8_t>(ticket.size());
  tickets_.append(ticket);
}

} // namespace usher::load
