// `usher admin import-plan` as the command line has it, and what it says to a server: a socket that
// keeps the request and answers what the test wants.

#include "config/admin/put_json.hpp"

#include "tests/config/admin_line.hpp"
#include "tests/plans/support.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

using namespace usher;
using namespace usher::plans::test;
using usher::test::outcome;
using usher::test::run_admin;

namespace {

outcome usher_admin(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "import-plan");
  return run_admin(std::move(arguments));
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Takes one request and gives one answer, on a port of its own.
class one_shot_server {
public:
  explicit one_shot_server(std::string answer) : listener_{socket(AF_INET, SOCK_STREAM, 0)} {
    sockaddr_in where{};
    where.sin_family = AF_INET;
    where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof where;
    BOOST_REQUIRE(bind(listener_, reinterpret_cast<sockaddr*>(&where), size) == 0);
    BOOST_REQUIRE(listen(listener_, 1) == 0);
    getsockname(listener_, reinterpret_cast<sockaddr*>(&where), &size);
    port_ = ntohs(where.sin_port);
    thread_ = std::thread{[this, answer = std::move(answer)] { serve(answer); }};
  }
  ~one_shot_server() {
    shutdown(listener_, SHUT_RDWR); // wakes a thread that nobody called
    if (thread_.joinable())
      thread_.join();
    close(listener_);
  }
  one_shot_server(one_shot_server&&) = delete;
  one_shot_server& operator=(one_shot_server&&) = delete;

