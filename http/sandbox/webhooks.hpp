#pragma once

#include "http/sandbox/protocol.hpp"
#include "http/sandbox/signing.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>

// The sender of webhooks: one thread, a queue with a limit, a few tries for each.
namespace usher::sandbox {

/// A webhook to be sent. It is signed anew at each try, so its signature is never old unless
/// `older_ms` says so.
struct notice {
  protocol by = protocol::plain;
  std::string type{};     ///< of the event, for the list of what was sent
  std::string event_id{}; ///< the same for the same event sent twice
  std::string body{};
  std::string query{};   ///< behind the address, with its '?'
  std::string subject{}; ///< Mercado Pago signs the payment's id
  std::int64_t wait_ms = 0;
  std::int64_t older_ms = 0; ///< how far back its signature is dated
  bool forged = false;       ///< signed with a wrong key; tried once
};

/// Where webhooks go to: `http://HOST:PORT/PATH`.
struct webhook_target {
  std::string host{};
  std::string port{};
  std::string path{}; ///< without a slash at its end
};

/// Plain HTTP only, or the sentence that says so.
[[nodiscard]] std::variant<webhook_target, std::string> read_webhook_target(std::string_view url);

/// What became of a webhook.
struct sent {
  protocol by = protocol::plain;
  std::string type{};
  std::string event_id{};
  bool forged = false;
  int tries = 0;
  int status = 0;        ///< of the last answer; 0: none came
  std::string trouble{}; ///< why none came
  bool given_up = false;
};

class courier;

class post_office {
public:
  static constexpr std::size_t queue_max = 4096;
  static constexpr std::size_t list_max = 1000;
  static constexpr int tries_max = 5;
  static constexpr std::chrono::milliseconds first_pause{200}; ///< doubled after each try
  static constexpr std::chrono::seconds answer_max{5};

  post_office(secrets with, std::string base);
  ~post_office();
  post_office(post_office&&) = delete;
  post_office& operator=(post_office&&) = delete;

  /// Nothing: none are sent, which is how it begins.
  void set_target(std::optional<webhook_target> to);

  /// Without a target, or with a full queue, it is dropped.
  void post(notice what);
  /// Comes back when it was delivered or given up, at the latest after `answer_max` twice.
  void post_and_wait(notice what);
  /// Runs on the sender's thread.
  void later(std::int64_t wait_ms, std::function<void()> what);

  /// The last ones that were delivered or given up, oldest first.
  [[nodiscard]] std::deque<sent> list() const;
  /// Forgets what was sent and what waits.
  void reset();
  /// Nothing is sent any more. To be called before what `later` was given ends.
  void stop();

private:
  using clock = std::chrono::steady_clock;

  struct item {
    notice what{};
    int tries = 0;
    std::function<void()> run{};  ///< instead of a webhook
    std::function<void()> done{}; ///< when it was delivered or given up
  };

  void put(clock::time_point due, item what);
  void work();
  void deliver(item next, const webhook_target& to);

  secrets with_;
  std::string base_;
  std::unique_ptr<courier> courier_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::multimap<clock::time_point, item> queue_;
  std::deque<sent> list_;
  std::optional<webhook_target> to_;
  bool stopping_ = false;
  std::uint64_t generation_ = 0; ///< of resets: what was being sent then is in no list
  std::thread thread_;
};

} // namespace usher::sandbox
