#pragma once

#include "storage/outbox/courier.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace usher::storage::outbox {

/// A sink, and what it is to have.
struct sink_setup {
  std::string name; ///< also of its cursor file
  std::string kind; ///< for people: "file", "webhook"
  std::unique_ptr<sink> to;
  selection wanted{};
  bool from_now = false;
};

struct sink_view {
  std::string name;
  std::string kind;
  courier_view now;
  /// Positions of the log from the oldest event that is not delivered to the end, whether or not
  /// this sink wants them all.
  std::uint64_t lag_events = 0;
};

/// The sinks of a server, each with a courier on a thread of its own, which reads the log beside
/// its writer. A sink that is slow or dead keeps nobody waiting but itself.
class workers {
public:
  struct parts {
    const event_log* log = nullptr;  ///< outlives this
    std::filesystem::path directory; ///< of the cursors; made if it is not there
    std::function<time_ms()> now;    ///< from any thread
    std::vector<sink_setup> sinks;
    std::function<void(const std::string& sink, const std::string& what)> warn{}; ///< may be empty
  };

  /// Starts them.
  explicit workers(parts with);
  /// Stops.
  ~workers();
  workers(const workers&) = delete;
  workers& operator=(const workers&) = delete;

  /// What is on its way is not waited for; it will be sent again. Orders not yet carried out are
  /// dropped.
  void stop();

  // From any thread.

  [[nodiscard]] std::vector<sink_view> look() const;

  /// Empty: done and durable. Else a sentence why not.
  using on_done = std::function<void(std::optional<std::string> refusal)>;

  /// See courier. `done` is called on the sink's thread. Deliveries on their way are waited for for
  /// a second; what becomes of one that takes longer does not count, and the next begins when it
  /// ends. False, and nothing is called: there is no such sink.
  [[nodiscard]] bool reset(std::string_view sink, std::optional<std::string> show,
                           std::optional<position_t> to, on_done done);
  [[nodiscard]] bool resume(std::string_view sink, on_done done);

private:
  class worker;
  [[nodiscard]] worker* find(std::string_view sink) const;

  const event_log* log_;
  std::vector<std::unique_ptr<worker>> all_;
};

} // namespace usher::storage::outbox
