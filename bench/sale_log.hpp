#pragma once

#include "storage/event_log.hpp"

#include <cstdint>
#include <optional>

namespace usher::bench {

/// Appends a sale to an empty log, as the rules would decide it, until it has about so many events:
/// shows of 60,000 seats, each with a room through which fans come by twenties; nine of ten hold
/// two seats, order, pay through a gateway and get tickets, the tenth gives the seats back. The
/// same number gives the same log.
[[nodiscard]] std::optional<storage::failure> write_sale(storage::event_log& log,
                                                         std::uint64_t events);

} // namespace usher::bench
