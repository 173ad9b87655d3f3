#pragma once

#include "http/sandbox/gateway.hpp"
#include "tests/system/box_office.hpp"
#include "tests/system/server_process.hpp"
#include "tests/system/turnstile.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// A server that can be killed, its four gateways, which cannot, and fans who pay.
namespace usher::test {

inline constexpr std::int64_t seat_price_minor = 2500;

/// In the order of their priority. Stripe is the last: it takes nothing without a means of payment.
inline const std::vector<std::string> all_gateways{"SANDBOX", "MERCADO_PAGO", "PAYPAL", "STRIPE"};

/// One fan's way to one seat.
struct purchase {
  std::string gateway{}; ///< empty: as the server routes
  std::string rule{};    ///< of the sandbox gateway; empty: no means of payment is given

  std::optional<bool> payer_agrees = true; ///< of what waits for the payer; nothing: does not come

  bool is_wanted = false; ///< another fan takes the seat as soon as it is free

  std::string seat{};
  std::string order{};
  int answered = 0;         ///< the last answer to the pay call
  bool was_paid = false;    ///< an answer said so
  bool is_refunded = false; ///< somebody asked for it

  [[nodiscard]] std::string name() const { return gateway + " " + rule; }
};

struct world_settings {
  std::string gateway_deadline = "1s"; ///< USHER_GATEWAY_DEADLINE of the first server
  std::string payment_limit = "2m";
  std::string payment_window = "4m"; ///< of the show: an order lasts no shorter than this
  header_map more{};                 ///< of the server's environment
};

class gateway_world {
public:
  explicit gateway_world(world_settings with = {});
  ~gateway_world();
  gateway_world(gateway_world&&) = delete;
  gateway_world& operator=(gateway_world&&) = delete;

  /// SIGKILL.
  void kill();
  /// On the same data; gateways have so long to answer from now on.
  void start(const std::string& gateway_deadline = "1s");
  /// The same, and what is held never arrives, or was answered to nobody.
  void lose_what_is_held_and_start();
  /// The same, and then what is held goes on beside the new server's calls.
  void start_and_let_go();

  /// Gives each a seat and an order.
  void place(std::vector<purchase> all);
  /// Pays all at once; comes back when each was answered. While no attempt can be made (503), it
  /// is repeated.
  void pay_all();
  /// Asks for all to be paid back, likewise.
  void refund_all();
  /// The same, but comes back when `calls` are held at the turnstile, and kills the server then.
  void kill_while_held(std::size_t calls, const std::function<void(gateway_world&)>& what);

  /// Payers of what waits for them come and say what they have to say.
  void payers_come(bool without_means_only = false);

  /// Other fans hold the seats that are wanted, each when it is free; where the order comes to rest
  /// before, nobody does.
  void others_take_what_is_free();

  /// Nothing is open any more, and no webhook was under way of late. To be asked until it is so:
  /// payers come meanwhile.
  [[nodiscard]] bool rests();
  /// When it rests: kills the server, has its log audited, starts it once more and compares what
  /// its orders and seats say with what the gateways' ledger says. What is wrong, in sentences.
  [[nodiscard]] std::vector<std::string> complaints();

  [[nodiscard]] std::vector<purchase>& purchases() { return purchases_; }
  [[nodiscard]] json order_of(const purchase& which);

  scratch_directory place_of_data;
  turnstile turns;
  sandbox::gateway gateway;
  std::optional<server_process> server;
  api_client fan{0};
  api_client as_operator{0, {{"Authorization", "Bearer " + operator_key}}};

private:
  [[nodiscard]] launch how_to_start(const std::string& deadline) const;
  void each_at_once(const std::function<void(purchase&, api_client&)>& what);
  void pay(purchase& which, api_client& with);
  [[nodiscard]] bool is_open(const purchase& which);
  [[nodiscard]] bool any_is_open();
  [[nodiscard]] std::size_t webhooks_ended();
  void compare_order(const purchase& which, std::vector<std::string>& into);
  void compare_seats(std::vector<std::string>& into);

  world_settings settings_;
  std::vector<purchase> purchases_;
  std::size_t open_one_ = 0; ///< that was open when it was last looked for
  std::size_t webhooks_seen_ = 0;
  std::chrono::steady_clock::time_point quiet_since_{};
};

/// One for each gateway and rule.
[[nodiscard]] std::vector<purchase> with_rules(const std::vector<std::string>& gateways,
                                               const std::vector<std::string>& rules);

/// So long that no call ends before it is killed.
inline const world_settings patient{.gateway_deadline = "1m"};

/// Of attempts that were out at the kill: all have to be PAID but those that were declined. They
/// are asked for until it is known, and no fault is there for ever. Says which are not so.
[[nodiscard]] std::vector<std::string> not_as_certain(gateway_world& world);

/// How many orders came to what, for whoever reads the output.
void tell(const std::string& name, gateway_world& world);

/// Waits until all rest, two minutes at most. Those that do not are told by their complaints.
void come_to_rest(const std::vector<std::unique_ptr<gateway_world>>& worlds);

/// Fails the test with each of them.
void report(const std::string& where, const std::vector<std::string>& complaints);

} // namespace usher::test
