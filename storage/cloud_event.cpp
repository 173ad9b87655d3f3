#include "storage/cloud_event.hpp"

#include "actors/basics/rfc3339.hpp"
#include "storage/files.hpp"

#include <nlohmann/json.hpp>

#include <utility>

namespace usher::storage {

namespace {

using json = nlohmann::ordered_json;
using sealed = cloud_event_options::sealed;

std::string_view bytes_of(const json& value) {
  const auto& bytes = value.get_binary();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

json readable(const json& value) {
  if (value.is_binary())
    return to_hex(bytes_of(value));
  if (!value.is_structured())
    return value;
  auto made = value.is_array() ? json::array() : json::object();
  if (value.is_array())
    for (const auto& item : value)
      made.push_back(readable(item));
  else
    for (const auto& [name, item] : value.items())
      made[name] = readable(item);
  return made;
}

/// What is sealed for an order is a JSON object. What cannot be opened, or not any more, is null.
json opened(const json& data, std::string_view bytes, const opener& open) {
  const auto order = data.find("order");
  if (!open || order == data.end() || !order->is_binary())
    return nullptr;
  const auto found = open(bytes, bytes_of(*order));
  const auto* const read = std::get_if<opened_data>(&found);
  auto made = read != nullptr ? json::parse(read->plain, nullptr, false) : json{};
  return made.is_discarded() ? json{} : made;
}

/// What was erased needs no other name than its key's to be known as such.
std::string_view word_for(std::string_view bytes, const opener& open) {
  return open && std::holds_alternative<erased_data>(open(bytes, {})) ? "erased" : "sealed";
}

/// `data` as it came, `made` as it goes out.
void show_sealed(const char* member, const json& data, const cloud_event_options& how, json& made) {
  const auto found = data.find(member);
  if (found == data.end() || !found->is_binary() || found->get_binary().empty())
    return;
  const bool is_customer = member == std::string_view{"customer"};
  if (how.personal == sealed::named)
    made[member] = word_for(bytes_of(*found), how.open);
  else if (how.personal == sealed::opened && is_customer)
    made[member] = opened(data, bytes_of(*found), how.open);
  else
    made.erase(member);
}

/// Texts of equal length, so that they are in order as texts too, as the extension wants it.
std::string sequence_of(position_t position) {
  const auto digits = std::to_string(position);
  return std::string(20 - digits.size(), '0') + digits;
}

} // namespace

std::string_view show_of(std::string_view subject) {
  const auto slash = subject.find('/');
  const auto kind = subject.substr(0, slash);
  if (slash == std::string_view::npos || (kind != "queue" && kind != "block" && kind != "desk"))
    return system_partition;
  const auto rest = subject.substr(slash + 1);
  return rest.substr(0, rest.find('/'));
}

std::variant<std::string, failure> cloud_event(const stored_record& which,
                                               const cloud_event_options& how) {
  const auto data = json::from_cbor(which.data, true, false);
  if (data.is_discarded())
    return failure{"position " + std::to_string(which.position) + ": the payload is no CBOR"};
  auto shown = readable(data);
  if (which.type == "order_placed")
    show_sealed("customer", data, how, shown);
  if (which.type == "payment_started")
    show_sealed("token", data, how, shown);
  json envelope{{"specversion", "1.0"},
                {"id", "0/" + std::to_string(which.position)},
                {"source", "/usher/shards/0"},
                {"type", "usher." + which.type},
                {"subject", which.subject},
                {"time", write_rfc3339(which.at)},
                {"datacontenttype", "application/json"},
                {"partitionkey", show_of(which.subject)},
                {"sequence", sequence_of(which.position)},
                {"schemaversion", which.schema},
                {"subjectversion", std::to_string(which.version)},
                {"causedby", which.cause.who}};
  if (!which.cause.request.empty())
    envelope["request"] = which.cause.request;
  if (how.anchor) {
    const auto& chain = how.anchor->chain;
    envelope["logposition"] = std::to_string(how.anchor->position);
    envelope["logchain"] = to_hex({reinterpret_cast<const char*>(chain.data()), chain.size()});
  }
  envelope["data"] = std::move(shown);
  return envelope.dump(-1, ' ', false, json::error_handler_t::replace);
}

} // namespace usher::storage
