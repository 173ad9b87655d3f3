#pragma once

#include "actors/payments/sandbox.hpp"
#include "actors/runtime/node.hpp"
#include "http/api/app.hpp"
#include "http/api/router.hpp"
#include "http/server/server.hpp"
#include "storage/eraser.hpp"
#include "storage/memory_log.hpp"
#include "tests/edge/seller_key.hpp"
#include "tests/http/raw_client.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <nlohmann/json.hpp>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
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

/// An answer, its body read as JSON (null if it has none, or is none, or is compressed).
struct said {
  int status = 0;
  json body;
  answer raw;

  [[nodiscard]] std::string header(const std::string& name) const { return raw.header(name); }
  [[nodiscard]] std::string text(const std::string& member) const;
  [[nodiscard]] std::string code() const { return text("code"); }
  [[nodiscard]] bool replayed() const { return header("idempotent-replayed") == "true"; }

  /// "409 seat-unavailable": status and code, or the ticket's or order's status.
  [[nodiscard]] std::string brief() const;
  /// The fields that a 400 complains about, joined by spaces.
  [[nodiscard]] std::string fields() const;
};

std::ostream& operator<<(std::ostream& to, const said& what);

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

/// A gateway with one answer for everything: charges and refunds. It never voids.
class fixed_gateway final : public payments::provider {
public:
  fixed_gateway(std::string name, payments::outcome outcome)
      : name_{std::move(name)}, outcome_{outcome} {}
  [[nodiscard]] std::string_view name() const override { return name_; }
  void charge(const payments::charge_request&, payments::on_result done) override {
    // One that waits for somebody else is no failure of the gateway: its breaker stays closed.
    done({outcome_, "reference-of-" + name_,
          outcome_ == payments::outcome::unknown ? "pending" : ""});
  }
  void void_charge(const payments::charge_request&, payments::on_result done) override {
    done({payments::outcome::unknown, {}, "pending"});
  }
  void refund(const payments::refund_request&, payments::on_result done) override {
    done({outcome_, "refund-of-" + name_});
  }
  void read_webhook(const payments::webhook&,
                    std::function<void(payments::webhook_reading)> done) override {
    done(payments::not_believed{});
  }

private:
  std::string name_;
  payments::outcome outcome_;
};

/// A gateway that answers when the test says so.
class slow_gateway final : public payments::provider {
public:
  [[nodiscard]] std::string_view name() const override { return "SLOW"; }
  void charge(const payments::charge_request&, payments::on_result done) override {
    const std::lock_guard lock{mutex_};
    ++asked_;
    waiting_.push_back(std::move(done));
  }
  void void_charge(const payments::charge_request& asked, payments::on_result done) override {
    charge(asked, std::move(done));
  }
  void refund(const payments::refund_request&, payments::on_result done) override {
    done({payments::outcome::approved, "slow-refund"});
  }
  void read_webhook(const payments::webhook&,
                    std::function<void(payments::webhook_reading)> done) override {
    done(payments::not_believed{});
  }
  [[nodiscard]] std::size_t asked() const {
    const std::lock_guard lock{mutex_};
    return asked_;
  }
  void approve_all() {
    const std::lock_guard lock{mutex_};
    for (const auto& done : std::exchange(waiting_, {}))
      done({payments::outcome::approved, "late"});
  }

private:
  mutable std::mutex mutex_;
  std::size_t asked_ = 0;
  std::vector<payments::on_result> waiting_;
};

/// The clock of the process, which a test may move ahead. Nothing that sleeps wakes up for it:
/// rooms notice at their next tick, or with the next command.
class moving_clock final : public process_clock {
public:
  [[nodiscard]] time_ms now() const override {
    const auto standing = standing_at_.load();
    return standing != 0 ? standing : process_clock::now() + ahead_ms_.load();
  }
  void advance(std::chrono::milliseconds by) { ahead_ms_ += by.count(); }
  /// From here on it is exactly this time, which was not reached before: for a server of one's own.
  void stand_at(time_ms at) { standing_at_ = at; }

private:
  std::atomic<duration_ms> ahead_ms_{0};
  std::atomic<time_ms> standing_at_{0}; ///< 0: it goes
};

