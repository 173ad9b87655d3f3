#pragma once

#include "bench/load/answer_reader.hpp"
#include "bench/load/fans.hpp"
#include "bench/load/hall.hpp"
#include "bench/load/verdict.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

// Is this answer right, given what was asked and what the fan was told before? What an answer tells
// is written into the last argument, also where it is wrong, as far as it can be read; its texts
// are parts of the answer's body.
namespace usher::load {

struct ticket_told {
  std::string_view ticket{};
  std::uint32_t position = 0;
  bool admitted = false;
  bool sold_out = false; ///< the room has ended: everything is sold and paid
  bool ended = false;    ///< the ticket is no more
  int ask_after_s = 0;   ///< 0: it does not say
  std::optional<std::int64_t> eta_s{};
};

struct hold_told {
  std::string_view hold{};
  std::vector<seat_number> seats{};
  std::int64_t total_minor = 0;
  std::int64_t expires_in_s = 0;
};

[[nodiscard]] verdict check_page(const answer& got, std::string_view show);
[[nodiscard]] verdict check_join(const answer& got, std::string_view show, ticket_told& told);

/// `latest_admitted` is what the turnstile said when the poll was sent.
[[nodiscard]] verdict check_poll(const answer& got, const fan& who, std::string_view ticket,
                                 moment latest_admitted, ticket_told& told);

/// A seat map that is whole. Its free seats are `available` where the body says so.
[[nodiscard]] verdict check_map(const answer& got);

/// `asked` names the seats; if it is empty, any `quantity` of them will do.
[[nodiscard]] verdict check_hold(const answer& got, std::span<const seat_number> asked,
                                 std::size_t quantity, hold_told& told);

/// `order` is the id that was given.
[[nodiscard]] verdict check_order(const answer& got, const hold_told& held,
                                  std::string_view& order);

/// `pending` becomes true if the outcome is not known yet, which is fine: the same call is to be
/// repeated.
[[nodiscard]] verdict check_pay(const answer& got, std::string_view order,
                                std::span<const seat_number> seats, bool& pending);

} // namespace usher::load
