#pragma once

#include "tests/system/api_client.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

// What the clients of the crash test of holds know, and the comparison of that with a server.
namespace usher::test::crash_holds {

inline const std::string show = "holds";
inline const std::string floor_area = "floor";

using seat_set = std::set<std::string>;

/// A hold as an answer tells it.
struct holding {
  std::string status;
  seat_set seats;
  seat_set withdrawn; ///< by an operator
  std::string until;

  [[nodiscard]] bool is_live() const { return status == "HELD"; }
};

[[nodiscard]] holding read_holding(const json& body);

enum class act : std::uint8_t { none, place, extend, add, release_seat, release_hold };

/// A call that changes a hold. Repeated it is the same call, with the same key.
struct request {
  act what = act::none;
  std::string method{};
  std::string path{};
  json body{};
  std::string key{};
  seat_set wanted{};        ///< seats that it names
  std::size_t quantity = 0; ///< how many it asks for, named or not
};

/// One fan with at most one live hold.
struct fan {
  std::string name;
  std::string ticket;
  int round = 0;           ///< in which the hold was placed
  std::string hold{};      ///< its id; none: there is none, or it is not known yet
  holding has{};           ///< as acknowledged
  request trying{};        ///< asked for and not answered
  std::uint32_t calls = 0; ///< for keys that are new
};

/// The operator: takes seats off sale by force, and puts them back much later.
struct desk {
  std::map<std::string, int> blocked{}; ///< with the round it was in
  seat_set ever_blocked{};              ///< or tried to
  seat_set trying{};                    ///< asked for and not answered; empty: nothing
};

/// Is this what the fan was told last, but for what the operator may have taken since?
[[nodiscard]] bool as_before(const fan& who, const holding& now, const seat_set& ever_blocked);

/// Is this what becomes of it by `who.trying`: the whole of that?
[[nodiscard]] bool as_tried(const fan& who, const holding& now, const seat_set& ever_blocked);

api_answer send(api_client& server, const fan& who, const request& what);

struct comparison {
  std::vector<std::string> complaints;
  int done_before = 0; ///< calls that were not answered and had happened
  int done_now = 0;    ///< calls that were not answered and had not: they happen now
};

/// Looks at every hold of a server after a crash, sends again what was not answered, and looks at
/// the seats: all of a hold or none, each seat in one hold, what was acknowledged as it was. The
/// fans and the desk know afterwards what is.
comparison compare(api_client& server, std::vector<fan*> fans, desk& of_operator);

} // namespace usher::test::crash_holds
