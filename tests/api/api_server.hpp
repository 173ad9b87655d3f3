#pragma once

#include "actors/payments/sandbox.hpp"
#include "actors/runtime/node.hpp"
#include "http/api/app.hpp"
#include "http/api/router.hpp"
#include "http/server/server.hpp"
#include "storage/memory_log.hpp"
#include "tests/edge/seller_key.hpp"
#include "tests/http/raw_client.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <nlohmann/json.hpp>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

// A whole server in this process, as config/serve.cpp wires it, but with a log in memory and on a
// free port; and a small JSON client. What the client says goes over a real socket.
namespace usher::test {

using json = nlohmann::json;

/// What goes with a request besides its body.
struct extra {
  std::string ticket{};      ///< X-Admission-Ticket
  std::string key{};         ///< Authorization: Bearer
  std::string idempotency{}; ///< Idempotency-Key
  std::string type = "application/json";
  std::string headers{}; ///< more lines, each ended by CRLF
};

/// An answer, its body read as JSON (null if it has none, or is none).
struct said {
  int status = 0;
  json body;
  answer raw;

  [[nodiscard]] std::string header(const std::string& name) const { return raw.header(name); }
  [[nodiscard]] std::string text(const std::string& member) const {
    return body.is_object() && body.contains(member) && body[member].is_string()
               ? body[member].get<std::string>()
               : std::string{};
  }
  [[nodiscard]] std::string code() const { return text("code"); }
  [[nodiscard]] bool replayed() const { return header("idempotent-replayed") == "true"; }

  /// "409 seat-unavailable": status and code, or the ticket's or order's status.
  [[nodiscard]] std::string brief() const {
    const auto word = code().empty() ? text("status") : code();
    return std::to_string(status) + (word.empty() ? "" : " " + word);
  }
  /// The fields that a 400 complains about, joined by spaces.
  [[nodiscard]] std::string fields() const {
    std::string all;
    if (body.is_object() && body.contains("errors"))
      for (const auto& each : body["errors"])
        all += (all.empty() ? "" : " ") + each["field"].get<std::string>();
    return all;
  }
};

inline std::ostream& operator<<(std::ostream& to, const said& what) {
  return to << what.status << ' ' << what.raw.body;
}

/// Polls until it holds; false when a generous time is over.
template <class Condition>
[[nodiscard]] bool eventually(Condition holds) {
  using namespace std::chrono_literals;
  const auto end = std::chrono::steady_clock::now() + 30s;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end)
      return false;
    std::this_thread::sleep_for(10ms);
  }
  return true;
}

/// A gateway with one answer for everything.
class fixed_gateway final : public payments::gateway {
public:
  fixed_gateway(std::string name, payments::charge_result::outcome_t outcome)
      : name_{std::move(name)}, outcome_{outcome} {}
  [[nodiscard]] std::string_view name() const override { return name_; }
  void charge(const payments::charge_request&,
              std::function<void(payments::charge_result)> done) override {
    done({outcome_, "reference-of-" + name_, {}});
  }

private:
  std::string name_;
  payments::charge_result::outcome_t outcome_;
};

/// A gateway that answers when the test says so.
class slow_gateway final : public payments::gateway {
public:
  [[nodiscard]] std::string_view name() const override { return "SLOW"; }
  void charge(const payments::charge_request&,
              std::function<void(payments::charge_result)> done) override {
    const std::lock_guard lock{mutex_};
    ++asked_;
    waiting_.push_back(std::move(done));
  }
  [[nodiscard]] std::size_t asked() const {
    const std::lock_guard lock{mutex_};
    return asked_;
  }
  void approve_all() {
    const std::lock_guard lock{mutex_};
    for (const auto& done : std::exchange(waiting_, {}))
      done({payments::charge_result::outcome_t::approved, "late", {}});
  }

private:
  mutable std::mutex mutex_;
  std::size_t asked_ = 0;
  std::vector<std::function<void(payments::charge_result)>> waiting_;
};

/// The clock of the process, which a test may move ahead. Nothing that sleeps wakes up for it:
/// rooms notice at their next tick, or with the next command.
class moving_clock final : public process_clock {
public:
  [[nodiscard]] time_ms now() const override { return process_clock::now() + ahead_ms_.load(); }
  void advance(std::chrono::milliseconds by) { ahead_ms_ += by.count(); }

private:
  std::atomic<duration_ms> ahead_ms_{0};
};

