#pragma once

#include "tests/system/api_client.hpp"

#include <string>
#include <vector>

// What the clients of the crash test know, and the comparison of that with a server.
namespace usher::test::crash {

/// How far a fan has come. Each step is one call that changes something, but for `admitted`, which
/// the server does by itself.
enum class step { waiting, admitted, held, released, ordered, cancelled, paid, left };

/// One fan from the join on.
struct journey {
  std::string show;
  std::string name;                  ///< unique; its Idempotency-Keys begin with it
  std::string ticket;                ///< none yet: the join was not answered
  int round = 0;                     ///< in which it began
  step at = step::waiting;           ///< the last that was acknowledged
  step trying = step::waiting;       ///< asked for and not answered; `at` if there is nothing open
  int refusals = 0;                  ///< holds that were refused since
  std::vector<std::string> wanted{}; ///< seats of the last try to hold
  json hold{};                       ///< as acknowledged
  json order{};                      ///< as acknowledged

  [[nodiscard]] bool is_open() const { return ticket.empty() || at != trying; }
  [[nodiscard]] bool is_over() const {
    return at == step::paid || at == step::left || at == step::cancelled;
  }
};

using journeys = std::vector<const journey*>;

/// What is wrong with the server, a sentence each: something acknowledged is missing or different,
/// a seat has two owners or none, the queue changed its order. A step that was asked for and not
/// answered may have happened or not. `looked_at` of `all` are asked for one by one; the seat map
/// has to agree with all.
[[nodiscard]] std::vector<std::string> compare(api_client& server, const std::string& sale,
                                               const journeys& all, const journeys& looked_at);

} // namespace usher::test::crash
