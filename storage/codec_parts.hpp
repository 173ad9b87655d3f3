#pragma once

#include "actors/basics/ids.hpp"
#include "storage/cbor.hpp"
#include "storage/codec.hpp"
#include "storage/event_types.hpp"
#include "storage/fields.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

// What the codecs of the aggregates share.
namespace usher::storage {

/// A literal that names a row of event_types; any other does not compile.
struct known_type {
  const event_type* row;
  consteval known_type(const char* name) : row{event_types.data()} {
    // Compares no pointer with null: under UBSan, GCC 12 does not take that for constant.
    std::size_t at = 0;
    while (at < event_types.size() && event_types[at].name != name)
      ++at;
    if (at == event_types.size())
      throw "no such event type";
    row += at;
  }
};

[[nodiscard]] encoded pack(known_type type, const json& payload);

[[nodiscard]] json byte_string(const id128& id);
[[nodiscard]] json byte_string(std::string_view bytes);

/// Checks type and schema and reads the CBOR in place; a payload of an older schema is brought to
/// the newest in `brought_up` and read there. Both strings must outlive the items.
[[nodiscard]] std::variant<cbor_items, failure> open_payload(aggregate of, std::string_view type,
                                                             std::uint32_t schema,
                                                             std::string_view data,
                                                             std::string& brought_up);

/// How one type of event is read, one row a type.
template <class AnyEvent>
struct event_reader {
  known_type type;
  AnyEvent (*read)(fields& in);
};

template <class AnyEvent>
std::variant<AnyEvent, failure> decode_with(std::span<const event_reader<AnyEvent>> readers,
                                            aggregate of, std::string_view type,
                                            std::uint32_t schema, std::string_view data) {
  std::string brought_up;
  auto payload = open_payload(of, type, schema, data, brought_up);
  if (auto* fault = std::get_if<failure>(&payload))
    return std::move(*fault);
  for (const auto& reader : readers) {
    if (reader.type.row->name != type)
      continue;
    std::optional<failure> fault;
    fields in{std::get<cbor_items>(payload).root(), type, fault};
    AnyEvent event = reader.read(in);
    in.end();
    if (fault)
      return std::move(*fault);
    return event;
  }
  return failure{std::string{type} + " cannot be read by this program"};
}

} // namespace usher::storage
