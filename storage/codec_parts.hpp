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

/// A payload that is being read. Used again for the next one, with the memory it has.
struct open_payload {
  cbor_items items;
  std::string brought_up; ///< what is read, where the schema was an older one
};

/// Checks type and schema, reads the CBOR in place and returns the type's row. `data` must outlive
/// the items.
[[nodiscard]] std::variant<const event_type*, failure>
read_payload(aggregate of, std::string_view type, std::uint32_t schema, std::string_view data,
             open_payload& into);

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
  thread_local open_payload payload;
  const auto checked = read_payload(of, type, schema, data, payload);
  if (const auto* fault = std::get_if<failure>(&checked))
    return *fault;
  for (const auto& reader : readers) {
    if (reader.type.row != std::get<const event_type*>(checked))
      continue;
    std::optional<failure> fault;
    fields in{payload.items.root(), type, fault};
    AnyEvent event = reader.read(in);
    in.end();
    if (fault)
      return std::move(*fault);
    return event;
  }
  return failure{std::string{type} + " cannot be read by this program"};
}

} // namespace usher::storage
