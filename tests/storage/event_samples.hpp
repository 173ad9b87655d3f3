#pragma once

#include "storage/codec.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

// One event of every type with every field set (the ones of the golden files), and more that differ
// in what is optional.
namespace usher::storage::test {

template <class Id>
Id id_of(std::uint8_t first) {
  Id id;
  for (std::size_t i = 0; i < id.bytes.size(); ++i)
    id.bytes[i] = static_cast<std::uint8_t>(first + i);
  return id;
}

/// An event of any aggregate, with what can be done to its bytes.
struct sample {
  encoded stored; ///< as the codec writes it
  /// Reads bytes: the bytes that what was read is written as, or a failure.
  std::function<std::variant<encoded, failure>(std::string_view, std::uint32_t, std::string_view)>
      rewritten;
  /// Whether bytes read as exactly this event.
  std::function<bool(std::string_view, std::uint32_t, std::string_view)> reads_as_this;
};

template <class AnyEvent>
using decoder = std::variant<AnyEvent, failure> (*)(std::string_view, std::uint32_t,
                                                    std::string_view);

template <class AnyEvent>
sample sample_of(AnyEvent event, decoder<AnyEvent> decode) {
  return {
      .stored = encode(event),
      .rewritten = [decode](auto type, auto schema, auto data) -> std::variant<encoded, failure> {
        auto read = decode(type, schema, data);
        if (auto* fault = std::get_if<failure>(&read))
          return *fault;
        return encode(std::get<AnyEvent>(read));
      },
      .reads_as_this =
          [decode, event](auto type, auto schema, auto data) {
            const auto read = decode(type, schema, data);
            const auto* found = std::get_if<AnyEvent>(&read);
            return found != nullptr && *found == event;
          }};
}

inline std::vector<sample> samples_of_room(const std::vector<waiting_room::any_event>& all) {
  std::vector<sample> samples;
  for (const auto& event : all)
    samples.push_back(sample_of<waiting_room::any_event>(event, decode_waiting_room));
  return samples;
}

inline waiting_room::bytes32 bytes32_of(std::uint8_t first) {
  waiting_room::bytes32 bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::uint8_t>(first + i);
  return bytes;
}

inline waiting_room::settings full_settings() {
  return {.admit_per_second_micro = 12'500'000,
          .max_active = 700,
          .max_per_tick = 25,
          .tick_ms = 500,
          .admission_ttl_ms = 240'000,
          .max_queue = 2'000'000,
          .idle_timeout_ms = 90'000,
          .fixed_length = true,
          .opens_at = 1'767'225'600'000,
          .prequeue_ms = 1'800'000,
          .absent_after_ms = 120'000,
          .claim_ttl_ms = 900'000,
          .reentry_grace_ms = 60'000,
          .proof_of_work = true,
          .tiers = {"members", "presale"},
          .beacon = waiting_room::beacon_source{"drand quicknet", "24000000"}};
}

/// What happens to the room.
inline std::vector<sample> room_samples() {
  namespace event = waiting_room::event;
  auto was = full_settings();
  was.max_active = 600;
  return samples_of_room(
      {event::room_configured{full_settings(), was}, event::room_scheduled{bytes32_of(1)},
       event::room_unscheduled{}, event::prequeue_opened{}, event::beacon_given{"b0c1"},
       event::places_drawn{bytes32_of(100), "b0c1", {2, 0, 4'294'967'295, 16'909'060}},
       event::room_opened{}, event::room_put_on_standby{}, event::room_paused{},
       event::room_resumed{}, event::stock_changed{waiting_room::stock::all_taken},
       event::room_closed{},
       event::codes_added{.batch = "spring",
                          .tier = "members",
                          .single_use = false,
                          .valid_from = 1'767'225'600'000,
                          .valid_until = 1'767'312'000'000,
                          .codes = {id_of<identity>(1), id_of<identity>(200)}},
       event::message_set{{{"de-AT", "Es geht gleich weiter."}, {"en", "We go on soon."}}}});
}

/// What happens to fans.
inline std::vector<sample> fan_samples() {
  namespace event = waiting_room::event;
  const std::vector<identity> ids{id_of<identity>(1), identity{}, id_of<identity>(200)};
  const time_ms at = 1'767'225'600'000;
  return samples_of_room(
      {event::fans_joined{.first = 7,
                          .nonces = {0x0102030405060708, 0, ~0ULL},
                          .customers = ids,
                          .keys = {ids[2], ids[0], ids[1]},
                          .codes = {ids[1], ids[2], ids[0]},
                          .tiers = {0, 2, 255}},
       event::fan_identified{.slot = 9, .who = id_of<identity>(40), .customer = true},
       event::fan_promoted{.slot = 9, .tier = 255, .code = id_of<identity>(60)},
       event::fans_passed_over{.slots = {3, 70'000}, .seen = {at, -1}},
       event::fans_returned{.slots = {70'000, 3}, .seen = {0, at}},
       event::fan_reentered{.slot = 23},
       event::fans_admitted{
           .slots = {0, 23, 4'294'967'295}, .until = at, .credit_left_micro = 250'000, .who = ids},
       event::admission_kept{.slot = 23, .busy_until = at + 60'000, .spent = true},
       event::tickets_ended{.reason = waiting_room::end_reason::expired, .slots = {3, 4}},
       event::ticket_revoked{.slot = 4, .note = "sold on"},
       event::wish_set{.slot = 3,
                       .wanted = waiting_room::wish{.category = "gold",
                                                    .block = "A",
                                                    .quantity = 4,
                                                    .accessible = 1,
                                                    .price_max_minor = 12'000}},
       event::wish_answered{.slot = 3, .hold = id_of<hold_id>(16), .reason = "no-such-seats"}});
}

inline std::vector<sample> waiting_room_samples() {
  auto all = room_samples();
  for (auto& one : fan_samples())
    all.push_back(std::move(one));
  return all;
}

inline std::vector<sample> seating_samples() {
  namespace event = seating::event;
  const std::vector<seating::any_event> all{
      event::block_planned{{"A-1", "A-2", "B-1"}},
      event::seats_held{id_of<hold_id>(16), {"A-1", "A-2"}, 1'767'225'600'000, 3},
      event::seats_released{id_of<hold_id>(16), {"A-2"}, 2},
      event::seats_sold{id_of<hold_id>(16), id_of<order_id>(48), {"A-1"}, 4'294'967'295},
      event::seats_blocked{{"A-1", "floor:17"}, "for the camera"},
      event::seats_unblocked{{"A-1"}},
      event::seats_returned{id_of<order_id>(48), {"A-1"}}};
  std::vector<sample> samples;
  for (const auto& event : all)
    samples.push_back(sample_of<seating::any_event>(event, decode_seating));
  return samples;
}

inline orders::event::hold_placed full_hold() {
  return {.hold = id_of<hold_id>(16),
          .owner = 23,
          .seats = {{"A-1", "A", "gold", 12'000}, {"A-2", "A", "gold", -1}},
          .currency = "EUR",
          .until = 1'767'225'600'000,
          .asked = orders::idempotency{id_of<request_key>(80), id_of<id128>(96)},
          .customer = id_of<identity>(112),
          .box_office = true};
}

inline orders::event::order_placed full_order() {
  return {.order = id_of<order_id>(48),
          .owner = 23,
          .hold = id_of<hold_id>(16),
          .hold_ref = "seller-7",
          .total = {24'000, "EUR"},
          .until = 1'767'225'600'000,
          .customer = std::string{"\x01sealed\0\xff", 9},
          .asked = orders::idempotency{id_of<request_key>(80), id_of<id128>(96)},
          .box_office = true};
}

inline std::vector<sample> samples_of_desk(const std::vector<orders::any_event>& all) {
  std::vector<sample> samples;
  for (const auto& event : all)
    samples.push_back(sample_of<orders::any_event>(event, decode_orders));
  return samples;
}

inline orders::event::payment_started full_payment() {
  return {.order = id_of<order_id>(48),
          .payment = id_of<payment_id>(64),
          .gateway = "sandbox",
          .method = "card",
          .asked = orders::idempotency{id_of<request_key>(80), id_of<id128>(96)},
          .token = std::string{"\x01token\0\xff", 8},
          .country = "AT",
          .chosen = true,
          .follows = id_of<payment_id>(65),
          .skipped = {{"STRIPE", "breaker-open"}, {"PAYPAL", ""}},
          .until = 1'767'225'600'000};
}

inline std::vector<sample> refund_samples() {
  namespace event = orders::event;
  const orders::idempotency asked{id_of<request_key>(80), id_of<id128>(96)};
  const auto order = id_of<order_id>(48);
  const auto refund = id_of<refund_id>(128);
  return samples_of_desk(
      {event::refund_started{.order = order,
                             .refund = refund,
                             .payment = id_of<payment_id>(64),
                             .gateway = "sandbox",
                             .reference = "pi_2",
                             .amount_minor = 12'000,
                             .seats = {"A-1", "floor:17"},
                             .resell = true,
                             .cause = orders::refund_cause::surplus,
                             .note = "rained off",
                             .asked = asked},
       event::refund_tried{order, refund, payments::outcome::not_sent, "re_1", "no answer"},
       event::refund_settled{order, refund, orders::refund_outcome::refused, "re_1", "too late",
                             asked},
       event::tickets_issued{order, {"A-1", "A-2"}}, event::ticket_used{order, "A-1", "north"}});
}

inline std::vector<sample> orders_samples() {
  namespace event = orders::event;
  const orders::idempotency asked{id_of<request_key>(80), id_of<id128>(96)};
  const auto order = id_of<order_id>(48);
  const auto payment = id_of<payment_id>(64);
  auto samples =
      samples_of_desk({full_hold(),
                       event::hold_changed{.hold = id_of<hold_id>(16),
                                           .generation = 3,
                                           .what = orders::hold_change::withdrawn,
                                           .added = {{"A-3", "A", "gold", 12'000}},
                                           .removed = {"A-1", "floor:17"},
                                           .until = 1'767'225'600'000,
                                           .asked = asked},
                       event::hold_ended{id_of<hold_id>(16), orders::hold_end::admission_ended},
                       full_order(), full_payment(),
                       event::payment_settled{order, payment, orders::payment_outcome::declined,
                                              "pi_1", "card expired", true, 23'999},
                       event::payment_reported{order, payment, "sandbox", "pi_2", 24'000, asked},
                       event::report_kept{"sandbox", "pi_4", order, "seller-7", {24'000, "EUR"}},
                       event::order_paid{order, "sandbox", "pi_2"},
                       event::order_refund_due{order, "sandbox", "pi_3"},
                       event::order_expired{order}, event::order_cancelled{order, asked},
                       event::order_seats_returned{order, {"A-1", "A-2"}, "refund-9"}});
  for (auto& one : refund_samples())
    samples.push_back(std::move(one));
  return samples;
}

inline shows::description full_description() {
  return {.title = "Tristan und Isolde",
          .starts_at = "2026-05-01T19:00:00+02:00",
          .currency = "EUR",
          .plan = shows::plan{.focal_point = shows::point{0.5, -3.25},
                              .categories = {{"gold", "Parkett", 12'000}},
                              .blocks = {{"A",
                                          "gold",
                                          {{"1",
                                            {{"A-1", shows::point{1, 2.1}, true},
                                             {"A-2", std::nullopt, false}}},
                                           {"2", {}}}},
                                         {"floor", "gold", {}, 500}}},
          .holds = {.ttl_ms = 200'000,
                    .payment_window_ms = 100'000,
                    .max_seats = 6,
                    .max_seats_per_customer = 8,
                    .max_life_ms = 900'000,
                    .avoid_orphans = false},
          .admitted_url = "https://example.org/buy"};
}

inline std::vector<sample> shows_samples() {
  auto changed = full_description();
  changed.title = "Parsifal";
  return {sample_of<shows::any_event>(shows::event::show_created{42, "show-42", full_description()},
                                      decode_shows),
          sample_of<shows::any_event>(shows::event::show_changed{42, changed}, decode_shows)};
}

inline std::vector<sample> access_samples() {
  access::event::key_created event{.id = "k1", .role = access::role::operator_, .digest = {}};
  for (std::size_t i = 0; i < event.digest.size(); ++i)
    event.digest[i] = static_cast<std::uint8_t>(255 - i);
  return {sample_of<access::any_event>(event, decode_access)};
}

inline payments::event::breaker_changed full_change() {
  return {.gateway = "STRIPE",
          .from = payments::breaker_status::half_open,
          .to = payments::breaker_status::open,
          .until = 1'767'225'600'000,
          .calls = 3,
          .failures = 1,
          .why = "failed: 500"};
}

inline std::vector<sample> payments_samples() {
  return {sample_of<payments::any_event>(full_change(), decode_payments)};
}

/// One of every type.
inline std::vector<sample> golden_samples() {
  std::vector<sample> all;
  for (auto some : {waiting_room_samples(), seating_samples(), orders_samples(), shows_samples(),
                    access_samples(), payments_samples()})
    std::move(some.begin(), some.end(), std::back_inserter(all));
  return all;
}

/// What is optional left out, every name of every enum, numbers at their ends.
inline std::vector<sample> more_samples() {
  std::vector<sample> all;
  const auto room = [&](waiting_room::any_event event) {
    all.push_back(sample_of<waiting_room::any_event>(std::move(event), decode_waiting_room));
  };
  const auto desk = [&](orders::any_event event) {
    all.push_back(sample_of<orders::any_event>(std::move(event), decode_orders));
  };
  namespace event = waiting_room::event;
  waiting_room::settings unlimited;
  unlimited.admit_per_second_micro = ~0ULL;
  unlimited.max_active = std::nullopt;
  room(event::room_configured{unlimited, waiting_room::settings{}});
  room(event::places_drawn{});
  room(event::fans_joined{
      .first = 0, .nonces = {1}, .customers = {}, .keys = {}, .codes = {}, .tiers = {8}});
  room(event::fans_joined{});
  room(event::fan_promoted{});
  room(event::fans_passed_over{});
  room(event::fans_admitted{.slots = {}, .until = -1, .who = {}});
  room(event::codes_added{});
  room(event::message_set{});
  room(event::wish_set{.slot = 1, .wanted = std::nullopt});
  room(event::wish_set{.slot = ~0U, .wanted = waiting_room::wish{}});
  room(event::wish_answered{});
  using waiting_room::end_reason;
  for (const auto reason :
       {end_reason::left, end_reason::expired, end_reason::used, end_reason::closed,
        end_reason::merged, end_reason::absent, end_reason::idle, end_reason::revoked})
    room(event::tickets_ended{reason, {}});
  using waiting_room::stock;
  for (const auto left : {stock::on_sale, stock::all_taken, stock::sold_out})
    room(event::stock_changed{left});
  desk(orders::event::hold_placed{});
  desk(orders::event::order_placed{});
  desk(orders::event::payment_started{});
  using orders::hold_end;
  for (const auto reason : {hold_end::released, hold_end::expired, hold_end::admission_ended,
                            hold_end::order_expired, hold_end::cancelled, hold_end::withdrawn})
    desk(orders::event::hold_ended{{}, reason});
  using orders::hold_change;
  for (const auto what :
       {hold_change::extended, hold_change::added, hold_change::released, hold_change::withdrawn,
        hold_change::kept_for_payment, hold_change::payment_over}) {
    orders::event::hold_changed changed;
    changed.what = what;
    desk(changed);
  }
  using orders::payment_outcome;
  for (const auto outcome :
       {payment_outcome::approved, payment_outcome::declined, payment_outcome::failed,
        payment_outcome::not_sent, payment_outcome::voided})
    desk(orders::event::payment_settled{{}, {}, outcome, ""});
  desk(orders::event::payment_reported{});
  desk(orders::event::report_kept{});
  desk(orders::event::order_cancelled{});
  using orders::refund_cause;
  for (const auto why : {refund_cause::asked, refund_cause::refund_due, refund_cause::surplus}) {
    orders::event::refund_started started;
    started.cause = why;
    desk(started);
  }
  using payments::outcome;
  for (const auto what :
       {outcome::approved, outcome::declined, outcome::not_sent, outcome::failed, outcome::unknown})
    desk(orders::event::refund_tried{{}, {}, what});
  for (const auto what : {orders::refund_outcome::done, orders::refund_outcome::refused})
    desk(orders::event::refund_settled{{}, {}, what});
  all.push_back(sample_of<seating::any_event>(seating::event::seats_sold{}, decode_seating));
  all.push_back(sample_of<shows::any_event>(shows::event::show_created{}, decode_shows));
  using payments::breaker_status;
  for (const auto to : {breaker_status::closed, breaker_status::open, breaker_status::half_open}) {
    auto changed = full_change();
    changed.to = to;
    all.push_back(sample_of<payments::any_event>(changed, decode_payments));
  }
  using access::role;
  for (const auto value : {role::admin, role::operator_, role::service, role::gate, role::viewer})
    all.push_back(
        sample_of<access::any_event>(access::event::key_created{"k", value, {}}, decode_access));
  return all;
}

} // namespace usher::storage::test
