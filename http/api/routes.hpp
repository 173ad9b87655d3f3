#pragma once

#include "http/api/call.hpp"
#include "http/api/fields.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

// The handlers, by name, and what several of them share. The route table is in routes.cpp.
namespace usher::http {

/// Of a price, a total or a payment.
inline constexpr std::int64_t amount_minor_max = 1'000'000'000'000;

struct put_target {
  shows::registry* shows = nullptr;
  show_id id;
  std::string settings_field = "waitingRoom."; ///< what stands before the name of a setting
};

/// Hands a put to the directory; `done` on any thread.
void put_show(app& with, shows::put_call what, std::function<void(const shows::put_answer&)> done);

/// The answer to a put or to a move of prices.
[[nodiscard]] response put_response(const put_target& to, const shows::put_answer& answer);

[[nodiscard]] ordered_json unavailable_json(const seating::refusal& seats);

/// With the holds and orders that have the seats: for operators.
[[nodiscard]] ordered_json unavailable_json(const seating::refusal& seats,
                                            const shows::show_entry& show);

/// A ticket of this show that the request carries (X-Admission-Ticket, X-Queue-Token, or
/// Authorization: Bearer), whether or not it admits; nothing if there is none.
[[nodiscard]] std::optional<ticket> carried_ticket(const call& at, const shows::show_entry& show);

/// Who holds and orders here: the slot of the carried ticket, or nobody while the room is OFF.
struct admission {
  std::optional<slot_t> owner;
  bool now = true;         ///< false: passed only as what may be a repetition
  bool box_office = false; ///< the seller's staff, who need no admission
};

/// Does an operator's key call? Whoever asks nothing of anybody on a loopback (the demo) is not
/// staff: there fans look the same.
[[nodiscard]] bool is_staff(const call& at);

/// The gate, as far as the board can tell; the waiting room is asked again when it counts. Answers
/// 403 with where to join and gives nothing if it is shut. Staff without a ticket pass as the box
/// office. A call that may be the repetition of one
/// that was answered (`may_repeat`) passes with any ticket of the show: the desk knows what it did,
/// and what is new the waiting room refuses.
[[nodiscard]] std::optional<admission> pass_gate(call& at, const shows::show_entry& show,
                                                 bool may_repeat);

[[nodiscard]] response not_admitted(const shows::show_entry& show, bool drop_in);

/// The Idempotency-Key without its quotes: 1 to 255 visible characters. An absent key gives an
/// empty inner optional. Answers 400 and gives nothing if it is malformed, or `required` and
/// absent.
[[nodiscard]] std::optional<std::optional<std::string_view>> read_key(call& at, bool required);

/// The hash of what was asked, without a key: where the thing itself takes the key's place.
[[nodiscard]] orders::idempotency keyless(const json& body);

/// A key with its scope (who, method, path) and the hash of what was asked.
[[nodiscard]] orders::idempotency key_of(const call& at, std::string_view scope,
                                         std::string_view key, const json& body);

/// What a desk said no with, as a problem document; a show's desk may also say "not admitted".
[[nodiscard]] response refusal_of(orders::rejection no);
[[nodiscard]] response refusal_of(const orders::result& no, const shows::show_entry& show,
                                  bool drop_in);

/// A customer's or a key's identity in this show.
[[nodiscard]] identity identity_of(const app& with, const shows::show_entry& show,
                                   std::string_view kind, std::string_view value);
[[nodiscard]] identity identity_of(const app& with, const show_id& show, std::string_view kind,
                                   std::string_view value);

inline constexpr std::size_t customer_id_bytes_max = 256;
inline constexpr std::size_t email_bytes_max = 254;

/// The answer of a ticket's status: 200, 404, 410; on the drop-in path 200 or 404.
void send_ticket(call& at, const shows::show_entry& show, std::string_view ticket_id);

/// Answers 204 when it is durable.
void open_room(call& at, const shows::show_entry& show);

[[nodiscard]] ordered_json hold_json(const shows::show_entry& show, const orders::hold_view& view,
                                     time_ms now);
/// Sends a command to a desk: a show's, or the cashier.
void ask_desk(const orders::actor& desk, orders::any_command what, storage::cause cause,
              std::function<void(const orders::answer&)> done);

/// Sends a command to the show's desk.
void ask_desk(const shows::show_entry& show, orders::any_command what, storage::cause cause,
              std::function<void(const orders::answer&)> done);

/// Answers with an order, or says why not.
[[nodiscard]] std::function<void(const orders::answer&)>
answer_order(call& at, const shows::show_entry& show, unsigned status, unsigned repeated_status);

/// The optional `customerEmail`; a fault if it is none.
[[nodiscard]] std::string read_email(fields& from);

/// The sealed customer of an order; answers 500 and gives nothing if sealing failed.
[[nodiscard]] std::optional<std::string> seal_customer(call& at, const order_id& order,
                                                       const std::string& email);

void place_order(call& at, const shows::show_entry& show, const json& body,
                 std::optional<std::int64_t> amount_minor,
                 std::optional<orders::idempotency> asked);

namespace handlers {

// Shows
void put_show(call& at);
void list_shows(call& at);
void get_show(call& at);

// The seat map
void get_seats(call& at);
void stream_seats(call& at);

// The waiting room
void patch_room(call& at);
void open_room(call& at);
void close_room(call& at);
void pause_room(call& at);
void resume_room(call& at);
void put_on_standby(call& at);
void put_message(call& at);
void delete_message(call& at);
void add_access_codes(call& at);
void revoke_ticket(call& at);
void get_draw(call& at);
void give_beacon(call& at);
void get_challenge(call& at);
void join(call& at);
void get_ticket(call& at);
void stream_ticket(call& at);
void get_history(call& at);
void get_wish(call& at);
void put_wish(call& at);
void delete_wish(call& at);
void leave(call& at);
void heartbeat(call& at);

// Holds and orders
void place_hold(call& at);
void get_hold(call& at);
void release_hold(call& at);
void extend_hold(call& at);
void add_seats(call& at);
void release_seat(call& at);

// Seats, by operators
void block_seats(call& at);
void unblock_seats(call& at);
void return_seats(call& at);
void sell_seats(call& at);
void move_prices(call& at);
void post_order(call& at);
void get_order(call& at);
void pay_order(call& at);
void confirm_order(call& at);
void cancel_order(call& at);
void refund_order(call& at);

// Tickets at the door
void verify_entry_ticket(call& at);
void get_key_set(call& at);

// Payments without a show, gateways
void post_payment(call& at);
void get_payment(call& at);
void refund_payment(call& at);
void get_gateways(call& at);
void take_webhook(call& at);

// Upkeep, by the administrator
void erase_customer(call& at);
void start_backup(call& at);
void get_backup(call& at);

// The outbox
void get_outbox(call& at);
void reset_sink(call& at);
void resume_sink(call& at);

// Front ends written against the usual designs
void open_or_create(call& at);
void post_plain_order(call& at);
void join_queue(call& at);
void get_queue_place(call& at);
void register_user(call& at);
void user_allowed(call& at);
void user_rank(call& at);

// The server itself
void health(call& at);
void readiness(call& at);
void get_metrics(call& at);
void get_openapi(call& at);

} // namespace handlers

} // namespace usher::http
