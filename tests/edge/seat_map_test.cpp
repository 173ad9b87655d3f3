// The seat map without a server, over boards that are told what happens: what a whole map and what
// changes say, that following the changes gives the whole map again whatever happened, how long
// versions are known, how seldom maps are built, and how a block becomes events.
//
// That it bites was shown by breaking the code: a history that takes the newest change of a seat
// instead of the oldest, one that forgets nothing, changes that are told although they changed
// back, versions that are the clock alone, an area told by its places, a plan of other seats
// that is taken for the same, a map that is built at every request, a part larger than an event may
// be, and an id in every part each fail a case below.
#include "http/api/seat_map.hpp"

#include "http/server/options.hpp"
#include "tests/edge/hall.hpp"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <thread>

namespace {

using namespace usher;
using namespace usher::http;
using nlohmann::json;
using usher::test::hall;

constexpr time_ms start = 1'800'000'000'000;
constexpr duration_ms second = 1000;

/// The maps of one hall. Time goes on by a second with each map.
class house {
public:
  explicit house(hall of) : seats{std::move(of)}, published_{seats.published()} {}

  std::shared_ptr<const seat_map> map() {
    now += second;
    return maps.of(published_, now, second);
  }
  /// As after a PUT: the description is another one.
  void publish() { published_ = seats.published(); }

  hall seats;
  show_seat_maps maps;
  time_ms now = start;

private:
  std::shared_ptr<const shows::published> published_;
};

hall two_blocks() {
  hall made;
  made.category("stalls").category("box");
  made.block("A", "stalls", 4).block("B", "box", 2);
  return made;
}

json whole(const std::shared_ptr<const seat_map>& map) {
  return json::parse(map->whole()->body());
}
json since(const std::shared_ptr<const seat_map>& map, seat_map_version version) {
  return json::parse(map->since(version)->body());
}

/// What a page does with the answers: it keeps the blocks it knows and puts the news in.
class page {
public:
  void hear(const json& answer) {
    if (answer.contains("full"))
      blocks_.clear();
    for (const auto& block : answer["blocks"]) {
      auto& mine = blocks_[block["id"].get<std::string>()];
      auto seats = mine.is_null() ? json::object() : mine["seats"];
      seats.update(block["seats"]);
      mine = block;
      mine["seats"] = seats;
    }
    categories_ = answer["categories"];
    version = answer["version"].get<seat_map_version>();
  }

  /// The blocks by id, and the categories.
  [[nodiscard]] json shown() const { return {{"blocks", blocks_}, {"categories", categories_}}; }

