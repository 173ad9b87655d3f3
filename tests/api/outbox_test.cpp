// The sinks over HTTP: who may see and move them, what the list tells of a sink that keeps up, one
// that fails and one that is gone, and what a reset does: everything behind it comes again, in
// order, and nothing is skipped but by "now". The sinks are played, the log and its events are a
// server's. Made to fail once: with a reset that sets the cursor one too far, with the look for the
// show left out, and with a lag that is always 0.

#include "storage/outbox/workers.hpp"
#include "tests/api/api_server.hpp"
#include "tests/outbox/order_check.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
#include <sstream>

namespace usher::test {

namespace {

namespace outbox = storage::outbox;

const extra staff{.key = "operator-key"};

/// What a sink has had, and what it does about the next: changed by the test, from any thread.
struct played {
  enum class mood : std::uint8_t { good, down, gone };

  void be(mood next) {
    const std::lock_guard lock{mutex_};
    mood_ = next;
  }
  outbox::outcome take(const outbox::delivery& what) {
    const std::lock_guard lock{mutex_};
    if (mood_ == mood::down)
      return outbox::retry{"connect-refused"};
    if (mood_ == mood::gone)
      return outbox::gone{"HTTP 410: gone"};
    for (const auto& each : what.events)
      notes_.came(what.show, each.position);
    return outbox::delivered{};
  }
  [[nodiscard]] order_check notes() const {
    const std::lock_guard lock{mutex_};
    return notes_;
  }
  /// How often each position came.
  [[nodiscard]] std::map<std::uint64_t, int> times() const {
    std::map<std::uint64_t, int> made;
    const auto noted = notes();
    for (const auto& [show, its] : noted.all())
      for (const auto position : its)
        ++made[position];
    return made;
  }

private:
  mutable std::mutex mutex_;
  mood mood_ = mood::good;
  order_check notes_;
};
using enum played::mood;

class played_sink final : public outbox::sink {
public:
  explicit played_sink(std::shared_ptr<played> by) : by_{std::move(by)} {}
  [[nodiscard]] std::size_t events_max() const override { return 2; }
  [[nodiscard]] std::size_t at_once_max() const override { return 2; }
  void deliver(const outbox::delivery& what, outbox::on_outcome done) override {
    done(by_->take(what));
  }

private:
  std::shared_ptr<played> by_;
};

/// A server with the sinks `good` and `bad`, which is down, and the shows `hamlet` and `macbeth`.
struct two_sinks {
  two_sinks() {
    bad->be(down);
    start({{"good", good}, {"bad", bad}});
    for (const std::string show : {"hamlet", "macbeth"})
      BOOST_REQUIRE_EQUAL(api.put("/v1/shows/" + show, plain()).status, 201);
    more(5);
  }
  ~two_sinks() { api.app.outbox = nullptr; }
  two_sinks(const two_sinks&) = delete;
  two_sinks& operator=(const two_sinks&) = delete;

  /// Again, as a server that starts with other settings would.
  void start(const std::vector<std::pair<std::string, std::shared_ptr<played>>>& sinks) {
    api.app.outbox = nullptr;
    its.reset();
    outbox::workers::parts parts{.log = log.get(),
                                 .directory = api.directory() / "outbox",
                                 .now = [this] { return api.clock.now(); },
                                 .sinks = {}};
    for (const auto& [name, by] : sinks)
      parts.sinks.push_back(
          {.name = name, .kind = "played", .to = std::make_unique<played_sink>(by)});
    its = std::make_unique<outbox::workers>(std::move(parts));
    api.app.outbox = its.get();
  }

  /// So many events of each show.
  void more(int each) {
    for (int i = 0; i < each; ++i) {
      const json text{{"en", "message " + std::to_string(++messages_)}};
      for (const std::string show : {"hamlet", "macbeth"})
        BOOST_REQUIRE(api.put("/v1/shows/" + show + "/waiting-room/message", text).status < 300);
    }
  }

  [[nodiscard]] std::uint64_t end() const { return log->head().position; }

  /// Of the list.
  [[nodiscard]] json sink(const std::string& name, const std::string& query = {}) const {
    const auto list = api.get("/v1/outbox" + query, staff).body;
    for (const auto& each : list.at("sinks"))
      if (each.at("sink") == name)
        return each;
    throw std::runtime_error{"no sink " + name};
  }
  [[nodiscard]] bool keeps_up(const std::string& name) const {
    return sink(name).at("lagEvents") == 0 && sink(name).at("position") == end();
  }
  /// The cursor that a new start would find.
  [[nodiscard]] std::uint64_t saved(const std::string& name) const {
    const auto found = outbox::cursor_file{api.directory() / "outbox", name}.load();
    const auto* its_cursors = std::get_if<std::optional<outbox::cursors>>(&found);
    return its_cursors != nullptr && *its_cursors ? (*its_cursors)->position : 0;
  }
  said reset(const std::string& name, const json& body, const extra& by = staff) const {
    return api.post("/v1/outbox/" + name + "/reset", body, by);
  }

