// Reading a log in pieces: whatever the limits and the types wanted, the pieces together have each
// wanted event once, in order within its show; and the last wanted event of each batch carries the
// batch's end with the chain that the log has there.

#include "tests/outbox/world.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <set>

using namespace usher;
using namespace usher::storage;
using namespace usher::storage::outbox;
using namespace usher::storage::outbox::test;
using nlohmann::json;

namespace {

const auto all_shows = [](std::string_view, position_t) { return true; };

/// Everything, piece by piece: positions by show, and the anchors by the position of their event.
struct read_all {
  read_all(const event_log& log, const selection& wanted, std::size_t events_max,
           const std::function<bool(std::string_view, position_t)>& includes = all_shows) {
    const auto end = log.head().position;
    for (position_t at = 0; at < end;) {
      const auto piece = must(read_piece(log, at, end, wanted, includes, events_max));
      BOOST_REQUIRE(piece.last > at);
      at = piece.last;
      ++pieces;
      for (const auto& each : piece.shows)
        take(each);
    }
  }

  void take(const delivery& what) {
    for (const auto& each : what.events) {
      shows[what.show].push_back(each.position);
      const auto line = json::parse(each.json);
      if (line.contains("logposition"))
        anchors[each.position] =
            line["logposition"].get<std::string>() + " " + line["logchain"].get<std::string>();
    }
  }

  positions_by_show shows;
  std::map<position_t, std::string> anchors;
  std::size_t pieces = 0;
};

std::string chain_text(const event_log& log, position_t at) {
  const auto chain = must(log.chain_at(at)).value();
  return to_hex({reinterpret_cast<const char*>(chain.data()), chain.size()});
}

} // namespace

BOOST_AUTO_TEST_CASE(pieces_of_any_size_have_everything_once_and_in_order) {
  memory_log log;
  happen(log, {"a", "b", "a"});
  happen(log, {"/system"});
  happen(log, {"b", "b", "a", "c", "b"});
  for (const std::size_t events : {1U, 2U, 3U, 4U, 100U}) {
    const read_all got{log, {}, events};
    BOOST_TEST((got.shows == positions_in(log)), events);
    // Deterministic, whatever the pieces: the last event of each batch.
    BOOST_REQUIRE(got.anchors.size() == 3U);
    BOOST_TEST(got.anchors.at(3) == "3 " + chain_text(log, 3));
    BOOST_TEST(got.anchors.at(4) == "4 " + chain_text(log, 4));
    BOOST_TEST(got.anchors.at(9) == "9 " + chain_text(log, 9));
  }
}

BOOST_AUTO_TEST_CASE(only_what_is_wanted_comes_and_its_last_carries_the_end_of_the_batch) {
  memory_log log;
  must_append(log, {happening("a", "room_opened"), happening("a", "seats_held"),
                    happening("b", "room_paused"), happening("a", "room_paused")});
  must_append(log, {happening("a", "room_paused")});
  selection wanted;
  wanted.types = {"room_opened", "seats_held"};
  for (const std::size_t events : {1U, 2U, 100U}) {
    const read_all got{log, wanted, events};
    BOOST_TEST((got.shows == positions_by_show{{"a", {1, 2}}}));
    BOOST_REQUIRE(got.anchors.size() == 1U);
    BOOST_TEST(got.anchors.at(2) == "4 " + chain_text(log, 4));
  }
}

BOOST_AUTO_TEST_CASE(one_show_by_itself_gets_the_same_events_as_with_the_others) {
  memory_log log;
  happen(log, {"a", "b", "a"});
  happen(log, {"a", "b"});
  const read_all all{log, {}, 100};
  const read_all only_a{log, {}, 1, [](std::string_view show, position_t) { return show == "a"; }};
  BOOST_TEST((only_a.shows.at("a") == all.shows.at("a")));
  BOOST_TEST(only_a.anchors.contains(3));
  BOOST_TEST(!only_a.anchors.contains(4), "the batch's end goes out with b");
}

BOOST_AUTO_TEST_CASE(a_piece_is_bounded_in_bytes_too) {
  memory_log log;
  auto large = happening("a", "room_opened");
  large.data = std::string("\x7a\x00\x10\x00\x00", 5) + std::string(0x100000, 'x'); // 1 MiB of text
  for (int i = 0; i < 10; ++i)
    must_append(log, {large});
  const read_all got{log, {}, 1'000};
  BOOST_TEST(got.shows.at("a").size() == 10U);
  BOOST_TEST(got.pieces == 3U);
}
