#include "storage/codec.hpp"

#include "storage/codec_parts.hpp"
#include "storage/upcast.hpp"

namespace usher::storage {

encoded pack(known_type type, const json& payload) {
  return {.type = type.row->name, .schema = type.row->schema, .data = write_cbor(payload)};
}

json byte_string(const id128& id) {
  return json::binary({id.bytes.begin(), id.bytes.end()});
}

json byte_string(std::string_view bytes) {
  return json::binary({bytes.begin(), bytes.end()});
}

std::variant<const event_type*, failure> read_payload(aggregate of, std::string_view type,
                                                      std::uint32_t schema, std::string_view data,
                                                      open_payload& into) {
  const auto* row = find_event_type(type);
  if (row == nullptr)
    return unknown_type(type, schema);
  if (row->of != of)
    return failure{std::string{type} + " does not belong to this kind of subject"};
  const auto unsound = [&] {
    return failure{std::string{type} + ": the payload is not sound CBOR"};
  };
  if (schema != row->schema) {
    auto payload = read_cbor(data);
    if (!payload)
      return unsound();
    if (auto fault = upcast(*payload, type, schema, row->schema))
      return std::move(*fault);
    into.brought_up = write_cbor(*payload);
    data = into.brought_up;
  }
  if (!into.items.read_again(data))
    return unsound();
  return row;
}

} // namespace usher::storage
