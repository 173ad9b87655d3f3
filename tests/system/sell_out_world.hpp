#pragma once

#include "tests/system/async_client.hpp"
#include "tests/system/seat_ledger.hpp"

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

// What the fans of a sell-out share: the hall, a seat map that is a little old, what they know of
// the seats, and what they saw. One thread.
namespace usher::test::sell_out {

inline const std::string show = "sell-out";

/// A block of the hall; without rows it is an area.
struct section {
  std::string id;
  std::string category;
  std::uint32_t rows = 0;
  std::uint32_t per_row = 0; ///< of an area: all its places
};

/// The seats of a section as the map said last.
struct shown_section {
  std::unordered_map<std::string, std::string> states;
  std::vector<std::string> free;
};

struct world {
  explicit world(std::uint64_t seed);

  [[nodiscard]] bool is_over() const { return ledger.sold() == ledger.size() || stopped; }
  [[nodiscard]] std::uint32_t below(std::uint32_t n) {
    return static_cast<std::uint32_t>(dice() % n);
  }
  [[nodiscard]] bool one_in(std::uint32_t n) { return below(n) == 0; }

  /// Takes a whole map, or what changed since the last one.
  void see(const json& map);

  /// An answer that nothing explains. Many of them end the sale.
  void complain(const std::string& what);

  std::mt19937_64 dice;
  seat_ledger ledger;
  std::vector<shown_section> shown; ///< as `hall`
  std::uint64_t map_version = 0;
  bool on_sale = false; ///< the first fans wait for it, so that all are inside when they begin
  bool stopped = false;
  std::uint32_t fans = 0; ///< who ever joined
  std::uint32_t admitted = 0;
  std::uint32_t inside = 0;
  std::vector<std::string> paid_orders;
  std::vector<std::string> complaints;
  std::map<std::string, std::vector<float>> milliseconds; ///< of each kind of call
  std::map<std::string, std::uint64_t> counts;            ///< of what happened
};

/// 60,000 places: three blocks of rows and an area, two categories.
[[nodiscard]] const std::vector<section>& hall();
[[nodiscard]] json plan();

/// The time that `share` of them do not exceed.
[[nodiscard]] float quantile(std::vector<float> times, double share);

} // namespace usher::test::sell_out