  [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  /// After the answer was sent.
  [[nodiscard]] const std::string& request() {
    thread_.join();
    return request_;
  }

private:
  void serve(const std::string& answer) {
    const int peer = accept(listener_, nullptr, nullptr);
    if (peer < 0)
      return;
    while (!is_whole()) {
      char bytes[4096];
      const auto got = read(peer, bytes, sizeof bytes);
      if (got <= 0)
        break;
      request_.append(bytes, static_cast<std::size_t>(got));
    }
    for (std::size_t sent = 0; sent < answer.size();) {
      const auto wrote = send(peer, answer.data() + sent, answer.size() - sent, MSG_NOSIGNAL);
      if (wrote <= 0)
        break;
      sent += static_cast<std::size_t>(wrote);
    }
    close(peer);
  }
  [[nodiscard]] bool is_whole() const {
    const auto end = request_.find("\r\n\r\n");
    const auto length = request_.find("Content-Length: ");
    return end != std::string::npos && length != std::string::npos &&
           request_.size() >= end + 4 + std::stoul(request_.substr(length + 16));
  }

  int listener_;
  std::uint16_t port_ = 0;
  std::string request_;
  std::thread thread_;
};

std::string http_answer_of(const std::string& status, const std::string& body) {
  return "HTTP/1.1 " + status + "\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\nConnection: close\r\n\r\n" + body;
}

const std::string own = sample_path("own.json").string();
const std::string pretix = sample_path("pretix.json").string();

/// A file that goes with the test.
class scratch_file {
public:
  explicit scratch_file(const std::string& text = "") {
    char name[] = "/tmp/usher-plan-XXXXXX";
    const int file = mkstemp(name);
    BOOST_REQUIRE(file >= 0);
    close(file);
    path_ = name;
    std::ofstream{path_, std::ios::binary} << text;
  }
  ~scratch_file() { std::filesystem::remove(path_); }
  scratch_file(scratch_file&&) = delete;
  scratch_file& operator=(scratch_file&&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

private:
  std::string path_;
};

} // namespace

BOOST_AUTO_TEST_SUITE(command)

BOOST_AUTO_TEST_CASE(a_dry_run_prints_what_would_be_made) {
  const auto got = usher_admin({pretix, "--price", "Parkett=4500", "--price", "Galerie (Süd)=2000",
                                "--focal-point", "225,-3.5", "--dry-run"});
  BOOST_TEST(got.exit_code == 0, got.err);
  BOOST_TEST(got.err == "");
  BOOST_TEST(got.out == "format: pretix\n"
                        "3 blocks, 4 rows, 5 seats\n"
                        "categories\n"
                        "  Parkett: 'Parkett', price 4500 in minor units\n"
                        "  Galerie-Sud: 'Galerie (Süd)', price 2000 in minor units\n"
                        "blocks\n"
                        "  Parkett-links: Parkett, 2 rows, 3 seats\n"
                        "  Seite-Galerie-Sud: Galerie-Sud, 1 row, 1 seat\n"
                        "  Seite-Parkett: Parkett, 1 row, 1 seat\n"
                        "coordinates of 5 seats: x -50 to 135, y 0 to 80\n"
                        "focal point: 225, -3.5\n"
                        "ids that are not the label as it stands\n"
                        "  category 'Galerie (Süd)' -> Galerie-Sud\n"
                        "  block 'Parkett links' -> Parkett-links\n"
                        "  block 'Bühne' -> Buhne\n"
                        "  block 'Seite (Galerie (Süd))' -> Seite-Galerie-Sud\n"
                        "  block 'Seite (Parkett)' -> Seite-Parkett\n"
                        "  row 'Reihe A' -> Reihe-A\n"
                        "  seat 's a 1' -> s-a-1\n"
                        "note: 2 drawn areas (stages, bars, texts) have no places: left out\n"
                        "note: category 'Unused' has no seats: left out\n"
                        "note: 'Bühne' has no rows: left out\n");
}

BOOST_AUTO_TEST_CASE(areas_and_accessible_seats_are_in_the_summary) {
  const auto got = usher_admin({own, "--dry-run", "--format", "usher"});
  BOOST_TEST(got.exit_code == 0, got.err);
  BOOST_TEST(says(got.out, "1 block, 2 rows, 23 seats (1 accessible), 1 area with 500 places\n"),
             got.out);
  BOOST_TEST(says(got.out, "  floor: standing, area of 500 places\n"), got.out);
  BOOST_TEST(says(got.out, "coordinates of 2 seats: x -11 to 10, y 20.5 to 20.5\n"), got.out);
}

BOOST_AUTO_TEST_CASE(the_plan_can_be_written_and_read_again) {
  const scratch_file file;
  const auto written = usher_admin({pretix, "--price=Parkett=1", "--price=Galerie (Süd)=2",
                                    "--focal-point=-1,2", "--output", file.path()});
  BOOST_TEST(written.exit_code == 0, written.err);
  BOOST_TEST(written.out == "");
  const auto plan = read_good(text_of(file.path())).plan;
  BOOST_TEST((plan.focal_point == shows::point{-1, 2}));
  BOOST_TEST(plan.blocks.size() == 3U);

  const auto printed = usher_admin({file.path(), "--output", "-", "--dry-run"});
  BOOST_TEST(printed.exit_code == 0);
  BOOST_TEST(printed.out == text_of(file.path()));
  BOOST_TEST(says(printed.err, "3 blocks"), printed.err);

  const auto nowhere = usher_admin({own, "--output", "/nowhere/plan.json"});
  BOOST_TEST(nowhere.exit_code == 2);
  BOOST_TEST(nowhere.err == "usher admin import-plan: cannot write /nowhere/plan.json\n");
}

BOOST_AUTO_TEST_CASE(faults_are_listed_up_to_a_limit_and_nothing_steers_the_terminal) {
  std::string text = "block,row,seat,category\n";
  for (int i = 0; i < 80; ++i)
    text += "A,1,\x1B[2J" + std::to_string(i) + "\n";
  const scratch_file file{text};
  const auto got = usher_admin({file.path(), "--dry-run"});
  BOOST_TEST(got.exit_code == 1);
  BOOST_TEST(got.out == "");
  BOOST_TEST(got.err.starts_with(file.path() + ": line 2: expected 4 columns, got 3\n"), got.err);
  BOOST_TEST(std::count(got.err.begin(), got.err.end(), '\n') == 51);
  BOOST_TEST(got.err.ends_with("and 30 more faults\n"), got.err);

  const scratch_file other{"block,row,seat,category\nA,1,1,\x1B[2Jx\n"};
  const auto unpriced = usher_admin({other.path(), "--dry-run"});
  BOOST_TEST(!says(unpriced.err, "\x1B"), unpriced.err);
  const auto summary = usher_admin({other.path(), "--dry-run", "--price", "\x1B[2Jx=1"});
  BOOST_TEST(summary.exit_code == 0, summary.err);
  BOOST_TEST(says(summary.out, "category '?[2Jx' -> 2Jx\n"), summary.out);
  BOOST_TEST(!says(summary.out, "\x1B"), summary.out);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_read_or_makes_no_sense_ends_with_2) {
  const scratch_file large{std::string(plans::file_bytes_max + 1, ' ')};
  const struct {
    std::vector<std::string> arguments;
    std::string sentence;
  } cases[] = {
      {{"/nowhere.json", "--dry-run"}, "/nowhere.json is not a file that can be read"},
      {{"/tmp", "--dry-run"}, "/tmp is not a file that can be read"},
      {{large.path(), "--dry-run"}, large.path() + " is over 32 MiB"},
      {{own}, "--show ID tells which show gets the plan (or --dry-run, or --output FILE)"},
      {{own, "--show", "a b"}, "--show: expected 1 to 64 letters"},
      {{own, "--show", "a", "--title", ""}, "--title: expected 1 to 256 bytes of text"},
      {{own, "--show", "a", "--title", "\xFF"}, "--title is not UTF-8"},
      {{own, "--show", "a", "--currency", "XXY"}, "--currency: 'XXY' is not an ISO 4217 code"},
      {{own, "--dry-run", "--price", "a"}, "--price takes CATEGORY=AMOUNT"},
      {{own, "--dry-run", "--price", "a=1.5"}, "--price takes CATEGORY=AMOUNT"},
      {{own, "--dry-run", "--price", "a=-1"}, "--price takes CATEGORY=AMOUNT"},
      {{own, "--dry-run", "--price", "=1"}, "--price takes CATEGORY=AMOUNT"},
      {{own, "--dry-run", "--price", "stalls=1", "--price", "stalls=2"},
       "--price takes CATEGORY=AMOUNT"},
      {{own, "--dry-run", "--focal-point", "1"}, "--focal-point takes X,Y"},
      {{own, "--dry-run", "--focal-point", "1,2,3"}, "--focal-point takes X,Y"},
      {{own, "--dry-run", "--format", "xml"}, "--format"},
      {{own, "--dry-run", "--nonsense"}, "--nonsense"},
      {{}, "FILE is required"},
  };
  for (const auto& one : cases) {
    const auto got = usher_admin(one.arguments);
    BOOST_TEST(got.exit_code == 2, one.sentence);
    BOOST_TEST(says(got.err, one.sentence), got.err);
    BOOST_TEST(got.out == "");
  }
}

BOOST_AUTO_TEST_CASE(a_focal_point_far_away_is_a_fault) {
  for (const auto& file : {own, pretix}) {
    const auto got = usher_admin({file, "--dry-run", "--focal-point", "1e9,0", "--price",
                                  file == own ? "stalls=1" : "Parkett=1"});
    BOOST_TEST(got.exit_code == 1);
    BOOST_TEST(says(got.err, "--focal-point: expected coordinates within ±1,000,000"), got.err);
  }
}

BOOST_AUTO_TEST_CASE(help_has_an_example_of_each_format) {
  const auto got = usher_admin({"--help"});
  BOOST_TEST(got.exit_code == 0);
  for (const auto* part : {"hall.csv", "saal.json", "chart.json", "plan.json", "--dry-run",
                           "--price", "USHER_OPERATOR_KEY", "docs/plans.md", "Exit codes"})
    BOOST_TEST(says(got.out, part), part);
}

BOOST_AUTO_TEST_CASE(the_plan_is_sent_with_the_key) {
  setenv("USHER_OPERATOR_KEY", "the-key", 1);
  one_shot_server server{http_answer_of("201 Created", "{}")};
  const auto got = usher_admin({own, "--show", "hamlet", "--title", "Hamlet", "--currency", "BRL",
                                "--server", server.url() + "/"});
  unsetenv("USHER_OPERATOR_KEY");
  BOOST_TEST(got.exit_code == 0, got.err);
  BOOST_TEST(
      got.out ==
      "created show hamlet: 1 block, 2 rows, 23 seats (1 accessible), 1 area with 500 places\n");
  const auto& request = server.request();
  BOOST_TEST(request.starts_with("PUT /v1/shows/hamlet HTTP/1.1\r\n"), request);
  BOOST_TEST(says(request, "\r\nAuthorization: Bearer the-key\r\n"), request);
  BOOST_TEST(says(request, "\r\nContent-Type: application/json\r\n"), request);
  const auto body = json::parse(request.substr(request.find("\r\n\r\n") + 4));
  BOOST_TEST(body.size() == 3U);
  BOOST_TEST(body["title"] == "Hamlet");
  BOOST_TEST(body["currency"] == "BRL");
  BOOST_TEST((read_good(body["plan"].dump()).plan == read_good(sample("own.json")).plan));
}

BOOST_AUTO_TEST_CASE(a_show_that_is_there_gets_the_plan_alone) {
  one_shot_server server{http_answer_of("200 OK", "{}")};
  const auto got = usher_admin({pretix, "--show", "hamlet", "--price", "Parkett=1", "--price",
                                "Galerie-Sud=2", "--server", server.url()});
  BOOST_TEST(got.exit_code == 0, got.err);
  BOOST_TEST(says(got.out, "changed show hamlet: 3 blocks, 4 rows, 5 seats\n"
                           "7 ids are not the label as it stands; --dry-run shows them\n"),
             got.out);
  BOOST_TEST(says(got.out, "note: category 'Unused' has no seats: left out\n"), got.out);
  const auto& request = server.request();
  BOOST_TEST(!says(request, "Authorization"), request);
  const auto body = json::parse(request.substr(request.find("\r\n\r\n") + 4));
  BOOST_TEST(body.size() == 1U);
}

BOOST_AUTO_TEST_CASE(what_the_server_refuses_is_told_line_by_line) {
  const struct {
    std::string status;
    std::string body;
    std::string err;
  } cases[] = {
      {"400 Bad Request",
       R"({"code": "invalid-request", "detail": "two faults", "errors": [
           {"field": "plan.blocks[0].id", "expected": "an id"}, {"field": "title", "expected": "a text"}]})",
       "the server refused: HTTP 400 invalid-request: two faults\n"
       "plan.blocks[0].id: an id\ntitle: a text\n"},
      {"409 Conflict",
       R"({"code": "seats-in-use", "detail": "in use", "unavailable": [{"seat": "A-1", "reason": "SOLD"}]})",
       "the server refused: HTTP 409 seats-in-use: in use\nA-1: SOLD\n"},
      {"401 Unauthorized", R"({"code": "key-required", "detail": "Send a key."})",
       "the server refused: HTTP 401 key-required: Send a key.\n"
       "set USHER_OPERATOR_KEY in the environment to an operator's key\n"},
      {"502 Bad Gateway", "<html>", "the server refused: HTTP 502\n"},
      {"302 Found", "", "the server refused: HTTP 302\n"},
      {"400 Bad Request", R"({"code": 7})", "its problem document has an unusual form\n"},
  };
  for (const auto& one : cases) {
    one_shot_server server{http_answer_of(one.status, one.body)};
    const auto got = usher_admin({own, "--show", "hamlet", "--server", server.url()});
    BOOST_TEST(got.exit_code == 1, one.status);
    BOOST_TEST(got.out == "");
    BOOST_TEST(got.err == one.err);
  }
}