  seat_map_version version = 0;

private:
  std::map<std::string, json> blocks_;
  json categories_;
};

json shown_by(const json& answer) {
  page one;
  one.hear(answer);
  return one.shown();
}

/// One Server-Sent Event.
struct event {
  std::string name;
  std::string id;
  json data;
};

event parsed(const std::string& text) {
  event made;
  BOOST_REQUIRE(text.ends_with("\n\n"));
  std::size_t at = 0;
  while (text[at] != '\n') {
    const auto end = text.find('\n', at);
    const auto line = text.substr(at, end - at);
    const auto value = line.substr(line.find(": ") + 2);
    if (line.starts_with("event"))
      made.name = value;
    else if (line.starts_with("id"))
      made.id = value;
    else
      made.data = json::parse(value);
    at = end + 1;
  }
  return made;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_whole_map_has_every_seat_and_counts_what_it_shows) {
  auto plan = two_blocks();
  plan.category("floor").area("floor", "floor", 5);
  house one{plan};
  one.seats.hold(0, {"A-1", "A-2"});
  one.seats.sell(0, {"A-2"});
  one.seats.take_off_sale(0, {"A-4"});
  one.seats.take_off_sale(1, {"B-1", "B-2"});
  one.seats.sell(2, {"floor:2", "floor:4"});
  auto body = whole(one.map());
  BOOST_TEST(body["version"] == start + second);
  BOOST_TEST(body["asOf"] == "2027-01-15T08:00:01.000Z");
  BOOST_TEST(body["full"] == true);
  BOOST_TEST(!body.contains("since"));
  // Of three seats for sale one is left; the blocked one does not count.
  BOOST_TEST(body["blocks"] == json::parse(R"([
    {"id": "A", "category": "stalls", "available": 1, "held": 1, "sold": 1, "blocked": 1,
     "availability": "good",
     "seats": {"A-1": "HELD", "A-2": "SOLD", "A-3": "AVAILABLE", "A-4": "BLOCKED"}},
    {"id": "B", "category": "box", "available": 0, "held": 0, "sold": 0, "blocked": 2,
     "availability": "none", "seats": {"B-1": "BLOCKED", "B-2": "BLOCKED"}},
    {"id": "floor", "category": "floor", "available": 3, "held": 0, "sold": 2, "blocked": 0,
     "availability": "plenty", "area": true, "capacity": 5, "seats": {}}])"));
  BOOST_TEST(body["categories"] == json::parse(R"([
    {"id": "stalls", "available": 1, "availability": "good"},
    {"id": "box", "available": 0, "availability": "none"},
    {"id": "floor", "available": 3, "availability": "plenty"}])"));
}

BOOST_AUTO_TEST_CASE(a_category_is_what_its_blocks_have_together) {
  hall plan;
  plan.category("all").category("unused");
  plan.block("A", "all", 2).block("B", "all", 2);
  house one{plan};
  one.seats.sell(0, {"A-1", "A-2"});
  const auto body = whole(one.map());
  BOOST_TEST(body["blocks"][0]["availability"] == "none");
  BOOST_TEST(body["blocks"][1]["availability"] == "plenty");
  BOOST_TEST(body["categories"] == json::parse(R"([
    {"id": "all", "available": 2, "availability": "plenty"},
    {"id": "unused", "available": 0, "availability": "none"}])"));
}

BOOST_AUTO_TEST_CASE(since_tells_what_changed_once_and_as_it_is_now) {
  house one{two_blocks()};
  const auto first = one.map()->version();
  one.seats.hold(0, {"A-1", "A-2"});
  const auto second_version = one.map()->version();
  one.seats.sell(0, {"A-1"});
  one.seats.release(0, {"A-2"});
  const auto newest = one.map();
  BOOST_TEST(second_version > first);
  BOOST_TEST(newest->version() > second_version);

  const auto from_first = since(newest, first);
  BOOST_TEST(from_first["version"] == newest->version());
  BOOST_TEST(from_first["since"] == first);
  BOOST_TEST(!from_first.contains("full"));
  // A-2 was held and is free again: nothing to hear of. B is as it was.
  BOOST_TEST(from_first["blocks"] == json::parse(R"([
    {"id": "A", "category": "stalls", "available": 3, "held": 0, "sold": 1, "blocked": 0,
     "availability": "plenty", "seats": {"A-1": "SOLD"}}])"));
  BOOST_TEST(from_first["categories"].size() == 2U);
  BOOST_TEST(since(newest, second_version)["blocks"][0]["seats"] ==
             json::parse(R"({"A-1": "SOLD", "A-2": "AVAILABLE"})"));
  const auto nothing = since(newest, newest->version());
  BOOST_TEST(nothing["version"] == newest->version());
  BOOST_TEST(nothing["blocks"] == json::array());
}

BOOST_AUTO_TEST_CASE(an_area_is_told_by_its_counts) {
  hall plan;
  plan.category("floor").area("floor", "floor", 4);
  house one{plan};
  one.seats.hold(0, {"floor:1"});
  const auto first = one.map()->version();
  one.seats.release(0, {"floor:1"});
  one.seats.hold(0, {"floor:3"});
  BOOST_TEST(one.map()->version() == first); // as many as before: the same map
  one.seats.sell(0, {"floor:3"});
  const auto body = since(one.map(), first);
  BOOST_REQUIRE(body["blocks"].size() == 1U);
  BOOST_TEST(body["blocks"][0]["sold"] == 1);
  BOOST_TEST(body["blocks"][0]["held"] == 0);
  BOOST_TEST(body["blocks"][0]["capacity"] == 4);
  BOOST_TEST(body["blocks"][0]["seats"] == json::object());
}

BOOST_AUTO_TEST_CASE(of_a_version_that_is_not_known_the_answer_is_the_whole_map) {
  house one{two_blocks()};
  const auto first = one.map()->version();
  one.seats.hold(0, {"A-1"});
  const auto map = one.map();
  for (const seat_map_version unknown :
       {seat_map_version{0}, first - 1, first + 1, map->version() + 1, ~seat_map_version{0}})
    BOOST_TEST(map->since(unknown) == map->whole());
  BOOST_TEST(map->since(first) != map->whole());
  BOOST_TEST(map->since(first) == map->since(first)); // made once
}

BOOST_AUTO_TEST_CASE(a_plan_of_other_seats_forgets_the_versions_and_another_description_does_not) {
  house one{two_blocks()};
  const auto first = one.map()->version();
  one.publish(); // as when a title or a price changes
  BOOST_TEST(one.map()->version() == first);
  one.seats.hold(0, {"A-1"});
  BOOST_TEST(since(one.map(), first)["blocks"].size() == 1U);

  one.seats.plan(1, {"B-1", "B-2", "B-3"});
  one.publish();
  const auto larger = one.map();
  BOOST_TEST(larger->since(first) == larger->whole());
  BOOST_TEST(larger->version() > first);
  BOOST_TEST(whole(larger)["blocks"][1]["available"] == 3);

  one.seats.plan(1, {"X-1", "X-2", "X-3"}); // as many
  one.publish();
  const auto renamed = one.map();
  BOOST_TEST(renamed->since(larger->version()) == renamed->whole());
  BOOST_TEST(whole(renamed)["blocks"][1]["seats"].contains("X-3"));

  one.seats.without_last_block();
  one.publish();
  const auto smaller = one.map();
  BOOST_TEST(smaller->since(renamed->version()) == smaller->whole());
  BOOST_TEST(!smaller->find_block("B"));
  BOOST_TEST(*smaller->find_block("A") == 0U);
}

BOOST_AUTO_TEST_CASE(so_many_maps_are_known_and_no_more) {
  house one{two_blocks()};
  bool held = false;
  const auto flip = [&] {
    held = !held;
    if (held)
      one.seats.hold(0, {"A-1"});
    else
      one.seats.release(0, {"A-1"});
    return one.map();
  };
  const auto first = one.map()->version();
  auto newest = flip();
  const auto second_version = newest->version();
  for (std::size_t more = 1; more < seat_history::maps_max; ++more)
    newest = flip();
  BOOST_TEST(newest->since(first) != newest->whole());
  newest = flip();
  BOOST_TEST(newest->since(first) == newest->whole());
  BOOST_TEST(newest->since(second_version) != newest->whole());
}

BOOST_AUTO_TEST_CASE(so_many_changes_are_known_and_no_more) {
  constexpr std::uint32_t seats = 16'000; // four times that is less than may be kept, five is more
  static_assert(4 * seats <= seat_history::changes_max && 5 * seats > seat_history::changes_max);
  hall plan;
  plan.category("all").block("A", "all", seats);
  house one{plan};
  const auto all = hall::names("A-", seats);
  std::vector<seat_map_version> versions{one.map()->version()};
  for (int change = 0; change < 5; ++change) {
    if (change % 2 == 0)
      one.seats.hold(0, all);
    else
      one.seats.release(0, all);
    versions.push_back(one.map()->version());
  }
  one.seats.release(0, {"A-1"});
  const auto map = one.map();
  BOOST_TEST(map->since(versions[0]) == map->whole());
  BOOST_TEST(map->since(versions[1]) != map->whole());
  BOOST_TEST(since(map, versions[5])["blocks"][0]["seats"] ==
             json::parse(R"({"A-1": "AVAILABLE"})"));
}

// A page that asks with its version now and then, and keeps what it hears, shows what a whole map
// shows: over everything that can happen to seats, changes of the plan included.
BOOST_AUTO_TEST_CASE(whoever_follows_the_changes_sees_the_whole_map) {
  const char* given = std::getenv("USHER_SEED");
  const auto seed = given == nullptr ? 20'261'201U : static_cast<unsigned>(std::atoi(given));
  BOOST_TEST_MESSAGE("USHER_SEED=" << seed);
  std::mt19937 random{seed};
  const auto below = [&](std::size_t most) { return random() % most; };
  auto plan = two_blocks();
  plan.area("floor", "box", 6);
  house one{plan};
  std::vector<std::vector<seat_id>> ids{hall::names("A-", 4), hall::names("B-", 2),
                                        hall::names("floor:", 6)};
  std::vector<page> pages(3);
  std::size_t partial = 0;
  for (int step = 0; step < 3000; ++step) {
    const auto block = below(3);
    const std::vector<seat_id> seat{ids[block][below(ids[block].size())]};
    switch (below(5)) {
    case 0:
      one.seats.hold(block, seat);
      break;
    case 1:
      one.seats.release(block, seat);
      break;
    case 2:
      one.seats.sell(block, seat);
      break;
    case 3:
      one.seats.take_off_sale(block, seat);
      break;
    default:
      if (below(40) == 0) {
        ids[1] = hall::names(below(2) == 0 ? "B-" : "X-", static_cast<std::uint32_t>(2 + below(2)));
        one.seats.plan(1, ids[1]);
      }
      one.publish();
    }
    if (below(3) != 0)
      continue;
    const auto map = one.map();
    const auto expected = shown_by(whole(map));
    for (std::size_t reader = 0; reader < pages.size(); ++reader) {
      if (below(1 + 20 * reader) != 0)
        continue;
      const auto answer = since(map, pages[reader].version);
      partial += answer.contains("since") ? 1 : 0;
      pages[reader].hear(answer);
      BOOST_TEST(pages[reader].shown() == expected);
    }
  }
  BOOST_TEST(partial > 500U);
}

BOOST_AUTO_TEST_CASE(a_map_is_built_once_a_second_however_many_ask) {
  house one{two_blocks()};
  const auto published = one.seats.published();
  constexpr int requests = 1000;
  constexpr duration_ms between = 7;
  bool held = false;
  for (int i = 0; i < requests; ++i) {
    held = !held; // something changes before each request
    if (held)
      one.seats.hold(0, {"A-1"});
    else
      one.seats.release(0, {"A-1"});
    (void)one.maps.of(published, start + i * between, seat_maps::rebuild_interval_ms);
  }
  BOOST_TEST(one.maps.builds() == (requests - 1) * between / second + 1); // 6 s, and the first
}

BOOST_AUTO_TEST_CASE(the_first_change_after_a_quiet_second_is_shown_at_once) {
  house one{two_blocks()};
  const auto published = one.seats.published();
  const auto at = [&](duration_ms after) { return one.maps.of(published, start + after, second); };
  const auto first = at(0);
  one.seats.hold(0, {"A-1"});
  BOOST_TEST(at(999) == first);
  const auto next = at(1000);
  BOOST_TEST(whole(next)["blocks"][0]["held"] == 1);
  BOOST_TEST(at(5000) == next); // nothing happened: nothing is built
  BOOST_TEST(one.maps.builds() == 2U);
  one.seats.hold(0, {"A-2"});
  BOOST_TEST(whole(at(5001))["blocks"][0]["held"] == 2);
}

BOOST_AUTO_TEST_CASE(another_plan_is_shown_at_once) {
  house one{two_blocks()};
  auto published = one.seats.published();
  const auto first = one.maps.of(published, start, second);
  one.seats.block("C", "box", 3);
  published = one.seats.published();
  const auto with_c = one.maps.of(published, start + 1, second);
  BOOST_TEST(whole(with_c)["blocks"].size() == 3U);
  // The boards have the seats of a plan a moment after it is published.
  one.seats.plan(2, hall::names("C-", 5));
  BOOST_TEST(whole(one.maps.of(published, start + 2, second))["blocks"][2]["available"] == 5);
  one.seats.hold(2, {"C-1"}); // this is not
  BOOST_TEST(whole(one.maps.of(published, start + 3, second))["blocks"][2]["available"] == 5);
}

BOOST_AUTO_TEST_CASE(with_no_interval_every_map_is_new) {
  house one{two_blocks()};
  const auto published = one.seats.published();
  (void)one.maps.of(published, start, 0);
  one.seats.hold(0, {"A-1"});
  BOOST_TEST(whole(one.maps.of(published, start, 0))["blocks"][0]["held"] == 1);
}

BOOST_AUTO_TEST_CASE(maps_of_the_same_millisecond_have_versions_of_their_own) {
  house one{two_blocks()};
  const auto published = one.seats.published();
  seat_map_version last = 0;
  for (const duration_ms after : {0, 0, 1, 1, 7000, 7000}) {
    one.seats.hold(0, {"A-1"});
    const auto held = one.maps.of(published, start + after, 0)->version();
    one.seats.release(0, {"A-1"});
    const auto released = one.maps.of(published, start + after, 0)->version();
    BOOST_TEST(held > last);
    BOOST_TEST(released > held);
    last = released;
  }
  BOOST_TEST(last == static_cast<seat_map_version>(start + 7003));
}

BOOST_AUTO_TEST_CASE(many_threads_get_maps_that_hold_together) {
  hall plan;
  plan.category("all").block("A", "all", 200);
  house one{plan};
  const auto published = one.seats.published();
  std::atomic<time_ms> now{start};
  std::atomic<bool> over{false};
  std::atomic<int> wrong{0};
  std::vector<std::jthread> readers;
  for (int thread = 0; thread < 4; ++thread)
    readers.emplace_back([&] {
      page mine;
      seat_map_version last = 0;
      while (!over) {
        const auto map = one.maps.of(published, now, second);
        wrong += map->version() < last ? 1 : 0;
        last = map->version();
        mine.hear(since(map, mine.version));
        wrong += mine.shown() == shown_by(whole(map)) ? 0 : 1;
      }
    });
  for (int step = 0; step < 300; ++step, now += 400) {
    one.seats.hold(0, {"A-" + std::to_string(1 + step % 200)});
    one.seats.sell(0, {"A-" + std::to_string(1 + step % 7)});
    std::this_thread::yield();
  }
  over = true;
  readers.clear();
  BOOST_TEST(wrong == 0);
  BOOST_TEST(one.maps.builds() <= 300U * 400 / second + 1);
}

BOOST_AUTO_TEST_CASE(a_block_is_told_whole_and_then_by_what_changed) {
  house one{two_blocks()};
  one.seats.hold(0, {"A-2"});
  const auto first = one.map();
  const auto all = first->events_of(0, std::nullopt);
  BOOST_REQUIRE(all->size() == 1U);
  const auto told = parsed(all->front());
  BOOST_TEST(told.name == "seats");
  BOOST_TEST(told.id == std::to_string(first->version()));
  auto data = told.data;
  BOOST_TEST(data.erase("asOf") == 1U);
  BOOST_TEST(data.erase("version") == 1U);
  BOOST_TEST(data == json::parse(R"({"full": true, "block": "A", "available": 3, "held": 1,
    "sold": 0, "blocked": 0, "availability": "plenty",
    "seats": {"A-1": "AVAILABLE", "A-2": "HELD", "A-3": "AVAILABLE", "A-4": "AVAILABLE"}})"));

  one.seats.sell(0, {"A-2"});
  const auto next = one.map();
  const auto news = next->events_of(0, first->version());
  BOOST_REQUIRE(news->size() == 1U);
  const auto changed = parsed(news->front());
  BOOST_TEST(changed.name == "changes");
  BOOST_TEST(changed.data["since"] == first->version());
  BOOST_TEST(changed.data["sold"] == 1);
  BOOST_TEST(changed.data["seats"] == json::parse(R"({"A-2": "SOLD"})"));
  BOOST_TEST(next->events_of(0, first->version()) == news);  // every stream's
  BOOST_TEST(next->events_of(1, first->version())->empty()); // nothing happened there
  BOOST_TEST(next->events_of(0, next->version())->empty());
  BOOST_TEST(parsed(next->events_of(0, 1)->front()).name == "seats");
}

BOOST_AUTO_TEST_CASE(a_large_block_is_told_in_parts_that_each_fit) {
  hall plan;
  plan.category("all");
  // As large as a block may be, with ids as long as they may be.
  const std::string row(57, 'r');
  plan.block(row, "all", 20'000);
  house one{plan};
  const auto first = one.map();
  one.seats.hold(0, hall::names(row + "-", 20'000));
  const auto held = one.map();
  for (const auto& [events, name] : {std::pair{first->events_of(0, std::nullopt), "seats"},
                                     std::pair{held->events_of(0, first->version()), "changes"}}) {
    BOOST_TEST(events->size() > 20U);
    json together = json::object();
    for (std::size_t i = 0; i < events->size(); ++i) {
      BOOST_TEST((*events)[i].size() <= stream_turn_bytes_max);
      const auto part = parsed((*events)[i]);
      BOOST_TEST(part.name == name);
      BOOST_TEST(part.data["part"] == i + 1);
      BOOST_TEST(part.data["parts"] == events->size());
      BOOST_TEST(part.id.empty() == (i + 1 < events->size())); // nobody resumes half-way
      together.update(part.data["seats"]);
    }
    BOOST_TEST(together.size() == 20'000U);
  }
}

BOOST_AUTO_TEST_CASE(what_many_threads_ask_for_at_once_is_made_once) {
  once_each<int, int> kept{2};
  std::atomic<int> made{0};
  const auto ask = [&](int key) {
    return *kept.get(key, [&] {
      ++made;
      return std::make_shared<const int>(key * 10);
    });
  };
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i)
      threads.emplace_back([&] {
        for (int n = 0; n < 1000; ++n)
          if (ask(5) != 50)
            ++made;
      });
  }
  BOOST_TEST(made == 1);
  // The greatest keys are kept.
  BOOST_TEST(ask(7) == 70);
  BOOST_TEST(ask(3) == 30);
  BOOST_TEST(ask(5) == 50);
  BOOST_TEST(made == 3);
  BOOST_TEST(ask(3) == 30);
  BOOST_TEST(made == 4);
}
