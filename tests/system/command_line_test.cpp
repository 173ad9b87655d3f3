// What an operator meets at the shell: keys, the exit codes, a second server on the same data, the
// orderly stop, the check of a settings file.

#include "tests/system/box_office.hpp"
#include "tests/system/server_process.hpp"

#include <boost/test/unit_test.hpp>

#include <fstream>

using namespace usher::test;

namespace {

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

int status_with_key(const server_process& server, const std::string& key) {
  header_map headers;
  if (!key.empty())
    headers.emplace("Authorization", "Bearer " + key);
  api_client client{server.port()};
  return client.put("/v1/shows/some", {{"title", "Some"}, {"currency", "EUR"}}, headers).status;
}

std::string file_with(const scratch_directory& place, const std::string& text) {
  const auto path = place.path() / "usher.json";
  std::ofstream{path} << text;
  return path.string();
}

} // namespace

BOOST_AUTO_TEST_CASE(the_first_admin_key_is_shown_once_and_works_for_ever) {
  const scratch_directory place;
  std::string key;
  {
    const server_process server{place.data(), {}};
    const auto out = server.out();
    const auto at = out.find("usher-admin-");
    BOOST_REQUIRE(at != std::string::npos);
    key = out.substr(at, out.find('\n', at) - at);
    BOOST_TEST(status_with_key(server, "") == 401);
    BOOST_TEST(status_with_key(server, "usher-admin-0") == 401);
    BOOST_TEST(status_with_key(server, key) == 201);
  }
  const server_process server{place.data(), {}};
  BOOST_TEST(!says(server.out(), "usher-admin-"));
  BOOST_TEST(!says(server.err(), "usher-admin-"));
  BOOST_TEST(status_with_key(server, key) == 200);
}

BOOST_AUTO_TEST_CASE(the_key_of_the_environment_operates_and_none_is_made) {
  const scratch_directory place;
  const server_process server{place.data()};
  BOOST_TEST(!says(server.out(), "usher-admin-"));
  BOOST_TEST(status_with_key(server, "") == 401);
  BOOST_TEST(status_with_key(server, operator_key + "x") == 401);
  BOOST_TEST(status_with_key(server, operator_key) == 201);
}

BOOST_AUTO_TEST_CASE(every_call_of_an_operator_needs_a_key) {
  const scratch_directory place;
  const server_process server{place.data()};
  api_client as_operator{server.port(), {{"Authorization", "Bearer " + operator_key}}};
  put_show(as_operator, "some", {{"waitingRoom", still_room()}});
  api_client anybody{server.port()};
  for (const auto* path : {"/v1/shows/some/waiting-room/open", "/v1/shows/some/waiting-room/close",
                           "/orders/waiting-room/new/open", "/orders/waiting-room/some/close",
                           "/v1/orders/x/confirm", "/orders/x/confirm"}) {
    const auto got = anybody.post(path);
    BOOST_TEST(got.status == 401, path << ": " << got);
    BOOST_TEST(got.header("www-authenticate") == "Bearer");
  }
  const auto room = anybody.get("/v1/shows/some").body.at("waitingRoom");
  BOOST_TEST(room.at("state") == "OPEN");
  BOOST_TEST(anybody.get("/v1/shows/new").status == 404);
}

BOOST_AUTO_TEST_CASE(the_demo_does_not_listen_to_the_world) {
  const scratch_directory place;
  const auto got = run_usher(
      {.arguments = {"serve", "--demo", "--data", place.data().string(), "--listen", "0.0.0.0:0"}});
  BOOST_TEST(got.exit_code == 1);
  BOOST_TEST(says(got.err, "loopback only"), got.err);
}

BOOST_AUTO_TEST_CASE(a_second_server_on_the_same_data_is_refused_with_a_sentence) {
  const scratch_directory place;
  const server_process server{place.data()};
  const auto got = run_usher(
      {.arguments = {"serve", "--data", place.data().string(), "--listen", "127.0.0.1:0"}});
  BOOST_TEST(got.exit_code == 1);
  BOOST_TEST(says(got.err, "usher: data directory " + place.data().string() +
                               " is in use by another usher process (pid "),
             got.err);
  BOOST_TEST(status_with_key(server, operator_key) == 201);
}

