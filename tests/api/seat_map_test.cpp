// The seat map over a real socket: what it has, the changes since a version, encodings and ETags,
// how seldom it is built, and the stream of one block. Everything but the last mile is tested in
// tests/edge/seat_map_test.cpp and representation_test.cpp.

#include "tests/api/listener.hpp"
#include "tests/api/room.hpp"
#include "tests/edge/gzip.hpp"

#include <boost/test/unit_test.hpp>

namespace usher::test {

namespace {

said map_of(const show& which, const std::string& query = {}, const std::string& headers = {}) {
  return server().get(which.path + "/seats" + query, {.headers = headers});
}
std::uint64_t version_of(const show& which) {
  return map_of(which).body["version"].get<std::uint64_t>();
}
said since(const show& which, std::uint64_t version) {
  return map_of(which, "?since=" + std::to_string(version));
}
listener stream_of(const show& which, const std::string& block, const std::string& last_id = {}) {
  return listener{which.path + "/seats/stream?block=" + block, last_id};
}
int release(const show& which, const said& hold) {
  return server().del(which.path + "/holds/" + hold.text("holdId")).status;
}

/// The hall with an area of five places.
json with_area() {
  auto made = hall();
  made["plan"]["categories"].push_back({{"id", "floor"}, {"price", 1000}});
  made["plan"]["blocks"].push_back({{"id", "floor"}, {"category", "floor"}, {"capacity", 5}});
  return made;
}

/// As many blocks of 20,000 seats.
json large(int blocks) {
  auto made = hall();
  made["plan"]["blocks"] = json::array();
  for (int i = 0; i < blocks; ++i) {
    const auto name = "R" + std::to_string(i);
    made["plan"]["blocks"].push_back({{"id", "block-" + name},
                                      {"category", "stalls"},
                                      {"rows", json::array({{{"id", name}, {"count", 20'000}}})}});
  }
  return made;
}

} // namespace

BOOST_AUTO_TEST_SUITE(seat_map)

BOOST_AUTO_TEST_CASE(a_map_has_blocks_areas_and_categories_with_their_levels) {
  const show one{with_area()};
  BOOST_TEST(one.hold({"A-1", "A-2", "B-1"}).status == 201);
  BOOST_TEST(server().post(one.path + "/holds", {{"area", "floor"}, {"quantity", 3}}).status ==
             201);
  const auto blocked = server().post(one.path + "/seats/block", {{"seats", {"B-9", "B-10"}}},
                                     {.key = "operator-key"});
  BOOST_TEST(blocked.status / 100 == 2, blocked);
  auto body = map_of(one).body;
  BOOST_TEST(body["full"] == true);
  BOOST_TEST(body["version"].is_number_unsigned());
  auto& blocks = body["blocks"];
  BOOST_TEST(blocks[0]["seats"]["A-1"] == "HELD");
  BOOST_TEST(blocks[1]["seats"]["B-10"] == "BLOCKED");
  for (const auto at : {0, 1})
    blocks[at].erase("seats");
  BOOST_TEST(blocks == json::parse(R"([
    {"id": "left", "category": "stalls", "available": 8, "held": 2, "sold": 0, "blocked": 0,
     "availability": "plenty"},
    {"id": "right", "category": "box", "available": 7, "held": 1, "sold": 0, "blocked": 2,
     "availability": "plenty"},
    {"id": "floor", "category": "floor", "available": 2, "held": 3, "sold": 0, "blocked": 0,
     "availability": "good", "area": true, "capacity": 5, "seats": {}}])"));
  BOOST_TEST(body["categories"] == json::parse(R"([
    {"id": "stalls", "available": 8, "availability": "plenty"},
    {"id": "box", "available": 7, "availability": "plenty"},
    {"id": "floor", "available": 2, "availability": "good"}])"));

  std::string levels;
  const auto description = one.description();
  for (const auto& each : description["categories"])
    levels += each["availability"].get<std::string>() + " ";
  BOOST_TEST(levels == "plenty plenty good ");
}

BOOST_AUTO_TEST_CASE(since_a_version_only_the_changes_are_told) {
  const show one;
  const auto first = version_of(one);
  BOOST_TEST(since(one, first).body["blocks"] == json::array());
  const auto hold = one.hold({"A-1", "B-2"});
  BOOST_TEST(hold.status == 201);
  const auto changed = since(one, first).body;
  const auto held = changed["version"].get<std::uint64_t>();
  BOOST_TEST(held > first);
  BOOST_TEST(changed["since"] == first);
  BOOST_TEST(!changed.contains("full"));
  BOOST_TEST(changed["blocks"][0]["seats"] == json::parse(R"({"A-1": "HELD"})"));
  BOOST_TEST(changed["blocks"][0]["held"] == 1);
  BOOST_TEST(changed["blocks"][1]["seats"] == json::parse(R"({"B-2": "HELD"})"));

  BOOST_TEST(release(one, hold) == 204);
  BOOST_TEST(since(one, first).body["blocks"] == json::array()); // it is as it was
  BOOST_TEST(since(one, held).body["blocks"].size() == 2U);
}

BOOST_AUTO_TEST_CASE(since_a_version_that_is_not_known_all_is_told) {
  const show one;
  const auto first = version_of(one);
  const auto all = map_of(one).body;
  for (const auto version : {std::uint64_t{0}, first - 1, first + 1, ~std::uint64_t{0}})
    BOOST_TEST(since(one, version).body == all);
  auto larger = hall();
  larger["plan"]["blocks"][0]["rows"][0]["count"] = 11;
  BOOST_TEST(server().put(one.path, larger).status == 200);
  const auto got = since(one, first).body;
  BOOST_TEST(got["full"] == true);
  BOOST_TEST(got["blocks"][0]["seats"].size() == 11U);
  BOOST_TEST(got["version"].get<std::uint64_t>() > first);

  // Of a server that is gone: another one has the show, and knows nothing of that map.
  const auto last = version_of(one);
  const own_server here;
  const show again{larger, one.id};
  BOOST_TEST(since(again, last).body["full"] == true);
}

BOOST_AUTO_TEST_CASE(what_is_no_version_is_refused) {
  const show one;
  for (const auto* junk : {"?since=", "?since", "?since=x", "?since=-1", "?since=+1", "?since=1.0",
                           "?since=1%20", "?since=%zz", "?since=18446744073709551616"})
    BOOST_TEST(map_of(one, junk).fields() == "since", junk);
  const auto version = std::to_string(version_of(one));
  BOOST_TEST(map_of(one, "?x=1&since=" + version).body["since"].is_number());
  BOOST_TEST(map_of(one, "?sinc=x").status == 200);
}

BOOST_AUTO_TEST_CASE(etags_are_of_the_version_the_question_and_the_encoding) {
  const show one{large(1)};
  const auto full = map_of(one).header("etag");
  const auto packed = map_of(one, "", "Accept-Encoding: gzip\r\n").header("etag");
  const auto query = "?since=" + std::to_string(version_of(one));
  const auto partial = map_of(one, query).header("etag");
  BOOST_TEST(full != packed);
  BOOST_TEST(full != partial);
  const auto status = [&](const std::string& question, const std::string& headers) {
    return map_of(one, question, headers).status;
  };
  BOOST_TEST(status("", "If-None-Match: \"x\", W/" + full + "\r\n") == 304);
  BOOST_TEST(status("", "If-None-Match: *\r\n") == 304);
  BOOST_TEST(status("", "If-None-Match: " + packed + "\r\n") == 200);
  BOOST_TEST(status("", "Accept-Encoding: gzip\r\nIf-None-Match: " + packed + "\r\n") == 304);
  BOOST_TEST(status(query, "If-None-Match: " + partial + "\r\n") == 304);
  const auto same = map_of(one, "", "If-None-Match: " + full + "\r\n");
  BOOST_TEST(same.header("etag") == full);
  BOOST_TEST(same.header("vary") == "Accept-Encoding");
  BOOST_TEST(same.header("cache-control") == "public, max-age=1");
  BOOST_TEST(one.hold({"R0-1"}).status == 201);
  BOOST_TEST(status("", "If-None-Match: " + full + "\r\n") == 200);
  BOOST_TEST(status(query, "If-None-Match: " + partial + "\r\n") == 200);
}

BOOST_AUTO_TEST_CASE(sixty_thousand_seats_are_one_answer_and_small_when_compressed) {
  const show one{large(3)};
  BOOST_TEST(one.hold({"R2-20000"}).status == 201);
  const auto plain = map_of(one);
  BOOST_TEST(plain.header("content-encoding") == "");
  std::size_t seats = 0;
  for (const auto& block : plain.body["blocks"])
    seats += block["seats"].size();
  BOOST_TEST(seats == 60'000U);
  BOOST_TEST(plain.body["blocks"][2]["seats"]["R2-20000"] == "HELD");

  const auto packed = map_of(one, "", "Accept-Encoding: br, gzip\r\n").raw;
  BOOST_TEST(packed.header("content-encoding") == "gzip");
  BOOST_TEST(packed.header("vary") == "Accept-Encoding");
  BOOST_TEST(packed.body.size() < plain.raw.body.size() / 5);
  BOOST_TEST((unpacked(packed.body, packed.body.size() * 100) == plain.raw.body));
}

BOOST_AUTO_TEST_CASE(a_thousand_requests_during_changes_build_one_map_a_second) {
  const own_server here{{}, http::seat_maps::rebuild_interval_ms};
  const show one;
  const auto& clock = server().clock;
  const auto start = clock.now();
  std::atomic<bool> over{false};
  int changes = 0;
  {
    std::jthread changing{[&] {
      for (; !over; ++changes)
        release(one, one.hold({"A-1"}));
    }};
    std::vector<std::jthread> readers;
    for (int thread = 0; thread < 4; ++thread)
      readers.emplace_back([&] {
        for (int request = 0; request < 250; ++request)
          if (map_of(one).status != 200)
            throw std::runtime_error{"no map"};
      });
    readers.clear();
    over = true;
  }
  const auto elapsed_seconds = static_cast<std::uint64_t>((clock.now() - start) / 1000);
  const auto builds = server().app.maps.builds(*server().app.shows->find(one.id));
  BOOST_TEST_MESSAGE(changes << " changes, " << builds << " maps");
  BOOST_TEST(changes > 5);
  BOOST_TEST(builds >= 1U);
  BOOST_TEST(builds <= elapsed_seconds + 1);
  // And nobody is left with an old one.
  BOOST_TEST(one.hold({"A-2"}).status == 201);
  BOOST_TEST(eventually([&] { return one.seat("A-2") == "HELD"; }));
}

BOOST_AUTO_TEST_CASE(a_stream_tells_a_block_and_then_what_changed) {
  const show one{with_area()};
  BOOST_TEST(one.hold({"A-1"}).status == 201);
  auto stream = stream_of(one, "left");
  BOOST_TEST(stream.type == "text/event-stream");
  auto floor = stream_of(one, "floor");
  const auto first = stream.next();
  BOOST_TEST(first->event == "seats");
  BOOST_TEST(first->id == first->data["version"].dump());
  BOOST_TEST(first->data["full"] == true);
  BOOST_TEST(first->data["block"] == "left");
  BOOST_TEST(first->data["held"] == 1);
  BOOST_TEST(first->data["availability"] == "plenty");
  BOOST_TEST(first->data["seats"].size() == 10U);
  BOOST_TEST(first->data["seats"]["A-1"] == "HELD");
  BOOST_TEST(floor.next()->data["capacity"] == 5);

  BOOST_TEST(one.hold({"B-1"}).status == 201); // of another block: nothing to hear
  BOOST_TEST(one.hold({"A-2", "A-3"}).status == 201);
  const auto held = stream.next();
  BOOST_TEST(held->event == "changes");
  BOOST_TEST(held->data["seats"] == json::parse(R"({"A-2": "HELD", "A-3": "HELD"})"));
  BOOST_TEST(held->data["held"] == 3);
  BOOST_TEST(held->data["since"].is_number());

  BOOST_TEST(server().post(one.path + "/holds", {{"area", "floor"}, {"quantity", 2}}).status ==
             201);
  const auto fewer = floor.next();
  BOOST_TEST(fewer->event == "changes");
  BOOST_TEST(fewer->data["available"] == 3);
  BOOST_TEST(fewer->data["seats"] == json::object());
}

BOOST_AUTO_TEST_CASE(a_stream_that_comes_back_hears_what_it_missed) {
  const show one;
  const auto id = stream_of(one, "left").next()->id;
  BOOST_TEST(one.hold({"A-1"}).status == 201);
  const auto missed = stream_of(one, "left", id).next();
  BOOST_TEST(missed->event == "changes");
  BOOST_TEST(missed->data["since"].dump() == id);
  BOOST_TEST(missed->data["seats"] == json::parse(R"({"A-1": "HELD"})"));
  for (const auto& unknown : {std::string{"1"}, std::string{"x"}, id + "0"})
    BOOST_TEST(stream_of(one, "left", unknown).next()->event == "seats");
  // Nothing missed: the first that is heard is the next change.
  auto again = stream_of(one, "left", missed->id);
  BOOST_TEST(one.hold({"A-2"}).status == 201);
  BOOST_TEST(again.next()->data["seats"] == json::parse(R"({"A-2": "HELD"})"));
}

BOOST_AUTO_TEST_CASE(a_block_too_large_for_one_event_comes_in_parts) {
  const show one{large(1)};
  auto stream = stream_of(one, "block-R0");
  const auto first = stream.next();
  const auto parts = first->data["parts"].get<int>();
  BOOST_TEST(parts > 1);
  std::size_t seats = first->data["seats"].size();
  auto id = first->id;
  for (int part = 2; part <= parts; ++part) {
    BOOST_TEST(id.empty());
    const auto next = stream.next();
    BOOST_TEST(next->data["part"] == part);
    BOOST_TEST(next->data["version"] == first->data["version"]);
    seats += next->data["seats"].size();
    id = next->id;
  }
  BOOST_TEST(seats == 20'000U);
  BOOST_TEST(id == first->data["version"].dump());
}

BOOST_AUTO_TEST_CASE(a_stream_ends_with_its_block) {
  const show one;
  auto right = stream_of(one, "right");
  auto left = stream_of(one, "left");
  BOOST_TEST(right.next()->data["block"] == "right");
  BOOST_TEST(left.next()->data["block"] == "left");
  auto smaller = hall();
  smaller["plan"]["blocks"].erase(1);
  smaller["plan"]["blocks"][0]["rows"][0]["count"] = 8;
  BOOST_TEST(server().put(one.path, smaller).status == 200);
  BOOST_TEST(!right.next());
  const auto whole = left.next(); // of another plan: all of it
  BOOST_TEST(whole->event == "seats");
  BOOST_TEST(whole->data["seats"].size() == 8U);
}

BOOST_AUTO_TEST_CASE(a_stream_needs_a_block_that_there_is) {
  const show one;
  const auto ask = [&](const std::string& query) {
    return server().get(one.path + "/seats/stream" + query);
  };
  for (const auto* none : {"", "?block", "?block=", "?blocks=left"}) {
    const auto got = ask(none);
    BOOST_TEST(got.brief() == "400 invalid-request", none);
    BOOST_TEST(got.fields() == "block", none);
  }
  BOOST_TEST(ask("?block=middle").brief() == "404 unknown-block");
  BOOST_TEST(server().get("/v1/shows/none/seats/stream?block=left").brief() == "404 unknown-show");
  BOOST_TEST(server().get(show{plain()}.path + "/seats/stream?block=left").brief() ==
             "404 no-plan");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace usher::test