/// What a server of one's own has instead of the gateways of all.
struct gateway_parts {
  std::vector<payments::gateway_setup> gateways{}; ///< empty: those of all; they outlive the server
  duration_ms payment_limit_ms = 600'000;
};

/// Keys of every role are "<role>-key". A proof of work takes 2^6 hashes. A seat map is as new as
/// the request, unless another interval is given.
class api_server {
public:
  static constexpr unsigned io_threads = 2;
  static constexpr http::proof_of_work_options proofs{.difficulty = 6};

  explicit api_server(http::api_options options = {}, duration_ms map_interval_ms = 0,
                      gateway_parts parts = {});

  /// To be replayed once this server is gone.
  [[nodiscard]] std::shared_ptr<const storage::memory_log> log() const { return log_; }

  [[nodiscard]] storage::personal_data& personal_data() { return personal_data_; }
  [[nodiscard]] const std::filesystem::path& directory() const { return scratch_.path; }

  [[nodiscard]] raw_client connect() const { return raw_client::to(server_.port()); }

  /// One request on a connection of its own. Throws if there is no answer.
  said ask(std::string_view method, const std::string& path, std::string_view body = {},
           const extra& with = {}) const;

  said get(const std::string& path, const extra& with = {}) const;
  said del(const std::string& path, const extra& with = {}) const;
  /// A null body is none.
  said post(const std::string& path, const json& body = nullptr, const extra& with = {}) const;
  said put(const std::string& path, const json& body, extra with = {.key = "operator-key"}) const;
  said patch(const std::string& path, const json& body) const;

private:
  [[nodiscard]] std::vector<payments::gateway_setup> gateways_of(const gateway_parts& parts);

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

  using outcome = payments::outcome;
  std::shared_ptr<storage::memory_log> log_ = std::make_shared<storage::memory_log>();

public:
  moving_clock clock;
  const seller_key seller{http::token_algorithm::es256}; ///< whose customer tokens count

private:
  /// The keys of personal data lie on a disk in any case.
  struct scratch {
    scratch();
    ~scratch();
    std::filesystem::path path;
  };
  scratch scratch_;
  storage::data_directory directory_ =
      std::get<storage::data_directory>(storage::data_directory::open(scratch_.path));
  storage::personal_data personal_data_{
      secret(3), std::move(std::get<0>(storage::customer_keys::open(directory_, secret(7))))};

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
  storage::eraser eraser_{*log_, personal_data_};
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
json hall();

/// The hall with something changed: a JSON Merge Patch.
json hall_with(std::string_view patch);

/// A show without a plan: its seats are kept elsewhere.
json plain(const std::string& currency = "BRL");

/// One show, made for one case.
struct show {
  explicit show(const json& what = hall(), std::string its_id = {});

  const show& open() const;

  [[nodiscard]] std::string room(const std::string& end) const;
  said join(const extra& with = {}) const;
  said ticket(const std::string& ticket) const;

  /// A ticket that is admitted.
  [[nodiscard]] std::string admitted() const;

  said hold(const std::vector<std::string>& seats, const extra& with = {}) const;
  said hold_of(const std::string& hold) const;

  /// POST …/holds with any body.
  said take(const json& body, const extra& with = {}) const;
  said best(const json& ask, const extra& with = {}) const;
  said extend(const std::string& hold, const extra& with = {}) const;
  said add(const std::string& hold, const json& body, const extra& with = {}) const;
  said give_back(const std::string& hold, const std::string& seat, const extra& with = {}) const;
  said release(const std::string& hold, const extra& with = {}) const;
  /// POST below the show with the operator's key.
  said by_staff(const std::string& what, const json& body,
                const extra& with = {.key = "operator-key"}) const;

  /// "AVAILABLE", "HELD", "SOLD" or "BLOCKED", as the map shows it.
  [[nodiscard]] std::string seat(const std::string& seat) const;
  [[nodiscard]] json description() const;

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
