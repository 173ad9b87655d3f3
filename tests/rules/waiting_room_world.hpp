#pragma once

#include "actors/waiting_room/board.hpp"
#include "tests/rules/waiting_room_support.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace usher::waiting_room {

// For Boost.Test's messages.
inline std::ostream& boost_test_print_type(std::ostream& to, rejection what) {
  return to << to_string(what);
}
inline std::ostream& boost_test_print_type(std::ostream& to, ticket_status what) {
  return to << to_string(what);
}
inline std::ostream& boost_test_print_type(std::ostream& to, room_status what) {
  return to << to_string(what);
}

} // namespace usher::waiting_room

// A room and its board side by side, as the actor keeps them, for tests that tell a story.
namespace usher::waiting_room::test {

/// Everybody who waits, in the order of admission: tier by tier, who came back first, then the
/// line.
inline slots waiting_in_order(const state& room) {
  slots all;
  for (std::uint8_t tier = 0; tier <= room.general_tier(); ++tier) {
    const auto& those = room.lines[tier];
    for (const auto& [index, slot] : those.early)
      all.push_back(slot);
    for (auto index = those.head; index < those.end(); ++index) {
      const auto slot = those.order[index - those.base];
      if (slot != line::nobody && room.status_of(slot) == ticket_status::waiting)
        all.push_back(slot);
    }
  }
  return all;
}

inline ticket_view look(const board& seen, slot_t slot) {
  return seen.look(slot, seen.nonce_of(slot).value_or(0));
}

/// What the board shows is what the rules hold: every ticket, every position, every count.
inline void require_board_shows(const state& room, const board& seen) {
  const auto shown = seen.room();
  BOOST_REQUIRE(shown.status == room.status());
  BOOST_REQUIRE_EQUAL(shown.paused, room.paused);
  BOOST_REQUIRE(shown.left == room.left);
  BOOST_REQUIRE_EQUAL(shown.waiting, room.waiting);
  BOOST_REQUIRE_EQUAL(shown.absent, room.claims.size());
  BOOST_REQUIRE_EQUAL(shown.active, room.active());
  BOOST_REQUIRE_EQUAL(shown.joined, room.joined());
  BOOST_REQUIRE(seen.notices().set == room.set);
  const auto order = waiting_in_order(room);
  BOOST_REQUIRE_EQUAL(order.size(), room.waiting);
  std::vector<std::uint32_t> before(room.joined(), 0);
  for (std::uint32_t at = 0; at < order.size(); ++at)
    before[order[at]] = at;
  for (slot_t slot = 0; slot < room.joined(); ++slot) {
    const auto view = look(seen, slot);
    BOOST_REQUIRE_MESSAGE(view.status == room.status_of(slot),
                          "slot " << slot << ": " << to_string(view.status) << ", not "
                                  << to_string(room.status_of(slot)));
    if (view.status == ticket_status::admitted) {
      const auto deadline = room.admissions.at(slot).deadline();
      BOOST_REQUIRE(view.until <= deadline && view.until + 100 > deadline);
    }
    if (view.status == ticket_status::absent) { // before all who stand behind the place
      const auto claimed = room.claims.at(slot).from;
      BOOST_REQUIRE(view.tier == claimed.tier && view.place == claimed.index);
      const auto ahead = std::count_if(order.begin(), order.end(),
                                       [&](slot_t other) { return *room.stands(other) < claimed; });
      BOOST_REQUIRE_EQUAL(view.ahead, ahead);
      BOOST_REQUIRE_EQUAL(view.behind, order.size() - view.ahead);
    }
    if (view.status != ticket_status::waiting)
      continue;
    BOOST_REQUIRE_MESSAGE(view.ahead == before[slot],
                          "slot " << slot << ": ahead " << view.ahead << ", not " << before[slot]);
    BOOST_REQUIRE_EQUAL(view.position, view.ahead + 1);
    BOOST_REQUIRE_EQUAL(view.behind, order.size() - view.ahead - 1);
  }
}

struct world {
  state room;
  std::shared_ptr<board> seen = std::make_shared<board>();
  time_ms now = 0;
  std::vector<std::pair<any_event, time_ms>> history;
  stock left = stock::on_sale;

  void happen(const events& decided) {
    for (const auto& one : decided) {
      apply(room, one, now);
      seen->publish(one, now);
      history.emplace_back(one, now);
    }
  }

  /// The command has to be accepted; gives what happened.
  template <class Command>
  events does(const Command& asked) {
    const auto decided = decide(room, asked);
    const auto* const no = std::get_if<rejection>(&decided);
    if (no != nullptr)
      BOOST_FAIL("refused: " << to_string(*no));
    const auto& happened = std::get<events>(decided);
    happen(happened);
    return happened;
  }

  /// The command has to be refused.
  template <class Command>
  rejection refuses(const Command& asked) const {
    const auto decided = decide(room, asked);
    BOOST_REQUIRE(std::holds_alternative<rejection>(decided));
    return std::get<rejection>(decided);
  }

  std::vector<join_outcome> join_all(const std::vector<command::joiner>& fans) {
    auto decided = decide(room, command::join{fans, now});
    happen(decided.events);
    return decided.outcomes;
  }

  /// Has to get a place: the slot.
  slot_t joins(const command::joiner& fan) {
    const auto outcome = join_all({fan}).front();
    const auto* const no = std::get_if<rejection>(&outcome);
    if (no != nullptr)
      BOOST_FAIL("refused: " << to_string(*no));
    return std::get<joined>(outcome).slot;
  }

  rejection turned_away(const command::joiner& fan) {
    const auto outcome = join_all({fan}).front();
    BOOST_REQUIRE(std::holds_alternative<rejection>(outcome));
    return std::get<rejection>(outcome);
  }

  /// Everybody is heard of at this tick, but for those whom `silent_since` names.
  events tick(const std::vector<std::pair<slot_t, time_ms>>& silent_since = {},
              std::vector<command::heard_of> back = {}) {
    return does(command::tick{now, left, std::move(back), [&](slot_t slot) {
                                for (const auto& [who_is, since] : silent_since)
                                  if (who_is == slot)
                                    return since;
                                return now;
                              }});
  }

  [[nodiscard]] ticket_status status_of(slot_t slot) const { return room.status_of(slot); }

  /// The board, and the fold of the history, are this room.
  void require_consistent() const {
    require_board_shows(room, *seen);
    state fold;
    for (const auto& [happened, at] : history)
      apply(fold, happened, at);
    BOOST_REQUIRE(fold == room);
  }
};

/// The only event of this kind among them, or none.
template <class Event>
const Event* find(const events& all) {
  const Event* found = nullptr;
  for (const auto& one : all)
    if (const auto* const is = std::get_if<Event>(&one)) {
      BOOST_REQUIRE(found == nullptr);
      found = is;
    }
  return found;
}

/// Whom these events admitted, in order.
inline slots admitted_by(const events& all) {
  const auto* const happened = find<event::fans_admitted>(all);
  return happened != nullptr ? happened->slots : slots{};
}

/// For messages: `[1 2 3]`.
inline std::string text_of(const slots& all) {
  std::ostringstream text;
  text << '[';
  for (std::size_t at = 0; at < all.size(); ++at)
    text << (at > 0 ? " " : "") << all[at];
  text << ']';
  return text.str();
}

} // namespace usher::waiting_room::test
