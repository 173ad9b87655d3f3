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

std::variant<json, failure> open_payload(aggregate of, std::string_view type, std::uint32_t schema,
                                         std::string_view data) {
  const auto* row = find_event_type(type);
  if (row == nullptr)
    return failure{"unknown event type `" + std::string{type} + "`"};
  if (row->of != of)
    return failure{std::string{type} + " does not belong to this kind of subject"};
  auto payload = read_cbor(data);
  if (!payload)
    return failure{std::string{type} + ": the payload is not sound CBOR"};
  if (auto fault = upcast(*payload, type, schema, row->schema))
    return std::move(*fault);
  return std::move(*payload);
}

} // namespace usher::storage
