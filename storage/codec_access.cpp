#include "storage/codec_parts.hpp"

#include "actors/basics/overloaded.hpp"

#include <array>

namespace usher::storage {

namespace {

namespace event = access::event;
using access::any_event;

any_event read_key_created(fields& in) {
  event::key_created e;
  e.id = in.text("id");
  e.role = in.name_of("role", access::role_of);
  in.fixed_bytes("digest", e.digest);
  return e;
}

constexpr std::array<event_reader<any_event>, 1> readers{{{"key_created", read_key_created}}};

} // namespace

encoded encode(const any_event& happened) {
  return std::visit(
      overloaded{[](const event::key_created& e) {
        return pack("key_created",
                    json::object({{"id", e.id},
                                  {"role", access::to_string(e.role)},
                                  {"digest", json::binary({e.digest.begin(), e.digest.end()})}}));
      }},
      happened);
}

std::variant<any_event, failure> decode_access(std::string_view type, std::uint32_t schema,
                                               std::string_view data) {
  return decode_with<any_event>(readers, aggregate::access, type, schema, data);
}

} // namespace usher::storage
