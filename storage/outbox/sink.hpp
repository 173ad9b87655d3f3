#pragma once

#include "actors/basics/time.hpp"
#include "storage/event_log.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

// Where events go out to. Whoever can take a few events of one show and say what became of them is
// a sink: a file, a webhook, a client of a broker.
namespace usher::storage::outbox {

/// An event as it goes out.
struct event {
  position_t position = 0;
  time_ms at = 0;
  std::string json; ///< a CloudEvents 1.0 envelope, one line without its end
};

/// Events of one show, in the order of the log, at least one.
struct delivery {
  std::string show; ///< or system_partition
  std::vector<event> events;
};

/// Durable on the other side: they need not be sent again.
struct delivered {};

/// Not delivered, or nobody knows. The same events will be given again.
struct retry {
  std::string why; ///< for the operator; no secrets
  /// When the other side wants to be asked again. None: as the schedule says.
  std::optional<time_ms> not_before{};
};

/// The other side wants nothing any more. Nothing is sent until an operator resumes the sink.
struct gone {
  std::string why;
};

using outcome = std::variant<delivered, retry, gone>;
using on_outcome = std::function<void(outcome)>;

class sink {
public:
  virtual ~sink() = default;

  /// Most events in one delivery.
  [[nodiscard]] virtual std::size_t events_max() const = 0;

  /// Most deliveries at a time, of different shows. The next of a show comes when the one before is
  /// done.
  [[nodiscard]] virtual std::size_t at_once_max() const { return 1; }

  /// `what` lives until this returns. `done` is called exactly once, on any thread, perhaps before
  /// this returns.
  virtual void deliver(const delivery& what, on_outcome done) = 0;

  /// Makes durable what was said to be delivered, while no delivery runs that counts; before that
  /// no cursor moves. After a failure all of it is given again.
  [[nodiscard]] virtual std::optional<failure> settle() { return std::nullopt; }
};

} // namespace usher::storage::outbox
