#pragma once

#include "tests/simulation/world.hpp"

#include <optional>
#include <string>
#include <vector>

namespace usher::simulation {

/// Fans, the seller's staff and operators, who do whatever comes to their minds, ask again when
/// they were not answered, and remember what they were told.
class crowd : public world {
public:
  using world::world;

  /// All of one world's life. Throws a violation.
  void run();

private:
  struct fan {
    show_id show;
    identity customer; ///< none: only a key
    identity key;
    identity code; ///< none: has none
    std::optional<waiting_room::place> ticket;
  };
  struct known_hold {
    hold_id id;
    show_id show;
    std::optional<slot_t> owner;
    bool box_office = false;
    std::vector<orders::offered_seat> seats;
  };
  struct known_order {
    order_id id;
    show_id show;
    std::optional<slot_t> owner;
    orders::order_status status = orders::order_status::pending;
    std::vector<orders::offered_seat> seats;
    std::int64_t total_minor = 0;
  };
  using keyed = std::optional<orders::idempotency>;

  struct deed {
    std::size_t weight;
    void (crowd::*what)();
  };
  static const std::vector<deed>& deeds();
  void act();
  void be_hindered(); ///< by what is drawn to go wrong

  // The stage is set.
  void open_shows();
  void put_show(const show_id& id, std::size_t first_block);
  void add_codes(const show_id& id);
  void meet_fans();

  // Fans (crowd_fans.cpp).
  void join();
  void look();
  void hold_named();
  void hold_unnamed();
  void extend();
  void add();
  void release();
  void release_seat();
  void place_order();
  void pay();
  void cancel();
  void leave();
  void wish();

  // Staff and operators (crowd_staff.cpp).
  void confirm();
  void sell();
  void give_back();
  void block_or_unblock();
  void operate();
  void change_show();
  void admit_at_the_door();
  void revoke();
  void pay_without_show();

  // Time.
  void a_while();
  void long_time();

  // Calls, each of which may be made again with the same key.
  using unnamed = std::variant<shows::best_ask, concierge::area_ask>;
  void ask_join(std::size_t who);
  void ask_hold(const show_id& at, std::optional<slot_t> owner, bool box_office,
                std::vector<orders::offered_seat> seats, std::optional<unnamed> choice,
                const keyed& key);
  void ask_sale(const show_id& at, std::vector<orders::offered_seat> seats,
                std::optional<unnamed> choice, const keyed& key);
  void ask_addition(const known_hold& to, std::vector<orders::offered_seat> seats,
                    const keyed& key);
  void ask_extension(const known_hold& of, const keyed& key);
  void ask_order(const known_hold& of, const keyed& key);
  void ask_payment(const known_order& of, const keyed& key, const std::string& chosen);
  void ask_refund(const known_order& of, std::vector<seat_id> seats, bool resell, const keyed& key);
  void ask_confirm(const show_id& at, const order_id& order, const std::string& reference,
                   std::int64_t amount_minor);
  void ask_cashier(const keyed& key, const std::string& reference);

  /// Sends the command to the desk of the show; `make` gives it with fresh ids each time.
  void send(const show_id& at, std::string what, const keyed& key,
            std::function<orders::any_command()> make,
            std::function<void(const orders::answer&)> then, std::function<void()> again);
  void send_to_concierge(const show_id& at, std::string what, const keyed& key, unnamed choice,
                         std::function<concierge::purpose()> make,
                         std::function<void(const orders::answer&)> then,
                         std::function<void()> again);
  /// Now and then everything is sent twice.
  void perhaps_twice(const std::function<void()>& ask_it);

  void learn_hold(const show_id& at, const orders::answer& got);
  void learn_order(const show_id& at, const orders::answer& got);

  fan& any_fan() { return fans_[random_.below(fans_.size())]; }
  /// One who may buy, if there is one; but not always.
  fan& a_buyer();
  [[nodiscard]] std::optional<slot_t> slot_of(const fan& who) const;
  [[nodiscard]] keyed fresh_key();
  [[nodiscard]] keyed perhaps_key() { return random_.one_in(3) ? std::nullopt : fresh_key(); }
  [[nodiscard]] std::vector<orders::offered_seat> some_seats(const show_id& at, std::size_t most);
  [[nodiscard]] unnamed some_choice(const show_id& at);
  [[nodiscard]] std::vector<orders::seat_in_block>
  places_of(const std::vector<orders::offered_seat>& seats) const;
  const known_hold* any_hold();
  const known_order* any_order();

  std::vector<show_id> shows_;
  std::vector<fan> fans_;
  std::vector<known_hold> holds_;
  std::vector<known_order> orders_;
  std::size_t references_ = 0;
};

} // namespace usher::simulation