  /// What breaks the promise of at least once and in order.
  [[nodiscard]] std::string faults(const played& by) const {
    positions_by_show all;
    const auto failed = log->replay(1, [&](const storage::stored_record& each) {
      all[std::string{storage::show_of(each.subject)}].push_back(each.position);
      return true;
    });
    std::string text = failed ? failed->what : "";
    for (const auto& each : by.notes().faults(all))
      text += each + "; ";
    return text;
  }
  [[nodiscard]] std::uint64_t events_of(const std::string& show) const {
    std::uint64_t count = 0;
    const auto failed = log->replay(1, [&](const storage::stored_record& each) {
      count += storage::show_of(each.subject) == show ? 1U : 0U;
      return true;
    });
    BOOST_REQUIRE(!failed);
    return count;
  }

  std::shared_ptr<played> good = std::make_shared<played>();
  std::shared_ptr<played> bad = std::make_shared<played>();
  api_server api;
  std::shared_ptr<const storage::memory_log> log = api.log();
  std::unique_ptr<outbox::workers> its;

private:
  int messages_ = 0;
};

/// The samples of /metrics about a sink, by the end of their name.
std::map<std::string, double> samples(two_sinks& of, const std::string& sink) {
  of.api.clock.advance(std::chrono::milliseconds{http::metrics_page::kept_ms});
  std::map<std::string, double> all;
  std::istringstream text{of.api.get("/metrics").raw.body};
  const std::string begin = "usher_outbox_";
  const auto end = "{sink=\"" + sink + "\"} ";
  for (std::string line; std::getline(text, line);)
    if (const auto at = line.find(end); line.starts_with(begin) && at != std::string::npos)
      all[line.substr(begin.size(), at - begin.size())] = std::stod(line.substr(at + end.size()));
  return all;
}

} // namespace

BOOST_AUTO_TEST_SUITE(outbox_routes)

BOOST_AUTO_TEST_CASE(viewers_look_and_operators_move) {
  using answers = std::map<std::string, std::string>; // by role
  const answers moved{{"admin", "404 unknown-sink"}, {"operator", "404 unknown-sink"},
                      {"viewer", "403 forbidden"},   {"service", "403 forbidden"},
                      {"gate", "403 forbidden"},     {"", "401 key-required"},
                      {"nobody", "401 key-required"}};
  const struct {
    std::string method;
    std::string path;
    std::string body;
    answers by_role;
  } routes[] = {{"GET",
                 "/v1/outbox",
                 "",
                 {{"admin", "200"},
                  {"operator", "200"},
                  {"viewer", "200"},
                  {"service", "200"},
                  {"gate", "403 forbidden"},
                  {"", "401 key-required"},
                  {"nobody", "401 key-required"}}},
                {"POST", "/v1/outbox/nowhere/reset", R"({"position":0})", moved},
                {"POST", "/v1/outbox/nowhere/resume", "", moved}};
  for (const auto& route : routes)
    for (const auto& [role, answer] : route.by_role) {
      const auto got = server().ask(route.method, route.path, route.body,
                                    {.key = role.empty() ? "" : role + "-key"});
      BOOST_TEST_INFO(route.method << " " << route.path << " as '" << role << "': " << got);
      BOOST_TEST(got.brief() == answer);
      if (got.status == 200)
        continue;
      BOOST_TEST(got.header("content-type") == "application/problem+json");
      BOOST_TEST(got.body.at("status") == got.status);
      BOOST_TEST(!got.text("title").empty());
      BOOST_TEST(!got.text("detail").empty());
    }
}

BOOST_AUTO_TEST_CASE(without_sinks_the_list_is_empty) {
  BOOST_TEST(server().get("/v1/outbox", staff).body.dump() == R"({"sinks":[]})");
}

BOOST_AUTO_TEST_CASE(the_list_tells_state_and_lag) {
  two_sinks with;
  BOOST_TEST(eventually([&] { return with.keeps_up("good"); }));
  const auto good = with.sink("good");
  BOOST_TEST(good.at("kind") == "played");
  BOOST_TEST(good.at("state") == "RUNNING");
  BOOST_TEST(good.at("lagSeconds") == 0);
  BOOST_TEST(good.at("delivered") == with.end());
  BOOST_TEST(good.at("failures") == 0);
  BOOST_TEST(good.at("behind") == json::array());
  BOOST_TEST(!good.contains("lastError"));
  BOOST_TEST(!good.contains("nextTryAt"));

  BOOST_TEST(eventually([&] { return with.sink("bad").at("failures") >= 2; }));
  auto bad = with.sink("bad");
  BOOST_TEST(bad.at("state") == "RETRYING");
  BOOST_TEST(bad.at("lagEvents") == with.end());
  BOOST_TEST(bad.at("delivered") == 0);
  BOOST_TEST(bad.at("lastError").at("what") == "connect-refused");
  BOOST_TEST(bad.at("nextTryAt").get<std::string>() >
             bad.at("lastError").at("at").get<std::string>());

  // Events and time go by.
  const auto before = bad.at("lagSeconds").get<int>();
  with.more(2);
  with.api.clock.advance(std::chrono::seconds{100});
  bad = with.sink("bad");
  BOOST_TEST(bad.at("lagEvents") == with.end());
  BOOST_TEST(bad.at("lagSeconds").get<int>() >= before + 100);
  BOOST_TEST(eventually([&] { return with.keeps_up("good"); }));

  BOOST_TEST(with.sink("good", "?show=hamlet").at("show").dump() ==
             R"({"position":)" + std::to_string(with.end()) + R"(,"show":"hamlet"})");
  BOOST_TEST(with.sink("bad", "?show=/system").at("show").at("show") == "/system");
  BOOST_TEST(!with.sink("good").contains("show"));
}

BOOST_AUTO_TEST_CASE(what_is_behind_the_others_is_named) {
  two_sinks with;
  BOOST_TEST(eventually([&] { return with.keeps_up("good"); }));
  with.good->be(down);
  with.more(1);
  BOOST_TEST(eventually([&] { return with.sink("good").at("failures") >= 2; }));
  const auto behind = with.sink("good").at("behind");
  BOOST_TEST(behind.size() <= 2U);
  for (const auto& each : behind)
    BOOST_TEST(each.at("position") < with.end());
}

BOOST_AUTO_TEST_CASE(a_reset_to_the_beginning_brings_everything_again_and_skips_nothing) {
  two_sinks with;
  BOOST_TEST(eventually([&] { return with.keeps_up("good"); }));
  const auto end = with.end();
  const auto got = with.reset("good", {{"position", 0}});
  BOOST_TEST(got.status == 200, got);
  BOOST_TEST(got.text("sink") == "good");
  BOOST_TEST(got.body.at("position") == 0);
  BOOST_TEST(got.body.at("lagEvents") == end);
  BOOST_TEST(eventually([&] { return with.good->notes().count() == 2 * end; }));
  with.more(1);
  BOOST_TEST(eventually([&] { return with.good->notes().distinct() == with.end(); }));
  BOOST_TEST(with.faults(*with.good) == "");
  for (const auto& [position, times] : with.good->times())
    BOOST_TEST(times == (position <= end ? 2 : 1), position);
}

BOOST_AUTO_TEST_CASE(a_reset_to_a_position_brings_what_comes_after_it) {
  two_sinks with;
  BOOST_TEST(eventually([&] { return with.keeps_up("good"); }));
  const auto end = with.end();
  const auto at = end / 2;
  BOOST_TEST(with.reset("good", {{"position", at}}).body.at("position") == at);
  BOOST_TEST(eventually([&] { return with.good->notes().count() == 2 * end - at; }));
  BOOST_TEST(eventually([&] { return with.keeps_up("good"); }));
  BOOST_TEST(with.faults(*with.good) == "");
  for (const auto& [position, times] : with.good->times())
    BOOST_TEST(times == (position <= at ? 1 : 2), position);
  // To where it is: nothing comes again.
  BOOST_TEST(with.reset("good", {{"position", end}}).status == 200);
  with.more(1);
  BOOST_TEST(eventually([&] { return with.keeps_up("good"); }));
  BOOST_TEST(with.good->notes().count() == 2 * end - at + 2);
}

BOOST_AUTO_TEST_CASE(a_reset_of_one_show_brings_that_show_again) {
  two_sinks with;
  BOOST_TEST(eventually([&] { return with.keeps_up("good"); }));
  const auto end = with.end();
  const auto got = with.reset("good", {{"show", "hamlet"}, {"position", 0}});
  BOOST_TEST(got.status == 200, got);
  BOOST_TEST(got.body.at("show").dump() == R"({"position":0,"show":"hamlet"})");
  BOOST_TEST(got.body.at("position") == end);
  const auto all = end + with.events_of("hamlet");
  BOOST_TEST(eventually([&] { return with.good->notes().count() == all; }));
  BOOST_TEST(eventually([&] { return with.sink("good").at("behind").empty(); }));
  BOOST_TEST(with.good->notes().count() == all);
  BOOST_TEST(with.faults(*with.good) == "");
  BOOST_TEST(with.reset("good", {{"show", "/system"}, {"position", 0}}).status == 200);
  BOOST_TEST(
      eventually([&] { return with.good->notes().count() == all + with.events_of("/system"); }));
}

BOOST_AUTO_TEST_CASE(now_skips_what_waits_and_goes_on_from_there) {
  two_sinks with;
  BOOST_TEST(eventually([&] { return with.sink("bad").at("failures") >= 2; }));
  const auto end = with.end();
  const auto got = with.reset("bad", {{"position", "now"}});
  BOOST_TEST(got.status == 200, got);
  BOOST_TEST(got.body.at("lagEvents") == 0);
  BOOST_TEST(got.body.at("position") == end);
  with.bad->be(good);
  with.more(1);
  BOOST_TEST(eventually([&] { return with.keeps_up("bad"); }));
  BOOST_TEST(with.bad->notes().count() == with.end() - end);
  BOOST_TEST(with.bad->times().begin()->first == end + 1);
}

BOOST_AUTO_TEST_CASE(a_position_after_the_cursor_is_refused_and_changes_nothing) {
  two_sinks with;
  BOOST_TEST(eventually([&] { return with.keeps_up("good"); }));
  const auto end = with.end();
  const auto refused = [](const said& got, std::uint64_t most) {
    BOOST_TEST(got.brief() == "409 cursor-not-moved", got);
    BOOST_TEST(got.header("content-type") == "application/problem+json");
    BOOST_TEST(got.text("detail") == "expected at most " + std::to_string(most) +
                                         ", where the cursor is; only \"now\" skips events");
  };
  refused(with.reset("good", {{"position", end + 1}}), end);
  refused(with.reset("good", {{"position", 9'223'372'036'854'775'807}}), end);
  refused(with.reset("good", {{"show", "hamlet"}, {"position", end + 1}}), end);
  BOOST_TEST(with.sink("good").at("position") == end);
  BOOST_TEST(with.good->notes().count() == end);
}

BOOST_AUTO_TEST_CASE(a_bad_body_is_told_and_changes_nothing) {
  two_sinks with;
  BOOST_TEST(eventually([&] { return with.keeps_up("good"); }));
  const struct {
    json body;
    std::string fields;
  } bad_ones[] = {{json::object(), "position"},
                  {{{"position", -1}}, "position"},
                  {{{"position", 1.5}}, "position"},
                  {{{"position", "then"}}, "position"},
                  {{{"position", "0"}}, "position"},
                  {{{"position", nullptr}}, "position"},
                  {{{"position", 9'223'372'036'854'775'808U}}, "position"},
                  {{{"position", 0}, {"show", ""}}, "show"},
                  {{{"position", 0}, {"show", 7}}, "show"},
                  {{{"position", 0}, {"show", std::string(257, 'x')}}, "show"},
                  {{{"position", 0}, {"sink", "good"}}, "sink"},
                  {{{"show", 7}, {"postion", 0}}, "postion position show"}};
  for (const auto& each : bad_ones) {
    const auto got = with.reset("good", each.body);
    BOOST_TEST_INFO(each.body.dump() << ": " << got);
    BOOST_TEST(got.brief() == "400 invalid-request");
    BOOST_TEST(got.fields() == each.fields);
  }
  BOOST_TEST(with.api.ask("POST", "/v1/outbox/good/reset", "[0]", staff).status == 400);
  BOOST_TEST(with.api.ask("POST", "/v1/outbox/good/reset", "{", staff).status == 400);
  BOOST_TEST(with.good->notes().count() == with.end());
}

BOOST_AUTO_TEST_CASE(what_is_not_there_is_404) {
  two_sinks with;
  BOOST_TEST(eventually([&] { return with.keeps_up("good"); }));
  const auto unknown = with.reset("goodd", {{"position", 0}});
  BOOST_TEST(unknown.brief() == "404 unknown-sink");
  BOOST_TEST(unknown.text("detail") == "There is no sink 'goodd'.");
  BOOST_TEST(with.reset("good", {{"show", "othello"}, {"position", 0}}).brief() ==
             "404 unknown-show");
  BOOST_TEST(with.api.post("/v1/outbox/goodd/resume", nullptr, staff).brief() ==
             "404 unknown-sink");
  BOOST_TEST(with.good->notes().count() == with.end());
}

BOOST_AUTO_TEST_CASE(a_sink_that_was_taken_out_of_the_settings_is_404_and_comes_back_where_it_was) {
  two_sinks with;
  BOOST_TEST(eventually([&] { return with.keeps_up("good"); }));
  const auto end = with.end();
  BOOST_TEST(eventually([&] { return with.saved("good") == end; }));
  with.start({{"bad", with.bad}});
  BOOST_TEST(with.api.get("/v1/outbox", staff).body.at("sinks").size() == 1U);
  BOOST_TEST(with.reset("good", {{"position", 0}}).brief() == "404 unknown-sink");
  BOOST_TEST(with.api.post("/v1/outbox/good/resume", nullptr, staff).brief() == "404 unknown-sink");
  with.more(1);
  with.start({{"good", with.good}, {"bad", with.bad}});
  BOOST_TEST(eventually([&] { return with.keeps_up("good"); }));
  BOOST_TEST(with.good->notes().count() == with.end());
  BOOST_TEST(with.end() == end + 2);
  BOOST_TEST(with.faults(*with.good) == "");
}

BOOST_AUTO_TEST_CASE(resuming_tries_at_once) {
  two_sinks with;
  BOOST_TEST(eventually([&] { return with.sink("bad").at("failures") >= 2; }));
  with.bad->be(good);
  BOOST_TEST(with.api.post("/v1/outbox/bad/resume", nullptr, staff).status == 200);
  BOOST_TEST(eventually([&] { return with.keeps_up("bad"); }));
  BOOST_TEST(with.sink("bad").at("state") == "RUNNING");
  BOOST_TEST(with.faults(*with.bad) == "");

  with.bad->be(gone);
  with.more(1);
  BOOST_TEST(eventually([&] { return with.sink("bad").at("state") == "STOPPED"; }));
  BOOST_TEST(with.sink("bad").at("lastError").at("what") == "HTTP 410: gone");
  with.bad->be(good);
  with.api.clock.advance(std::chrono::hours{100});
  BOOST_TEST(with.api.post("/v1/outbox/bad/resume", nullptr, staff).text("state") == "RUNNING");
  BOOST_TEST(eventually([&] { return with.keeps_up("bad"); }));
  BOOST_TEST(with.faults(*with.bad) == "");
}

BOOST_AUTO_TEST_CASE(the_metrics_of_each_sink_move_with_it) {
  two_sinks with;
  BOOST_TEST(eventually([&] { return with.keeps_up("good"); }));
  BOOST_TEST(eventually([&] { return with.sink("bad").at("failures") >= 2; }));
  const auto end = static_cast<double>(with.end());
  auto its = samples(with, "good");
  BOOST_TEST(its.size() == 5U);
  BOOST_TEST(its.at("lag_events") == 0);
  BOOST_TEST(its.at("lag_seconds") == 0);
  BOOST_TEST(its.at("stopped") == 0);
  BOOST_TEST(its.at("delivered_total") == end);
  BOOST_TEST(its.at("failures_total") == 0);
  its = samples(with, "bad");
  BOOST_TEST(its.at("lag_events") == end);
  BOOST_TEST(its.at("delivered_total") == 0);
  BOOST_TEST(its.at("failures_total") >= 2);

  with.more(1);
  with.api.clock.advance(std::chrono::seconds{1000});
  its = samples(with, "bad");
  BOOST_TEST(its.at("lag_events") == end + 2);
  BOOST_TEST(its.at("lag_seconds") >= 1000);
  BOOST_TEST(eventually([&] { return samples(with, "good").at("delivered_total") == end + 2; }));

  with.bad->be(gone);
  BOOST_TEST(with.api.post("/v1/outbox/bad/resume", nullptr, staff).status == 200);
  BOOST_TEST(eventually([&] { return samples(with, "bad").at("stopped") == 1; }));
  with.bad->be(good);
  BOOST_TEST(with.api.post("/v1/outbox/bad/resume", nullptr, staff).status == 200);
  BOOST_TEST(eventually([&] { return samples(with, "bad").at("lag_events") == 0; }));
  its = samples(with, "bad");
  BOOST_TEST(its.at("stopped") == 0);
  BOOST_TEST(its.at("lag_seconds") == 0);
  BOOST_TEST(its.at("delivered_total") == end + 2);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace usher::test
