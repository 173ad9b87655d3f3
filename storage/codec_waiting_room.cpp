#include "storage/codec_parts.hpp"

#include "actors/basics/overloaded.hpp"

#include <array>
#include <cstring>
#include <limits>

namespace usher::storage {

namespace {

namespace event = waiting_room::event;
using waiting_room::any_event;

constexpr std::size_t nonce_size = 8;
constexpr std::size_t identity_size = 16;
static_assert(sizeof(identity) == identity_size, "columns are copied as a whole");

json nonce_column(const std::vector<std::uint64_t>& nonces) {
  json::binary_t column;
  column.resize(nonces.size() * nonce_size);
  auto* out = column.data();
  for (const auto nonce : nonces)
    for (int shift = 56; shift >= 0; shift -= 8)
      *out++ = static_cast<std::uint8_t>(nonce >> shift);
  return column;
}

std::vector<std::uint64_t> nonces_in(const std::string& column) {
  std::vector<std::uint64_t> nonces(column.size() / nonce_size);
  const auto* in = reinterpret_cast<const std::uint8_t*>(column.data());
  for (auto& nonce : nonces)
    for (std::size_t i = 0; i < nonce_size; ++i)
      nonce = nonce << 8 | *in++;
  return nonces;
}

json identity_column(const std::vector<identity>& column) {
  json::binary_t bytes;
  bytes.resize(column.size() * identity_size);
  std::memcpy(bytes.data(), column.data(), bytes.size());
  return bytes;
}

std::vector<identity> identities_in(fields& in, const char* name, std::size_t count) {
  if (!in.has(name))
    return {};
  const auto column = in.bytes(name);
  if (count == 0 || column.size() != count * identity_size) {
    in.wrong(name, "a column of as many entries as `nonces`");
    return {};
  }
  std::vector<identity> all(count);
  std::memcpy(all.data(), column.data(), column.size());
  return all;
}

json settings_map(const waiting_room::settings& to) {
  auto map = json::object({{"admitPerSecondMicro", to.admit_per_second_micro},
                           {"tickMs", to.tick_ms},
                           {"admissionTtlMs", to.admission_ttl_ms},
                           {"maxQueue", to.max_queue}});
  if (to.max_active)
    map["maxActive"] = *to.max_active;
  if (to.max_per_tick)
    map["maxPerTick"] = *to.max_per_tick;
  return map;
}

any_event read_room_configured(fields& in) {
  return event::room_configured{{.admit_per_second_micro = in.u64("admitPerSecondMicro"),
                                 .max_active = in.optional_u32("maxActive"),
                                 .max_per_tick = in.optional_u32("maxPerTick"),
                                 .tick_ms = in.i64("tickMs"),
                                 .admission_ttl_ms = in.i64("admissionTtlMs"),
                                 .max_queue = in.u32("maxQueue")}};
}

json fans_joined_map(const event::fans_joined& e) {
  auto map = json::object({{"first", e.first}, {"nonces", nonce_column(e.nonces)}});
  if (!e.customers.empty())
    map["customers"] = identity_column(e.customers);
  if (!e.keys.empty())
    map["keys"] = identity_column(e.keys);
  return map;
}

any_event read_fans_joined(fields& in) {
  event::fans_joined e;
  e.first = in.u32("first");
  const auto nonces = in.bytes("nonces");
  if (nonces.size() % nonce_size != 0)
    in.wrong("nonces", "a column of 8 bytes an entry");
  e.nonces = nonces_in(nonces.substr(0, nonces.size() / nonce_size * nonce_size));
  if (e.nonces.size() > std::numeric_limits<slot_t>::max() - e.first)
    in.wrong("nonces", "a column that ends before the slots do");
  e.customers = identities_in(in, "customers", e.nonces.size());
  e.keys = identities_in(in, "keys", e.nonces.size());
  return e;
}

any_event read_fans_admitted(fields& in) {
  return event::fans_admitted{.slots = in.u32s("slots"),
                              .until = in.i64("until"),
                              .credit_left_micro = in.u64("creditLeftMicro")};
}

any_event read_admission_kept(fields& in) {
  return event::admission_kept{
      .slot = in.u32("slot"), .busy_until = in.i64("busyUntil"), .spent = in.flag("spent")};
}

any_event read_tickets_ended(fields& in) {
  return event::tickets_ended{.reason = in.name_of("reason", waiting_room::end_reason_of),
                              .slots = in.u32s("slots")};
}

constexpr std::array<event_reader<any_event>, 8> readers{{
    {"room_configured", read_room_configured},
    {"room_opened", [](fields&) -> any_event { return event::room_opened{}; }},
    {"room_closed", [](fields&) -> any_event { return event::room_closed{}; }},
    {"fans_joined", read_fans_joined},
    {"fan_identified",
     [](fields& in) -> any_event {
       return event::fan_identified{.slot = in.u32("slot"), .who = in.id<identity>("who")};
     }},
    {"fans_admitted", read_fans_admitted},
    {"admission_kept", read_admission_kept},
    {"tickets_ended", read_tickets_ended},
}};

} // namespace

encoded encode(const any_event& happened) {
  return std::visit(
      overloaded{
          [](const event::room_configured& e) {
            return pack("room_configured", settings_map(e.to));
          },
          [](const event::room_opened&) { return pack("room_opened", json::object()); },
          [](const event::room_closed&) { return pack("room_closed", json::object()); },
          [](const event::fans_joined& e) { return pack("fans_joined", fans_joined_map(e)); },
          [](const event::fan_identified& e) {
            return pack("fan_identified",
                        json::object({{"slot", e.slot}, {"who", byte_string(e.who)}}));
          },
          [](const event::fans_admitted& e) {
            return pack("fans_admitted", json::object({{"slots", e.slots},
                                                       {"until", e.until},
                                                       {"creditLeftMicro", e.credit_left_micro}}));
          },
          [](const event::admission_kept& e) {
            return pack(
                "admission_kept",
                json::object({{"slot", e.slot}, {"busyUntil", e.busy_until}, {"spent", e.spent}}));
          },
          [](const event::tickets_ended& e) {
            return pack(
                "tickets_ended",
                json::object({{"reason", waiting_room::to_string(e.reason)}, {"slots", e.slots}}));
          },
      },
      happened);
}

std::variant<any_event, failure> decode_waiting_room(std::string_view type, std::uint32_t schema,
                                                     std::string_view data) {
  return decode_with<any_event>(readers, aggregate::waiting_room, type, schema, data);
}

} // namespace usher::storage
