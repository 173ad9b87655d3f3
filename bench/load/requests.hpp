#pragma once

#include "bench/load/hall.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace usher::load {

/// Writes the requests about one show, ready to be sent. Each replaces what is in the string, whose
/// memory is used again.
class requests {
public:
  /// `host` is what the Host field says.
  requests(std::string_view host, std::string_view show);

  void page(std::string& to) const { to = page_; }
  void join(std::string& to) const { to = join_; }
  void map(std::string& to) const { to = map_; }
  void poll(std::string& to, std::string_view ticket) const;
  void hold(std::string& to, std::string_view ticket, std::span<const seat_number> seats) const;
  void hold_best(std::string& to, std::string_view ticket, std::size_t quantity) const;

  /// `fan` makes the Idempotency-Key and the address.
  void order(std::string& to, std::string_view ticket, std::string_view hold,
             std::uint32_t fan) const;
  void pay(std::string& to, std::string_view order) const;

private:
  std::string page_, join_, map_;
  std::string poll_;  ///< up to the ticket
  std::string hold_;  ///< up to the ticket
  std::string order_; ///< up to the ticket
  std::string end_of_get_;
  std::string host_; ///< its whole line
  std::string key_;  ///< what Idempotency-Keys begin with
};

} // namespace usher::load
