#include "storage/codec_columns.hpp"
#include "storage/codec_parts.hpp"
#include "storage/codec_room_settings.hpp"

// Writing; codec_waiting_room.cpp reads.
namespace usher::storage {

namespace {

namespace event = waiting_room::event;

json bytes_of(const waiting_room::bytes32& value) {
  return json::binary({value.begin(), value.end()});
}

/// A column that is left out where nobody has an entry.
template <class Entry>
void put_column(json& map, const char* name, const std::vector<Entry>& column) {
  if (!column.empty())
    map[name] = column_of(column);
}

encoded pack_nothing(known_type type) {
  return pack(type, json::object());
}

encoded write(const event::room_configured& e) {
  auto map = json::object({{"to", settings_map(e.to)}});
  if (e.was)
    map["was"] = settings_map(*e.was);
  return pack("room_configured", map);
}

encoded write(const event::room_scheduled& e) {
  return pack("room_scheduled", json::object({{"commitment", bytes_of(e.commitment)}}));
}

encoded write(const event::room_unscheduled&) {
  return pack_nothing("room_unscheduled");
}

encoded write(const event::prequeue_opened&) {
  return pack_nothing("prequeue_opened");
}

encoded write(const event::beacon_given& e) {
  return pack("beacon_given", json::object({{"value", e.value}}));
}

encoded write(const event::places_drawn& e) {
  return pack("places_drawn", json::object({{"seed", bytes_of(e.seed)},
                                            {"beacon", e.beacon},
                                            {"order", column_of(e.order)}}));
}

encoded write(const event::room_opened&) {
  return pack_nothing("room_opened");
}

encoded write(const event::room_put_on_standby&) {
  return pack_nothing("room_put_on_standby");
}

encoded write(const event::room_paused&) {
  return pack_nothing("room_paused");
}

encoded write(const event::room_resumed&) {
  return pack_nothing("room_resumed");
}

encoded write(const event::stock_changed& e) {
  return pack("stock_changed", json::object({{"left", waiting_room::to_string(e.left)}}));
}

encoded write(const event::room_closed&) {
  return pack_nothing("room_closed");
}

encoded write(const event::fans_joined& e) {
  auto map = json::object({{"first", e.first}, {"nonces", column_of(e.nonces)}});
  put_column(map, "customers", e.customers);
  put_column(map, "keys", e.keys);
  put_column(map, "codes", e.codes);
  put_column(map, "tiers", e.tiers);
  return pack("fans_joined", map);
}

encoded write(const event::fan_identified& e) {
  return pack(
      "fan_identified",
      json::object({{"slot", e.slot}, {"who", byte_string(e.who)}, {"customer", e.customer}}));
}

encoded write(const event::fan_promoted& e) {
  return pack("fan_promoted", json::object({{"slot", e.slot},
                                            {"tier", std::uint32_t{e.tier}},
                                            {"code", byte_string(e.code)}}));
}

encoded write(const event::fans_passed_over& e) {
  return pack("fans_passed_over", json::object({{"slots", e.slots}, {"seen", e.seen}}));
}

encoded write(const event::fans_returned& e) {
  return pack("fans_returned", json::object({{"slots", e.slots}, {"seen", e.seen}}));
}

encoded write(const event::fan_reentered& e) {
  return pack("fan_reentered", json::object({{"slot", e.slot}}));
}

encoded write(const event::fans_admitted& e) {
  auto map = json::object(
      {{"slots", e.slots}, {"until", e.until}, {"creditLeftMicro", e.credit_left_micro}});
  put_column(map, "who", e.who);
  return pack("fans_admitted", map);
}

encoded write(const event::admission_kept& e) {
  return pack("admission_kept",
              json::object({{"slot", e.slot}, {"busyUntil", e.busy_until}, {"spent", e.spent}}));
}

encoded write(const event::tickets_ended& e) {
  return pack("tickets_ended",
              json::object({{"reason", waiting_room::to_string(e.reason)}, {"slots", e.slots}}));
}

encoded write(const event::ticket_revoked& e) {
  return pack("ticket_revoked", json::object({{"slot", e.slot}, {"note", e.note}}));
}

encoded write(const event::codes_added& e) {
  auto map = json::object({{"batch", e.batch},
                           {"tier", e.tier},
                           {"singleUse", e.single_use},
                           {"codes", column_of(e.codes)}});
  if (e.valid_from)
    map["validFrom"] = *e.valid_from;
  if (e.valid_until)
    map["validUntil"] = *e.valid_until;
  return pack("codes_added", map);
}

encoded write(const event::message_set& e) {
  auto texts = json::array();
  for (const auto& [language, text] : e.texts)
    texts.push_back(json::object({{"language", language}, {"text", text}}));
  return pack("message_set", json::object({{"texts", std::move(texts)}}));
}

json wish_map(const waiting_room::wish& wanted) {
  auto map = json::object({{"category", wanted.category},
                           {"block", wanted.block},
                           {"quantity", wanted.quantity},
                           {"accessible", wanted.accessible}});
  if (wanted.price_max_minor)
    map["priceMaxMinor"] = *wanted.price_max_minor;
  return map;
}

encoded write(const event::wish_set& e) {
  auto map = json::object({{"slot", e.slot}});
  if (e.wanted)
    map["wanted"] = wish_map(*e.wanted);
  return pack("wish_set", map);
}

encoded write(const event::wish_answered& e) {
  auto map = json::object({{"slot", e.slot}, {"reason", e.reason}});
  if (!e.hold.is_none())
    map["hold"] = byte_string(e.hold);
  return pack("wish_answered", map);
}

} // namespace

encoded encode(const waiting_room::any_event& happened) {
  return std::visit([](const auto& e) { return write(e); }, happened);
}

} // namespace usher::storage
