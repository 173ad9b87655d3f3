#pragma once

#include "tests/gateways/scripted_server.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace usher::test {

/// What a box office may do wrong.
enum class wrong : std::uint8_t {
  nothing,
  places_grow,        ///< a fan who asks again stands further back
  places_twice,       ///< all have the first place
  places_reversed,    ///< who comes later stands in front
  overtaken,          ///< the second is let in before the first
  held_twice,         ///< a seat is given to whoever asks
  sold_twice,         ///< holds end at once, and two pay for one seat
  refused_for_nobody, ///< every seat is taken, and nobody has it
  shown_free,         ///< the map knows nothing of holds
  turned_away,        ///< 503, and not until when
};

/// The API as far as fans need it, in memory: whoever asks is let in, if anybody is. The script of
/// a scripted_server. Seats are r1-1 to r1-50, of 5,000 each.
class fake_box_office {
public:
  explicit fake_box_office(wrong how) : how_{how} {}

  reaction operator()(const seen_request& asked);

private:
  [[nodiscard]] reaction join();
  [[nodiscard]] reaction poll(const std::string& ticket);
  [[nodiscard]] reaction hold(const nlohmann::json& asked);
  [[nodiscard]] reaction order(const std::string& hold);
  [[nodiscard]] reaction pay(const std::string& order);
  [[nodiscard]] reaction map() const;
  [[nodiscard]] nlohmann::json ticket(int number, int position, bool is_in) const;

  wrong how_;
  std::string show_;
  bool standby_ = false;
  bool admits_ = true;
  int joined_ = 0;
  std::map<int, int> asked_;                 ///< how often each ticket was asked for
  std::map<std::string, std::string> seats_; ///< name to state
  int holds_ = 0;
};

} // namespace usher::test