/// Keys of every role are "<role>-key". A proof of work takes 2^6 hashes.
class api_server {
public:
  static constexpr unsigned io_threads = 2;
  static constexpr http::proof_of_work_options proofs{.difficulty = 6};

  explicit api_server(http::api_options options = {})
      : system_{config_},
        node_{system_,
              {},
              {log_.get(),
               &clock,
               [](const storage::failure&) { std::abort(); },
               {{"SANDBOX", &sandbox_},
                {"DECLINING", &declining_},
                {"FAILING", &failing_},
                {"UNSURE", &unsure_},
                {"SLOW", &slow}},
               true,
               secret(4)}},
        app{.options = std::move(options),
            .shows = &node_.shows(),
            .directory = node_.directory(),
            .archive = node_.archive(),
            .clock = &clock,
            .tickets = http::ticket_codec{http::hmac_key{secret(1)}},
            .identities = http::hmac_key{secret(2)},
            .personal_data_key = secret(3),
            .access = {},
            .joins = http::join_desks{io_threads},
            .maps = {},
            .gateways = {"SANDBOX", "DECLINING", "FAILING", "UNSURE", "SLOW"},
            .customer_tokens = std::make_unique<http::customer_token_verifier>(
                http::customer_token_options{.keys = {{"seller", seller.for_verifier()}}}),
            .proofs = std::make_unique<http::proof_of_work>(proofs)},
        api_{app},
        server_{server_options(), api_} {
    using enum access::role;
    for (const auto role : {admin, operator_, service, gate, viewer}) {
      const std::string name{access::to_string(role)};
      app.access.add(name, role, http::sha256(name + "-key"));
    }
    if (const auto failed = server_.start())
      throw std::runtime_error{failed->what};
  }

  /// To be replayed once this server is gone.
  [[nodiscard]] std::shared_ptr<const storage::memory_log> log() const { return log_; }

  [[nodiscard]] raw_client connect() const { return raw_client::to(server_.port()); }

  /// One request on a connection of its own. Throws if there is no answer.
  said ask(std::string_view method, const std::string& path, std::string_view body = {},
           const extra& with = {}) const {
    auto bytes = std::string{method} + " " + path + " HTTP/1.1\r\nHost: usher\r\n";
    if (!with.ticket.empty())
      bytes += "X-Admission-Ticket: " + with.ticket + "\r\n";
    if (!with.key.empty())
      bytes += "Authorization: Bearer " + with.key + "\r\n";
    if (!with.idempotency.empty())
      bytes += "Idempotency-Key: " + with.idempotency + "\r\n";
    if (!body.empty() && !with.type.empty())
      bytes += "Content-Type: " + with.type + "\r\n";
    if (!body.empty() || method == "POST")
      bytes += "Content-Length: " + std::to_string(body.size()) + "\r\n";
    bytes.append(with.headers).append("\r\n").append(body);
    auto line = connect();
    line.send(bytes);
    auto got = line.read(method == "HEAD");
    if (!got)
      throw std::runtime_error{"no answer to " + std::string{method} + " " + path};
    said heard{got->status, nullptr, std::move(*got)};
    const bool is_json = heard.raw.header("content-type").find("json") != std::string::npos;
    if (is_json && !heard.raw.body.empty())
      heard.body = json::parse(heard.raw.body);
    return heard;
  }

  said get(const std::string& path, const extra& with = {}) const {
    return ask("GET", path, {}, with);
  }
  said del(const std::string& path, const extra& with = {}) const {
    return ask("DELETE", path, {}, with);
  }
  /// A null body is none.
  said post(const std::string& path, const json& body = nullptr, const extra& with = {}) const {
    return ask("POST", path, body.is_null() ? "" : body.dump(), with);
  }
  said put(const std::string& path, const json& body, extra with = {.key = "operator-key"}) const {
    return ask("PUT", path, body.dump(), with);
  }
  said patch(const std::string& path, const json& body) const {
    return ask("PATCH", path, body.dump(), {.key = "operator-key"});
  }

private:
  struct quiet : caf::actor_system_config {
    quiet() {
      set("scheduler.max-threads", std::size_t{4});
      set("logger.file-verbosity", caf::atom("quiet"));
      set("logger.console-verbosity", caf::atom("quiet"));
    }
  };

  static storage::secret_key secret(std::uint8_t fill) {
    storage::secret_key made;
    made.fill(fill);
    return made;
  }
  static http::server_options server_options() {
    http::server_options options;
    options.io_threads = io_threads;
    return options;
  }

