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

inline std::vector<sample> waiting_room_samples() {
  namespace event = waiting_room::event;
  const std::vector<identity> ids{id_of<identity>(1), identity{}, id_of<identity>(200)};
  const std::vector<waiting_room::any_event> all{
      event::room_configured{{.admit_per_second_micro = 12'500'000,
                              .max_active = 700,
                              .max_per_tick = 25,
                              .tick_ms = 500,
                              .admission_ttl_ms = 240'000,
                              .max_queue = 2'000'000}},
      event::room_opened{},
      event::room_closed{},
      event::fans_joined{.first = 7,
                         .nonces = {0x0102030405060708, 0, ~0ULL},
                         .customers = ids,
                         .keys = {ids[2], ids[0], ids[1]}},
      event::fan_identified{.slot = 9, .who = id_of<identity>(40)},
      event::fans_admitted{.slots = {0, 23, 70'000, 4'294'967'295},
                           .until = 1'767'225'600'000,
                           .credit_left_micro = 250'000},
      event::admission_kept{.slot = 23, .busy_until = 1'767'225'660'000, .spent = true},
      event::tickets_ended{.reason = waiting_room::end_reason::expired, .slots = {3, 4}}};
  std::vector<sample> samples;
  for (const auto& event : all)
    samples.push_back(sample_of<waiting_room::any_event>(event, decode_waiting_room));
  return samples;
}

inline std::vector<sample> seating_samples() {
  namespace event = seating::event;
  const std::vector<seating::any_event> all{
      event::block_planned{{"A-1", "A-2", "B-1"}},
      event::seats_held{id_of<hold_id>(16), {"A-1", "A-2"}, 1'767'225'600'000},
      event::seats_released{id_of<hold_id>(16), {"A-2"}},
      event::seats_sold{id_of<hold_id>(16), id_of<order_id>(48), {"A-1"}}};
  std::vector<sample> samples;
  for (const auto& event : all)
    samples.push_back(sample_of<seating::any_event>(event, decode_seating));
  return samples;
}

inline std::vector<sample> orders_samples() {
  namespace event = orders::event;
  const orders::idempotency asked{id_of<request_key>(80), id_of<id128>(96)};
  const auto order = id_of<order_id>(48);
  const auto payment = id_of<payment_id>(64);
  const std::vector<orders::any_event> all{
      event::hold_placed{.hold = id_of<hold_id>(16),
                         .owner = 23,
                         .seats = {{"A-1", "A", "gold", 12'000}, {"A-2", "A", "gold", -1}},
                         .currency = "EUR",
                         .until = 1'767'225'600'000,
                         .asked = asked},
      event::hold_ended{id_of<hold_id>(16), orders::hold_end::admission_ended},
      event::order_placed{.order = order,
                          .owner = 23,
                          .hold = id_of<hold_id>(16),
                          .hold_ref = "seller-7",
                          .total = {24'000, "EUR"},
                          .until = 1'767'225'600'000,
                          .customer = std::string{"\x01sealed\0\xff", 9},
                          .asked = asked},
      event::payment_started{order, payment, "sandbox", "card", asked},
      event::payment_settled{order, payment, orders::payment_outcome::declined, "pi_1"},
      event::order_paid{order, "sandbox", "pi_2"},
      event::order_refund_due{order, "sandbox", "pi_3"},
      event::order_expired{order},
      event::order_cancelled{order}};
  std::vector<sample> samples;
  for (const auto& event : all)
    samples.push_back(sample_of<orders::any_event>(event, decode_orders));
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
                                           {"2", {}}}}}},
          .holds = {.ttl_ms = 200'000, .payment_window_ms = 100'000, .max_seats = 6},
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

/// One of every type.
inline std::vector<sample> golden_samples() {
  std::vector<sample> all;
  for (auto some : {waiting_room_samples(), seating_samples(), orders_samples(), shows_samples(),
                    access_samples()})
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
  using waiting_room::end_reason;
  room(waiting_room::event::room_configured{
      {.admit_per_second_micro = ~0ULL, .max_active = std::nullopt, .max_per_tick = std::nullopt}});
  room(waiting_room::event::fans_joined{.first = 0, .nonces = {1}, .customers = {}, .keys = {}});
  room(waiting_room::event::fans_joined{});
  room(waiting_room::event::fans_admitted{.slots = {}, .until = -1});
  for (const auto reason : {end_reason::left, end_reason::expired, end_reason::used,
                            end_reason::closed, end_reason::merged})
    room(waiting_room::event::tickets_ended{reason, {}});
  desk(orders::event::hold_placed{});
  desk(orders::event::order_placed{});
  desk(orders::event::payment_started{});
  using orders::hold_end;
  for (const auto reason : {hold_end::released, hold_end::expired, hold_end::admission_ended,
                            hold_end::order_expired, hold_end::cancelled})
    desk(orders::event::hold_ended{{}, reason});
  using orders::payment_outcome;
  for (const auto outcome :
       {payment_outcome::approved, payment_outcome::declined, payment_outcome::failed})
    desk(orders::event::payment_settled{{}, {}, outcome, ""});
  all.push_back(sample_of<seating::any_event>(seating::event::seats_sold{}, decode_seating));
  all.push_back(sample_of<shows::any_event>(shows::event::show_created{}, decode_shows));
  using access::role;
  for (const auto value : {role::admin, role::operator_, role::service, role::gate, role::viewer})
    all.push_back(
        sample_of<access::any_event>(access::event::key_created{"k", value, {}}, decode_access));
  return all;
}

} // namespace usher::storage::test
