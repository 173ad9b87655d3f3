#pragma once

#include "actors/access/event.hpp"
#include "actors/orders/event.hpp"
#include "actors/payments/event.hpp"
#include "actors/seating/event.hpp"
#include "actors/shows/event.hpp"
#include "actors/waiting_room/event.hpp"
#include "storage/event_log.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

// Events to bytes and back. The bytes are CBOR; docs/log-format.md describes every payload.
namespace usher::storage {

struct encoded {
  std::string_view type; ///< a row of event_types; lives for ever
  std::uint32_t schema = 1;
  std::string data;
};

/// Always the newest schema. The same event gives the same bytes.
[[nodiscard]] encoded encode(const waiting_room::any_event& event);
[[nodiscard]] encoded encode(const seating::any_event& event);
[[nodiscard]] encoded encode(const orders::any_event& event);
[[nodiscard]] encoded encode(const shows::any_event& event);
[[nodiscard]] encoded encode(const access::any_event& event);
[[nodiscard]] encoded encode(const payments::any_event& event);

/// Reads any schema that was ever written. Strict: an unknown type, a type of another aggregate, a
/// newer schema, a missing, unknown or wrong field, columns of unequal length and anything that is
/// not CBOR are failures that name the type and the field. Nothing throws on bad bytes.
[[nodiscard]] std::variant<waiting_room::any_event, failure>
decode_waiting_room(std::string_view type, std::uint32_t schema, std::string_view data);
[[nodiscard]] std::variant<seating::any_event, failure>
decode_seating(std::string_view type, std::uint32_t schema, std::string_view data);
[[nodiscard]] std::variant<orders::any_event, failure>
decode_orders(std::string_view type, std::uint32_t schema, std::string_view data);
[[nodiscard]] std::variant<shows::any_event, failure>
decode_shows(std::string_view type, std::uint32_t schema, std::string_view data);
[[nodiscard]] std::variant<access::any_event, failure>
decode_access(std::string_view type, std::uint32_t schema, std::string_view data);
[[nodiscard]] std::variant<payments::any_event, failure>
decode_payments(std::string_view type, std::uint32_t schema, std::string_view data);

} // namespace usher::storage