  using outcome = payments::charge_result::outcome_t;
  std::shared_ptr<storage::memory_log> log_ = std::make_shared<storage::memory_log>();

public:
  moving_clock clock;
  const seller_key seller{http::token_algorithm::es256}; ///< whose customer tokens count

private:
  payments::sandbox sandbox_;
  fixed_gateway declining_{"DECLINING", outcome::declined};
  fixed_gateway failing_{"FAILING", outcome::failed};
  fixed_gateway unsure_{"UNSURE", outcome::unknown};

public:
  slow_gateway slow;

private:
  quiet config_;
  caf::actor_system system_;
  runtime::node node_;

public:
  http::app app;

private:
  http::api api_;
  http::server server_;
};

/// Filled by the global fixture of main.cpp.
inline std::unique_ptr<api_server>& the_server_slot() {
  static std::unique_ptr<api_server> slot;
  return slot;
}
inline api_server& server() {
  return *the_server_slot();
}

/// Ten seats A-1 … A-10 at 350.00 and ten seats B-1 … B-10 at 500.00, in two blocks; a room that
/// admits everybody at once when it is opened.
inline json hall() {
  return json::parse(R"({"title": "Hall", "currency": "BRL",
    "plan": {"categories": [{"id": "stalls", "name": "Stalls", "price": 35000},
                            {"id": "box", "name": "Box", "price": 50000}],
             "blocks": [{"id": "left", "category": "stalls", "rows": [{"id": "A", "count": 10}]},
                        {"id": "right", "category": "box", "rows": [{"id": "B", "count": 10}]}]},
    "waitingRoom": {"admitPerSecond": 1000, "tick": "10ms"}})");
}

/// The hall with something changed: a JSON Merge Patch.
inline json hall_with(std::string_view patch) {
  auto made = hall();
  made.merge_patch(json::parse(patch));
  return made;
}

/// A show without a plan: its seats are kept elsewhere.
inline json plain(const std::string& currency = "BRL") {
  return {{"title", "Plain"}, {"currency", currency}};
}

/// One show, made for one case.
struct show {
  explicit show(const json& what = hall(), std::string its_id = {}) : id{std::move(its_id)} {
    static std::atomic<int> made{0};
    if (id.empty())
      id = "show-" + std::to_string(++made);
    path = "/v1/shows/" + id;
    if (const auto put = server().put(path, what); put.status != 201)
      throw std::runtime_error{"the show could not be made: " + put.raw.body};
  }

  const show& open() const {
    if (server().post(room("open"), nullptr, {.key = "operator-key"}).status != 204)
      throw std::runtime_error{"the room could not be opened"};
    return *this;
  }

  [[nodiscard]] std::string room(const std::string& end) const {
    return path + "/waiting-room/" + end;
  }
  said join(const extra& with = {}) const { return server().post(room("join"), nullptr, with); }
  said ticket(const std::string& ticket) const { return server().get(room("tickets/" + ticket)); }

  /// A ticket that is admitted.
  [[nodiscard]] std::string admitted() const {
    const auto its = join().text("ticketId");
    if (!eventually([&] { return ticket(its).text("status") == "ADMITTED"; }))
      throw std::runtime_error{"nobody is admitted"};
    return its;
  }

  said hold(const std::vector<std::string>& seats, const extra& with = {}) const {
    return server().post(path + "/holds", {{"seats", seats}}, with);
  }
  said hold_of(const std::string& hold) const { return server().get(path + "/holds/" + hold); }

  /// "AVAILABLE", "HELD" or "SOLD", as the map shows it.
  [[nodiscard]] std::string seat(const std::string& seat) const {
    const auto map = server().get(path + "/seats").body;
    for (const auto& block : map["blocks"])
      if (block["seats"].contains(seat))
        return block["seats"][seat].get<std::string>();
    return "";
  }
  [[nodiscard]] json description() const { return server().get(path).body; }

  std::string id;
  std::string path;
};

/// An order body with an address that nobody reads.
inline json order_for(const std::string& hold) {
  return {{"holdId", hold}, {"customerEmail", "ana@example.org"}};
}

/// A text that no other case uses as its Idempotency-Key.
inline std::string fresh_key() {
  static std::atomic<int> made{0};
  return "key-" + std::to_string(++made);
}

} // namespace usher::test
