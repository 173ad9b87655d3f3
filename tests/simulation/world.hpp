#pragma once

#include "actors/concierge/messages.hpp"
#include "actors/runtime/node.hpp"
#include "storage/memory_log.hpp"
#include "tests/actors/sluice_log.hpp"
#include "tests/simulation/gateway.hpp"
#include "tests/simulation/log_model.hpp"
#include "tests/simulation/network.hpp"
#include "tests/simulation/options.hpp"
#include "tests/simulation/theatre.hpp"
#include "tests/simulation/violation.hpp"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace usher::simulation {

/// A process, its log, its gateways and the network, with all that can go wrong with them; and
/// whoever looks that nothing does. `crowd` puts people in front of it.
class world {
public:
  world(theatre& stage, const options& drawn, random_source& random, bool verbose);
  ~world();
  world(const world&) = delete;
  world& operator=(const world&) = delete;

  /// Whether the steps of the last world may be read: the last ones, oldest first.
  [[nodiscard]] const std::deque<std::string>& story() const { return story_; }
  [[nodiscard]] storage::log_head head() const { return log_.head(); }
  [[nodiscard]] unsigned lives() const { return life_; }
  /// How many records of each type the log has had.
  [[nodiscard]] const std::map<std::string, std::uint64_t>& types() const { return model_.types(); }

protected:
  using desk_done = std::function<void(orders::answer)>;

  /// A call to a desk or a concierge: what is waited for, and what to do with the answer.
  struct call {
    std::string what;
    std::optional<orders::idempotency> key;
    std::function<void(const desk_done&)> deliver; ///< to the process as it is now
    std::function<void(const orders::answer&)> then;
    std::function<void()> again; ///< with the same key; none: it is not repeated
    bool insists = false;        ///< repeated until it is answered, come what may
    // The world's own.
    unsigned life = 0;
    time_ms sent_at = 0;
    bool answered = false;
  };
  void ask(call what);

  /// The `done` of any other call. `check` is run when the process says it and may throw a
  /// violation, `then` after the step; neither if it is dead by then.
  template <class T>
  std::function<void(T)> later(std::string what, std::function<void(const T&)> check,
                               std::function<void(const T&)> then);

  // What time and chance do.
  void one_step();
  void steps(std::size_t most);
  void settle();
  void pass(duration_ms time);
  void crash(const std::string& why);
  void freeze_journal();
  void cut_power_in_next_append();
  void fail_next_append();
  void stop_faults();

  // Checks.
  void observe();     ///< after every step
  void check_quiet(); ///< when nobody has anything to do
  void come_to_rest();
  void begin_faults() { faults_ = true; }

  void note(std::string what);
  [[nodiscard]] bool draw(chance of) { return random_.below(10'000) < of; }
  [[nodiscard]] time_ms now() const { return clocks_.back()->read(); }
  [[nodiscard]] const shows::show_entry* show(const show_id& id);

  options drawn_;
  random_source& random_;
  hardware machine_;
  network wire_{machine_, random_};
  gateway alpha_;
  gateway beta_;
  std::map<std::string, std::pair<order_id, std::int64_t>> outside_; ///< money taken elsewhere
  log_model model_;
  std::optional<runtime::node> node_;
  storage::memory_log log_;

  template <class State, class Actor>
  static const State& inside(const Actor& handle);

private:
  /// Whatever is said, the log and the boards have it by then.
  void when_said(const std::function<void()>& check);
  void power_on();
  void end_process();
  void read_log();
  void check_answer(std::size_t number, const orders::answer& got);
  void learn(std::size_t number, const orders::answer& got);
  void check_boards(const char* invariant);
  void check_boards(const shows::show_entry& entry, const log_model::show& its,
                    const char* invariant) const;
  void check_acknowledged(const call& asked, const orders::answer& got) const;
  void check_acknowledged(const orders::hold_view& view) const;
  void check_acknowledged(const orders::order_view& view) const;
  void check_refused(const call& asked, const seating::refusal& seats) const;
  bool check_asked(const order_id& order, const id128& what);
  void check_same_effect(const call& asked, const orders::answer& got);
  void check_fold();
  void check_idle();
  /// What is not at rest; empty: all is.
  [[nodiscard]] std::string unrest();
  [[nodiscard]] std::string unrest_of_room(const shows::show_entry& entry);
  [[nodiscard]] std::string unrest_of_desk(const orders::actor& desk, const std::string& name);
  void settle_outside();
  void check_ledgers() const;
  void probe(const gateway& which);
  void check_desk_and_blocks(const shows::show_entry& entry, const log_model::show& its);
  void tell_webhook(const std::string& gateway, const payment_id& payment,
                    const gateway::charge_entry& entry, duration_ms delay);
  void send_webhook(const orders::command::settle_payment& what, show_number show,
                    const money& amount);
  theatre& stage_;
  bool verbose_;
  std::vector<std::unique_ptr<testing::sluice_log>> sluices_;
  std::vector<std::unique_ptr<life_clock>> clocks_;
  unsigned life_ = 0;
  bool alive_ = false;
  std::string stopped_; ///< why the process has to end; empty: it goes on
  bool faults_ = false;
  bool power_will_go_ = false; ///< after the next sync, which cannot be taken back

  std::map<std::size_t, call> calls_;
  std::size_t last_call_ = 0;
  std::vector<std::function<void()>> heard_; ///< what clients do about it, after the step
  std::optional<violation> found_;           ///< while an actor was at work
  std::map<request_key, std::variant<hold_id, order_id>> effects_;
  std::deque<std::string> story_;
  storage::position_t checked_boards_at_ = 0;
};

template <class T>
std::function<void(T)> world::later(std::string what, std::function<void(const T&)> check,
                                    std::function<void(const T&)> then) {
  const auto life = life_;
  return [this, life, what = std::move(what), check = std::move(check),
          then = std::move(then)](T got) {
    if (life != life_ || !alive_)
      return;
    when_said([&] {
      if (check)
        check(got);
    });
    heard_.push_back([this, what, then, got = std::move(got)] {
      note("answer: " + what);
      if (then)
        then(got);
    });
  };
}

template <class State, class Actor>
const State& world::inside(const Actor& handle) {
  auto* base = caf::actor_cast<caf::abstract_actor*>(handle);
  return dynamic_cast<typename Actor::template stateful_pointer<State>>(base)->state;
}

} // namespace usher::simulation
