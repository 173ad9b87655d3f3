#pragma once

#include "actors/payments/state.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// The circuit breaker of one gateway: whether a call is made, and what its outcome changes. Pure.
// README.md has the table of states.
namespace usher::payments {

struct result;

/// The last so many calls are counted.
inline constexpr std::size_t breaker_window = 10;
/// Calls that are made in HALF_OPEN.
inline constexpr std::size_t breaker_trials = 3;

struct breaker_settings {
  duration_ms open_ms = 20'000;         ///< no call for so long
  duration_ms slow_call_ms = 8'000;     ///< whoever took longer has failed, whatever it answered
  duration_ms permit_lease_ms = 60'000; ///< for how long a call may stay without an outcome
};

/// How long the breaker of this gateway stays open, unless the configuration says otherwise.
[[nodiscard]] duration_ms default_open_ms(std::string_view gateway);

/// Whether a call that ended so, after `took`, is a failure of the gateway: it was not reached, it
/// could not, it may have charged and did not say, or it was slow. A decline is none, and neither
/// is an answer that waits for the fan or for the provider itself (`action_url`, pending_reason).
[[nodiscard]] bool is_failure(const result& answer, duration_ms took, const breaker_settings& set);

/// In words, for `why`: at most why_bytes_max, whole UTF-8 characters. Only of failures.
[[nodiscard]] std::string failure_text(const result& answer, duration_ms took,
                                       const breaker_settings& set);

/// The same for a call that has not reported when its lease is over.
[[nodiscard]] std::string no_answer_text(const breaker_settings& set);

/// The right to make one call.
struct permit {
  std::uint64_t number = 0; ///< unique while the process runs
  std::uint64_t period = 0; ///< what it was given in; what it reports counts in no other
  time_ms until = 0;        ///< from then on it reports nothing any more
  bool operator==(const permit&) const = default;
};

/// The calls of CLOSED that reported last.
class call_window {
public:
  void add(bool failed);
  [[nodiscard]] std::size_t calls() const { return calls_; }
  [[nodiscard]] std::size_t failures() const { return failures_; }
  [[nodiscard]] bool is_full() const { return calls_ == breaker_window; }
  /// Full, and at least half of it failures. Half is enough: `>=` on purpose.
  [[nodiscard]] bool opens() const { return is_full() && failures_ * 2 >= calls_; }

private:
  std::array<bool, breaker_window> failed_{};
  std::size_t next_ = 0;
  std::size_t calls_ = 0;
  std::size_t failures_ = 0;
};

/// What the log tells, and what is counted since.
struct breaker {
  breaker() = default; ///< keeps it from being an aggregate, which CAF would construct wrongly
  /// After a restart: an empty window, all trials free.
  explicit breaker(breaker_state as_recorded) : recorded{as_recorded} {}

  breaker_state recorded;
  std::uint64_t period = 0;   ///< one more with each change of the state
  std::uint64_t permits = 0;  ///< given so far
  call_window window;         ///< of CLOSED
  std::vector<permit> trials; ///< of HALF_OPEN: given, not reported; some may be over
  std::size_t good_trials = 0;
};

/// How many calls of HALF_OPEN may begin at `now`: a trial whose lease is over takes no place.
[[nodiscard]] std::size_t trials_left(const std::vector<permit>& trials, std::size_t good_trials,
                                      time_ms now);

namespace command {

/// May a call be made?
struct ask {
  time_ms now = 0;
};
/// A call has ended. At most once for each permit.
struct report {
  permit what;
  bool failed = false;
  std::string why; ///< of a failure
  time_ms now = 0;
};
/// The call was not made after all, or is given up: it counts for nothing.
struct give_back {
  permit what;
};
/// The lease of a call is over and it has not reported. A trial gives its permit back; in CLOSED
/// the call has failed, as the gateway did not answer. At most once for each permit.
struct expire {
  permit what;
  time_ms now = 0;
};

} // namespace command

/// What changes in a breaker and is in no log.
namespace step {

struct granted {
  permit what;
  time_ms now = 0;
};
struct counted { ///< in CLOSED, in the window
  bool failed = false;
};
struct trial_passed {
  std::uint64_t number = 0;
};
struct trial_ended { ///< without an outcome
  std::uint64_t number = 0;
};

} // namespace step

using breaker_step = std::variant<step::granted, step::counted, step::trial_passed,
                                  step::trial_ended, event::breaker_changed>;

/// In order. An ask without a permit is refused.
struct breaker_decision {
  std::optional<permit> given;
  std::vector<breaker_step> steps;
};

/// `gateway` and `set`: as the events are to say.
struct breaker_context {
  const std::string& gateway;
  const breaker_settings& set;
};

[[nodiscard]] breaker_decision decide(const breaker& state, const command::ask& asked,
                                      const breaker_context& here);
[[nodiscard]] breaker_decision decide(const breaker& state, const command::report& asked,
                                      const breaker_context& here);
[[nodiscard]] breaker_decision decide(const breaker& state, const command::give_back& asked,
                                      const breaker_context& here);
[[nodiscard]] breaker_decision decide(const breaker& state, const command::expire& asked,
                                      const breaker_context& here);

void apply(breaker& state, const breaker_step& what, time_ms at);

} // namespace usher::payments