BOOST_AUTO_TEST_CASE(a_server_that_does_not_answer_is_told_from_one_that_refuses) {
  std::string nobody;
  {
    const one_shot_server server{""};
    nobody = server.url();
  }
  const auto unreachable = usher_admin({own, "--show", "hamlet", "--server", nobody});
  BOOST_TEST(unreachable.exit_code == 2);
  BOOST_TEST(says(unreachable.err, "no answer from " + nobody + ": Couldn't connect to server"),
             unreachable.err);

  one_shot_server silent{""};
  const auto hung_up = usher_admin({own, "--show", "hamlet", "--server", silent.url()});
  BOOST_TEST(hung_up.exit_code == 2);
  BOOST_TEST(says(hung_up.err, "no answer from " + silent.url()), hung_up.err);

  const auto other = usher_admin({own, "--show", "hamlet", "--server", "file:///etc"});
  BOOST_TEST(other.exit_code == 2);
  BOOST_TEST(says(other.err, "no answer from file:///etc"), other.err);
}

BOOST_AUTO_TEST_CASE(a_long_answer_is_cut_off) {
  one_shot_server server{http_answer_of("200 OK", std::string(std::size_t{3} * 1024 * 1024, 'x'))};
  const auto got = config::put_json(server.url(), "", "{}");
  BOOST_TEST_REQUIRE(std::holds_alternative<config::http_answer>(got));
  BOOST_TEST(std::get<config::http_answer>(got).body.size() == std::size_t{1024} * 1024);
}

BOOST_AUTO_TEST_SUITE_END()
