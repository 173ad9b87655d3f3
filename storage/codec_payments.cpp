#include "storage/codec_parts.hpp"

#include "actors/basics/overloaded.hpp"

#include <array>

namespace usher::storage {

namespace {

namespace event = payments::event;
using payments::any_event;

constexpr std::array<event_reader<any_event>, 1> readers{{
    {"breaker_changed",
     [](fields& in) -> any_event {
       return event::breaker_changed{.gateway = in.text("gateway"),
                                     .from = in.name_of("from", payments::breaker_status_of),
                                     .to = in.name_of("to", payments::breaker_status_of),
                                     .until = in.i64("until"),
                                     .calls = in.u32("calls"),
                                     .failures = in.u32("failures"),
                                     .why = in.text("why")};
     }},
}};

} // namespace

encoded encode(const any_event& happened) {
  return std::visit(overloaded{[](const event::breaker_changed& e) {
                      return pack("breaker_changed",
                                  json::object({{"gateway", e.gateway},
                                                {"from", payments::to_string(e.from)},
                                                {"to", payments::to_string(e.to)},
                                                {"until", e.until},
                                                {"calls", e.calls},
                                                {"failures", e.failures},
                                                {"why", e.why}}));
                    }},
                    happened);
}

std::variant<any_event, failure> decode_payments(std::string_view type, std::uint32_t schema,
                                                 std::string_view data) {
  return decode_with<any_event>(readers, aggregate::payments, type, schema, data);
}

} // namespace usher::storage
