#pragma once

#include "bench/load/time.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace usher::load {

/// How far a fan has come.
enum class stage : std::uint8_t {
  outside,  ///< not joined
  waiting,  ///< has a ticket
  admitted, ///< may buy
  bought,   ///< has paid
  gone,     ///< gave up, or there is nothing left
};

/// A moment, in steps small enough to order answers by and short enough to keep millions: ten
/// microseconds since the run began, good for eleven hours.
using moment = std::uint32_t;

[[nodiscard]] constexpr moment moment_of(time_ns time) {
  return static_cast<moment>(time / (10 * microsecond_ns));
}

struct fan {
  std::uint32_t position = 0;    ///< as last told; 0: never
  moment join_sent = 0;          ///< when the join that gave the ticket was sent …
  moment join_answered = 0;      ///< … and answered
  std::uint32_t ticket_at = 0;   ///< see fan_table::ticket_of
  std::uint8_t ticket_bytes = 0; ///< 0: no ticket
  load::stage stage = stage::outside;
  bool watches = false;   ///< asks at the advised pace, rather than when its turn was said to come
  std::uint8_t wants = 1; ///< seats
};
static_assert(sizeof(fan) == 20, "millions of them have to fit into memory");

/// The fans of one thread. Tickets are texts of some 44 bytes, kept one behind the other.
class fan_table {
public:
  [[nodiscard]] std::size_t size() const { return fans_.size(); }
  void resize(std::size_t count) { fans_.resize(count); }
  [[nodiscard]] fan& operator[](std::size_t index) { return fans_[index]; }
  [[nodiscard]] const fan& operator[](std::size_t index) const { return fans_[index]; }
  [[nodiscard]] const std::vector<fan>& all() const { return fans_; }

  /// Once a fan. Tickets are at most 255 bytes long, all together less than 4 GiB.
  void keep_ticket(fan& of, std::string_view ticket);
  /// Valid until the next `keep_ticket`.
  [[nodiscard]] std::string_view ticket_of(const fan& of) const {
    return {tickets_.data() + of.ticket_at, of.ticket_bytes};
  }

private:
  std::vector<fan> fans_;
  std::string tickets_;
};

} // namespace usher::load