// Many requests are under way when the signal comes. Each is answered or its connection is closed
// without a byte, the server ends with 0, and what was answered is known afterwards.
BOOST_AUTO_TEST_CASE(sigterm_finishes_what_is_under_way_and_exits_with_0) {
  constexpr int fans = 200;
  const scratch_directory place;
  std::vector<std::string> acknowledged;
  {
    server_process server{place.data()};
    api_client as_operator{server.port(), {{"Authorization", "Bearer " + operator_key}}};
    put_show(as_operator, "still", {{"waitingRoom", still_room()}});
    std::vector<raw_client> clients;
    for (int i = 0; i < fans; ++i)
      clients.push_back(raw_client::to(server.port()));
    const auto request = request_bytes("POST", "/v1/shows/still/waiting-room/join", {}, {});
    for (auto& each : clients)
      each.send(request);
    const auto first = clients.front().read();
    BOOST_REQUIRE(first.has_value());
    server.ask_to_stop();
    acknowledged.push_back(json::parse(first->body).at("ticketId"));
    for (std::size_t i = 1; i < clients.size(); ++i)
      if (const auto got = clients[i].read()) {
        BOOST_TEST(got->status == 202);
        acknowledged.push_back(json::parse(got->body).at("ticketId"));
      }
    clients.clear();
    BOOST_TEST(server.term() == 0);
  }
  BOOST_TEST_MESSAGE(acknowledged.size() << " of " << fans << " joins were answered");
  const server_process server{place.data()};
  api_client fan{server.port()};
  for (const auto& ticket : acknowledged) {
    const auto got = fan.get(ticket_path("still", ticket));
    BOOST_TEST(got.status == 200, got);
    BOOST_TEST(got.body.at("position") == slot_of(ticket) + 1);
  }
}

BOOST_AUTO_TEST_CASE(a_good_settings_file_is_shown_and_a_bad_one_is_refused_fault_by_fault) {
  const scratch_directory place;
  const auto good =
      run_usher({.arguments = {"check-config",
                               file_with(place, R"({"ioThreads": 3, "drainDeadline": "2s"})")}});
  BOOST_TEST(good.exit_code == 0);
  BOOST_TEST(says(good.out, "ioThreads = 3"), good.out);
  BOOST_TEST(says(good.out, "drainDeadline = 2s"), good.out);

  const auto bad =
      run_usher({.arguments = {"check-config",
                               file_with(place, R"({"ioThread": 3, "logSync": "perhaps"})")}});
  BOOST_TEST(bad.exit_code == 1);
  BOOST_TEST(says(bad.err, "'ioThread' is not a known key"), bad.err);
  BOOST_TEST(says(bad.err, "logSync: expected true or false"), bad.err);

  const auto served = run_usher({.arguments = {"serve", "--config", file_with(place, "[]")}});
  BOOST_TEST(served.exit_code == 1);
  BOOST_TEST(says(served.err, "is not a JSON object"), served.err);
}

BOOST_AUTO_TEST_CASE(the_keys_of_customer_tokens_are_checked_before_anything_is_made) {
  const scratch_directory place;
  const auto keys = place.path() / "keys.json";
  std::ofstream{keys} << R"({"keys": [{"kid": "k", "algorithm": "none"}], "issuer": ""})";
  const auto with_keys = file_with(place, R"({"customerTokenKeys": ")" + keys.string() + "\"}");
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"check-config", with_keys},
        {"serve", "--config", with_keys, "--data", place.data().string(), "--listen",
         "127.0.0.1:0"}}) {
    const auto got = run_usher({.arguments = arguments});
    BOOST_TEST(got.exit_code == 1);
    const auto begin = "usher: customerTokenKeys: " + keys.string() + ": ";
    BOOST_TEST(says(got.err, begin + "issuer: expected a text that is not empty\n"), got.err);
    BOOST_TEST(says(got.err, begin + "keys[0].algorithm: expected ES256, RS256, EdDSA or HS256\n"),
               got.err);
    BOOST_TEST(!std::filesystem::exists(place.data())); // refused before anything was made
  }
}

BOOST_AUTO_TEST_CASE(help_and_version_exit_with_0_and_nonsense_does_not) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--help"},
                                                    {"serve", "--help"},
                                                    {"audit", "--help"},
                                                    {"--version"}}) {
    const auto got = run_usher({.arguments = arguments});
    BOOST_TEST(got.exit_code == 0, arguments.front());
    BOOST_TEST(!got.out.empty());
  }
  BOOST_TEST(says(run_usher({.arguments = {"--help"}}).out, "serve"));
  BOOST_TEST(run_usher({}).exit_code != 0);
  BOOST_TEST(run_usher({.arguments = {"serve", "--no-such-flag"}}).exit_code != 0);
}
